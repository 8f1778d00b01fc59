/**
 * EDNS Client Subnet (RFC 7871): what a resolver tells of its client, and the echo of it.
 * Knows the option alone; when it is looked at, and which scope is right, is decided elsewhere.
 */
import { copyOctets, holds, putOctets, u8, u16 } from './octets.ts'

/** The option's code. */
const ECS = 8
/** FAMILY, SOURCE PREFIX-LENGTH, SCOPE PREFIX-LENGTH: §6. */
const FIXED = 4
const ADDRESS = 16

/** The part of a client's address that its resolver chose to tell: scratch, one a desk. */
export type ClientSubnet = {
  /** 0: none was told. */
  family: 0 | 4 | 6
  /** 16 octets, of which the first 4 or 16 count; every bit past `source` is zero. */
  readonly address: Uint8Array
  /** SOURCE PREFIX-LENGTH, 0 … 32 or 0 … 128. 0 means: would rather not be located (§7.1.2). */
  source: number
}

export function clientSubnet(): ClientSubnet {
  return { family: 0, address: new Uint8Array(ADDRESS), source: 0 }
}

/** What may be wrong with an option, in the order that it is looked for; 0: nothing. */
export const FLAW = { none: 0, length: 1, family: 2, source: 3, scope: 4, bits: 5 } as const

/**
 * Looks for what RFC 7871 answers FORMERR to. Hot.
 *
 * @param at     first octet after the option's code and length
 * @param length OPTION-LENGTH
 * @returns one of `FLAW`
 */
export function subnetFlaw(message: Uint8Array, at: number, length: number): number {
  if (length < FIXED || !holds(message, at, length)) return FLAW.length
  const family = u16(message, at)
  const source = u8(message, at + 2)

  if (family !== 1 && family !== 2) return FLAW.family // §7.2.1: unknown FAMILY, and 0 is unknown
  if (source > (family === 1 ? 32 : 128)) return FLAW.source
  if (u8(message, at + 3) !== 0) return FLAW.scope // §6: SCOPE is 0 in queries
  if (length !== FIXED + ((source + 7) >> 3)) return FLAW.length // §6: neither too few nor too many
  return strayBits(message, at + FIXED, source) === 0 ? FLAW.none : FLAW.bits // §6: past SOURCE
}

/**
 * Reads the data of a Client Subnet option found in a query. Hot.
 *
 * @returns false, and no family, where RFC 7871 asks for FORMERR
 */
export function readClientSubnet(
  message: Uint8Array,
  at: number,
  length: number,
  into: ClientSubnet,
): boolean {
  into.family = 0
  if (subnetFlaw(message, at, length) !== FLAW.none) return false
  const octets = length - FIXED
  into.family = u16(message, at) === 1 ? 4 : 6
  into.source = u8(message, at + 2)
  putOctets(into.address, 0, message, at + FIXED, octets)
  for (let i = octets; i < ADDRESS; i += 1) into.address[i] = 0
  return true
}

/** The bits set past the first `bits` in the last octet that holds any of them. Hot. */
function strayBits(octets: Uint8Array, at: number, bits: number): number {
  const kept = bits & 7
  return kept === 0 ? 0 : u8(octets, at + (bits >> 3)) & (0xff >> kept)
}

/** OPTION-LENGTH of a subnet: 4 octets and as many of the address as SOURCE needs. Hot. */
export function clientSubnetLength(subnet: ClientSubnet): number {
  return FIXED + ((subnet.source + 7) >> 3)
}

/**
 * Writes the whole option of a reply: FAMILY, SOURCE and ADDRESS as they came (§7.2.1). Hot.
 *
 * @param scope SCOPE PREFIX-LENGTH
 * @returns the offset after it; it takes 4 octets more than `clientSubnetLength`
 */
export function putClientSubnet(
  out: DataView,
  at: number,
  subnet: ClientSubnet,
  scope: number,
): number {
  const length = clientSubnetLength(subnet)
  out.setInt32(at, (ECS << 16) | length)
  out.setInt32(at + 4, ((subnet.family === 4 ? 1 : 2) << 16) | (subnet.source << 8) | scope)
  return copyOctets(out, at + 4 + FIXED, subnet.address, 0, length - FIXED)
}
