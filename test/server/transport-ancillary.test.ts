/**
 * What comes with a datagram and goes with a reply, as rows of the octets that Linux writes
 * (cmsg(3), ip(7), ipv6(7), socket(7)); a cell is four octets as hex.
 */
import { expect, test } from 'vitest'
import { addressText, address as emptyAddress } from '../../server/dns/address.ts'
import { putLeave, readPlace, timeIn } from '../../server/transport/ancillary.ts'
import { worded } from '../../server/transport/sockaddr.ts'

// biome-ignore format: table
/** cmsg_len (8 octets), level, type, then the data. */
const CAME = {
  // SOL_SOCKET 1, SO_TIMESTAMPNS 35: 1,700,000,000 s and 250,000,000 ns
  time:      '20000000 00000000 01000000 23000000 00f15365 00000000 80b2e60e 00000000',
  // IPPROTO_IP 0, IP_PKTINFO 8: interface 2, 192.0.2.1 local, 192.0.2.255 in the header
  four:      '1c000000 00000000 00000000 08000000 02000000 c0000201 c00002ff 00000000',
  // IPPROTO_IPV6 41, IPV6_PKTINFO 50: the address, interface 3
  six:       '24000000 00000000 29000000 32000000 20010db8 00000000 00000000 00000001 03000000 00000000',
  linkLocal: '24000000 00000000 29000000 32000000 fe800000 00000000 00000000 00000001 03000000 00000000',
  mapped:    '24000000 00000000 29000000 32000000 00000000 00000000 0000ffff c0000201 03000000 00000000',
  // SOL_SOCKET 1, SO_RXQ_OVFL 40: something that nobody asked for
  other:     '14000000 00000000 01000000 28000000 07000000 00000000',
  // a length of 0, and one that reaches past the end
  endless:   '00000000 00000000 29000000 32000000',
  cut:       'ffffff7f 00000000 01000000 28000000 07000000 00000000',
}
type Came = keyof typeof CAME

/** Memory with one word before it, so that an offset is not taken for 0; and room behind. */
function memory(...came: readonly Came[]): { words: Uint32Array; octets: number } {
  const octets = Buffer.from(
    came
      .map(one => CAME[one])
      .join('')
      .replaceAll(' ', ''),
    'hex',
  )
  const words = new Uint32Array(64)
  new Uint8Array(words.buffer).set(octets, 4)
  return { words, octets: octets.length }
}

const TIMES = [
  ['a time alone', ['time'], 1_700_000_000_250],
  ['a time behind other things', ['other', 'four', 'time'], 1_700_000_000_250],
  ['no time', ['four'], 0],
  ['nothing at all', [], 0],
  ['lengths that lie', ['endless', 'cut'], 0],
] as const

for (const [rule, came, expected] of TIMES) {
  test(`a datagram's time: ${rule}`, () => {
    const { words, octets } = memory(...came)
    expect(timeIn(words, 1, octets)).toBe(expected)
  })
}

// biome-ignore format: table
const PLACES = [
  // rule                                         what came             place          interface kept
  ['IPv4: the local address, not the broadcast',  ['time', 'four'],     '192.0.2.1',   0],
  ['IPv6: the route chooses the interface',       ['time', 'six'],      '2001:db8::1', 0],
  ['RFC 4007 §6 link-local: the interface stays', ['linkLocal'],        'fe80::1',     3],
  ['RFC 4291 §2.5.5.2 IPv4 on an IPv6 socket',    ['mapped', 'time'],   '192.0.2.1',   0],
  ['not told',                                    ['time', 'other'],    undefined,     0],
  ['lengths that lie',                            ['cut', 'six'],       undefined,     0],
] as const

for (const [rule, came, place, kept] of PLACES) {
  test(`where a datagram was sent to: ${rule}`, () => {
    const { words, octets } = memory(...came)
    const into = worded(emptyAddress())
    expect(readPlace(words, 1, octets, into)).toBe(place !== undefined)
    if (place === undefined) expect(putLeave(words, 1, octets, 41)).toBe(0)
    else expect(addressText(into.octets.subarray(0, into.family === 4 ? 4 : 16))).toBe(place)
  })

  if (place === undefined) continue
  test(`where its reply leaves from: ${rule}`, () => {
    const { words, octets } = memory(...came)
    const written = putLeave(words, 1, octets, 41)
    const again = worded(emptyAddress())
    expect(readPlace(words, 41, written, again)).toBe(true)
    expect(addressText(again.octets.subarray(0, again.family === 4 ? 4 : 16))).toBe(place)
    // in_pktinfo starts with the interface, in6_pktinfo ends with it
    expect(words[41 + (words[43] === 41 ? 8 : 4)]).toBe(kept)
  })
}
