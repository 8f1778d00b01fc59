/**
 * Aligned blocks by the number of their first address: what a sweep over hundreds of thousands of
 * them counts with. The octets of a block are made only where it is asked for or shown.
 */
import { type Block, blockText, SPECIAL } from './block.ts'

export type Family = 1 | 2

export type Span = {
  /** 1 IPv4, 2 IPv6. */
  readonly family: Family
  /** The first address. */
  readonly at: bigint
  readonly bits: number
}

/** Addresses from the first to before the second. */
export type Range = { readonly family: Family; readonly from: bigint; readonly to: bigint }

export const WIDTH = { 1: 32, 2: 128 } as const

/** How many addresses a block of `bits` has. */
export function sizeOf(family: Family, bits: number): bigint {
  return 1n << BigInt(WIDTH[family] - bits)
}

export function endOf({ family, at, bits }: Span): bigint {
  return at + sizeOf(family, bits)
}

/** The block of `bits` that an address lies in. */
export function spanAt(family: Family, address: bigint, bits: number): Span {
  const free = BigInt(WIDTH[family] - bits)
  return { family, at: (address >> free) << free, bits }
}

/** Whether all of `inner` lies in `outer`; a block holds itself. */
export function covers(outer: Span, inner: Span): boolean {
  if (outer.family !== inner.family || outer.bits > inner.bits) return false
  return spanAt(outer.family, inner.at, outer.bits).at === outer.at
}

/** @param octets at most 4 or 16, zero octets missing at the end */
export function spanOf(family: Family, octets: Uint8Array, bits: number): Span {
  let number = 0n
  for (let at = 0; at < WIDTH[family] / 8; at += 1)
    number = (number << 8n) | BigInt(octets[at] ?? 0)
  return spanAt(family, number, bits)
}

export function blockFrom({ family, at, bits }: Span): Block {
  const octets = new Uint8Array(WIDTH[family] / 8)
  let rest = at
  for (let place = octets.length - 1; place >= 0; place -= 1) {
    octets[place] = Number(rest & 255n)
    rest >>= 8n
  }
  return { family, octets, bits }
}

/** `128.32.0.0/24` */
export function spanText(span: Span): string {
  return blockText(blockFrom(span))
}

export function rangeOf(span: Span): Range {
  return { family: span.family, from: span.at, to: endOf(span) }
}

/** The lesser number; `Math.min` takes none so large. */
export function lesser(one: bigint, other: bigint): bigint {
  if (one < other) return one
  return other
}

export function greater(one: bigint, other: bigint): bigint {
  if (one > other) return one
  return other
}

/** How many addresses of a range lie in another. */
export function shared(one: Range, other: Range): bigint {
  return greater(0n, lesser(one.to, other.to) - greater(one.from, other.from))
}

const SPECIAL_SPANS = SPECIAL.map(({ family, octets, bits }) => spanOf(family, octets, bits))

/** The first address from this one on that is in no special block. RFC 6890. */
export function pastSpecial(family: Family, address: bigint): bigint {
  const around = SPECIAL_SPANS.find(
    special => special.family === family && special.at <= address && address < endOf(special),
  )
  return around === undefined ? address : pastSpecial(family, endOf(around))
}

/** How many addresses of a range are in no special block. */
export function ordinaryIn(range: Range): bigint {
  let left = range.to - range.from
  for (const special of SPECIAL_SPANS) {
    if (special.family === range.family) left -= shared(range, rangeOf(special))
  }
  return left
}
