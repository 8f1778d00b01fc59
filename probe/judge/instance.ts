/**
 * Does the answer go with the instance? Behind one anycast address different machines may hold
 * different data; told apart by name server and NSID.
 */
import { chance, shuffle } from './chance.ts'
import type { Observation } from './observation.ts'
import { chanceOf } from './resample.ts'

/** The machine that answered, as far as it can be told. */
export function instanceOf(seen: Observation): string {
  return `${seen.server} ${seen.instance ?? ''}`
}

/**
 * How often instances dealt out at random would go so well with the answers. 1 for one instance.
 * The statistic is the number of pairs of replies that agree in both.
 */
export function instanceChance(
  instances: readonly string[],
  keys: readonly string[],
  seed: number,
): number {
  if (new Set(instances).size < 2 || new Set(keys).size < 2) return 1
  const labels = Int32Array.from(instances, instance => instances.indexOf(instance))
  const values = Int32Array.from(keys, key => keys.indexOf(key))
  const observed = agreement(labels, values)
  const state = chance(seed)
  return chanceOf(observed, () => {
    shuffle(state, labels, 0, labels.length)
    return agreement(labels, values)
  })
}

function agreement(labels: Int32Array, values: Int32Array): number {
  const together = new Map<number, number>()
  for (const [at, label] of labels.entries()) {
    const cell = label * values.length + (values[at] ?? 0)
    together.set(cell, (together.get(cell) ?? 0) + 1)
  }
  let pairs = 0
  for (const count of together.values()) pairs += count * count
  return pairs
}
