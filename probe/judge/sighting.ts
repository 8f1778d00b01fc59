/**
 * What one reply of a sweep says: for which network it came, for which block it claims to hold, and
 * what it answers. Small, as there may be hundreds of thousands.
 */
import type { Observation } from './observation.ts'
import { echoState, holdsAnswer, setOf } from './reply.ts'
import { type Span, spanAt, spanOf } from './span.ts'

export type Sighting = {
  /** What was asked for: its bits are SOURCE. */
  readonly network: Span
  /** What the reply holds for: SCOPE, never finer than what was asked for; without an option, all. */
  readonly claim: Span
  /** SCOPE as it came; absent: no option came back that could be used. */
  readonly scope: number | undefined
  readonly set: readonly string[]
  /** `leaf` found where the sweep stood, `sample` to try a block, `again` to learn of rotation. */
  readonly purpose: Purpose
}

export type Purpose = 'leaf' | 'sample' | 'again'

/** What a reply says of its network; absent where there is no answer in it. */
export function sightingOf(seen: Observation, purpose: Purpose): Sighting | undefined {
  const { sent, echo } = seen
  if (sent === undefined || !holdsAnswer(seen)) return undefined
  const octets = Uint8Array.from(sent.address.match(/../g) ?? [], hex => Number.parseInt(hex, 16))
  const network = spanOf(sent.family, octets, sent.source)
  const scope = echoState(seen) === 'exact' ? echo?.scope : undefined
  return { network, claim: claimOf(network, scope), scope, set: setOf(seen), purpose }
}

export function claimOf(network: Span, scope: number | undefined): Span {
  return spanAt(network.family, network.at, Math.min(scope ?? 0, network.bits))
}
