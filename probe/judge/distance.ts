/** How far two answers are apart: 0 the same, 1 nothing in common. */

/** Jaccard: 1 − |A ∩ B| ÷ |A ∪ B|. Two empty answers are the same answer. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0
  for (const value of a) if (b.has(value)) shared += 1
  const all = a.size + b.size - shared
  return all === 0 ? 0 : 1 - shared / all
}

/**
 * Ruzicka, Jaccard's distance for shares: 1 − Σ min ÷ Σ max. An address handed out by mistake now
 * and then counts little here, and fully in `jaccard`.
 */
export function ruzicka(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let least = 0
  let most = 0
  for (const key of new Set([...a.keys(), ...b.keys()])) {
    least += Math.min(a.get(key) ?? 0, b.get(key) ?? 0)
    most += Math.max(a.get(key) ?? 0, b.get(key) ?? 0)
  }
  return most === 0 ? 0 : 1 - least / most
}

/** All distances between `values`, row by row: `table[i * values.length + j]`. */
export function distances<T>(values: readonly T[], apart: (a: T, b: T) => number): Float64Array {
  const table = new Float64Array(values.length ** 2)
  for (const [i, a] of values.entries()) {
    for (const [j, b] of values.slice(0, i).entries()) {
      const distance = apart(a, b)
      table[i * values.length + j] = distance
      table[j * values.length + i] = distance
    }
  }
  return table
}
