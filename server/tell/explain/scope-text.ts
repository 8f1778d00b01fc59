/** How far an answer holds, in words: SOURCE against SCOPE (RFC 7871 §7.2.1). */
import type { Explanation, Steered } from './explanation.ts'

export function scopeText({ read }: Explanation, { locate, scope }: Steered): string {
  const { leaf, passed, special } = locate
  const { bits, source } = scope
  if (source === undefined) return 'none, as no subnet was told'
  if (passed === 'off') return 'none, as client subnets are switched off'
  if (passed === 'not tailored') return '0: everybody gets the same'
  if (passed === 'not believed') return '0: what the resolver told was not used'
  if (passed === 'source 0') return '0, for others who would rather not be located (SOURCE 0)'
  if (passed === 'special')
    return `${bits}: special addresses, ${special?.subnet ?? ''}, are answered as one`
  const block = leaf?.prefix ?? ''
  const told = `the ${source} bits told`
  if (bits === 0) return '0: every address of the family gets the same'
  if (bits < source)
    return `${bits}, less than ${told}: a cache may answer all of ${block} with this`
  if (bits === source) return `${bits}, just as many as were told: this is for all of ${block}`
  const others = `others in ${read.subnet ?? ''} may get another`
  return `${bits}, more than ${told}: this is for ${block}, and ${others}: a resolver should tell more`
}
