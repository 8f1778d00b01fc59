/**
 * From facts to a code, in the order of doubt: first what spoils a measurement, then whether the
 * answer depends on the subnet, then on geography, then whether the scopes say so truthfully.
 */
import type { Facts } from './facts.ts'
import { TOO_FINE } from './fragment.ts'
import type { EcsOptions } from './options.ts'
import { setOf } from './reply.ts'
import type { EcsCode } from './verdict.ts'

export function decide(facts: Facts, options: EcsOptions): EcsCode {
  const spoiled = spoiledBy(facts, options)
  if (spoiled !== undefined) return spoiled
  const echo = [...facts.treatments.values()]
  const heard = echo.filter(treatment => treatment !== 'unknown')
  if (heard.every(treatment => treatment === 'none')) return withoutOption(facts)
  if (heard.includes('some') || new Set(heard).size > 1) return 'partial-ecs'
  return facts.levels.dependent ? tailored(facts) : untailored(facts)
}

/** What the code would be if all name servers were as the one that was sampled. */
export function decideAlone(facts: Facts, options: EcsOptions): EcsCode {
  const own = facts.treatments.get(facts.grid.server) ?? 'unknown'
  const alone = own === 'some' ? 'tailored' : own
  return decide({ ...facts, treatments: new Map([[facts.grid.server, alone]]) }, options)
}

function spoiledBy(facts: Facts, options: EcsOptions): EcsCode | undefined {
  const { grid, echoes } = facts
  const held = echoes.exact + echoes.missing + echoes.mismatch
  if (echoes.refused > 0 && echoes.refused >= held) return refusal(facts)
  if (options.trust?.path === 'altered') return 'path'
  if (echoes.mismatch > 0 && echoes.mismatch >= echoes.exact + echoes.missing) return 'path'
  if (isEmpty(facts)) return 'empty'
  if (facts.frozen) return 'cached'
  if (grid.rows.length < 2 || grid.rounds.length < 3) return 'data'
  return undefined
}

/** REFUSED and FORMERR are about the option; other errors are about the server, with or without it. */
function refusal(facts: Facts): EcsCode {
  const bare = facts.about.filter(seen => seen.sent === undefined)
  const works = bare.some(({ rcode }) => rcode === 'NOERROR' || rcode === 'NXDOMAIN')
  const named = facts.about.filter(seen => seen.sent !== undefined)
  const refused = named.some(
    ({ rcode, oddities }) =>
      rcode === 'REFUSED' || rcode === 'FORMERR' || oddities.includes('no-edns-retry'),
  )
  return refused || works ? 'refused' : 'data'
}

function isEmpty({ grid }: Facts): boolean {
  return grid.replies.length > 0 && grid.replies.every(seen => setOf(seen).length === 0)
}

function withoutOption(facts: Facts): EcsCode {
  // Through a resolver the option may have been dropped on the way back: the authority is not to blame.
  if (facts.levels.dependent) return facts.resolved ? 'path' : 'no-echo'
  return facts.allSame || facts.isPatient ? 'no-ecs' : 'data'
}

function untailored(facts: Facts): EcsCode {
  if (!facts.allSame && !facts.isPatient) return 'data'
  if (Object.keys(facts.echoes.scopes).some(scope => scope !== '0')) {
    // Clients of one region are served alike by honest geoDNS too: that shows no theatre.
    return isOneRegion(facts.grid.regions) ? 'data' : 'scope-theatre'
  }
  if (!facts.allSame) return 'rotation'
  return (facts.grid.sets[0]?.length ?? 0) === 1 ? 'single-answer' : 'static-pool'
}

function isOneRegion(regions: readonly (string | undefined)[]): boolean {
  return regions[0] !== undefined && regions.every(region => region === regions[0])
}

function tailored(facts: Facts): EcsCode {
  const { levels, scope } = facts
  if (scope.zero.length > 0) return 'lying-scope'
  if (levels.geography === 'no') return 'prefix-sharding'
  if (scope.overlaps.length > 0 || scope.short.length > 0) return 'broken-scope'
  if (levels.geography === 'unsure') return 'data'
  const fine = facts.copies || (facts.fragmentation ?? 1) > TOO_FINE
  return fine ? 'geo-unaggregated' : 'geo'
}
