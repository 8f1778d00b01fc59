/**
 * Reads the operator's file: text in, `Config` or every Problem out. Files that it names are read by
 * whoever calls; this room sees only their text.
 */
import {
  type At,
  remarks as newRemarks,
  type Problem,
  problemAt,
  type Remarks,
  wrong,
} from '../fault.ts'
import { checkAcross } from './across.ts'
import { checkedHosts } from './checked-hosts.ts'
import type { Account, Config, Cookies, Path as FilePath, QueryLog } from './config.ts'
import { secretsInFile } from './cookies.ts'
import type { Countries } from './country.ts'
import { knownIn } from './facts.ts'
import { reportIssues } from './issue.ts'
import { type ReadNamed, readNamed } from './named.ts'
import { outsideOf, readAuthorities } from './outside.ts'
import { policyOf } from './policy.ts'
import { namingsIn } from './reach.ts'
import { configShape, type Shape } from './shape.ts'
import { adminOf } from './shape-admin.ts'
import { hooksOf } from './shape-events.ts'
import { guardOf } from './shape-guard.ts'
import { listenOf } from './shape-listen.ts'
import { placeOf, readSource, type Source, valueAt } from './source.ts'
import { warnOf } from './warn.ts'

/**
 * Reads and checks a whole configuration.
 *
 * @param readFile  opens the files that it names
 * @param countries by ISO 3166-1 alpha-2 code
 * @returns `undefined` where there is any Problem, and then all of them are in `remarks`
 */
export function readConfig(
  text: string,
  file: string,
  readFile: ReadNamed,
  countries: Countries,
  remarks: Remarks,
): Config | undefined {
  const own = newRemarks()
  const config = read(text, file, readFile, countries, own)
  // Not spread into one call: a networks file may hold more mistakes than a call takes arguments.
  for (const problem of inOrder(own.problems, file)) remarks.problems.push(problem)
  for (const warning of inOrder(own.warnings, file)) remarks.warnings.push(warning)
  return config
}

function read(
  text: string,
  file: string,
  readFile: ReadNamed,
  countries: Countries,
  remarks: Remarks,
): Config | undefined {
  const source = readSource(text, file, remarks)
  if (source === undefined) return undefined
  if (source.value === null) {
    const reason = wrong('the file is empty', 'give it listen: and zones:')
    remarks.problems.push(problemAt({ file, line: 1, column: 1 }, reason))
    return undefined
  }
  const authorities = readAuthorities({ source, read: readFile, remarks })
  const known = knownIn(source, countries)
  const result = configShape(known, authorities).safeParse(source.value, {
    jitless: true, // a schema lives for one parse: compiling it would take longer than using it
  })
  if (!result.success) reportIssues(result.error.issues, source, remarks)
  const namings = namingsIn(source)
  const named = readNamed(source, namings, known, readFile, remarks)
  const fileSecrets = secretsInFile({ source, read: readFile, remarks })
  checkAcross(namings, known, source, remarks)
  if (!result.success || remarks.problems.length > 0) return undefined

  const policy = policyOf(result.data, source, named, countries)
  warnOf(policy, source, remarks)
  const { networkFiles, latencyFiles } = named
  const noted = { networkFiles, latencyFiles, checkedHosts: checkedHosts(policy, source) }
  const cookies = cookiesOf(result.data, fileSecrets)
  return { ...settings(result.data, source), ...noted, cookies, policy }
}

/** As one reads: the file itself from top to bottom, then those it names. */
function inOrder(found: readonly Problem[], file: string): Problem[] {
  const rank = (problem: Problem): string => (problem.file === file ? '' : problem.file)
  return found.toSorted(
    (a, b) => rank(a).localeCompare(rank(b)) || a.line - b.line || a.column - b.column,
  )
}

/** What the process opens, with places. */
function settings(
  shape: Shape,
  source: Source,
): Omit<Config, 'policy' | 'networkFiles' | 'latencyFiles' | 'checkedHosts' | 'cookies'> {
  const { workers, user, group, control, state, identity, ecs, zones, geo } = shape
  const { activate_at: ms, metrics, querylog } = shape
  const at = (...path: readonly (string | number)[]): At => placeOf(source, path, 'value')
  const account = (key: string, named: Account['named'] | undefined): Account | undefined =>
    named === undefined ? undefined : { named, at: at(key) }
  const { database } = geo
  const isList = Array.isArray(valueAt(source, ['whoami']))
  const whoamiAt = (index: number) => (isList ? at('whoami', index) : at('whoami'))
  return {
    ...listenOf(shape, at),
    workers: workers === undefined ? undefined : { count: workers, at: at('workers') },
    user: account('user', user),
    group: account('group', group),
    control,
    admin: shape.admin && adminOf(shape.admin, at),
    webhooks: hooksOf(shape.events, at),
    metrics: metrics === undefined ? undefined : { ...metrics, at: at('metrics') },
    state: { path: state.file, maxAge: state.max_age },
    querylog: querylog && queryLogOf(querylog),
    identity,
    nsid: shape.nsid,
    whoami: (shape.whoami ?? []).map((owner, index) => ({ owner, at: whoamiAt(index) })),
    ecs: { enabled: ecs.enabled, allow: ecs.allow, deny: ecs.deny },
    guard: guardOf(shape),
    zones: zones.map((path, index) => ({ path, at: at('zones', index) })),
    geo: database === 'builtin' ? 'builtin' : databases(database, at),
    loadFiles: loadFiles(shape, at),
    ...outsideOf(shape, at),
    activateAt: ms === undefined ? undefined : { ms, at: at('activate_at') },
  }
}

function cookiesOf({ cookies }: Shape, fileSecrets: Cookies['secrets']): Cookies {
  const { enabled, require: demand, secrets } = cookies
  return { enabled, require: demand, secrets: Array.isArray(secrets) ? secrets : fileSecrets }
}

function queryLogOf(written: NonNullable<Shape['querylog']>): QueryLog {
  const { file: path, keep, max_size: maxSize, sample } = written
  return { path, keep, maxSize, sample }
}

/** Each once, where it is first named. */
function loadFiles(
  { pools }: Shape,
  at: (...path: readonly (string | number)[]) => At,
): FilePath[] {
  const files = new Map<string, FilePath>()
  for (const [name, { loads }] of Object.entries(pools)) {
    if (loads === undefined || files.has(loads.file)) continue
    files.set(loads.file, { path: loads.file, at: at('pools', name, 'loads', 'file') })
  }
  return [...files.values()]
}

function databases(
  written: string | readonly string[],
  at: (...path: readonly (string | number)[]) => At,
): FilePath[] {
  if (typeof written === 'string') return [{ path: written, at: at('geo', 'database') }]
  return written.map((path, index) => ({ path, at: at('geo', 'database', index) }))
}
