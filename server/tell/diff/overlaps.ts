/**
 * What part of the addresses and of the clients two rules of two maps treat alike: one amount for
 * each ranking of the old and each of the new. Names that part their clients alike are walked once.
 */
import { compareSlots } from '../../steer/compare.ts'
import { SPECIAL, type Steering } from '../../steer/steering.ts'
import { measure, measureBlock, type Population } from './population.ts'

/** Of a family: 0 … 1 each. */
export type Share = {
  /** Of the addresses where clients are, as the new map knows them. */
  readonly clients: number
  /** Of all addresses. */
  readonly space: number
}

/** Everything that has one ranking in the old map and one in the new; rankings by number. */
export type Overlap = {
  readonly from: number | 'special'
  readonly to: number | 'special'
  readonly ipv4: Share
  readonly ipv6: Share
}

/** Two maps being compared. */
export type Comparing = {
  readonly old: Steering
  readonly now: Steering
  /** Of the new map. */
  readonly population: Population
  /** By old and new shape: the overlaps of their classes. */
  readonly made: Map<string, readonly Overlap[]>
}

export function comparing(old: Steering, now: Steering, population: Population): Comparing {
  return { old, now, population, made: new Map() }
}

/** The overlaps of a slot of the old map and one of the new. */
export function overlapsOf(maps: Comparing, oldSlot: number, nowSlot: number): Overlap[] {
  const before = classesOf(maps.old, oldSlot)
  const after = classesOf(maps.now, nowSlot)
  const key = `${maps.old.shape[oldSlot]} ${maps.now.shape[nowSlot]}`
  const known = maps.made.get(key)
  if (known !== undefined)
    return renamed(
      known,
      number => before[number],
      number => after[number],
    )
  const walked = walk(maps, oldSlot, nowSlot)
  if (!isDistinct(before) || !isDistinct(after)) return walked
  const classes = renamed(
    walked,
    ranking => before.indexOf(ranking),
    ranking => after.indexOf(ranking),
  )
  maps.made.set(key, classes)
  return walked
}

/** The rankings of a slot by class; a slot that is not tailored has one. SPECIAL's is none of them. */
function classesOf(steering: Steering, slot: number): readonly number[] {
  const { classRankings, classStart, fallback, shape } = steering
  if (shape[slot] === -1) return [NONE, fallback[slot] ?? 0]
  const rankings = classRankings.subarray(classStart[slot], classStart[slot + 1])
  return Array.from(rankings, (ranking, number) => (number === SPECIAL ? NONE : ranking))
}

const NONE = -1

function isDistinct(rankings: readonly number[]): boolean {
  return new Set(rankings).size === rankings.length
}

type Rename = (number: number) => number | undefined

function renamed(overlaps: readonly Overlap[], old: Rename, now: Rename): Overlap[] {
  return overlaps.map(overlap => ({
    ...overlap,
    from: overlap.from === 'special' ? overlap.from : (old(overlap.from) ?? NONE),
    to: overlap.to === 'special' ? overlap.to : (now(overlap.to) ?? NONE),
  }))
}

type Sum = Overlap & { readonly ipv4: Counts; readonly ipv6: Counts }
type Counts = { clients: number; space: number }

function walk({ old, now, population }: Comparing, oldSlot: number, nowSlot: number): Overlap[] {
  const sums = new Map<number, Sum>()
  for (const family of [4, 6] as const) {
    const measured = measure(population, family)
    compareSlots(old, oldSlot, now, nowSlot, family, (bits, from, to, prefix) => {
      measureBlock(measured, prefix, bits)
      const sum = sumOf(sums, from, to)
      const share = family === 4 ? sum.ipv4 : sum.ipv6
      share.clients += measured.clients
      share.space += measured.space
    })
  }
  return [...sums.values()]
}

/** More rankings than there can be. */
const RANKINGS = 2 ** 22

/** Hot: once per block that is compared. */
function sumOf(sums: Map<number, Sum>, from: Overlap['from'], to: Overlap['to']): Sum {
  const key = (from === 'special' ? SPECIAL : from) * RANKINGS + (to === 'special' ? SPECIAL : to)
  const known = sums.get(key)
  if (known !== undefined) return known
  const sum = { from, to, ipv4: { clients: 0, space: 0 }, ipv6: { clients: 0, space: 0 } }
  sums.set(key, sum)
  return sum
}
