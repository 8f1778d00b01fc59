/** From rulings to an exit code: nothing measured, then what fails, then what cannot be said. */
import { type Condition, failsOn } from '../judge/condition.ts'
import { type Exit, silences } from '../judge/expect.ts'
import type { Judgement } from '../judge/judgement.ts'
import type { Ruling } from '../judge/ruling.ts'

export type Strictness = 'report' | 'strict' | 'lenient'

export type Settled = { readonly exit: Exit; readonly failed: readonly string[] }

/** `--strict`: what cannot be said fails. */
export function strictly(rulings: readonly Ruling[], strictness: Strictness): readonly Ruling[] {
  if (strictness !== 'strict') return rulings
  return rulings.map(one => (one.state === 'inconclusive' ? { ...one, state: 'fail' } : one))
}

/** @param rulings after `strictly` */
export function settleChecks(
  rulings: readonly Ruling[],
  judgements: readonly Judgement[],
  conditions: readonly Condition[],
  strictness: Strictness,
): Settled {
  if (judgements.every(({ tally }) => tally.replies === 0)) {
    return { exit: 9, failed: ['no reply from any server'] }
  }
  const partial = conditions.some(({ kind }) => kind === 'partial') ? silences(judgements) : []
  const found = conditions.flatMap(on => judgements.flatMap(one => failsOn(one, on) ?? []))
  const failed = [...new Set([...found, ...partial])]
  if (found.length > 0 || rulings.some(({ state }) => state === 'fail')) return { exit: 1, failed }
  const open = strictness !== 'lenient' && rulings.some(({ state }) => state === 'inconclusive')
  if (open) return { exit: 3, failed }
  return { exit: partial.length > 0 ? 4 : 0, failed }
}
