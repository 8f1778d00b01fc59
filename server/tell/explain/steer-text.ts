/** The third verb in words: rule, client, ranking, pools, TTL, failover. */

import { columns, firstColumns } from '../columns.ts'
import { baseName } from '../file.ts'
import { rankingText } from '../ranking.ts'
import type {
  Explanation,
  FailoverTold,
  Located,
  OfCountry,
  Picked,
  PoolTold,
  Steered,
} from './explanation.ts'
import { pickRows } from './pick-text.ts'
import { reasonText } from './reason-text.ts'
import type { Row } from './rows.ts'
import { scopeText } from './scope-text.ts'

export function steerRows(explained: Explanation, steer: Steered): Row[] {
  const { locate, picks, pools, resort } = steer
  const country = explained.supposed?.country
  const kind = picks[0]?.kind ?? 'IPv4'
  return [
    ['rule', `${steer.rule}, ${baseName(steer.at)}`],
    ['client', clientText(explained, locate)],
    ['because', ...locate.because.map(reasonText)],
    ...(locate.leaf === undefined ? [] : [['block', leafText(locate.leaf)] as const]),
    ['ranking', rankingText(steer.ranking)],
    ['pools', ...columns(pools.map(told => [told.pool, poolText(told, kind, pools)]))],
    ...(resort === undefined ? [] : [['resort', resortText(resort)] as const]),
    ...picks.flatMap(pick => pickRows(pick, steer.failover.pool, hintOf(explained, pick.kind))),
    ['ttl', ttlText(steer)],
    ['scope', scopeText(explained, steer)],
    ['failover', failoverText(steer.failover)],
    ...(country === undefined ? [] : [['country', ...countryLines(country)] as const]),
  ]
}

/** A service record gives no addresses but hints at them. */
function hintOf({ read: { type } }: Explanation, kind: Picked['kind']): string {
  return kind === 'host' || ['A', 'AAAA'].includes(type) ? '' : `${kind} hints, `
}

const PASSED = {
  'not told': 'no subnet is told',
  'source 0': 'the client would rather not be located (SOURCE 0)',
  special: 'the subnet tells nothing of a client',
  'not believed': 'what this resolver tells of its clients is not believed',
  off: 'client subnets are switched off',
  'not tailored': 'is not read',
} as const

function clientText({ read }: Explanation, { by, passed, special }: Located): string {
  if (passed === undefined) return `${read.subnet ?? ''} decides`
  if (passed === 'not tailored') return `${PASSED[passed]}: everybody gets the same`
  const why =
    special?.subnet === undefined
      ? PASSED[passed]
      : `addresses in ${special.subnet} tell nothing of a client`
  if (by === 'source') return `${why}, so the address of the resolver decides: ${read.source}`
  const block = special?.source === undefined ? '' : ` (${special.source})`
  return `${why}, and the resolver's address tells nothing${block}: nobody's address decides`
}

function leafText({ beside, prefix, quantum }: NonNullable<Located['leaf']>): string {
  if (quantum !== undefined) return `${prefix}: hashing takes its addresses for one client`
  if (prefix.endsWith('/0')) return `${prefix}: every address of the family gets this ranking`
  if (beside === undefined) return `${prefix}, and no wider: not all beside it get that`
  const { ranking } = beside
  const other = ranking === 'special' ? 'tells nothing of a client' : `gets ${rankingText(ranking)}`
  return `${prefix}, and no wider: ${beside.prefix} beside it ${other}`
}

/** Tells whether it might as well have served. */
function poolTie(told: PoolTold, pools: readonly PoolTold[]): string {
  const serves = pools.find(({ why }) => why === 'serves')
  return serves?.tier === told.tier ? 'is as good, but was not drawn' : 'stands by'
}

function poolText(told: PoolTold, kind: string, pools: readonly PoolTold[]): string {
  const { keeps, need, total, up, why } = told
  const health = `${up} of ${total} targets up, ${need} needed`
  const kept = keeps < 1 ? `, keeps ${percent(keeps)} of its clients` : ''
  switch (why) {
    case 'serves':
      return `serves: ${health}${kept}`
    case 'gives the last target':
      return `gives the last target: ${health}${kept}`
    case 'last resort':
      return `serves as last resort: ${health}`
    case 'no targets of that family':
      return `skipped, as it has no ${kind} targets`
    case 'none up':
      return `skipped, as no ${kind} target is up`
    case 'below quorum':
      return `skipped, with ${health}`
    case 'gave this client away':
      return `skipped, with ${health}: keeps ${percent(keeps)} of its clients, and not this one`
    case 'not needed':
      return `${poolTie(told, pools)}: ${health}${kept}`
  }
}

function percent(share: number): string {
  const rounded = Math.round(share * 1000) / 10
  return `${rounded === 0 && share > 0 ? 'under 0.1' : rounded} %`
}

function resortText({ pool, rule }: NonNullable<Steered['resort']>): string {
  const nothing = 'no pool is usable, so'
  if (rule === 'healthiest') return `${nothing} ${pool}, of which the greatest share is up`
  const why = rule === 'pool' ? 'as the rule says' : 'the first of the ranking'
  return `${nothing} all targets of ${pool}, ${why}: an answer is never empty`
}

function ttlText({ failover, ttl }: Steered): string {
  const { cap, flip, max, min, seconds } = ttl
  const span = `${min} … ${max} s`
  const least = Math.min(cap ?? max, flip ?? max)
  const why = least === cap ? `a change that is planned caps it at ${cap} s` : flipText(flip)
  if (least < min) return `${seconds} s, the least that the rule allows (${span}): ${why}`
  if (least < max && least === cap) {
    return `${seconds} s, as a change that is planned caps it (${span} by the rule)`
  }
  if (least < max) return `${seconds} s (${span} by the rule): ${why}`
  const most = max === min ? 'as the rule says' : `the most that the rule allows (${span})`
  return `${seconds} s, ${most}: ${failover.kind === 'unchecked' ? UNCHECKED : flipText(flip)}`
}

const UNCHECKED = 'nothing checks these targets'

function flipText(flip: number | undefined): string {
  if (flip === undefined) return UNCHECKED
  return flip === 0 ? 'checks have not told enough yet' : `no verdict can change in ${flip} s`
}

function failoverText(told: FailoverTold): string {
  if (told.kind === 'unchecked') {
    return `pool ${told.pool} has no check: clients stay with a dead target until an operator acts`
  }
  const { publish, seconds, ttl } = told
  const seen = told.kind === 'pushed' ? expiryText(told) : seenText(told)
  return `${seconds} s at worst: ${seen}, ${publish} s to publish, ${ttl} s in caches`
}

function expiryText({ check, expires }: Extract<FailoverTold, { kind: 'pushed' }>): string {
  return `${expires} s without a push until check ${check} has seen it`
}

function seenText(told: Extract<FailoverTold, { kind: 'checked' }>): string {
  const { check, every, fall, fastEvery, timeout } = told
  const quick = fastEvery < every && fall > 1
  const tries = quick ? `${every} + ${fall - 1} × ${fastEvery} s` : `${fall} × ${every} s`
  return `${tries} until check ${check} has seen it, ${timeout} s timeout`
}

/** Most rankings of a country that are shown. */
const SHOWN = 8

function countryLines({ code, rankings }: OfCountry): string[] {
  if (rankings.length === 1) return [`all addresses of ${code} get this ranking`]
  const rows = rankings.map(({ ranking, share }) => [percent(share), rankingText(ranking)] as const)
  return [`the addresses of ${code} get`, ...firstColumns(rows, SHOWN, 'rankings')]
}
