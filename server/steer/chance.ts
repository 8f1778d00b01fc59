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

/** Draws a uniform integer in [0, 2³²). */
export function draw(state: Chance): number {
  return drawBits(state) >>> 0
}

/**
 * Draws 32 bits, as a signed integer, which is never boxed. Hot: the state is read once and written
 * once.
 */
export function drawBits(state: Chance): number {
  const s0 = state[0]!
  const s1 = state[1]!
  const s2 = state[2]! ^ s0
  const s3 = state[3]! ^ s1
  state[0] = s0 ^ s3
  state[1] = s1 ^ s2
  state[2] = s2 ^ (s1 << 9)
  state[3] = (s3 << 11) | (s3 >>> 21)
  const scaled = Math.imul(s1, 5)
  return Math.imul((scaled << 7) | (scaled >>> 25), 9)
}

/**
 * Draws a uniform integer in [0, n). Hot.
 *
 * Draws past the last whole multiple of n are thrown away: no bias. Only one of the last n − 1 draws
 * can be that, so the remainder of 2³² is hardly ever needed. All is unsigned and of 32 bits, the
 * remainder too, which might be NaN otherwise: then it is a division of integers, 1 ns and not 20.
 *
 * @param n 1 … 2³² − 1
 */
export function below(state: Chance, n: number): number {
  const bound = n >>> 0
  const whole = -bound >>> 0 // 2³² − n, which leaves the remainder that 2³² leaves
  let drawn = drawBits(state) >>> 0
  while (drawn > whole && drawn > LAST - ((whole % bound) >>> 0)) drawn = drawBits(state) >>> 0
  return (drawn % bound) >>> 0
}
