/** Slots, rankings and pools laid out as the columns of a Steering. */
import { joined } from '../dns/octets.ts'
import { bytes, doubles, floats, halves, integers, starts, words } from './columns.ts'
import { MOST_TARGETS } from './decision.ts'
import { fitting, ROOM } from './fits.ts'
import type { Lists } from './pools.ts'
import type { LastResort, Pool, Quorum, Ranking, Rule } from './rule.ts'
import { serviceOctets } from './services.ts'
import { isSticky, type Slot } from './slots.ts'
import { PICK, RESORT, type ServiceOctets, type Steering } from './steering.ts'

type SlotColumn =
  | 'slots'
  | 'shape'
  | 'classStart'
  | 'classRankings'
  | 'fallback'
  | 'alias'
  | 'families'
  | 'sticky'
  | 'turnStart'
  | 'turnPools'

/** What the rules themselves say. */
type RuleColumn =
  | 'ttlMax'
  | 'ttlMin'
  | 'pick'
  | 'quantum4'
  | 'quantum6'
  | 'spread'
  | 'resort'
  | 'quorum'
  | 'spill'
  | 'most'

type ServiceColumn = 'https' | 'svcb' | 'services'

export function slotColumns(
  slots: readonly Slot[],
): Pick<Steering, SlotColumn | RuleColumn | ServiceColumn> {
  const rules = slots.map(slot => slot.rule)
  return {
    slots: slots.length,
    shape: integers(slots.map(slot => slot.shape)),
    classStart: starts(slots.map(slot => slot.classes.length)),
    classRankings: words(slots.flatMap(slot => slot.classes)),
    fallback: words(slots.map(slot => slot.fallback)),
    alias: bytes(slots.map(slot => Number(slot.alias))),
    families: bytes(slots.map(slot => slot.families)),
    sticky: bytes(slots.map(slot => Number(slot.sticky))),
    turnStart: starts(slots.map(slot => slot.pools.length)),
    turnPools: words(slots.flatMap(slot => slot.pools)),
    ...ruleColumns(rules),
    ...serviceColumns(rules),
  }
}

/** The quantum of hashing where the rule names none. */
const QUANTUM = { ipv4: 24, ipv6: 48 }

function ruleColumns(rules: readonly Rule[]): Pick<Steering, RuleColumn> {
  return {
    ttlMax: words(rules.map(rule => rule.ttl.max)),
    ttlMin: words(rules.map(rule => rule.ttl.min)),
    pick: bytes(rules.map(rule => PICK[rule.pick])),
    quantum4: bytes(rules.map(({ quantum = QUANTUM }) => quantum.ipv4)),
    quantum6: bytes(rules.map(({ quantum = QUANTUM }) => quantum.ipv6)),
    spread: bytes(rules.map(rule => Number(rule.spread === 'pools'))),
    resort: integers(rules.map(rule => resortOf(rule.lastResort))),
    quorum: doubles(rules.map(rule => (rule.quorum ? quorumOf(rule.quorum) : 0))),
    spill: doubles(rules.map(rule => rule.spill ?? 0)),
    most: halves(rules.flatMap(rule => [mostOf(rule, 4), mostOf(rule, 16), 1])),
  }
}

function resortOf(resort: LastResort = { kind: 'all' }): number {
  return resort.kind === 'pool' ? resort.pool : RESORT[resort.kind]
}

function quorumOf(quorum: Quorum): number {
  return quorum.kind === 'count' ? quorum.count : -quorum.share
}

/** Picks that give as many as there are, where a rule does not say. */
function isOfMany(pick: Rule['pick']): boolean {
  return pick === 'shuffle' || pick === 'multi'
}

/** The most addresses of an answer. */
function mostOf(rule: Rule, octets: 4 | 16): number {
  const wanted = rule.answers ?? (isOfMany(rule.pick) ? MOST_TARGETS : 1)
  const size = rule.truncate ? ROOM.message : ROOM.datagram
  return Math.min(wanted, fitting(rule.owner, octets, size))
}

const HTTPS = 65
const SVCB = 64

function serviceColumns(rules: readonly Rule[]): Pick<Steering, ServiceColumn> {
  const services: ServiceOctets[] = []
  const numbersOf = (type: number): Int32Array =>
    integers(
      rules.map(rule => {
        const service = rule.services?.find(each => each.type === type)
        return service === undefined ? -1 : services.push(serviceOctets(service)) - 1
      }),
    )
  return { https: numbersOf(HTTPS), svcb: numbersOf(SVCB), services }
}

export function rankingColumns(
  rankings: readonly Ranking[],
  lists: readonly Lists[],
): Pick<Steering, 'rankingStart' | 'rankingPools' | 'rankingTie' | 'rankingSticky'> {
  return {
    rankingStart: starts(rankings.map(ranking => ranking.flat().length)),
    rankingPools: words(rankings.flat(2)),
    rankingTie: bytes(rankings.flat().flatMap(tier => tier.map((_, i) => Number(i > 0)))),
    rankingSticky: bytes(rankings.map(ranking => Number(isSticky(ranking, lists)))),
  }
}

type PoolColumn = 'poolQuorum' | 'poolSpill' | 'listStart' | 'targets' | TargetColumn
type TargetColumn = 'weight' | 'fixedLoad' | 'fixedShare' | 'targetStart' | 'octets'

export function poolColumns(
  pools: readonly Pool[],
  compiled: readonly Lists[],
): Pick<Steering, PoolColumn> {
  const lists = compiled.flat()
  const targets = lists.flat()
  return {
    poolQuorum: doubles(pools.map(({ quorum }) => (quorum ? quorumOf(quorum) : 1))),
    poolSpill: doubles(pools.map(pool => pool.spill ?? 0)),
    listStart: starts(lists.map(list => list.length)),
    targets: targets.length,
    weight: halves(targets.map(target => target.weight)),
    fixedLoad: floats(targets.map(target => target.load)),
    fixedShare: floats(targets.map(target => target.share)),
    targetStart: starts(targets.map(target => target.octets.length)),
    octets: bytes([...joined(targets.map(target => target.octets))]),
  }
}
