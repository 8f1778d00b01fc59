/**
 * Reads the operator's file: text in, `Config` or every Problem out. Files that it names are read by
 * whoever calls; this room sees only their text.
 */
import {
  type At,
  isWrong,
  remarks as newRemarks,
  type Problem,
  problemAt,
  type Remarks,
  type Wrong,
  wrong,
} from '../fault.ts'
import type { Country } from '../geo/countries.ts'
import type { Network } from '../steer/rule.ts'
import type { Config, Path as FilePath } from './config.ts'
import { reportIssues } from './issue.ts'
import { networkLines } from './networks.ts'
import { policyOf } from './policy.ts'
import { configShape, type Known, type Shape } from './shape.ts'
import { keysAt, placeOf, readSource, type Source, valueAt } from './source.ts'
import { warnOf } from './warn.ts'

/** Reads a file that the operator named; `at` is where it is named. */
export type ReadNetworks = (
  path: string,
  at: At,
) => { readonly file: string; readonly text: string } | Wrong

/**
 * Reads and checks a whole configuration.
 *
 * @param countries by ISO 3166-1 alpha-2 code
 * @returns `undefined` where there is any Problem, and then all of them are in `remarks`
 */
export function readConfig(
  text: string,
  file: string,
  readNetworks: ReadNetworks,
  countries: ReadonlyMap<string, Country>,
  remarks: Remarks,
): Config | undefined {
  const own = newRemarks()
  const config = read(text, file, readNetworks, countries, own)
  // Not spread into one call: a networks file may hold more mistakes than a call takes arguments.
  for (const problem of inOrder(own.problems, file)) remarks.problems.push(problem)
  for (const warning of inOrder(own.warnings, file)) remarks.warnings.push(warning)
  return config
}

function read(
  text: string,
  file: string,
  readNetworks: ReadNetworks,
  countries: ReadonlyMap<string, Country>,
  remarks: Remarks,
): Config | undefined {
  const source = readSource(text, file, remarks)
  if (source === undefined) return undefined
  if (source.value === null) {
    const reason = wrong('the file is empty', 'give it listen: and zones:')
    remarks.problems.push(problemAt({ file, line: 1, column: 1 }, reason))
    return undefined
  }
  const result = configShape(knownIn(source, countries)).safeParse(source.value, {
    jitless: true, // a schema lives for one parse: compiling it would take longer than using it
  })
  if (!result.success) reportIssues(result.error.issues, source, remarks)
  const files = networkFiles(source, readNetworks, remarks)
  if (!result.success || remarks.problems.length > 0) return undefined

  const policy = policyOf(result.data, source, files.prefixes, countries)
  warnOf(policy, source, remarks)
  const paths = { networkFiles: files.paths, latencyFiles: [], loadFiles: [] }
  return { ...settings(result.data, source), ...paths, policy }
}

/** As one reads: the file itself from top to bottom, then those it names. */
function inOrder(found: readonly Problem[], file: string): Problem[] {
  const rank = (problem: Problem): string => (problem.file === file ? '' : problem.file)
  return found.toSorted(
    (a, b) => rank(a).localeCompare(rank(b)) || a.line - b.line || a.column - b.column,
  )
}

function knownIn(source: Source, countries: ReadonlyMap<string, Country>): Known {
  return {
    pools: keysAt(source, ['pools']),
    networks: keysAt(source, ['networks']),
    checks: keysAt(source, ['checks']),
    countries,
  }
}

type Files = {
  readonly prefixes: ReadonlyMap<string, Network['prefixes']>
  readonly paths: readonly FilePath[]
}

/** Reads every networks file, whatever else is wrong: their mistakes are shown together. */
function networkFiles(source: Source, readNetworks: ReadNetworks, remarks: Remarks): Files {
  const prefixes = new Map<string, Network['prefixes']>()
  const paths: FilePath[] = []
  for (const name of keysAt(source, ['networks'])) {
    const path = valueAt(source, ['networks', name, 'file'])
    if (typeof path !== 'string' || path.trim() === '') continue
    const at = placeOf(source, ['networks', name, 'file'], 'value')
    paths.push({ path, at })
    const read = readNetworks(path, at)
    if (isWrong(read)) remarks.problems.push(problemAt(at, read))
    else prefixes.set(name, networkPrefixes(read, name, at, remarks))
  }
  return { prefixes, paths }
}

function networkPrefixes(
  read: { readonly file: string; readonly text: string },
  name: string,
  at: At,
  remarks: Remarks,
): Network['prefixes'] {
  const before = remarks.problems.length
  const prefixes = networkLines(read.text, read.file, remarks)
  if (prefixes.length === 0 && remarks.problems.length === before) {
    remarks.warnings.push(problemAt(at, wrong(`network ${name} is empty: its file has no prefix`)))
  }
  return prefixes
}

/** What the process opens, with places. */
function settings(
  shape: Shape,
  source: Source,
): Omit<Config, 'policy' | 'networkFiles' | 'latencyFiles' | 'loadFiles'> {
  const { listen, workers, control, identity, ecs, zones, geo } = shape
  const at = (...path: readonly (string | number)[]): At => placeOf(source, path, 'value')
  const { database } = geo
  return {
    listen: listen.map((address, index) => ({ ...address, at: at('listen', index) })),
    workers,
    control,
    identity,
    ecs: { enabled: ecs.enabled, allow: ecs.allow, deny: ecs.deny },
    zones: zones.map((path, index) => ({ path, at: at('zones', index) })),
    geo: database === 'builtin' ? 'builtin' : databases(database, at),
  }
}

function databases(
  written: string | readonly string[],
  at: (...path: readonly (string | number)[]) => At,
): FilePath[] {
  if (typeof written === 'string') return [{ path: written, at: at('geo', 'database') }]
  return written.map((path, index) => ({ path, at: at('geo', 'database', index) }))
}
