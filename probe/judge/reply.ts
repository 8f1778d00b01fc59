/**
 * What one observation is worth: whether it holds an answer, what set that is, and whether the option
 * that came back is the one that was sent. Knows nothing of other observations.
 */
import type { Observation } from './observation.ts'

/** Longest SCOPE PREFIX-LENGTH there can be, by ECS FAMILY. RFC 7871 §6. */
const LONGEST = { 1: 32, 2: 128 } as const

/** Whether a whole positive or negative answer came. */
export function holdsAnswer(seen: Observation): boolean {
  if (seen.error !== undefined || seen.flags.tc) return false
  return seen.rcode === 'NOERROR' || seen.rcode === 'NXDOMAIN'
}

/** Whether the option was answered with an error: refused outright, or only without EDNS. */
export function isRefused(seen: Observation): boolean {
  if (seen.error !== undefined || seen.sent === undefined) return false
  return fellBack(seen) || !(seen.rcode === 'NOERROR' || seen.rcode === 'NXDOMAIN')
}

/** Whether the answer came only after EDNS, and with it the option, was left out. */
export function fellBack(seen: Observation): boolean {
  return seen.oddities.includes('no-edns-retry')
}

/**
 * The answer as a set, sorted: addresses, or the name that an unfollowed CNAME points to. Order is
 * no part of it: that two subnets get one list in two orders is shuffling, not steering.
 */
export function setOf(seen: Observation): readonly string[] {
  if (seen.answers.length > 0) return [...new Set(seen.answers)].sort()
  const target = seen.chain.at(-1)
  return target === undefined ? [] : [target.toLowerCase()]
}

/** The set as one string, for comparing. */
export function setKey(set: readonly string[]): string {
  return set.join(' ')
}

export type EchoState = 'unsent' | 'exact' | 'missing' | 'mismatch'

/**
 * Compares the option that came back with the one sent. RFC 7871 §7.2.1: FAMILY, SOURCE and ADDRESS
 * are copied; §11.2: a reply in which they are not must not be used.
 */
export function echoState(seen: Observation): EchoState {
  const { sent, echo } = seen
  if (sent === undefined || fellBack(seen)) return 'unsent'
  if (echo === undefined) return 'missing'
  return isCopied(seen) && echo.scope <= LONGEST[sent.family] ? 'exact' : 'mismatch'
}

/** Whether FAMILY, SOURCE and ADDRESS came back as they were sent, whatever the SCOPE. */
export function isCopied({ sent, echo }: Observation): boolean {
  if (sent === undefined || echo === undefined) return false
  return echo.family === sent.family && echo.source === sent.source && echo.address === sent.address
}

/** Whether an answer tells something about subnets: it came for one, and not with another's option. */
export function isSample(seen: Observation): boolean {
  if (seen.purpose !== 'sample' || seen.sent === undefined || seen.sent.source === 0) return false
  return holdsAnswer(seen) && !fellBack(seen) && echoState(seen) !== 'mismatch'
}
