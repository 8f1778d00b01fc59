/** How far an answer holds, in words: SOURCE against SCOPE (RFC 7871 §7.2.1). */
import type { Explanation, Steered } from './explanation.ts'

export function scopeText({ read }: Explanation, { locate, scope }: Steered): string {
  const { leaf, passed, special } = locate
  const { bits, source } = scope
  if (source === undefined) return 'none: no subnet was told, so no scope is told back'
  if (passed === 'off') return 'none: client subnets are switched off, so no scope is told back'
  if (passed === 'not tailored') return '0: everybody gets the same, so caches need not ask again'
  if (passed === 'not believed') return '0: what the resolver told was not used'
  if (passed === 'source 0') return '0: good only for those who would rather not be located either'
  const block = leaf?.prefix ?? special?.subnet ?? ''
  if (passed === 'special')
    return `${bits}: the length of ${special?.subnet ?? block}, all of which is answered so`
  if (bits === 0) return '0: every address of this family gets the same'
  if (bits < source)
    return `${bits}, less than the ${source} told: caches may answer all of ${block} so`
  if (bits === source)
    return `${bits}, just what was told: the answer is for ${read.subnet ?? block}`
  return `${bits}, more than the ${source} told: this is the answer for ${block}, and others in ${read.subnet} may get another: the resolver should tell more`
}
