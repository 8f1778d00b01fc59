/**
 * Blocks of the address space that are not like others: those whose addresses mean another machine
 * everywhere, so that they tell nothing of a client (RFC 7871 §10), and those of IPv6 that carry an
 * IPv4 address. A closed list; documentation ranges are ordinary space.
 */
import { ipv4FromText, ipv6FromText } from '../dns/address.ts'
import type { Prefix } from './rule.ts'

const SPECIAL4 = [
  '0.0.0.0/8', // RFC 791 §3.2: this network
  '10.0.0.0/8', // RFC 1918
  '100.64.0.0/10', // RFC 6598: between a provider and its customers
  '127.0.0.0/8', // RFC 1122 §3.2.1.3: loopback
  '169.254.0.0/16', // RFC 3927: link-local
  '172.16.0.0/12', // RFC 1918
  '192.168.0.0/16', // RFC 1918
]

const SPECIAL6 = [
  '::/8', // RFC 4291: unspecified, loopback; the IPv4 inside it is taken out below
  '2001::/32', // RFC 4380: Teredo
  'fc00::/7', // RFC 4193: unique local
  'fe80::/10', // RFC 4291 §2.5.6: link-local
  'ff00::/8', // RFC 4291 §2.7: multicast
]

const EMBEDDED = [
  '::ffff:0:0/96', // RFC 4291 §2.5.5.2: mapped
  '64:ff9b::/96', // RFC 6052 §2.1: translated
  '2002::/16', // RFC 3056: 6to4
]

/** By family. */
export const SPECIAL_BLOCKS: Readonly<Record<4 | 6, readonly Prefix[]>> = {
  4: SPECIAL4.map(prefixOf),
  6: SPECIAL6.map(prefixOf),
}

/** Where IPv4 hangs in IPv6: the 32 bits after such a prefix are an IPv4 address. */
export const EMBEDDED_BLOCKS: readonly Prefix[] = EMBEDDED.map(prefixOf)

function prefixOf(text: string): Prefix {
  const [address = '', bits] = text.split('/')
  const octets = ipv4FromText(address) ?? ipv6FromText(address)
  if (octets === undefined) throw new Error(`not an address: ${address}`)
  return { family: octets.length === 4 ? 4 : 6, octets, bits: Number(bits) }
}

/** The embedded block that a prefix lies in, itself included, or `undefined`. */
export function embeddingOf(prefix: Prefix): Prefix | undefined {
  if (prefix.family === 4) return undefined
  return EMBEDDED_BLOCKS.find(
    ({ octets, bits }) =>
      prefix.bits >= bits &&
      octets.subarray(0, bits >> 3).every((octet, i) => octet === prefix.octets[i]),
  )
}

/** The IPv4 prefix that one inside an embedded block stands for; `undefined` past its /32. */
export function embeddedIpv4(prefix: Prefix, block: Prefix): Prefix | undefined {
  const bits = prefix.bits - block.bits
  if (bits > 32) return undefined
  const at = block.bits >> 3
  return { family: 4, octets: prefix.octets.slice(at, at + 4), bits }
}

/** The bits of the embedded block that an IPv6 address lies in: 96 or 16; 0: in none. Hot. */
export function embeddedBits(octets: Uint8Array): number {
  for (let i = 0; i < EMBEDDED_BLOCKS.length; i += 1) {
    const block = EMBEDDED_BLOCKS[i]!
    if (sharedBits(octets, block) === block.bits) return block.bits
  }
  return 0
}

/**
 * Lengthens the block of so many bits around an IPv6 address until no embedded IPv4 is in it. Hot.
 *
 * @param octets of an address outside embedded blocks
 */
export function apartBits(octets: Uint8Array, bits: number): number {
  let apart = bits
  for (let i = 0; i < EMBEDDED_BLOCKS.length; i += 1) {
    apart = Math.max(apart, sharedBits(octets, EMBEDDED_BLOCKS[i]!) + 1)
  }
  return apart
}

/** How many leading bits an address has in common with a block, at most all of that. Hot. */
function sharedBits(octets: Uint8Array, block: Prefix): number {
  for (let at = 0; 8 * at < block.bits; at += 1) {
    const differing = octets[at]! ^ block.octets[at]!
    if (differing !== 0) return 8 * at + Math.clz32(differing) - 24
  }
  return block.bits
}
