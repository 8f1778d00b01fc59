/**
 * How many addresses an answer may hold so that its reply fits one UDP datagram that every path
 * carries: 1232 octets (RFC 9715 §3.1), over TCP too, so that both answer alike. Where a rule lets
 * UDP replies be truncated, it must still fit TCP: a name that fits neither has no answer at all.
 */

/** One UDP datagram, and a TCP message less the links of a chain of long names. */
export const ROOM = { datagram: 1232, message: 60_000 } as const
const HEADER = 12
/** QTYPE and QCLASS. */
const QUESTION = 4
const OPT = 11
/** Client Subnet with all of an IPv6 address, RFC 7871 §6; a cookie of 8 and 16, RFC 7873 §4. */
const SUBNET = 24
const COOKIE = 28
/** For an NSID, an extended error, or the link of a chain. */
const SPARE = 64
/** What options may take of a reply, beside an empty OPT. */
export const OPTIONS = SUBNET + COOKIE + SPARE
/** A record whose owner is a pointer to the question, without its data. RFC 1035 §4.1.3. */
const RECORD = 12
const LONGEST_NAME = 255
const WILDCARD = [1, 0x2a]

/**
 * The most addresses that fit.
 *
 * @param owner  on the wire; a wildcard is as long as names can be
 * @param octets of one address: 4 or 16
 * @param size   of the reply: one of ROOM
 */
export function fitting(owner: Uint8Array, octets: number, size: number): number {
  const isWildcard = WILDCARD.every((octet, i) => owner[i] === octet)
  const name = isWildcard ? LONGEST_NAME : owner.length
  const room = size - HEADER - name - QUESTION - OPT - OPTIONS
  return Math.floor(room / (RECORD + octets))
}
