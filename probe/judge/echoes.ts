/**
 * What became of the option, over all replies to one name: whether it came back exact, another, or
 * not at all; server by server, since one name server without ECS spoils the zone.
 */
import type { Observation } from './observation.ts'
import { countOf } from './odds.ts'
import { echoState, holdsAnswer, isRefused, setOf } from './reply.ts'

export type Echoes = {
  readonly exact: number
  readonly missing: number
  readonly mismatch: number
  /** Replies that were an error, or came only without EDNS. */
  readonly refused: number
  /** Exact positive replies by SCOPE, as text. */
  readonly scopes: Readonly<Record<string, number>>
}

/** Counts the replies to queries that named a subnet; those for SOURCE 0 are no such. */
export function echoesOf(observations: readonly Observation[]): Echoes {
  const named = observations.filter(seen => (seen.sent?.source ?? 0) > 0)
  const held = named.filter(holdsAnswer)
  const states = countOf(held.map(echoState))
  const exact = held.filter(seen => echoState(seen) === 'exact' && setOf(seen).length > 0)
  return {
    exact: states.get('exact') ?? 0,
    missing: states.get('missing') ?? 0,
    mismatch: states.get('mismatch') ?? 0,
    refused: named.filter(isRefused).length,
    scopes: Object.fromEntries(countOf(exact.map(({ echo }) => `${echo?.scope}`))),
  }
}

/** How a server treats the option: not at all, with scope 0 only, or by subnet. */
export type Treatment = 'none' | 'some' | 'zero' | 'tailored' | 'unknown'

/** More than one reply in fifty without the option is a habit, not an accident. */
const HABIT = 0.02

export function treatmentOf(echoes: Echoes): Treatment {
  const { exact, missing, scopes } = echoes
  if (exact + missing === 0) return 'unknown'
  if (exact === 0) return 'none'
  if (missing > HABIT * (exact + missing)) return 'some'
  return Object.keys(scopes).every(scope => scope === '0') ? 'zero' : 'tailored'
}

/** How each server treats the option. */
export function treatments(observations: readonly Observation[]): ReadonlyMap<string, Treatment> {
  const servers = [...new Set(observations.map(seen => seen.server))]
  return new Map(
    servers.map(server => {
      const there = observations.filter(seen => seen.server === server)
      return [server, treatmentOf(echoesOf(there))]
    }),
  )
}
