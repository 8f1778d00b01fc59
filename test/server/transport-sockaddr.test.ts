/** Socket addresses, as rows of the octets that Linux has (ip(7), ipv6(7)). */
import { expect, test } from 'vitest'
import { address as emptyAddress } from '../../server/dns/address.ts'
import { hexText } from '../../server/dns/octets.ts'
import { boundTo, readSockaddr, sockaddr, worded } from '../../server/transport/sockaddr.ts'

const NUMBERS: Readonly<Record<string, number>> = { eth0: 2, 'wg-1.7': 300 }

// biome-ignore format: table
const TABLE = [
  // address, port                    family port flow     address                          scope
  ['192.0.2.1', 53,                   '0200 0035 c0000201                                   0000000000000000'],
  ['0.0.0.0', 0,                      '0200 0000 00000000                                   0000000000000000'],
  ['2001:db8::1', 5353,               '0a00 14e9 00000000 20010db8000000000000000000000001 00000000'],
  ['::', 65_535,                      '0a00 ffff 00000000 00000000000000000000000000000000 00000000'],
  ['::ffff:192.0.2.1', 53,            '0a00 0035 00000000 00000000000000000000ffffc0000201 00000000'],
  ['fe80::1%eth0', 53,                '0a00 0035 00000000 fe800000000000000000000000000001 02000000'],
  ['fe80::1%wg-1.7', 53,              '0a00 0035 00000000 fe800000000000000000000000000001 2c010000'],
  ['fe80::1%4', 53,                   '0a00 0035 00000000 fe800000000000000000000000000001 04000000'],
  ['fe80::1%eth9', 53,                'none'],
  ['192.0.2.1%eth0', 53,              'none'],
  ['192.0.2.010', 53,                 'none'],
  ['localhost', 53,                   'none'],
  ['', 53,                            'none'],
] as const

for (const [address, port, expected] of TABLE) {
  test(`${address} port ${port} is ${expected}`, () => {
    const name = sockaddr(address, port, zone => NUMBERS[zone] ?? 0)
    expect(name === undefined ? 'none' : hexText(name)).toBe(expected.replaceAll(' ', ''))
  })
}

// biome-ignore format: table
const BOUND = [
  ['0200 0035 c0000201 0000000000000000', '192.0.2.1', 53, false],
  ['0200 0035 00000000 0000000000000000', '0.0.0.0', 53, true],
  ['0a00 14e9 00000000 20010db8000000000000000000000001 00000000', '2001:db8::1', 5353, false],
  ['0a00 ffff 00000000 00000000000000000000000000000000 00000000', '::', 65_535, true],
] as const

for (const [name, address, port, isWildcard] of BOUND) {
  test(`${address} port ${port} is where a socket is bound`, () => {
    const octets = Buffer.from(name.replaceAll(' ', ''), 'hex')
    expect(boundTo(octets)).toMatchObject({ address, port, isWildcard })
  })
}

// biome-ignore format: table
const SENDERS = [
  ['0200 0035 c0000201 0000000000000000',                          4, 'c0000201000000000000000000000000'],
  ['0a00 0035 00000000 20010db8000000000000000000000001 00000000', 6, '20010db8000000000000000000000001'],
  ['0a00 0035 00000000 00000000000000000000ffffc0000201 00000000', 4, 'c0000201000000000000000000000000'],
  ['0a00 0035 00000000 00000000000000000000fffec0000201 00000000', 6, '00000000000000000000fffec0000201'],
  ['0a00 0000 00000000 00000000000000000000000000000000 00000000', 6, '00000000000000000000000000000000'],
] as const

test('a sender read after another leaves nothing of it behind', () => {
  const peer = worded(emptyAddress())
  for (const [name, family, octets] of SENDERS) {
    const words = new Uint32Array(9)
    new Uint8Array(words.buffer).set(Buffer.from(name.replaceAll(' ', ''), 'hex'), 4)
    const port = readSockaddr(words, 1, peer)
    expect([peer.family, hexText(peer.octets)]).toEqual([family, octets])
    expect(port === 0).toBe(name.startsWith('0a00 0000'))
  }
})
