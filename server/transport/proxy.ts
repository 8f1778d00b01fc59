/**
 * The PROXY protocol, version 2, as haproxy's proxy-protocol.txt §2.2 has it: a balancer tells in
 * front of a connection's octets whose connection it is. Reads the header and nothing after it; what
 * it tells besides the address (TLV, §2.2.1 …) is skipped. Knows no sockets, and not who is believed.
 */
import { type Address, setAddress } from '../dns/address.ts'
import { holds, u8, u16 } from '../dns/octets.ts'

const SIGNATURE = Uint8Array.of(0x0d, 0x0a, 0x0d, 0x0a, 0, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a)
const VERSION = 2
const COMMAND = { LOCAL: 0, PROXY: 1 } as const
/** Families and protocols that there are: UNSPEC … UNIX, UNSPEC … DGRAM. */
const FAMILIES = 4
const PROTOCOLS = 3
const INET = 1
const INET6 = 2
/** Octets before the addresses. */
const FIXED = 16

/** Octets: a header is smaller than a segment (§2.2), and more is no balancer's. */
export const MOST_HEADER = 4096

/** More octets must come. */
export const WAIT = 0
/** These octets are no such header. */
export const NO_HEADER = -1

/** Whose a connection is. */
export type Client = Address & { port: number }

/**
 * Reads a header at the beginning of octets.
 *
 * @param into becomes the client's address and port; it stays where the balancer speaks for itself (LOCAL)
 *   or of a client whose address it does not know
 * @returns how many octets the header is, `WAIT`, or `NO_HEADER` as soon as that is certain
 */
export function readProxyHeader(octets: Uint8Array, into: Client): number {
  const known = Math.min(octets.length, SIGNATURE.length)
  for (let at = 0; at < known; at += 1) {
    if (u8(octets, at) !== u8(SIGNATURE, at)) return NO_HEADER
  }
  if (!holds(octets, 0, FIXED)) return WAIT
  const command = u8(octets, 12) & 0xf
  if (u8(octets, 12) >> 4 !== VERSION || command > COMMAND.PROXY) return NO_HEADER
  const size = FIXED + u16(octets, 14)
  if (size > MOST_HEADER) return NO_HEADER
  if (!holds(octets, 0, size)) return WAIT
  if (command === COMMAND.LOCAL) return size // whatever family it says
  return setClient(octets.subarray(0, size), into) ? size : NO_HEADER
}

/** @returns false where family, protocol or length is none */
function setClient(header: Uint8Array, into: Client): boolean {
  const family = u8(header, 13) >> 4
  const protocol = u8(header, 13) & 0xf
  if (family >= FAMILIES || protocol >= PROTOCOLS) return false
  if (protocol === 0 || (family !== INET && family !== INET6)) return true // as UNSPEC: not known
  const width = family === INET ? 4 : 16
  if (!holds(header, FIXED, 2 * width + 4)) return false // two addresses and two ports
  setAddress(into, header.subarray(FIXED, FIXED + width))
  into.port = u16(header, FIXED + 2 * width)
  return true
}
