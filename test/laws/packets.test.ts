/**
 * A million packets, random and mutated, through the whole line: none throws, none that is a reply is
 * answered, every reply decodes, has the query's ID, and over UDP fits 1232 octets.
 */
import dnsPacket from 'dns-packet'
import { expect, test } from 'vitest'
import { serve } from '../../server/answer/serve.ts'
import { readMessage } from '../../server/dns/message.ts'
import { below, chance, draw } from '../../server/steer/chance.ts'
import { writeDatabase } from '../kit/mmdb.ts'
import { deskFrom, HEAD, peerOf, queryOf } from '../kit/world.ts'
import { ZONE_Z } from '../kit/zone-text.ts'

const PACKETS = 1_000_000
/** Every so many replies, another codec has a look too. */
const SECOND_OPINION = 50

const SIXTY = Array.from({ length: 60 }, (_, i) => `203.0.113.${i}`).join(', ')

const PLACE = { country: { iso_code: 'DE' }, location: { latitude: 51, longitude: 9 } }

const DESK = deskFrom({
  'a.zone': `${ZONE_Z}* TXT "wild"
al CNAME www
mx MX 10 al
child NS ns.child
ns.child A 192.0.2.61
ns.child AAAA 2001:db8::61
d DNAME w
svc HTTPS 1 . alpn=h2 ipv4hint=192.0.2.1
big TXT ${'"0123456789012345678901234567890123456789" '.repeat(40)}
un TYPE65280 \\# 3 abcdef
`,
  'rtt.csv': '198.51.100.0/24,A,10\n198.51.100.0/24,D,10\n203.0.113.0/24,D,5\n2001:db8::/32,A,5\n',
  'geo.mmdb': writeDatabase({ networks: [['11.0.0.0/8', PLACE]] }),
  'lbdns.yaml': `${HEAD}geo: {database: geo.mmdb}
identity: node
whoami: whoami.example.com
networks: {a: [198.51.100.0/24, "2001:db8::/32"]}
pools:
  A: {at: {country: DE}, targets: [192.0.2.101, {address: 192.0.2.102, weight: 0}, "2001:db8::101"]}
  D: {at: {country: US}, spill: 1.4, quorum: 2, targets: [${SIXTY}, "2001:db8::103"]}
  H: {targets: [h.example.net, h2.example.net]}
steer:
  www.example.com: {ttl: 30, pick: shuffle, by: {networks: {a: [A]}, default: [D]}, https: {alpn: [h2, h3], ech: AEj+DQBE}}
  "*.w.example.com": {ttl: 30, pick: rotate, by: {networks: {a: [A]}, default: [D]}, svcb: {port: 443}}
  go.example.com: {ttl: 30, pick: shuffle, by: {networks: {a: [H]}, default: [H]}}
  hash.example.com: {ttl: 30, pick: hash, quantum: {ipv4: 20, ipv6: 40}, by: {networks: {a: [A, D]}, default: [D]}, https: {}}
  rtt.example.com: {ttl: 30, pick: weighted, answers: 3, spread: pools, latency: {file: rtt.csv}, nearest: [A, D]}
  same.example.com: {ttl: 30, pick: two, rule: rtt.example.com, https: {port: 8443}}
`,
})

const NAMES = [
  'www',
  'al',
  'q.w',
  'go',
  'mx',
  'host.child',
  'x.d',
  'svc',
  'big',
  'un',
  'hash',
  'rtt',
  'same',
  'a.b.c',
  'ns1',
]
const TYPES = ['A', 'AAAA', 'MX', 'TXT', 'NS', 'SOA', 'ANY', 'CNAME', 'HTTPS', 'SVCB', 'DS', 'AXFR']
const SUBNETS = [
  undefined,
  '198.51.100.0/24',
  '203.0.113.7/32',
  '0.0.0.0/0',
  '2001:db8::/56',
  '10.0.0.0/8',
]

