/** What is counted of a message: for each kind of message which cells rise, and that no other does. */
import { describe, expect, test } from 'vitest'
import { attend } from '../../server/answer/attend.ts'
import type { Transport } from '../../server/answer/peer.ts'
import { openTallies } from '../../server/guard/answers.ts'
import { countRequest, OVER, openCells } from '../../server/guard/tally.ts'
import { answeredIn, risen } from '../kit/tallies.ts'
import { type Ask, deskOf, peerOf, queryOf } from '../kit/world.ts'
import { ZONE_Z } from '../kit/zone-text.ts'

const LONG = `${'x'.repeat(60)}.example.net`
const DESK = deskOf(
  `${ZONE_Z}www A 192.0.2.10
al CNAME turn
out CNAME cdn
big TXT ${`"${'t'.repeat(250)}" `.repeat(16)}
`,
  `networks: {a: [198.51.100.0/24], b: ["2001:db8::/40"]}
pools:
  A: {targets: [192.0.2.101, "2001:db8::101"]}
  B: {targets: [192.0.2.102, "2001:db8::102"]}
  H: {targets: [h.example.net]}
  six: {targets: ["2001:db8::6"]}
  many: {targets: [${Array.from({ length: 80 }, (_, i) => `192.0.2.${i + 1}`).join(', ')}]}
steer:
  cdn.example.com: {ttl: 30, by: {networks: {a: [A, B], b: [B]}, default: [B, A]}, https: {alpn: [h2]}}
  turn.example.com: {ttl: 30, pick: rotate, pools: [A]}
  host.example.com: {ttl: 30, pools: [H]}
  six.example.com: {ttl: 30, pools: [six]}
  many.example.com: {ttl: 30, pools: [many]}
`,
)

const OUT = new Uint8Array(65_535)

function counted(query: Uint8Array, from?: string, transport?: Transport) {
  const tallies = openTallies(DESK.world.steering)
  const written = attend(DESK, tallies, query, query.length, OUT, peerOf(from, transport))
  return { cells: risen(tallies.cells), answers: answeredIn(tallies, DESK.world.steering), written }
}

const isSize = ([word]: readonly [string, unknown]) => /Sizes/.test(word)

/** All cells but those of sizes, which have a table of their own. */
function besidesSizes(cells: Readonly<Record<string, number>>): string[] {
  const found = Object.entries(cells).filter(entry => !isSize(entry))
  return found.flatMap(([word, count]) => Array<string>(count).fill(word)).sort()
}

/** A query with the DO bit, RFC 3225 §3. */
function withDo(name: string): Uint8Array {
  const query = queryOf(name)
  query[query.length - 4] = 0x80
  return query
}

/** A query with an option. */
function withOption(option: string): Uint8Array {
  const query = queryOf('www.example.com')
  const data = Buffer.from(option.replaceAll(' ', ''), 'hex')
  query[query.length - 1] = data.length
  return Uint8Array.from([...query, ...data])
}

/** A query of another class. */
function ofClass(value: number, name = 'www.example.com'): Uint8Array {
  const query = queryOf(name, { edns: false })
  query[query.length - 1] = value
  return query
}

function ofType(type: number): Uint8Array {
  const query = queryOf('www.example.com', { edns: false })
  query[query.length - 4] = type >> 8
  query[query.length - 3] = type & 0xff
  return query
}

const hex = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'))
const plain = (name: string, options: Ask = {}) => queryOf(name, options)
const subnet = '198.51.100.0/24'
const subnet6 = '2001:db8::/56'

