/**
 * The files that an operator's file names: which they are, and what is in them. They are read
 * whatever else is wrong, so that their mistakes are shown together with those of the file itself.
 */
import { type At, isWrong, problemAt, type Remarks, type Wrong, wrong } from '../fault.ts'
import type { Latency, Network } from '../steer/rule.ts'
import type { Path as FilePath } from './config.ts'
import type { Known } from './facts.ts'
import { latencyRows } from './latency.ts'
import { networkLines } from './networks.ts'
import type { LatencyMention, Namings } from './reach.ts'
import { keysAt, type Path, placeOf, type Source, valueAt } from './source.ts'

/** Reads a file that the operator named; `at` is where it is named. */
export type ReadNamed = (
  path: string,
  at: At,
) => { readonly file: string; readonly text: string } | Wrong

/** What named files hold. A file that cannot be read is left out. */
export type Named = {
  /** By the name of the network. */
  readonly networks: ReadonlyMap<string, Network['prefixes']>
  readonly networkFiles: readonly FilePath[]
  readonly latencies: readonly ReadLatency[]
  readonly latencyFiles: readonly FilePath[]
}

export type ReadLatency = {
  readonly latency: Latency
  /** The pools that it tells of, by index, ascending. */
  readonly told: readonly number[]
}

/** How a file is opened, and where what is wrong with it goes. */
export type Opening = {
  readonly source: Source
  readonly read: ReadNamed
  readonly remarks: Remarks
}

/** Pools that a rule takes from a file are added to those that it names. */
export function readNamed(
  source: Source,
  namings: Namings,
  known: Known,
  read: ReadNamed,
  remarks: Remarks,
): Named {
  const opening = { source, read, remarks }
  return { ...readNetworks(opening), ...readLatencies(namings, known, opening) }
}

function readNetworks(opening: Opening): Pick<Named, 'networks' | 'networkFiles'> {
  const { source, remarks } = opening
  const networks = new Map<string, Network['prefixes']>()
  const networkFiles: FilePath[] = []
  for (const name of keysAt(source, ['networks'])) {
    const path = ['networks', name, 'file']
    const file = fileAt(path, source)
    if (file === undefined) continue
    networkFiles.push(file)
    const opened = openNamed(file, opening)
    if (opened === undefined) continue
    const before = remarks.problems.length
    const prefixes = networkLines(opened.text, opened.file, remarks)
    if (prefixes.length === 0 && remarks.problems.length === before) {
      const reason = wrong(`network ${name} is empty: its file has no prefix`)
      remarks.warnings.push(problemAt(file.at, reason))
    }
    networks.set(name, prefixes)
  }
  return { networks, networkFiles }
}

function readLatencies(
  namings: Namings,
  known: Known,
  opening: Opening,
): Pick<Named, 'latencies' | 'latencyFiles'> {
  const names = [...known.pools.keys()]
  const numbers = new Map(names.map((name, index) => [name, index]))
  const read = new Map<string, ReadLatency | undefined>()
  const latencyFiles: FilePath[] = []
  for (const { mention, pools } of mentionsIn(namings)) {
    const file = fileAt(mention.path, opening.source)
    if (file === undefined) continue
    if (!read.has(file.path)) {
      latencyFiles.push(file)
      read.set(file.path, readLatency(file, numbers, opening))
    }
    const found = read.get(file.path)
    if (found === undefined) continue
    const told = found.told.map(index => names[index] ?? '')
    checkMention(mention, file.at, told, known, opening)
    if (mention.alone) for (const name of told) pools.add(name)
  }
  return { latencies: [...read.values()].filter(one => one !== undefined), latencyFiles }
}

/** Each with the pools of the rule that it stands in. */
function mentionsIn(namings: Namings) {
  return [...namings.values()].flatMap(({ latencies, pools }) =>
    latencies.map(mention => ({ mention, pools })),
  )
}

function readLatency(
  file: FilePath,
  numbers: ReadonlyMap<string, number>,
  opening: Opening,
): ReadLatency | undefined {
  const opened = openNamed(file, opening)
  if (opened === undefined) return undefined
  const before = opening.remarks.problems.length
  const rows = latencyRows(opened.text, opened.file, numbers, opening.remarks)
  const isSound = opening.remarks.problems.length === before
  return isSound ? { latency: { name: file.path, rows }, told: poolsIn(rows) } : undefined
}

/** Where no pools are named, those of the file must be enough: some, and each of them somewhere. */
function checkMention(
  { file, alone, biased, path }: LatencyMention,
  at: At,
  told: readonly string[],
  { pools }: Known,
  { source, remarks }: Opening,
): void {
  if (told.length === 0) {
    const reason = wrong(`${file} has no row`, 'add rows of prefix,pool,ms')
    if (alone) remarks.problems.push(problemAt(at, reason))
    else remarks.warnings.push(problemAt(at, reason))
  }
  if (!alone) return
  const nowhere = told.filter(name => !pools.get(name)?.placed)
  if (nowhere.length > 0) {
    const what = `pools of ${file} do not say where they stand: ${nowhere.join(', ')}`
    const fix =
      'give them at:, for clients that the file does not tell of, or name others in nearest:'
    remarks.problems.push(problemAt(at, wrong(what, fix)))
  }
  for (const name of biased) {
    if (told.includes(name) || !pools.has(name)) continue
    const place = placeOf(source, [...path.slice(0, -2), 'bias', name], 'key')
    const reason = wrong(`${name} is not in ${file}`, 'take its bias out')
    remarks.problems.push(problemAt(place, reason))
  }
}

function poolsIn(rows: Latency['rows']): number[] {
  const pools = new Set<number>()
  for (const { times } of rows) for (const pool of times.keys()) pools.add(pool)
  return [...pools].sort((a, b) => a - b)
}

/** What is in a file; where it cannot be read, `undefined` and a Problem where it is named. */
export function openNamed(
  { path, at }: FilePath,
  { read, remarks }: Opening,
): { readonly file: string; readonly text: string } | undefined {
  const opened = read(path, at)
  if (!isWrong(opened)) return opened
  remarks.problems.push(problemAt(at, opened))
  return undefined
}

/** The file that is named at a path, if there is one. */
export function fileAt(path: Path, source: Source): FilePath | undefined {
  const file = valueAt(source, path)
  if (typeof file !== 'string' || file.trim() === '') return undefined
  return { path: file, at: placeOf(source, path, 'value') }
}
