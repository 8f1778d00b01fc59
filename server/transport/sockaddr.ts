/**
 * Socket addresses as the kernel has them: written from text, told as text, and read into a peer.
 * Opens nothing.
 */
import { isIPv6 } from 'node:net'
import { type Address, addressText, ipv4FromText, ipv6FromText } from '../dns/address.ts'
import { putU16, u16 } from '../dns/octets.ts'
import { AF_INET, AF_INET6, NAME } from './layout.ts'

/**
 * Writes an address and a port as a `struct sockaddr_in` or `struct sockaddr_in6`.
 *
 * @param interfaceNumber of an interface's name, 0 for none
 * @returns `undefined` where it is no address, or its zone is no interface
 */
export function sockaddr(
  address: string,
  port: number,
  interfaceNumber: (name: string) => number,
): Uint8Array | undefined {
  const [host = '', zone] = address.split('%', 2)
  const name = hostName(host)
  if (name === undefined) return undefined
  putU16(name, 2, port)
  if (zone === undefined) return name
  const scope = /^\d+$/.test(zone) ? Number(zone) : interfaceNumber(zone)
  if (scope === 0 || name.length !== NAME.octets6) return undefined
  new DataView(name.buffer).setUint32(4 * NAME.scope, scope, true)
  return name
}

/** With port 0. */
function hostName(host: string): Uint8Array | undefined {
  const isSix = isIPv6(host)
  const octets = isSix ? ipv6FromText(host) : ipv4FromText(host)
  if (octets === undefined) return undefined
  const name = new Uint8Array(isSix ? NAME.octets6 : NAME.octets4)
  name[0] = isSix ? AF_INET6 : AF_INET
  name.set(octets, 4 * (isSix ? NAME.ipv6 : NAME.ipv4))
  return name
}

/** Where a socket is bound. */
export type Bound = {
  /** Without a zone. */
  readonly address: string
  readonly port: number
  readonly isWildcard: boolean
  /** As the kernel has it, in words, with room for either family. */
  readonly name: Uint32Array
}

/** @param name as the kernel has it */
export function boundTo(name: Uint8Array): Bound {
  const at = 4 * (name[0] === AF_INET ? NAME.ipv4 : NAME.ipv6)
  const octets = name.subarray(at, at + (name[0] === AF_INET ? 4 : 16))
  const isWildcard = octets.every(octet => octet === 0)
  const words = new Uint32Array(NAME.octets6 / 4)
  new Uint8Array(words.buffer).set(name)
  return { address: addressText(octets), port: u16(name, 2), isWildcard, name: words }
}

/** An address that is filled a word at a time. */
export type WordedAddress = Address & { readonly words: Uint32Array }

/** Gives an address its view in words; the octets are the same ones. */
export function worded<T extends Address>(address: T): T & { readonly words: Uint32Array } {
  const { buffer, byteOffset } = address.octets
  return Object.assign(address, { words: new Uint32Array(buffer, byteOffset, 4) })
}

/** ::ffff:0:0/96, the third word, as it lies in memory. RFC 4291 §2.5.5.2. */
const MAPPED = 0xffff_0000

/**
 * Reads a sender from a socket address. An IPv4 address mapped into IPv6 becomes IPv4. Hot.
 *
 * @param words memory in which it starts at the word `at`
 * @returns the port, its octets as on the wire: equal ports are equal, and 0 is 0
 */
export function readSockaddr(words: Uint32Array, at: number, into: WordedAddress): number {
  const head = words[at]!
  if ((head & 0xffff) === AF_INET) setIpv4(into, words[at + NAME.ipv4]!)
  else setIpv6(into, words, at + NAME.ipv6)
  return head >>> 16
}

/** Fills in an address from sixteen octets at the word `at`. Hot. */
export function setIpv6(into: WordedAddress, words: Uint32Array, at: number): void {
  if (words[at] === 0 && words[at + 1] === 0 && words[at + 2] === MAPPED) {
    setIpv4(into, words[at + 3]!)
    return
  }
  into.family = 6
  for (let i = 0; i < 4; i += 1) into.words[i] = words[at + i]!
}

/** Hot. */
export function setIpv4(into: WordedAddress, word: number): void {
  into.family = 4
  into.words[0] = word
  into.words[1] = 0
  into.words[2] = 0
  into.words[3] = 0
}

/** Hot. */
export function isSameAddress(one: WordedAddress, other: WordedAddress): boolean {
  for (let i = 0; i < 4; i += 1) if (one.words[i] !== other.words[i]) return false
  return one.family === other.family
}