// biome-ignore format: table
const CELLS = [
  // what is asked                                  message                                              cells that rise, by one
  ['a plain answer',                                plain('www.example.com', { edns: false }),           ['requests udp 4 1', 'responses 0']],
  ['another type',                                  plain('www.example.com', { type: 'TXT' }),           ['requests udp 4 16', 'responses 0']],
  ['RFC 9460 §14.1 type 65 has a cell',             ofType(65),                                          ['requests udp 4 65', 'responses 0']],
  ['the last type with a cell',                     ofType(511),                                         ['requests udp 4 511', 'responses 0']],
  ['the first one without',                         ofType(512),                                         ['requests udp 4 other', 'responses 0']],
  ['the greatest',                                  ofType(65_535),                                      ['requests udp 4 other', 'responses 0']],
  ['no such name',                                  plain('nosuch.example.com'),                         ['requests udp 4 1', 'responses 3']],
  ['no such zone',                                  plain(LONG),                                         ['errors 20', 'requests udp 4 1', 'responses 5']],
  ['class CH',                                      ofClass(3),                                          ['requests udp 4 notIn', 'responses 5']],
  ['class ANY',                                     ofClass(255),                                        ['requests udp 4 notIn', 'responses 5']],
  ['RFC 9619 §4 no question',                       hex('0002 0000 0000 0000 0000 0000'),                ['requests udp 4 none', 'responses 1']],
  ['RFC 1035 §4.1.4 a question that points',        hex('0006 0000 0001 0000 0000 0000 c00c 0001 0001'), ['requests udp 4 none', 'responses 1']],
  ['a NOTIFY, header only',                         hex('0004 2400 0000 0000 0000 0000'),                ['requests udp 4 none', 'responses 4']],
  ['a NOTIFY, RFC 1996 §3.7',                       hex('0004 2400 0001 0000 0000 0000 0161 00 0006 0001'), ['requests udp 4 6', 'responses 4']],
  ['RFC 6891 §6.1.3 VERSION 1: an extended RCODE',  hex('0001 0000 0001 0000 0000 0001 00 0001 0001 00 0029 04d0 0001 0000 0000'), ['requests udp 4 1', 'responses 16']],
  ['RFC 3225 §3 the DO bit',                        withDo('www.example.com'),                           ['dnssecOk', 'requests udp 4 1', 'responses 0']],
  ['an IPv4 subnet and its scope',                  plain('cdn.example.com', { subnet }),                ['requests udp 4 1', 'responses 0', 'scopes 4 24']],
  ['an IPv6 subnet and its scope',                  plain('cdn.example.com', { subnet: subnet6 }),       ['requests udp 4 1', 'responses 0', 'scopes 6 40']],
  ['a subnet that nothing depends on',              plain('www.example.com', { subnet }),                ['requests udp 4 1', 'responses 0', 'scopes 4 0']],
  ['RFC 7871 §7.1.2 /0 is a subnet too',            plain('www.example.com', { subnet: '0.0.0.0/0' }),   ['requests udp 4 1', 'responses 0', 'scopes 4 0']],
  ['RFC 7871 §6 a malformed one is none',           hex('0001 0000 0001 0000 0000 0001 00 0001 0001 00 0029 04d0 0000 0000 0008 0008 0004 0001 2100'), ['errors 0', 'requests udp 4 1', 'responses 1']],
  ['RFC 7873 a client cookie',                      withOption('000a 0008 0102030405060708'),            ['cookies client', 'requests udp 4 1', 'responses 0']],
  ['RFC 7873 one that is not ours',                 withOption('000a 0018 0102030405060708 0100000000000000 0000000000000000'), ['cookies invalid', 'requests udp 4 1', 'responses 0']],
  ['RFC 5001 NSID, of which there is none',         withOption('0003 0000'),                             ['nsid', 'requests udp 4 1', 'responses 0']],
  ['less than a header',                            hex('0001 0000'),                                    ['drops short']],
  ['nothing',                                       hex(''),                                             ['drops short']],
  ['a response',                                    hex('0001 8400 0000 0000 0000 0000'),                ['drops response']],
] as const

