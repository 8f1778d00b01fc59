/**
 * Which subnets have left their group: their latest replies hold nothing that the group is known for,
 * and too many of them for that to be a rare part of its pool. Says where they went.
 */
import { sum } from './odds.ts'
import { isOf, unseenMass } from './watch-pool.ts'
import type { WatchGroup, WatchRow } from './watch-state.ts'

/**
 * Of a group whose answers do not vary, or of which nobody is left: w replies outside at k of its r
 * rows happen with C(r, k) · u^w at most, u being the share of replies that may hold nothing known.
 * Of one that varies: a new address shows up here and there, in a share s of the replies; it gives
 * one row w of them in a row with s^w.
 */
const RARE = Math.log(1e-4)

export type Leaving = {
  readonly rows: readonly WatchRow[]
  readonly answers: readonly string[]
  /** Letter of the group that they went to, where its answers were known. */
  readonly to: string | undefined
}

/** The rows that left this group, by where they went; none where chance explains it. */
export function leavers(
  group: WatchGroup,
  rows: readonly WatchRow[],
  groups: readonly WatchGroup[],
): readonly Leaving[] {
  const mine = rows.filter(({ letter }) => letter === group.letter)
  const out = mine.filter(({ outside }) => outside.length > 0)
  if (out.length === 0) return []
  const to = (row: WatchRow): Leaving => leavingOf(row, groups)
  if (mine.some(({ source }) => source === 'cache')) return joined(alone(group, out).map(to))
  const isSplit = group.manner === 'varies' && out.length < mine.length
  const gone = isSplit
    ? out.filter(({ outside }) => outside.length * Math.log(out.length / mine.length) <= RARE)
    : together(group, mine.length, out)
  return joined(gone.map(to))
}

/** Rows that share a cache are not asked anew each: every one must be convincing by its own records. */
function alone({ pool }: WatchGroup, out: readonly WatchRow[]): readonly WatchRow[] {
  const each = Math.log(unseenMass(pool))
  return out.filter(({ outside }) => Math.log(out.length) + outside.length * each <= RARE)
}

function together(
  { pool }: WatchGroup,
  rows: number,
  out: readonly WatchRow[],
): readonly WatchRow[] {
  const replies = sum(out.map(({ outside }) => outside.length))
  const chance = logChoose(rows, out.length) + replies * Math.log(unseenMass(pool))
  return chance <= RARE ? out : []
}

function leavingOf(row: WatchRow, groups: readonly WatchGroup[]): Leaving {
  const latest = row.outside.at(-1) ?? []
  const to = groups.find(({ letter, pool }) => letter !== row.letter && isOf(pool, latest))?.letter
  return { rows: [row], answers: [...new Set(row.outside.flat())], to }
}

/** Those that went to one group, or share answers of a new one, as one. */
function joined(all: readonly Leaving[]): readonly Leaving[] {
  const found: Leaving[] = []
  for (const one of all) {
    const at = found.findIndex(other => isTogether(one, other))
    const other = found[at]
    if (other === undefined) found.push(one)
    else found[at] = united(one, other)
  }
  return found
}

function isTogether(one: Leaving, other: Leaving): boolean {
  if (one.to !== other.to) return false
  return one.to !== undefined || one.answers.some(answer => other.answers.includes(answer))
}

function united(one: Leaving, other: Leaving): Leaving {
  const answers = [...new Set([...other.answers, ...one.answers])]
  return { rows: [...other.rows, ...one.rows], answers, to: one.to }
}

function logChoose(of: number, some: number): number {
  let log = 0
  for (let at = 0; at < some; at += 1) log += Math.log((of - at) / (some - at))
  return log
}
