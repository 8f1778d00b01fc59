/**
 * Writes assertions from what was seen: an exact set only where every answer holds the whole of it,
 * bounds where a pool rotates, and a remark where what was seen is nothing to hold anybody to.
 */
import type { FindingId } from '../judge/finding.ts'
import type { Judgement } from '../judge/judgement.ts'
import type { Observation } from '../judge/observation.ts'
import type { EcsEvidence } from '../judge/verdict.ts'
import { isAddressType, tidy, widened } from './address.ts'
import { poolOf } from './pool.ts'
import { flow, pair, remark, word } from './yaml.ts'

/** One name and type, as `dns2` and `ecs` saw it. */
export type Sight = {
  readonly name: string
  readonly type: string
  /** One for each server. */
  readonly rotations: readonly Judgement[]
  readonly rotationSeen: readonly Observation[]
  readonly ecs: Judgement
}

export type Snapshot = {
  readonly sights: readonly Sight[]
  /** Words for `servers`; empty: the zone's own. */
  readonly servers: readonly string[]
  readonly subnets: readonly string[]
  readonly countries: readonly string[]
  /** Beside the file, for editors. */
  readonly schema: string
}

/** The file; undefined where nothing was seen that a name could be held to. */
export function snapshotText(of: Snapshot): string | undefined {
  const defaults = [
    ...(of.servers.length === 0 ? [] : [`  servers: ${flow(of.servers)}`]),
    ...(of.subnets.length === 0 ? [] : [`  subnets: ${flow(of.subnets)}`]),
    ...(of.countries.length === 0 ? [] : [`  countries: ${flow(of.countries)}`]),
  ]
  const checks = of.sights.map(sight => checkLines(sight, of).join('\n'))
  if (of.sights.every(sight => isIdle(bodyLines(sight, of)))) return undefined
  return `${[
    `# yaml-language-server: $schema=${of.schema}`,
    '# Written by lbprobe snapshot from what was seen. Loosen what may change, then: lbprobe check',
    'version: 1',
    ...(defaults.length === 0 ? [] : ['defaults:', ...defaults]),
    'checks:',
    checks.join('\n\n'),
  ].join('\n')}\n`
}

/** A check must assert something: what was not seen becomes a remark. */
function checkLines(sight: Sight, of: Snapshot): readonly string[] {
  const { name, type } = sight
  const body = bodyLines(sight, of)
  const head = [pair('type', type), ...body].map(line => `    ${line}`)
  if (!isIdle(body)) return [`  - name: ${word(name)}`, ...head]
  return [`  ${remark(`${name} ${type}: too little was seen to hold it to anything`)}`]
}

function bodyLines(sight: Sight, of: Snapshot): readonly string[] {
  const lost = sight.rotations.some(isLost)
  const rotation = [...rotationLines(sight), ...addressLines(sight), ...ttlLines(sight.rotations)]
  return [
    ...(lost ? [remark('rotation: many replies were lost, so nothing to hold it to')] : rotation),
    ...ecsLines(sight.ecs),
    ...countryLines(sight.ecs, of),
    ...serverLines(sight.ecs),
  ]
}

/** More than one in ten, and the next run may see something else. */
function isLost({ tally }: Judgement): boolean {
  return tally.replies < 0.9 * tally.queries
}

function isIdle(lines: readonly string[]): boolean {
  return lines.every(line => line.startsWith('#'))
}

function rotationLines({ rotations }: Sight): readonly string[] {
  const codes = [...new Set(rotations.map(({ verdict }) => verdict.code))]
  const restless = codes.find(isRestless)
  if (restless !== undefined) return [remark(`rotation: ${restless}, so nothing to hold it to`)]
  const notes = new Set(rotations.flatMap(({ verdict }) => verdict.modifiers))
  const [code = ''] = codes
  return [pair('rotation', codes.length === 1 ? code : flow(codes), [...notes].join(', '))]
}

function isRestless(code: string): boolean {
  return code === 'unclear' || code === 'drifting'
}

/** Tailored answers stand under by_country; here, what everybody gets. */
function addressLines({ type, rotations, rotationSeen, ecs }: Sight): readonly string[] {
  const codes = rotations.map(({ verdict }) => verdict.code)
  const answers = tidy(rotationSeen.flatMap(seen => seen.answers))
  if (answers.length === 0 || codes.some(isRestless)) return []
  if (TAILORED.has(ecs.verdict.code) || ecs.verdict.answer === 'unclear') return []
  if (!codes.every(code => STEADY.has(code))) return poolLines(type, rotationSeen)
  return ['addresses:', `  ${pair('exactly', flow(answers))}`]
}

const TAILORED: ReadonlySet<string> = new Set([
  ...['geo', 'geo-unaggregated', 'lying-scope', 'broken-scope', 'no-echo', 'prefix-sharding'],
])

/** Every answer holds all there is. */
const STEADY: ReadonlySet<string> = new Set([
  ...['single', 'fixed-list', 'shuffled-list', 'cyclic-list'],
])

function poolLines(type: string, seen: readonly Observation[]): readonly string[] {
  const pool = poolOf(seen.map(({ answers }) => answers))
  const networks = isAddressType(type) ? networksOf(seen) : []
  const count = `${pool.distinct} seen; rotates, so more may come up, or fewer`
  return [
    ...(pool.surely < 2 ? [] : [pair('min_addresses', `${pool.surely}`, count)]),
    ...(networks.length === 0 ? [] : ['addresses:', `  ${pair('within', flow(networks))}`]),
  ]
}

/** Where the pool lies; empty where a network was seen so seldom that there may be others. */
function networksOf(seen: readonly Observation[]): readonly string[] {
  const draws = seen.map(({ answers }) => answers.flatMap(one => widened(one, WIDTHS) ?? []))
  const pool = poolOf(draws.map(networks => [...new Set(networks)]))
  return pool.surely === pool.distinct ? tidy(draws.flat()) : []
}

const WIDTHS = { 4: 24, 6: 48 } as const

/** Several servers may keep several TTLs. */
function ttlLines(rotations: readonly Judgement[]): readonly string[] {
  const seen = rotations.flatMap(({ verdict }) =>
    verdict.evidence.kind === 'rotation' ? verdict.evidence : [],
  )
  const ttls = seen.flatMap(({ ttl }) => (ttl === undefined ? [] : [ttl.min, ttl.max]))
  if (ttls.length === 0) return []
  const [min, max] = [Math.min(...ttls), Math.max(...ttls)]
  if (seen.every(({ countsDown }) => countsDown)) {
    return [pair('ttl', '{ policy: counting-down }', `a cache; ${max} s seen`)]
  }
  if (seen.some(({ ttl }) => ttl?.min !== ttl?.max)) {
    return [remark(`ttl: ${min} to ${max} s seen, so nothing to hold it to`)]
  }
  return [pair('ttl', `{ min: ${min}, max: ${max}, policy: constant }`)]
}

function ecsLines(one: Judgement): readonly string[] {
  const { code, answer, evidence, modifiers } = one.verdict
  if (evidence.kind !== 'ecs') return []
  if (code === 'data') return [remark('ecs: too little was seen to say anything')]
  const found = new Set(one.findings.map(({ id }) => id))
  const note = [answer, ...modifiers].join(', ')
  return [
    'ecs:',
    `  ${pair('verdict', code, note)}`,
    ...scopeLines(evidence, code).map(line => `  ${line}`),
    `  ${pair('forbid', flow(GRAVE.filter(id => !found.has(id))))}`,
  ]
}

/** What no zone should have. */
const GRAVE: readonly FindingId[] = ['ECS001', 'ECS002', 'ECS003', 'ECS004', 'ECS006', 'ECS017']

const TRUE_SCOPES: ReadonlySet<string> = new Set([
  ...['geo', 'geo-unaggregated', 'single-answer', 'static-pool', 'rotation', 'scope-theatre'],
])

function scopeLines({ scopes }: EcsEvidence, code: string): readonly string[] {
  const bits = Object.keys(scopes).map(Number)
  if (!TRUE_SCOPES.has(code) || bits.length === 0) return []
  return [pair('scope', `{ min: ${Math.min(...bits)}, max: ${Math.max(...bits)} }`)]
}

/** Exact where no subnet ever got a second set. */
function countryLines(one: Judgement, { subnets }: Snapshot): readonly string[] {
  if (!COUNTRIES.has(one.verdict.code) || !isAddressType(one.type)) return []
  if (subnets.length > 0) return []
  const regions = [...new Set(one.scopes.flatMap(({ region }) => region ?? []))].sort()
  const lines = regions.flatMap(region => {
    const rows = one.scopes.filter(row => row.region === region && row.echo !== 'unanswered')
    const answers = tidy(rows.flatMap(row => row.answers))
    if (answers.length === 0) return []
    const steady = rows.every(({ sets }) => sets === 1)
    const networks = tidy(answers.flatMap(answer => widened(answer, WIDTHS) ?? []))
    const set = steady ? `exactly: ${flow(answers)}` : `within: ${flow(networks)}`
    return [`  ${word(region)}: { ${set} }`]
  })
  return lines.length === 0 ? [] : ['by_country:', ...lines]
}

const COUNTRIES: ReadonlySet<string> = new Set([
  'geo',
  'geo-unaggregated',
  'lying-scope',
  'no-echo',
])

function serverLines({ tally, findings, verdict }: Judgement): readonly string[] {
  const { servers, silent } = tally
  const differ = findings.some(({ id }) => id === 'ECS013') || verdict.code === 'partial-ecs'
  if (servers.length < 2 || silent.length > 0 || differ) return []
  return [pair('all_ns', 'consistent', `${servers.length} name servers`)]
}