/** Cookies of a client, of nobody here, and too short; NSID, keepalive, padding. */
const OPTIONS = [
  '000a 0008 0102030405060708 0003 0000',
  '000a 0018 0102030405060708 0100000000000000 0102030405060708',
  '000a 0007 01020304050607 0003 0000',
  '000b 0000 000c 0004 00000000 0003 0002 00ff',
].map(text => Buffer.from(text.replaceAll(' ', ''), 'hex'))

function withOptions(name: string, data: Uint8Array): Uint8Array {
  const query = queryOf(`${name}.example.com`, { type: 'TXT' })
  query[query.length - 1] = data.length
  return Uint8Array.from([...query, ...data])
}

const SEEDS = NAMES.flatMap(name =>
  TYPES.flatMap((type, at) => {
    const subnet = SUBNETS[at % SUBNETS.length]
    const options = subnet === undefined ? { type } : { type, subnet }
    return [
      queryOf(`${name}.example.com`, options),
      queryOf(`${name}.example.com`, { type, edns: false }),
    ]
  }),
).concat(
  ['big', 'whoami', 'x.whoami'].flatMap(name => OPTIONS.map(data => withOptions(name, data))),
)

test('a million packets: no throw, no reply to a reply, every reply decodes', {
  timeout: 120_000,
}, () => {
  const dice = chance(20_261_130)
  const packet = new Uint8Array(1024)
  const out = new Uint8Array(65_535)
  const streams = (['tcp', 'tls', 'https'] as const).map(over => ({
    ...peerOf('127.0.0.1', over),
    keepalive: 100,
  }))
  const peers = [peerOf('198.51.100.9'), peerOf('2001:db8::9'), ...streams]
  const tally = { replies: 0, silent: 0, looked: 0 }
  for (let i = 0; i < PACKETS; i += 1) {
    const length = i % 4 === 0 ? random(packet) : mutate(packet)
    const peer = peers[i % peers.length]!
    const octets = serve(DESK, packet, length, out, peer)
    if (octets === 0) tally.silent += 1
    else look(length, octets)
    if (octets > 0) tally.replies += 1
  }

  /** A packet of random octets, often with a plausible header. */
  function random(into: Uint8Array): number {
    const length = below(dice, 80)
    for (let at = 0; at < length; at += 1) into[at] = draw(dice)
    if (draw(dice) & 1) into.set([0, 0, 0, below(dice, 3), 0, 0, 0, 0, 0, below(dice, 3)], 2)
    return length
  }

  /** A good query with one to four things changed. */
  function mutate(into: Uint8Array): number {
    const seed = SEEDS[below(dice, SEEDS.length)]!
    into.set(seed)
    let length = seed.length
    for (let changes = 1 + below(dice, 4); changes > 0; changes -= 1) {
      const at = below(dice, length)
      switch (below(dice, 4)) {
        case 0:
          into[at]! ^= 1 << below(dice, 8)
          break
        case 1:
          into[at] = draw(dice)
          break
        case 2:
          length = Math.max(1, at)
          break
        default:
          into.copyWithin(at + 1, at, length)
          length = Math.min(length + 1, 1000)
      }
    }
    return length
  }

  function look(length: number, octets: number): void {
    if ((packet[2]! & 0x80) !== 0 || length < 12) throw new Error('answered what is no query')
    const reply = out.slice(0, octets)
    const message = readMessage(reply)
    if (message === undefined)
      throw new Error(`does not decode: ${Buffer.from(reply).toString('hex')}`)
    if (reply[0] !== packet[0] || reply[1] !== packet[1]) throw new Error('another ID')
    if ((reply[2]! & 0x80) === 0) throw new Error('a reply without QR')
    if (DESK.query.limit < 65_535 && octets > 1232) throw new Error(`${octets} octets over UDP`)
    tally.looked += 1
    if (tally.looked % SECOND_OPINION === 0) dnsPacket.decode(Buffer.from(reply))
  }

  expect(tally.replies + tally.silent).toBe(PACKETS)
  expect(tally.looked).toBe(tally.replies)
  expect(tally.replies).toBeGreaterThan(PACKETS / 2)
})
