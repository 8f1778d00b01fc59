/**
 * A sweep over address space: which network to ask for next, how far a reply carries, and where to
 * try whether it is true. A cursor and nothing more: no trie, so it can begin again anywhere.
 */
import { below, type Chance, chance } from './chance.ts'
import type { Sighting } from './sighting.ts'
import {
  endOf, type Family, lesser, pastSpecial, type Range, rangeOf, type Span, sizeOf, spanAt,
} from './span.ts' // biome-ignore format: list

/** A reply never carries further than a /8, as servers that lie say 0. */
const WIDEST = { 1: 8, 2: 0 } as const

/** What is done with blocks that are nobody's network. */
export type Special = 'skipped' | 'asked'

/** Blocks cut into pieces that a sweep goes through one by one, or several at once. */
export function piecesOf(spans: readonly Span[]): readonly Range[] {
  return spans.flatMap(span => {
    const bits = Math.max(span.bits, WIDEST[span.family])
    const count = 2 ** (bits - span.bits)
    const size = sizeOf(span.family, bits)
    return Array.from({ length: count }, (_, at) =>
      rangeOf({ family: span.family, at: span.at + BigInt(at) * size, bits }),
    )
  })
}

/** Where to ask next, or `undefined` at the end of the piece. */
export function nextAt(piece: Range, cursor: bigint, special: Special): bigint | undefined {
  const at = special === 'skipped' ? pastSpecial(piece.family, cursor) : cursor
  return at < piece.to ? at : undefined
}

/** From the cursor as far as the reply carries, within the piece. */
export function stretchOf(piece: Range, cursor: bigint, { claim }: Sighting): Range {
  return { family: piece.family, from: cursor, to: lesser(endOf(claim), piece.to) }
}

/** Both halves of a stretch, cut between two networks; nothing where it is one network. */
export function halvesOf(stretch: Range, source: number): readonly Range[] {
  const { family, from, to } = stretch
  const middle = spanAt(family, from + (to - from) / 2n, source).at
  if (middle <= from) return []
  return [
    { family, from, to: middle },
    { family, from: middle, to },
  ]
}

/**
 * Networks of a stretch to try: the last, then random ones, each once. The same seed and stretch give
 * the same, whatever was asked before.
 */
export function placesIn(
  stretch: Range,
  source: number,
  options: { readonly count: number; readonly seed: number; readonly special: Special },
): readonly Span[] {
  const { family, from, to } = stretch
  const first = spanAt(family, from, source).at
  const size = sizeOf(family, source)
  const networks = (to - first + size - 1n) / size
  const state = chance(options.seed ^ Number((from ^ (to << 5n)) & 0xffff_ffffn))
  const found = new Map<bigint, Span>()
  for (let tries = 0; tries < 8 * options.count && found.size < options.count; tries += 1) {
    const index = tries === 0 ? networks - 1n : uniform(state, networks)
    const at = first + index * size
    const isSpecial = options.special === 'skipped' && pastSpecial(family, at) !== at
    if (index > 0n && !isSpecial) found.set(at, { family, at, bits: source })
  }
  return [...found.values()]
}

/** A uniform integer in [0, bound); the bias of 128 bits is nothing. */
function uniform(state: Chance, bound: bigint): bigint {
  let drawn = 0n
  for (let word = 0; word < 8; word += 1) drawn = (drawn << 16n) | BigInt(below(state, 0x10000))
  return drawn % bound
}

/** A random network of a piece, for a space that is too large to be swept. */
export function anyIn(
  { family, from, to }: Range,
  source: number,
  seed: number,
  special: Special,
): Span | undefined {
  const state = chance(seed ^ Number(from & 0xffff_ffffn))
  for (let tries = 0; tries < 64; tries += 1) {
    const span = spanAt(family, from + uniform(state, to - from), source)
    if (special === 'asked' || pastSpecial(family, span.at) === span.at) return span
  }
  return undefined
}

/** SOURCE lengths in the order they are tried: a longer one where the scope asks for it. */
export function sourcesOf(family: Family, length: 'usual' | 'any'): readonly number[] {
  if (family === 1) return length === 'any' ? [24, 32] : [24]
  return length === 'any' ? [48, 56, 128] : [48, 56]
}
