/** The conditions of `--fail-on`: what they are called and when one is met. */
import type { Finding, FindingId } from './finding.ts'
import type { Judgement } from './judgement.ts'

/** Those that are a word by themselves. */
export const CONDITIONS = [
  'timeout',
  'partial',
  'rcode',
  'no-ecs',
  'fake-geo',
  'mis-scoped',
  'ns-inconsistent',
  'inconclusive',
] as const

export type Condition =
  | { readonly kind: (typeof CONDITIONS)[number] }
  /** `verdict!=X`: an answer or a code that every result must have. */
  | { readonly kind: 'verdict-is-not'; readonly wish: string }

/** Reads one condition; undefined where it is none. */
export function readCondition(text: string): Condition | undefined {
  const kind = CONDITIONS.find(name => name === text)
  if (kind !== undefined) return { kind }
  const wish = /^verdict!=([a-z0-9-]+)$/.exec(text)?.[1]
  return wish === undefined ? undefined : { kind: 'verdict-is-not', wish }
}

/** One sentence where the condition is met. `partial` is about servers: see `settle`. */
export function failsOn(one: Judgement, condition: Condition): string | undefined {
  const what = reason(one, condition)
  return what === undefined ? undefined : `${one.name} ${one.type}: ${what}`
}

function reason(one: Judgement, condition: Condition): string | undefined {
  const { verdict, tally, findings } = one
  const said = `verdict is ${verdict.answer}/${verdict.code}`
  const is = (...codes: readonly string[]) => codes.includes(verdict.code)
  switch (condition.kind) {
    case 'timeout':
      return tally.timeouts > 0 ? `${tally.timeouts} queries timed out` : undefined
    case 'partial':
      return undefined
    case 'rcode':
      return errorCodes(tally.rcodes)
    case 'no-ecs':
      return is('no-ecs', 'no-echo') ? said : undefined
    case 'fake-geo':
      return verdict.answer === 'fake' ? said : undefined
    case 'mis-scoped':
      if (is('lying-scope', 'broken-scope', 'scope-theatre')) return said
      return firstOf(findings, ['ECS004', 'ECS005', 'ECS006'])
    case 'ns-inconsistent':
      return is('partial-ecs') ? said : firstOf(findings, ['ECS013'])
    case 'inconclusive':
      return verdict.answer === 'unclear' ? said : undefined
    case 'verdict-is-not':
      return is(condition.wish) || verdict.answer === condition.wish ? undefined : said
  }
}

/** NXDOMAIN is an answer; anything but it and NOERROR is a failure to answer. */
function errorCodes(rcodes: Readonly<Record<string, number>>): string | undefined {
  const errors = Object.keys(rcodes).filter(code => code !== 'NOERROR' && code !== 'NXDOMAIN')
  return errors.length === 0 ? undefined : `answered ${errors.join(', ')}`
}

function firstOf(findings: readonly Finding[], ids: readonly FindingId[]): string | undefined {
  const found = findings.find(({ id }) => ids.includes(id))
  return found === undefined ? undefined : `${found.id} ${found.message}`
}
