/**
 * What comes with a datagram and goes with a reply besides octets: when it was received, where it was
 * sent to, and so where the reply leaves from. Knows the kernel's layout; opens nothing.
 */
import {
  CONTROL,
  IP_PKTINFO,
  IPPROTO_IP,
  IPPROTO_IPV6,
  IPPROTO_UDP,
  IPV6_PKTINFO,
  PKTINFO4,
  PKTINFO6,
  SO_TIMESTAMPNS,
  SOL_SOCKET,
  UDP_SEGMENT,
} from './layout.ts'
import { setIpv4, setIpv6, type WordedAddress } from './sockaddr.ts'

/** Room for a time and a place, and some to spare, in words. */
export const ANCILLARY_WORDS = 32

/** Words of the largest place that a reply leaves from. */
export const LEAVE_WORDS = CONTROL.data + PKTINFO6.words + 1
/** Words of how long the datagrams of one send are. */
export const SEGMENT_WORDS = CONTROL.data + 2

/**
 * When a datagram came, in milliseconds since 1970; 0: the kernel did not say. Hot.
 *
 * @param words  memory in which it starts at the word `at`
 * @param octets how many octets came with the datagram
 */
export function timeIn(words: Uint32Array, at: number, octets: number): number {
  const data = find(words, at, octets, SOL_SOCKET, SO_TIMESTAMPNS)
  if (data === -1) return 0
  const seconds = words[data]! + words[data + 1]! * 2 ** 32
  return seconds * 1000 + words[data + 2]! / 1e6
}

/** Tells where a datagram was sent to. Hot. @returns false where the kernel did not say */
export function readPlace(
  words: Uint32Array,
  at: number,
  octets: number,
  into: WordedAddress,
): boolean {
  const four = find(words, at, octets, IPPROTO_IP, IP_PKTINFO)
  if (four !== -1) {
    setIpv4(into, words[four + PKTINFO4.local]!)
    return true
  }
  const six = find(words, at, octets, IPPROTO_IPV6, IPV6_PKTINFO)
  if (six !== -1) setIpv6(into, words, six + PKTINFO6.local)
  return six !== -1
}

/**
 * Writes what makes a reply leave from where its query was sent to. The route chooses the interface,
 * but for a link-local address, which means nothing without one (RFC 4007 §6). Hot.
 *
 * @param out where to write, in words: `LEAVE_WORDS` of room
 * @returns octets written; 0 where the kernel did not say
 */
export function putLeave(words: Uint32Array, at: number, octets: number, out: number): number {
  const four = find(words, at, octets, IPPROTO_IP, IP_PKTINFO)
  if (four !== -1) {
    const written = copy(words, four - CONTROL.data, out, CONTROL.data + PKTINFO4.words)
    words[out + CONTROL.data + PKTINFO4.interface] = 0
    return written
  }
  const six = find(words, at, octets, IPPROTO_IPV6, IPV6_PKTINFO)
  if (six === -1) return 0
  const written = copy(words, six - CONTROL.data, out, CONTROL.data + PKTINFO6.words)
  if (!isLinkLocal(words[six]!)) words[out + CONTROL.data + PKTINFO6.interface] = 0
  return written
}

/**
 * Writes how long the datagrams are that one send becomes. Hot.
 *
 * @returns octets written
 */
export function putSegment(words: Uint32Array, at: number, octets: number): number {
  words[at + CONTROL.length] = 4 * CONTROL.data + 2
  words[at + CONTROL.length + 1] = 0
  words[at + CONTROL.level] = IPPROTO_UDP
  words[at + CONTROL.type] = UDP_SEGMENT
  words[at + CONTROL.data] = octets
  return 4 * SEGMENT_WORDS
}

/** Where the data of one kind starts, in words, or −1. Hot. */
function find(words: Uint32Array, at: number, octets: number, level: number, type: number): number {
  const end = at + (octets >> 2)
  let next = at
  while (next + CONTROL.data <= end) {
    if (words[next + CONTROL.level] === level && words[next + CONTROL.type] === type) {
      return next + CONTROL.data
    }
    next += Math.max(CONTROL.data, ((words[next + CONTROL.length]! + 7) >> 3) << 1)
  }
  return -1
}

/** Hot. @returns octets written, up to a multiple of 8 */
function copy(words: Uint32Array, from: number, out: number, count: number): number {
  words.copyWithin(out, from, from + count)
  return ((count + 1) >> 1) << 3
}

/** By the first word of an address as it lies in memory: fe80::/10. Hot. */
function isLinkLocal(word: number): boolean {
  return (word & 0xc0ff) === 0x80fe
}
