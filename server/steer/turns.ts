/**
 * Whose turn it is: one number for each slot, pool and kind that rotates, in memory that threads
 * share so that all of them go on in one rotation; and for `pick: smooth` what each target has gained,
 * kept by each thread for itself. Turns outlive a reload where owner and pool keep their names, gains
 * where the target is there too.
 */
import { hexText } from '../dns/octets.ts'
import { below, type Chance, draw } from './chance.ts'
import { KINDS, PICK, type Steering, targetOctets } from './steering.ts'

export type Turns = {
  /** By place in `turnPools` and kind. Shared, and so changed by `takeTurn` alone. */
  readonly next: Uint32Array
  /** By place in `turnPools`: where its pool's targets begin in `gains`. */
  readonly gainStart: Uint32Array
  /** By target of a smooth slot: whole numbers, each less than the weights of its list together. */
  readonly gains: Float64Array
}

/** A smooth list starts at one of its first so many turns. */
const STARTS = 64

/**
 * Turns that start anywhere, so that many servers do not march in step.
 *
 * @param next the turns of another thread with the same Steering, to go on in one rotation with it
 */
export function startTurns(steering: Steering, chance: Chance, next?: Uint32Array): Turns {
  const gains: number[][] = placesOf(steering).map(({ pool, smooth }) =>
    smooth.length === 0 ? [] : startGains(steering, pool, chance),
  )
  let end = 0
  const starts = gains.map(({ length }) => {
    end += length
    return end - length
  })
  return {
    next: next ?? drawTurns(KINDS * gains.length, chance),
    gainStart: Uint32Array.from(starts),
    gains: Float64Array.from(gains.flat()),
  }
}

function drawTurns(count: number, chance: Chance): Uint32Array {
  const next = new Uint32Array(new SharedArrayBuffer(4 * count))
  for (let turn = 0; turn < count; turn += 1) next[turn] = draw(chance)
  return next
}

/** What a pool's targets have gained after a random number of turns of each of its lists. */
function startGains({ listStart, weight }: Steering, pool: number, chance: Chance): number[] {
  const [first, second, third, end] = listStart.subarray(KINDS * pool)
  const lists = [
    weight.subarray(first, second),
    weight.subarray(second, third),
    weight.subarray(third, end),
  ]
  return lists.flatMap(list => gainsAfter(below(chance, STARTS), [...list]))
}

function gainsAfter(turns: number, weights: readonly number[]): number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  let gains = weights.map(() => 0)
  for (let left = turns; left > 0; left -= 1) {
    const gained = gains.map((gain, i) => gain + (weights[i] ?? 0))
    const richest = gained.indexOf(gained.reduce((most, gain) => Math.max(most, gain), 0))
    gains = gained.map((gain, i) => (i === richest ? gain - all : gain))
  }
  return gains
}

/**
 * Turns for a new map: those of the old one where owner, pool and kind are still there.
 *
 * @param next the turns of another thread that has the new map already; absent: the old ones go on
 */
export function carryTurns(
  old: Steering,
  oldTurns: Turns,
  now: Steering,
  chance: Chance,
  next?: Uint32Array,
): Turns {
  const turns = startTurns(now, chance, next)
  const kept = new Map(placesOf(old).map((place, index) => [place.key, { ...place, index }]))
  for (const [index, { key, smooth }] of placesOf(now).entries()) {
    const before = kept.get(key)
    if (before === undefined) continue
    const from = KINDS * before.index
    if (next === undefined) {
      turns.next.set(oldTurns.next.subarray(from, from + KINDS), KINDS * index)
    }
    const oldGains = oldTurns.gains.subarray(oldTurns.gainStart[before.index])
    const gained = new Map(before.smooth.map((target, i) => [target, oldGains[i]]))
    const gains = turns.gains.subarray(turns.gainStart[index])
    for (const [i, target] of smooth.entries()) gains[i] = gained.get(target) ?? gains[i] ?? 0
  }
  return turns
}

/** A pool within a slot, in the order of `turnPools`. */
type Place = {
  readonly pool: number
  /** Owner and pool by name, which outlive their numbers. */
  readonly key: string
  /** The octets of its targets where the slot is smooth. */
  readonly smooth: readonly string[]
}

function placesOf(steering: Steering): readonly Place[] {
  const { owners, pick, poolNames, turnPools, turnStart } = steering
  return owners.flatMap((owner, slot) => {
    const pools = [...turnPools.subarray(turnStart[slot], turnStart[slot + 1])]
    return pools.map(pool => ({
      pool,
      key: `${hexText(owner)} ${poolNames[pool]}`,
      smooth: pick[slot] === PICK.smooth ? targetTexts(steering, pool) : [],
    }))
  })
}

function targetTexts(steering: Steering, pool: number): string[] {
  const [first = 0, , , end = first] = steering.listStart.subarray(KINDS * pool)
  return Array.from({ length: end - first }, (_, i) => hexText(targetOctets(steering, first + i)))
}

/**
 * Takes the next turn among so many, in one rotation with all threads. Hot.
 *
 * @param step by how many places the turn goes on: 1, or 0 where the answer is only shown
 * @returns whose turn it was, 0 … size − 1: what is past the last one begins again
 */
export function takeTurn({ next }: Turns, turn: number, size: number, step: 0 | 1): number {
  let was = Atomics.load(next, turn)
  if (step === 0) return (was % size) >>> 0
  for (;;) {
    const start = (was % size) >>> 0
    const found = Atomics.compareExchange(next, turn, was, start + step)
    if (found === was) return start
    was = found // another thread was quicker
  }
}

/** Where the turn of one of a slot's pools is kept. Hot. */
export function turnOf(steering: Steering, slot: number, pool: number, kind: number): number {
  return KINDS * placeOf(steering, slot, pool) + kind
}

/** What to add to the number of one of a pool's targets to find its gain. Hot. */
export function gainsFrom(steering: Steering, turns: Turns, slot: number, pool: number): number {
  return turns.gainStart[placeOf(steering, slot, pool)]! - steering.listStart[KINDS * pool]!
}

/** Hot. */
function placeOf({ turnPools, turnStart }: Steering, slot: number, pool: number): number {
  let low = turnStart[slot]!
  let high = turnStart[slot + 1]! - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (turnPools[middle]! < pool) low = middle + 1
    else high = middle
  }
  return low
}
