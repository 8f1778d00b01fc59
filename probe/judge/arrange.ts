/**
 * Rearranges labels for a permutation test: all distinct arrangements where there are few, seeded
 * samples where there are many. Labels move only inside their block (a round), so that a change
 * over time, which hits a whole round, cannot look like a difference between subnets.
 */
import { chance, shuffle } from './chance.ts'

/** `labels[ends[i − 1] … ends[i])` is block i. */
export type Blocks = { readonly labels: Int32Array; readonly ends: readonly number[] }

/** How a test went through the arrangements. */
export type Arranged = { readonly count: number; readonly exact: boolean }

/**
 * Calls `visit` for each arrangement: first the observed one, then `samples` random ones; or, where
 * fewer than `samples` exist, the observed one and then each of them once.
 *
 * @returns how many were visited after the observed one when exact, and with it when sampled
 */
export function arrange(
  blocks: Blocks,
  samples: number,
  seed: number,
  visit: (labels: Int32Array) => void,
): Arranged {
  visit(blocks.labels)
  const labels = blocks.labels.slice()
  const all = arrangements(blocks)
  if (all < samples) {
    for (const [block, end] of blocks.ends.entries()) {
      labels.subarray(blocks.ends[block - 1] ?? 0, end).sort()
    }
    do visit(labels)
    while (turn(labels, blocks.ends))
    return { count: all, exact: true }
  }
  const state = chance(seed)
  for (let sample = 0; sample < samples; sample += 1) {
    for (const [block, end] of blocks.ends.entries()) {
      shuffle(state, labels, blocks.ends[block - 1] ?? 0, end)
    }
    visit(labels)
  }
  return { count: samples + 1, exact: false }
}

/**
 * How many distinct arrangements there are: the product over blocks of n! ÷ ∏ multiplicities!. Exact
 * below 2⁵³, close to it above.
 */
export function arrangements(blocks: Blocks): number {
  let all = 1
  for (const [block, end] of blocks.ends.entries()) {
    const seen = new Map<number, number>()
    const start = blocks.ends[block - 1] ?? 0
    for (const [at, label] of blocks.labels.subarray(start, end).entries()) {
      const times = (seen.get(label) ?? 0) + 1
      seen.set(label, times)
      all = (all * (at + 1)) / times
    }
  }
  return Math.round(all)
}

/** The next arrangement, the last block turning fastest; false after the last one. */
function turn(labels: Int32Array, ends: readonly number[]): boolean {
  for (let block = ends.length - 1; block >= 0; block -= 1) {
    if (nextOrder(labels.subarray(ends[block - 1] ?? 0, ends[block]))) return true
  }
  return false
}

/** Puts the next greater order in place, or the least one and false after the greatest. Hot. */
function nextOrder(values: Int32Array): boolean {
  let pivot = values.length - 2
  while (pivot >= 0 && values[pivot]! >= values[pivot + 1]!) pivot -= 1
  if (pivot < 0) {
    values.reverse()
    return false
  }
  let other = values.length - 1
  while (values[other]! <= values[pivot]!) other -= 1
  const kept = values[pivot]!
  values[pivot] = values[other]!
  values[other] = kept
  values.subarray(pivot + 1).reverse()
  return true
}
