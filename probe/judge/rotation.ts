/**
 * Judges what `dns2` saw: one name and type asked many times in a row by one client. Who chooses,
 * the client from a list or the server by rotating, and how. Twenty queries tell a fixed order from
 * a shuffled one (p = 2⁻¹⁹); they need not see a whole pool, and the evidence says how much of it.
 */
import { mostAsked } from './about.ts'
import { aliasModifiers } from './alias.ts'
import type { Judgement } from './judgement.ts'
import type { Observation } from './observation.ts'
import { oddities } from './oddity.ts'
import type { RotationOptions } from './options.ts'
import { isResolved } from './path.ts'
import { rateLimits } from './rate-limited.ts'
import { type Series, seriesOf } from './series.ts'
import { tally } from './tally.ts'
import { moments, resets } from './ttl.ts'
import { unsolicited } from './unsolicited.ts'
import { ROTATION_ANSWER, type RotationCode } from './verdict.ts'

/** Chance under which a constant answer is called constant, and a change that stayed a drift. */
const PLAIN = 0.01

/** @param observations the whole measurement: other queries move counters that this name may share */
export function judgeRotation(
  observations: readonly Observation[],
  options: RotationOptions,
): Judgement {
  const alpha = options.alpha ?? 0.001
  const series = seriesOf(observations, options)
  const code = codeOf(series, alpha)
  const modifiers = modifiersOf(series, code, alpha)
  return {
    name: options.name,
    type: options.type,
    server: mostAsked(series.asked),
    verdict: { answer: ROTATION_ANSWER[code], code, modifiers, evidence: series.evidence },
    groups: [],
    scopes: [],
    findings: [
      ...oddities(series.asked),
      ...rateLimits(series.asked),
      ...unsolicited(series.asked),
    ],
    tally: tally(series.asked),
  }
}

function codeOf(series: Series, alpha: number): RotationCode {
  const { evidence, answers, sameSet } = series
  if (answers.length === 0) return evidence.replies > 0 ? 'empty' : 'unclear'
  if (evidence.countsDown || isStale(answers)) return 'cached'
  const one = evidence.perAnswer.max === 1
  if (evidence.orders === 1) {
    if ((evidence.constant ?? 1) > PLAIN) return 'unclear'
    return one ? 'single' : 'fixed-list'
  }
  if ((evidence.instance ?? 1) <= alpha && series.constantByInstance) {
    return one ? 'single' : 'fixed-list'
  }
  if ((evidence.drift ?? 1) <= PLAIN) return 'drifting'
  if (sameSet && isCyclic(series, alpha)) return 'cyclic-list'
  if (sameSet) return 'shuffled-list'
  return one ? 'rotating-one' : 'rotating-subset'
}

/** Whether a resolver answered, and nothing shows that it ever asked anew. */
function isStale(answers: readonly Observation[]): boolean {
  return answers.length > 1 && isResolved(answers) && !resets(moments(answers))
}

function isCyclic(series: Series, alpha: number): boolean {
  return (series.evidence.cyclic ?? 1) <= alpha
}

function modifiersOf(series: Series, code: RotationCode, alpha: number): readonly string[] {
  const { evidence, answers } = series
  const modifiers: string[] = []
  const rotates = code === 'rotating-one' || code === 'rotating-subset'
  const cyclic = isCyclic(series, alpha)
  if (rotates && cyclic) modifiers.push('cyclic')
  if (rotates && !cyclic && evidence.orders < answers.length) modifiers.push('random')
  if (code === 'cyclic-list' && 2 * series.steps > alpha) modifiers.push('random-start')
  if ((rotates || code === 'shuffled-list') && !cyclic && (evidence.uniform ?? 1) <= alpha) {
    modifiers.push('weighted')
  }
  if ((evidence.instance ?? 1) <= alpha) modifiers.push('by-instance')
  if (evidence.empty > 0 && answers.length > 0) modifiers.push('mixed-negative')
  if (evidence.replies > 0 && !evidence.authoritative) modifiers.push('not-authoritative')
  if (series.asked.some(({ referral }) => referral !== undefined)) modifiers.push('referral')
  return [...modifiers, ...aliasModifiers(answers)]
}
