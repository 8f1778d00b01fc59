/**
 * Chance as a value: xoshiro128** (Blackman and Vigna), seeded by the caller. The same seed gives
 * the same draws. Not for secrets.
 */

/** The generator's state: four words, not all zero. */
export type Chance = Uint32Array

/** The greatest draw. */
const LAST = 0xffff_ffff

/** Stands for a seed that is not given: none that anybody would give. */
const ABSENT = 0xa5a5a5a5

/** A generator. Seeds are taken as uint32; give as many as there are. */
export function chance(...seed: readonly number[]): Chance {
  const state = new Uint32Array(4)
  let word = 0x9e3779b9
  for (let i = 0; i < Math.max(seed.length, 4); i += 1) {
    word = mix(word ^ ((seed[i] ?? ABSENT) >>> 0))
    state[i & 3] = word ^ (state.at(i & 3) ?? 0)
  }
  if (state.every(part => part === 0)) state[0] = 1
  return state
}

/** The finaliser of MurmurHash3 over a Weyl step: every bit of the seed reaches every bit. */
function mix(word: number): number {
  let x = (word + 0x6d2b79f5) | 0
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return (x ^ (x >>> 16)) >>> 0
}

/** Hot. Draws a uniform integer in [0, 2³²). */
export function draw(state: Chance): number {
  const scaled = Math.imul(state[1]!, 5)
  const result = Math.imul((scaled << 7) | (scaled >>> 25), 9) >>> 0
  const shifted = state[1]! << 9
  state[2]! ^= state[0]!
  state[3]! ^= state[1]!
  state[1]! ^= state[2]!
  state[0]! ^= state[3]!
  state[2]! ^= shifted
  state[3] = (state[3]! << 11) | (state[3]! >>> 21)
  return result
}

/**
 * Draws a uniform integer in [0, n). Hot.
 *
 * Draws past the last whole multiple of n are thrown away: no bias. Only one of the last n − 1 draws
 * can be that, so the remainder of 2³² is hardly ever needed; and it is taken of 2³² − n, as numbers
 * past 32 bits are divided by a call that costs as much as the whole rest.
 *
 * @param n 1 … 2³² − 1
 */
export function below(state: Chance, n: number): number {
  let drawn = draw(state)
  while (drawn > -n >>> 0 && drawn > LAST - ((-n >>> 0) % n)) drawn = draw(state)
  return drawn % n
}
