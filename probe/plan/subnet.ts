/**
 * Client subnets as the user writes them and as ECS carries them: host bits cleared, exactly as
 * many octets as the prefix needs (RFC 7871 §6). No prefix longer than /24 or /56 without asking
 * twice: longer ones name a household, and resolvers refuse them.
 */

import { Address4, Address6 } from 'ip-address'
import type { Subnet } from './question.ts'
import { type Wrong, wrong } from './wrong.ts'

export type Length = 'usual' | 'any'

/** The longest SOURCE PREFIX-LENGTH sent without `--allow-long-prefix`. RFC 7871 §11.1. */
export const USUAL_BITS = { 1: 24, 2: 56 } as const

/** SOURCE 0 of both families: the client would rather not say. RFC 7871 §7.1.2. */
export const NOBODY4: Subnet = subnetOf(1, new Uint8Array(4), 0, undefined)
export const NOBODY6: Subnet = subnetOf(2, new Uint8Array(16), 0, undefined)

/**
 * Reads `198.51.100.0/24`, `2001:db8::/48`, `0` (nobody) or a bare address, which stands for its
 * /24 or /56.
 *
 * @param region country code, where it is known
 */
export function readSubnet(text: string, length: Length, region?: string): Subnet | Wrong {
  if (text === '0' || text === '0/0' || text === '/0') return NOBODY4
  const slash = text.indexOf('/')
  const address = slash < 0 ? text : text.slice(0, slash)
  const octets = readAddress(address)
  if (octets === undefined) {
    return wrong(`--subnet ${text}: not an address`, 'write a prefix such as 198.51.100.0/24')
  }
  const family = octets.length === 4 ? 1 : 2
  const source = slash < 0 ? USUAL_BITS[family] : readBits(text.slice(slash + 1), octets.length * 8)
  if (source === undefined) {
    return wrong(`--subnet ${text}: the length must be 0 to ${octets.length * 8}`)
  }
  if (length === 'usual' && source > USUAL_BITS[family]) {
    return wrong(
      `--subnet ${text}: longer than /${USUAL_BITS[family]} says too much about one client`,
      'shorten it, or add --allow-long-prefix',
    )
  }
  return subnetOf(family, octets, source, region)
}

/** Octets of an IPv4 or IPv6 address in its usual text form; no zone, no leading zeros. */
export function readAddress(text: string): Uint8Array | undefined {
  if (!/^[0-9a-fA-F:.]+$/.test(text)) return undefined
  if (Address4.isValid(text)) return Uint8Array.from(new Address4(text).toArray())
  if (!text.includes(':') || !Address6.isValid(text)) return undefined
  return Uint8Array.from(new Address6(text).toUnsignedByteArray())
}

/** An address as text, IPv6 in the form of RFC 5952. */
export function addressText(octets: Uint8Array): string {
  if (octets.length === 4) return octets.join('.')
  return Address6.fromUnsignedByteArray([...octets]).correctForm()
}

/**
 * A subnet out of whole address octets; bits past `source` are cleared.
 *
 * @param octets 4 for family 1, 16 for family 2
 */
export function subnetOf(
  family: 1 | 2,
  octets: Uint8Array,
  source: number,
  region: string | undefined,
): Subnet {
  const network = cleared(octets, source)
  return {
    text: `${addressText(network)}/${source}`,
    family,
    source,
    octets: network.slice(0, Math.ceil(source / 8)),
    region,
  }
}

/** A copy with every bit from `bits` on set to 0. */
export function cleared(octets: Uint8Array, bits: number): Uint8Array {
  return octets.map((octet, index) => {
    const kept = Math.min(8, Math.max(0, bits - index * 8))
    return octet & (0xff00 >> kept)
  })
}

function readBits(text: string, most: number): number | undefined {
  if (!/^(0|[1-9][0-9]{0,2})$/.test(text)) return undefined
  const bits = Number(text)
  return bits <= most ? bits : undefined
}
