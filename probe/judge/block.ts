/** Aligned blocks of addresses: containment, neighbours, members, text. Knows no answers. */

export type Block = {
  /** 1 IPv4, 2 IPv6. */
  readonly family: 1 | 2
  /** 4 or 16 octets; bits past `bits` are zero. */
  readonly octets: Uint8Array
  readonly bits: number
}

/** @param address hex of at most 4 or 16 octets, zero octets missing at the end */
export function blockOf(family: 1 | 2, address: string, bits: number): Block {
  const octets = new Uint8Array(family === 1 ? 4 : 16)
  for (const at of octets.keys())
    octets[at] = Number.parseInt(address.slice(2 * at, 2 * at + 2), 16) || 0
  return cut({ family, octets, bits: octets.length * 8 }, Math.min(bits, octets.length * 8))
}

/** The block of `bits` that holds the beginning of `block`. */
export function cut(block: Block, bits: number): Block {
  const octets = block.octets.map((octet, at) => octet & maskOf(at, bits))
  return { family: block.family, octets, bits }
}

/** Whether all of `inner` lies in `outer`; a block holds itself. */
export function contains(outer: Block, inner: Block): boolean {
  if (outer.family !== inner.family || outer.bits > inner.bits) return false
  return outer.octets.every(
    (octet, at) => octet === ((inner.octets[at] ?? 0) & maskOf(at, outer.bits)),
  )
}

/** The block with bit `bit` (from 0) turned over. */
export function flip(block: Block, bit: number): Block {
  const octets = block.octets.slice()
  octets[bit >> 3] = (octets[bit >> 3] ?? 0) ^ (0x80 >> (bit & 7))
  return { family: block.family, octets, bits: block.bits }
}

/**
 * A block of `bits` inside `block`, its free bits taken from `pick`.
 *
 * @param pick the octet to take free bits from, by place: `() => 0` the first, `() => 255` the last
 */
export function memberOf(block: Block, bits: number, pick: (at: number) => number): Block {
  const octets = block.octets.map(
    (octet, at) => octet | (pick(at) & ~maskOf(at, block.bits) & 0xff),
  )
  return cut({ family: block.family, octets, bits }, bits)
}

/** The bits of octet `at` that lie within the first `bits`. */
function maskOf(at: number, bits: number): number {
  const kept = Math.min(8, Math.max(0, bits - 8 * at))
  return (0xff00 >> kept) & 0xff
}

/** `128.32.0.0/24`, `2001:db8::/32` */
export function blockText(block: Block): string {
  const { family, octets, bits } = block
  return `${family === 1 ? octets.join('.') : ipv6Text(octets)}/${bits}`
}

/** RFC 5952: lower case, no leading zeros, the longest run of zero groups as `::`. */
function ipv6Text(octets: Uint8Array): string {
  const groups = Array.from(
    { length: 8 },
    (_, at) => (octets[2 * at] ?? 0) * 256 + (octets[2 * at + 1] ?? 0),
  )
  const text = groups.map(group => group.toString(16)).join(':')
  const runs = [...text.matchAll(/\b0(?::0)+\b/g)].sort((a, b) => b[0].length - a[0].length)
  const [longest] = runs
  if (longest === undefined) return text
  const before = text.slice(0, longest.index).replace(/:$/, '')
  const after = text.slice(longest.index + longest[0].length).replace(/^:/, '')
  return `${before}::${after}`
}

/** Blocks that are nobody's network on the public Internet: no sample is taken from them. RFC 6890. */
// biome-ignore format: table
export const SPECIAL: readonly Block[] = [
  ...([['00', 8], ['0a', 8], ['6440', 10], ['7f', 8], ['a9fe', 16], ['ac10', 12], ['c00000', 24], ['c00002', 24],
    ['c0586300', 24], ['c0a8', 16], ['c612', 15], ['c63364', 24], ['cb0071', 24], ['e0', 3]] as const)
    .map(([hex, bits]) => blockOf(1, hex, bits)),
  ...([['00', 8], ['0100', 64], ['20010000', 23], ['20010db8', 32], ['2002', 16], ['fc', 7], ['fe80', 10], ['ff', 8]] as const)
    .map(([hex, bits]) => blockOf(2, hex, bits)),
]

export function isSpecial(block: Block): boolean {
  return SPECIAL.some(special => contains(special, block) || contains(block, special))
}
