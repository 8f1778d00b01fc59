/**
 * Chance from a seed, so that the order of a run can be repeated. A 32-bit state walked by a Weyl
 * sequence and mixed (the finaliser of murmur3): enough to shuffle, not for secrets.
 */

export type Chance = { state: number }

/** @param seed any integer; its low 32 bits count */
export function chanceFrom(seed: number): Chance {
  return { state: seed >>> 0 }
}

/** Draws a uniform integer in [0, 2³²). */
export function draw(chance: Chance): number {
  chance.state = (chance.state + 0x9e3779b9) >>> 0
  let mixed = chance.state
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** Draws a uniform integer in [0, n); n from 1 to 2³². Unbiased: what does not divide is redrawn. */
export function below(chance: Chance, n: number): number {
  const whole = 2 ** 32 - (2 ** 32 % n)
  let drawn = draw(chance)
  while (drawn >= whole) drawn = draw(chance)
  return drawn % n
}

/** A copy of the list in uniformly random order (Fisher–Yates). */
export function shuffled<T>(chance: Chance, list: readonly T[]): readonly T[] {
  const copy = [...list]
  for (let last = copy.length - 1; last > 0; last -= 1) {
    const other = below(chance, last + 1)
    const kept = copy[last] as T
    copy[last] = copy[other] as T
    copy[other] = kept
  }
  return copy
}
