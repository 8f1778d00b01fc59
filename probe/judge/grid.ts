/**
 * Subnets by rounds: which set of answers came for each subnet in each round. What every test of
 * `ecs` works on. Lost replies are holes; a round with too many holes does not count.
 */
import { isAbout, mostAsked } from './about.ts'
import type { Observation } from './observation.ts'
import type { About } from './options.ts'
import { isSample, setKey, setOf } from './reply.ts'

/** A round counts where this share of the subnets was answered. */
const WHOLE = 0.75

export type Grid = {
  readonly server: string
  /** Subnets that were asked for, whether answered or not. */
  readonly asked: number
  /** Rounds that were begun. */
  readonly begun: number
  /** Subnets that were answered, in the order first asked; their regions. */
  readonly rows: readonly string[]
  readonly regions: readonly (string | undefined)[]
  /** Numbers of the rounds that count. */
  readonly rounds: readonly number[]
  /** `cells[row * rounds.length + column]`: index into `sets`, or −1 for a hole. */
  readonly cells: Int32Array
  readonly sets: readonly (readonly string[])[]
  /** The replies behind the cells. */
  readonly replies: readonly Observation[]
}

/** Makes the grid of the server that was asked most. */
export function gridOf(observations: readonly Observation[], about: About): Grid {
  const sent = observations.filter(
    seen => isAbout(seen, about) && seen.purpose === 'sample' && (seen.sent?.source ?? 0) > 0,
  )
  const server = mostAsked(sent)
  const there = sent.filter(seen => seen.server === server)
  const usable = there.filter(isSample)
  const regionOf = new Map(usable.map(({ sent: subnet }) => [subnet?.text ?? '', subnet?.region]))
  const rows = [...new Set(there.map(subnetOf))].filter(text => regionOf.has(text))
  const rounds = wholeRounds(usable, rows.length)
  const replies = usable.filter(({ round }) => rounds.includes(round))
  return {
    server,
    asked: new Set(there.map(subnetOf)).size,
    begun: there.reduce((last, { round }) => Math.max(last, round), 0),
    rows,
    regions: rows.map(text => regionOf.get(text)),
    rounds,
    replies,
    ...fill(rows, rounds, replies),
  }
}

export function subnetOf(seen: Observation): string {
  return seen.sent?.text ?? ''
}

function wholeRounds(usable: readonly Observation[], rows: number): readonly number[] {
  const answered = new Map<number, Set<string>>()
  for (const seen of usable) {
    const subnets = answered.get(seen.round) ?? new Set()
    answered.set(seen.round, subnets.add(subnetOf(seen)))
  }
  const whole = [...answered].filter(([, subnets]) => subnets.size >= WHOLE * rows)
  return whole.map(([round]) => round).sort((a, b) => a - b)
}

function fill(
  rows: readonly string[],
  rounds: readonly number[],
  replies: readonly Observation[],
): Pick<Grid, 'cells' | 'sets'> {
  const cells = new Int32Array(rows.length * rounds.length).fill(-1)
  const indices = new Map<string, number>()
  const sets: (readonly string[])[] = []
  for (const seen of replies) {
    const set = setOf(seen)
    const index = indices.get(setKey(set)) ?? sets.push(set) - 1
    indices.set(setKey(set), index)
    cells[rows.indexOf(subnetOf(seen)) * rounds.length + rounds.indexOf(seen.round)] = index
  }
  return { cells, sets }
}

/** The set indices that a subnet was given, holes left out. */
export function rowSets(grid: Grid, row: number): readonly number[] {
  const width = grid.rounds.length
  return [...grid.cells.subarray(row * width, (row + 1) * width)].filter(set => set >= 0)
}

/** Whether some subnet was given different sets. */
export function variesWithin(grid: Grid): boolean {
  return grid.rows.some((_, row) => new Set(rowSets(grid, row)).size > 1)
}

/** Whether everybody was given one and the same set all the time. */
export function isAllSame(grid: Grid): boolean {
  return grid.sets.length === 1
}

/** How often a subnet was given each address, as a share of its replies. */
export function sharesOf(grid: Grid, row: number): ReadonlyMap<string, number> {
  const given = rowSets(grid, row)
  const shares = new Map<string, number>()
  for (const set of given) {
    for (const address of grid.sets[set] ?? []) {
      shares.set(address, (shares.get(address) ?? 0) + 1 / given.length)
    }
  }
  return shares
}
