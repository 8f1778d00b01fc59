/** The one sentence about what `ecs` saw. */
import type { Judgement } from '../judge/judgement.ts'
import type { EcsCode, EcsEvidence } from '../judge/verdict.ts'
import { counted, many, noun, percent } from './number.ts'

export function ecsSentence(one: Judgement, code: EcsCode, seen: EcsEvidence): string {
  return SENTENCES[code](one, seen) + unanswered(one)
}

/** A sentence speaks of the subnets that were answered; the others must not pass for them. */
function unanswered({ scopes }: Judgement): string {
  const silent = scopes.filter(({ echo }) => echo === 'unanswered').length
  if (silent === 0 || silent === scopes.length) return ''
  return `; ${many(silent, 'subnet', 'subnets')} got no usable answer`
}

type Sentence = (one: Judgement, seen: EcsEvidence) => string

const SENTENCES: Readonly<Record<EcsCode, Sentence>> = {
  geo: one => `${byWhat(one)}, and the scopes say so truthfully`,
  'geo-unaggregated': (one, { fragmentation }) => {
    const fine = (fragmentation ?? 1) < 2 ? 'copies of the source' : times(fragmentation ?? 1)
    return `${byWhat(one)}; the scopes are true, but ${fine}`
  },
  'scope-theatre': (_one, seen) =>
    `scopes above 0 claim tailoring, but all ${seen.subnets} subnets are answered alike${missed(seen)}`,
  'lying-scope': one =>
    `${byWhat(one)}, while scope 0 says that an answer is for everybody: caches mix them up`,
  'broken-scope': one => `${byWhat(one)}, but the scopes are not true: ${broken(one)}`,
  'prefix-sharding': () =>
    'answers depend on the prefix, not on the region: a hash, stickiness, or places finer than the regions asked',
  'no-echo': one =>
    `${byWhat(one)}, but no reply returns the option: caches give them to everybody`,
  'single-answer': one =>
    `one ${noun(1, one.type)} for everybody: DNS does not steer, anycast may${missed(one.verdict.evidence)}`,
  'static-pool': one =>
    `the same ${counted(one.groups[0]?.answers.length ?? 0, one.type)} for everybody: DNS does not steer${missed(one.verdict.evidence)}`,
  rotation: () => 'answers vary, but not with the subnet: that is rotation, not geography',
  'no-ecs': () => 'no reply returns the option, and answers do not depend on it',
  empty: nothing,
  'partial-ecs': one => `some replies return the option and some do not${otherwise(one)}`,
  data: (one, seen) => tooLittle(one, seen),
  path: one =>
    resolverFault(one) ??
    'the option does not come back as RFC 7871 wants it: the server, or something on the way, changes it',
  cached: () =>
    'answers come out of a cache and were never fetched anew: that freezes any rotation',
  refused: one => {
    const { NOERROR, NXDOMAIN } = one.tally.rcodes
    return NOERROR === undefined && NXDOMAIN === undefined
      ? `queries are answered ${errors(one)}, with a client subnet and without`
      : `queries with a client subnet are answered ${errors(one)}`
  },
}

/** What is said of a referral. */
export const REFERS = 'refers to the name servers of another zone, and answers nothing itself'

/** What calibration showed of a resolver on the path. */
function resolverFault({ findings }: Judgement): string | undefined {
  const fault = findings.find(({ id, level }) => id === 'ECS018' && level === 'warning')
  return fault === undefined ? undefined : `what comes through it does not count: ${fault.message}`
}

/** Without a SOA, no record may as well be a referral: RFC 2308 §2.2. */
function nothing({ type, tally, findings, verdict }: Judgement): string {
  if (verdict.modifiers.includes('referral')) return REFERS
  const { NOERROR, NXDOMAIN } = tally.rcodes
  if (NXDOMAIN !== undefined) {
    return NOERROR === undefined
      ? 'answers NXDOMAIN for every subnet: there is no such name'
      : 'answers NXDOMAIN to some queries and NODATA to others: no subnet gets a record'
  }
  return findings.some(({ id }) => id === 'DNS001')
    ? `answers every subnet without ${type} record and without SOA: NODATA done wrong, or a referral`
    : `answers NODATA for every subnet: the name has no ${type} record`
}

function byWhat(one: Judgement): string {
  const { modifiers } = one.verdict
  const inside = modifiers.includes('rotates-within-region') ? ' (and rotate inside it)' : ''
  if (!modifiers.includes('region-untested')) {
    const sharp = one.verdict.code === 'geo' || one.verdict.code === 'geo-unaggregated'
    return sharp ? `answers go with the region${inside}` : 'answers depend on the subnet'
  }
  return 'answers depend on the subnet (by geography or not: too few subnets of known regions)'
}

function times(fragmentation: number): string {
  return `at least ${Math.floor(fragmentation)} times finer than the answers need`
}

function broken(one: Judgement): string {
  const found = one.findings.find(({ id }) => id === 'ECS006')
  return found === undefined
    ? 'blocks overlap'
    : `${found.where ?? 'a block'} ${found.message.replace(/:.*$/, '')}`
}

function missed(seen: Judgement['verdict']['evidence']): string {
  if (seen.kind !== 'ecs') return ''
  return ` (a share under ${percent(seen.missable)} of networks could be missed)`
}

function otherwise(one: Judgement): string {
  const code = one.verdict.modifiers.find(modifier => modifier.startsWith('otherwise:'))
  return code === undefined ? '' : `; but for that it would be ${code.slice('otherwise:'.length)}`
}

function errors(one: Judgement): string {
  const codes = Object.keys(one.tally.rcodes).filter(
    code => code !== 'NOERROR' && code !== 'NXDOMAIN',
  )
  return codes.length === 0 ? 'only without EDNS' : codes.join(', ')
}

function tooLittle(one: Judgement, seen: EcsEvidence): string {
  if (one.tally.replies === 0) return `no reply to ${many(seen.queries, 'query', 'queries')}`
  const regions = new Set(one.scopes.flatMap(({ region }) => region ?? '-'))
  if (regions.size === 1 && one.groups.length === 1 && seen.rounds >= 3) {
    return `${many(seen.subnets, 'subnet', 'subnets')} of one region, answered alike: whether answers go with the region was not asked`
  }
  if (seen.rounds >= 3 && seen.subnet !== undefined && seen.subnet.p <= seen.limit) {
    return 'answers depend on the subnet, but whether by geography cannot be told from so few that differ'
  }
  const asked = `${many(seen.subnets, 'subnet', 'subnets')} in ${many(seen.rounds, 'whole round', 'whole rounds')}`
  return `${asked}: too little to tell steering from chance`
}
