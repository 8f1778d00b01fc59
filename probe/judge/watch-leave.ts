/**
 * Which subnets have left their group: their latest replies hold nothing that the group is known for,
 * and too many of them for that to be a rare part of its pool. Says where they went.
 */
import { sum } from './odds.ts'
import { isOf, unseenMass } from './watch-pool.ts'
import type { WatchGroup, WatchRow } from './watch-state.ts'

/**
 * With w replies in a row outside at k of a group's r rows, chance does that with C(r, k) · u^w at
 * most, u being the share of replies that may hold nothing known. Only what a pool has not shown yet
 * can fool it, and that becomes less with every reply.
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
  const replies = sum(out.map(({ outside }) => outside.length))
  const chance = logChoose(mine.length, out.length) + replies * Math.log(unseenMass(group.pool))
  if (out.length === 0 || chance > RARE) return []
  return joined(out.map(row => leavingOf(row, groups)))
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
    else found[at] = together(one, other)
  }
  return found
}

function isTogether(one: Leaving, other: Leaving): boolean {
  if (one.to !== other.to) return false
  return one.to !== undefined || one.answers.some(answer => other.answers.includes(answer))
}

function together(one: Leaving, other: Leaving): Leaving {
  const answers = [...new Set([...other.answers, ...one.answers])]
  return { rows: [...other.rows, ...one.rows], answers, to: one.to }
}

function logChoose(of: number, some: number): number {
  let log = 0
  for (let at = 0; at < some; at += 1) log += Math.log((of - at) / (some - at))
  return log
}
