/**
 * From a policy and places to Steering: each part is compiled in its own file, here they are put
 * side by side in memory that threads share. Everything wrong is remarked in one pass.
 */
import { joined } from '../dns/octets.ts'
import type { Remarks } from '../fault.ts'
import type { Places } from '../geo/places.ts'
import { seal } from '../geo/tree.ts'
import { type Kinds, kindsOf } from './check.ts'
import { type Choice, choosing, compileChoice } from './choice.ts'
import { bytes, halves, integers, starts, words } from './columns.ts'
import { MOST_TARGETS } from './decision.ts'
import { fitting, ROOM } from './fits.ts'
import { checkNetworks } from './networks.ts'
import { compilePools, type Lists } from './pools.ts'
import type { Policy, Ranking, Rule } from './rule.ts'
import { PICK, type Steering } from './steering.ts'

/** A rule, compiled as far as it is its own. */
type Slot = Omit<Choice, 'rankings'> &
  Kinds & {
    readonly rule: Rule
    /** Every pool that may serve, ascending. */
    readonly pools: readonly number[]
  }

/**
 * Compiles a policy. Only without problems may the result be served.
 */
export function compileSteering(policy: Policy, places: Places, remarks: Remarks): Steering {
  checkNetworks(policy.networks, remarks)
  const lists = compilePools(policy, remarks)
  const all = choosing(places, policy.networks, remarks)
  const slots = policy.rules.map((rule): Slot => {
    const choice = compileChoice(all, rule.choose)
    const rankings = [...choice.rankings].map(number => all.rankings.lists[number] ?? [])
    const pools = [...new Set(rankings.flat())].sort((a, b) => a - b)
    return { rule, ...choice, pools, ...kindsOf(rule, rankings, policy, lists, remarks) }
  })
  return {
    cells: seal(all.build),
    ...slotColumns(slots),
    ...rankingColumns(all.rankings.lists),
    ...targetColumns(lists),
    owners: policy.rules.map(rule => rule.owner),
    poolNames: policy.pools.map(pool => pool.name),
  }
}

type Column =
  | 'slots'
  | 'roots4'
  | 'roots6'
  | 'classStart'
  | 'classRankings'
  | 'fallback'
  | 'ttl'
  | 'pick'
  | 'alias'
  | 'families'

function slotColumns(
  slots: readonly Slot[],
): Pick<Steering, Column | 'most' | 'turnStart' | 'turnPools'> {
  return {
    slots: slots.length,
    roots4: integers(slots.map(slot => slot.root4)),
    roots6: integers(slots.map(slot => slot.root6)),
    classStart: starts(slots.map(slot => slot.classes.length)),
    classRankings: words(slots.flatMap(slot => slot.classes)),
    fallback: words(slots.map(slot => slot.fallback)),
    ttl: words(slots.map(slot => slot.rule.ttl.max)),
    pick: bytes(slots.map(slot => PICK[slot.rule.pick])),
    alias: bytes(slots.map(slot => Number(slot.alias))),
    families: bytes(slots.map(slot => slot.families)),
    most: halves(slots.flatMap(({ rule }) => [mostOf(rule, 4), mostOf(rule, 16), 1])),
    turnStart: starts(slots.map(slot => slot.pools.length)),
    turnPools: words(slots.flatMap(slot => slot.pools)),
  }
}

/** The most addresses of an answer. */
function mostOf(rule: Rule, octets: 4 | 16): number {
  const wanted = rule.answers ?? (rule.pick === 'rotate' ? 1 : MOST_TARGETS)
  const size = rule.truncate ? ROOM.message : ROOM.datagram
  return Math.min(wanted, fitting(rule.owner, octets, size))
}

function rankingColumns(
  rankings: readonly Ranking[],
): Pick<Steering, 'rankingStart' | 'rankingPools'> {
  const rankingStart = starts(rankings.map(ranking => ranking.length))
  return { rankingStart, rankingPools: words(rankings.flat()) }
}

function targetColumns(
  pools: readonly Lists[],
): Pick<Steering, 'listStart' | 'targetStart' | 'octets'> {
  const lists = pools.flat()
  const targets = lists.flat()
  return {
    listStart: starts(lists.map(list => list.length)),
    targetStart: starts(targets.map(target => target.length)),
    octets: bytes([...joined(targets)]),
  }
}
