/**
 * Chance that can be repeated: sfc32 (Chris Doty-Humphrey's small fast counting generator) from one
 * seed. The same seed gives the same permutations, samples and verdict on every machine.
 */

/** Four words of state, changed by every draw. */
export type Chance = Uint32Array

/** @param seed any integer; only its low 32 bits count */
export function chance(seed: number): Chance {
  const state = Uint32Array.of(seed, seed ^ 0x9e3779b9, 0x243f6a88, 1)
  for (let warm = 0; warm < 16; warm += 1) draw(state)
  return state
}

/** A uniform integer in [0, 2³²). Hot: once per swap of a permutation. */
export function draw(state: Chance): number {
  const b = state[1]!
  const c = state[2]!
  const counter = state[3]!
  const sum = (state[0]! + b + counter) >>> 0
  state[3] = counter + 1
  state[0] = b ^ (b >>> 9)
  state[1] = c + (c << 3)
  state[2] = ((c << 21) | (c >>> 11)) + sum
  return sum
}

/** A uniform integer in [0, bound). Hot: once per swap. Multiply-shift: its bias is below bound · 2⁻³². */
export function below(state: Chance, bound: number): number {
  return Math.floor((draw(state) * bound) / 0x100000000)
}

/** Puts `values[from … to)` in a uniformly random order, in place. Hot: once a round and permutation. */
export function shuffle(state: Chance, values: Int32Array, from: number, to: number): void {
  for (let last = to - 1; last > from; last -= 1) {
    const other = from + below(state, last - from + 1)
    const kept = values[last]!
    values[last] = values[other]!
    values[other] = kept
  }
}
