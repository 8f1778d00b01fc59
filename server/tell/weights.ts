/** What several things weigh together, by key. */

export type Weights<Key> = Map<Key, number>

export function addTo<Key>(weights: Weights<Key>, key: Key, weight: number): void {
  weights.set(key, (weights.get(key) ?? 0) + weight)
}

export function sum(numbers: Iterable<number>): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}

/** Each as a part of all: 0 … 1. */
export function sharesOf<Key>(weights: Weights<Key>): Weights<Key> {
  const total = sum(weights.values())
  return new Map([...weights].map(([key, weight]) => [key, weight / total]))
}

/** The keys, those that weigh most first. */
export function heaviest<Key>(weights: Weights<Key>): Key[] {
  return [...weights].toSorted(([, a], [, b]) => b - a).map(([key]) => key)
}