describe('cells', () => {
  test.each(CELLS)('%s', (_, query, expected) => {
    const { cells, written } = counted(query)
    expect(besidesSizes(cells)).toEqual(expected)
    const sizes = Object.entries(cells).filter(isSize)
    if (written === 0) expect(sizes).toEqual([])
    else {
      expect(cells['requestSizes udp sum']).toBe(query.length)
      expect(cells['responseSizes udp sum']).toBe(written)
      expect(sizes).toHaveLength(4) // of each a bucket and its sum
    }
  })

  // biome-ignore format: table
  const PEERS = [
    ['192.0.2.1',         'udp', 'requests udp 4 1'],
    ['2001:db8::1',       'udp', 'requests udp 6 1'],
    ['192.0.2.1',         'tcp', 'requests tcp 4 1'],
    ['2001:db8::1',       'tcp', 'requests tcp 6 1'],
    ['192.0.2.1',         'tls', 'requests dot 4 1'],
    ['2001:db8::1',       'https', 'requests doh 6 1'],
    ['::ffff:192.0.2.1',  'tcp', 'requests tcp 4 1'], // RFC 4291 §2.5.5.2
  ] as const
  test.each(PEERS)('%s over %s: %s', (from, transport, expected) => {
    const { cells } = counted(queryOf('www.example.com'), from, transport)
    expect(besidesSizes(cells)).toEqual([expected, 'responses 0'])
    const [, proto] = expected.split(' ')
    expect(Object.keys(cells).filter(word => /Sizes/.test(word))).toEqual([
      `requestSizes ${proto} ≤100`,
      `requestSizes ${proto} sum`,
      `responseSizes ${proto} ≤100`,
      `responseSizes ${proto} sum`,
    ])
  })

  test('of what came before nothing is left', () => {
    counted(withDo('cdn.example.com'))
    counted(queryOf('cdn.example.com', { subnet }))
    expect(besidesSizes(counted(ofType(1)).cells)).toEqual(['requests udp 4 1', 'responses 0'])
  })
})

// biome-ignore format: table
const SIZES = [
  // octets  the least of CoreDNS's bounds that is not less
  [0,        '≤0'],
  [1,        '≤100'],
  [100,      '≤100'],
  [101,      '≤200'],
  [511,      '≤511'],
  [512,      '≤1023'],
  [1_023,    '≤1023'],
  [1_024,    '≤2047'],
  [4_096,    '≤8291'],
  [8_292,    '≤16000'],
  [64_000,   '≤64000'],
  [64_001,   '+Inf'],
  [65_535,   '+Inf'],
] as const

test.each(SIZES)('a message of %i octets is one of %s', (octets, bucket) => {
  const cells = openCells()
  countRequest(cells, OVER.tcp, 6, 28, octets)
  countRequest(cells, OVER.tcp, 6, 28, octets)
  const sum = octets === 0 ? {} : { 'requestSizes tcp sum': 2 * octets }
  expect(risen(cells)).toEqual({
    'requests tcp 6 28': 2,
    [`requestSizes tcp ${bucket}`]: 2,
    ...sum,
  })
})

// biome-ignore format: table
const ANSWERS = [
  ['by the client',                        plain('cdn.example.com', { subnet }),                   { 'cdn.example.com. A': 1 }],
  ['by nobody: the default',               plain('cdn.example.com'),                               { 'cdn.example.com. B': 1 }],
  ['the name as it is written, not asked', plain('CdN.eXaMpLe.CoM'),                               { 'cdn.example.com. B': 1 }],
  ['AAAA',                                 plain('cdn.example.com', { type: 'AAAA', subnet: subnet6 }), { 'cdn.example.com. B': 1 }],
  ['a service record with hints',          plain('cdn.example.com', { type: 'HTTPS', subnet }),    { 'cdn.example.com. A': 1 }],
  ['a CNAME to a host',                    plain('host.example.com', { type: 'MX' }),              { 'host.example.com. H': 1 }],
  ['behind an alias',                      plain('al.example.com'),                                { 'turn.example.com. A': 1 }],
  ['an alias of what depends on clients',  plain('out.example.com'),                               {}],
  ['a type that the pools have not',       plain('six.example.com'),                               {}],
  ['a name that is not steered',           plain('www.example.com'),                               {}],
  ['no such name',                         plain('no.cdn.example.com'),                            {}],
  ['RFC 2181 §9 what did not fit',         plain('many.example.com', { edns: false }),             {}],
  ['and what did',                         plain('many.example.com', { size: 4096 }),              { 'many.example.com. many': 1 }],
] as const

describe('answers by name and pool', () => {
  test.each(ANSWERS)('%s', (_, query, expected) => {
    expect(counted(query).answers).toEqual(expected)
  })

  test('what did not fit over UDP is one answer over TCP', () => {
    const query = queryOf('many.example.com', { edns: false })
    expect(counted(query, '192.0.2.1', 'tcp').answers).toEqual({ 'many.example.com. many': 1 })
  })
})
