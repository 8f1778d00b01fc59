/**
 * Does the server take turns? With a counter the answer is a function of the counter modulo the
 * cycle, so answers a whole cycle apart are equal. The counter may count this type's queries, all of
 * this name's, or all of the measurement's: each is tried, with every cycle length that can show.
 */
import { chance, shuffle } from './chance.ts'
import { binomialTails } from './odds.ts'
import { chanceOf } from './resample.ts'

const MOST = 100

/** A way to count: for each answer, what a counter of that kind stood at. */
export type Counter = readonly number[]

/**
 * How often answers in random order repeat as regularly as these, the choice of counter and cycle
 * included: the same search is made on shuffled sequences.
 *
 * @param keys     what was answered, in the order of asking; only the first 100 count
 * @param counters each as long as `keys`
 */
export function regularity(
  keys: readonly string[],
  counters: readonly Counter[],
  seed: number,
): number {
  const looked = keys.slice(0, MOST)
  const kinds = [...new Set(looked)]
  if (kinds.length < 2 || kinds.length === looked.length) return 1
  const values = Int32Array.from(looked, key => kinds.indexOf(key))
  const cycles = allCycles(counters, values, kinds.length)
  const observed = strength(values, cycles)
  const state = chance(seed)
  return chanceOf(observed, () => {
    shuffle(state, values, 0, values.length)
    return strength(values, cycles)
  })
}

/** Indices of answers a whole cycle apart, two by two, and how surprising each number of equal pairs is. */
type Cycle = { readonly pairs: Int32Array; readonly surprise: Float64Array }

function allCycles(counters: readonly Counter[], values: Int32Array, kinds: number): Cycle[] {
  const equal = chanceOfEqual(values, kinds)
  const cycles = new Map<string, Cycle>()
  // A counter that runs from another start, or that nothing else moves, shows nothing new.
  const steps = counters.map(counter => counter.map(count => count - (counter[0] ?? 0)))
  const distinct = new Map(steps.map(counter => [counter.join(' '), counter]))
  for (const counter of distinct.values()) {
    for (let length = 2; length <= values.length / 2 + kinds; length += 1) {
      const pairs = pairsApart(counter.slice(0, values.length), length)
      const tails = binomialTails(pairs.length / 2, equal)
      const surprise = tails.map(tail => -Math.log(tail + Number.MIN_VALUE))
      cycles.set(pairs.join(' '), { pairs, surprise })
    }
  }
  return [...cycles.values()]
}

/** The chance that two answers picked at random are equal. */
function chanceOfEqual(values: Int32Array, kinds: number): number {
  let equal = 0
  for (let kind = 0; kind < kinds; kind += 1) {
    const count = values.filter(value => value === kind).length
    equal += count * (count - 1)
  }
  return equal / (values.length * (values.length - 1))
}

/** Neighbours among the answers at which the counter stood equal modulo `length`. */
function pairsApart(counter: Counter, length: number): Int32Array {
  const last = new Map<number, number>()
  const pairs: number[] = []
  for (const [index, count] of counter.entries()) {
    const before = last.get(count % length)
    if (before !== undefined) pairs.push(before, index)
    last.set(count % length, index)
  }
  return Int32Array.from(pairs)
}

/**
 * The surprise of the most surprising cycle. Hot: once a shuffled sequence.
 *
 * Answers that stay for a while also equal those a little apart. In a turn they equal those a cycle
 * apart more often than their neighbours, and only that counts.
 */
function strength(values: Int32Array, cycles: readonly Cycle[]): number {
  let still = 0
  for (let at = 1; at < values.length; at += 1) if (values[at] === values[at - 1]) still += 1
  const stay = still / (values.length - 1)
  let most = 0
  for (const { pairs, surprise } of cycles) {
    let hits = 0
    for (let at = 0; at < pairs.length; at += 2) {
      if (values[pairs[at]!] === values[pairs[at + 1]!]) hits += 1
    }
    if (surprise[hits]! > most && hits > (stay * pairs.length) / 2) most = surprise[hits]!
  }
  return most
}
