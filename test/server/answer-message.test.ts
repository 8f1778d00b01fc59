/**
 * Headers, questions and EDNS: which messages are answered, refused or dropped, and with which flags.
 * The packets are the public cases', as hex.
 */
import { describe, expect, test } from 'vitest'
import { ask, deskOf, exchange, peerOf, queryOf, said } from '../kit/world.ts'
import { ZONE_Z } from '../kit/zone-text.ts'

const DESK = deskOf(
  `${ZONE_Z}www A 192.0.2.10\nv6 AAAA 2001:db8::c000:201\nv6 AAAA ::\nv6 AAAA ::ffff:192.0.2.1\n`,
)

function hex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'))
}

/** Two octets of flags and the RCODE, without its name. */
function flagsOf(reply: Uint8Array): { id: number; flags: number; rcode: number } {
  const flags = (reply[2]! << 8) | reply[3]!
  return { id: (reply[0]! << 8) | reply[1]!, flags: flags & 0xfff0, rcode: flags & 15 }
}

const WWW = '03777777076578616d706c6503636f6d00'
const OPT = '00002904d000000000'

// biome-ignore format: table
const REFUSED = [
  // case and clause                                packet                                                     id flags  rcode
  ['W01 BC-049 opcode 15, header only',             '000178000000000000000000',                                1, 0xf800, 4],
  ['BC-049 opcode 1 (IQUERY)',                      `000108000001000000000000${WWW}00010001`,             1, 0x8800, 4],
  ['BC-049 opcode 2 (STATUS)',                      `000110000001000000000000${WWW}00010001`,             1, 0x9000, 4],
  ['BC-049 opcode 3, of nothing',                   `000118000001000000000000${WWW}00010001`,             1, 0x9800, 4],
  ['BC-049 opcode 5 (UPDATE)',                      `000128000001000000000000${WWW}00060001`,             1, 0xa800, 4],
  ['BC-049 opcode 6 (DSO)',                         '000130000000000000000000',                                1, 0xb000, 4],
  ['BC-050 odd opcode: request flags do not return', '00017ff00000000000000000',           1, 0xf900, 4],
  ['W02 BC-051 RFC 9619 QDCOUNT 0',                 '000200000000000000000000',                                2, 0x8000, 1],
  ['W03 BC-052 RFC 9619 two questions',             `000300000002000000000000${WWW}00010001${WWW}001c0001`,    3, 0x8000, 1],
  ['W04 BC-053 NOTIFY with QDCOUNT 256',            '000424000100000000000000',                                4, 0xa000, 4],
  ['W06 BC-059 a pointer to itself',                '000600000001000000000000c00c00010001',                    6, 0x8000, 1],
  ['W07 BC-059 a cycle through a label',            '0007000000010000000000000161c00c00010001',                7, 0x8000, 1],
  ['BC-059 a pointer forward',                      '000700000001000000000000c01200010001',                    7, 0x8000, 1],
  ['BC-059 a pointer past the end',                 '000700000001000000000000ffff00010001',                    7, 0x8000, 1],
  ['W08 BC-060 a reserved label type',              '00080000000100000000000043777777076578616d706c6503636f6d0000010001', 8, 0x8000, 1],
  ['W10 BC-042 RFC 6891 §6.1.1 two OPT records',    `000a00000001000000000002${WWW}00010001${OPT}0000${OPT}0000`, 10, 0x8000, 1],
  ['W23 BC-044 an option past the OPT record',      `001700000001000000000001${WWW}00010001${OPT}000b0008002800011800c63364`, 23, 0x8000, 1],
  ['RFC 6891 §6.1.2 OPT not owned by the root',     `000a00000001000000000001${WWW}000100010161${OPT}0000`,    10, 0x8000, 1],
  ['RFC 6891 §6.1.1 OPT in the answer section',     `000a00000001000100000000${WWW}00010001${OPT}0000`,        10, 0x8000, 1],
  ['a record that is cut short',                    `000a00000001000000000001${WWW}0001000100002904d0`,        10, 0x8000, 1],
  ['more octets than the counts say',               `000a00000001000000000000${WWW}00010001ff`,                10, 0x8000, 1],
  ['AXFR is not served',                            `000a00000001000000000000${WWW}00fc0001`,                  10, 0x8000, 5],
  ['RFC 1995 §4 IXFR never looks up to date',       `000a00000001000000000000${WWW}00fb0001`,                  10, 0x8000, 5],
  ['BC-063 class CH, no such text',                 `000a00000001000000000000${WWW}00100003`,                  10, 0x8000, 5],
  ['BC-063 class ANY',                              `000a00000001000000000000${WWW}000100ff`,                  10, 0x8000, 5],
  ['BC-063 RFC 2136 §2.4 class NONE',               `000a00000001000000000000${WWW}000100fe`,                  10, 0x8000, 5],
  ['BC-063 class HS',                               `000a00000001000000000000${WWW}00010004`,                  10, 0x8000, 5],
  ['BC-063 class 0',                                `000a00000001000000000000${WWW}00010000`,                  10, 0x8000, 5],
  ['BC-049 DSO (RFC 8490) with a TLV behind the header', '000130000000000000000000000100080000000000000000', 1, 0xb000, 4],
  ['BC-063 class 4095',                             `000a00000001000000000000${WWW}00010fff`,                  10, 0x8000, 5],
] as const

describe('messages that are refused', () => {
  test.each(REFUSED)('%s', (_, packet, id, flags, rcode) => {
    const query = hex(packet)
    const reply = exchange(DESK, query) ?? new Uint8Array(12)
    expect(flagsOf(reply)).toEqual({ id, flags, rcode })
    expect((reply[6]! << 8) | reply[7]!).toBe(0) // no answers
    expect(reply.length).toBeLessThanOrEqual(query.length + 11) // BC-056: no reflection, no growth
  })
})

// biome-ignore format: table
const DROPPED = [
  ['W05 BC-054 a reply',           `000584000001000000000000${WWW}00010001`],
  ['W09 BC-057 five octets of text', '746573740a'],
  ['BC-057 nothing',               ''],
  ['BC-057 eleven octets',         '0000000000000000000000'],
  ['a reply with an odd opcode',   '0001f8000000000000000000'],
] as const

test('BC-021 RFC 7871 §11 a client subnet opens nothing: AXFR is refused, whoever it names', () => {
  const query = queryOf('example.com', { type: 'AXFR', subnet: '192.0.2.1/32' })
  for (const transport of ['udp', 'tcp'] as const) {
    const answer = said(exchange(DESK, query, peerOf('127.0.0.1', transport)) ?? new Uint8Array(12))
    expect(answer).toMatchObject({ rcode: 'REFUSED', answer: [], ecs: '1/32/0/c0000201' })
  }
})

describe('messages that get no reply', () => {
  test.each(DROPPED)('%s', (_, packet) => {
    expect(exchange(DESK, hex(packet))).toBeUndefined()
    expect(exchange(DESK, hex(packet), peerOf('127.0.0.1', 'tcp'))).toBeUndefined()
  })
})

describe('headers and questions of good replies', () => {
  test.each(['wWw.ExAmPlE.cOm', 'NOSUCH.example.COM'])(
    'BC-062 RFC 4343 the question returns letter by letter: %s',
    name => {
      const query = queryOf(name)
      const reply = exchange(DESK, query) ?? new Uint8Array(0)
      const end = 12 + name.length + 2 + 4
      expect(reply.subarray(12, end)).toEqual(new Uint8Array(query.subarray(12, end)))
    },
  )

  test('BC-062 the same data for any case', () => {
    expect(ask(DESK, 'wWw.ExAmPlE.cOm').answer).toEqual(['wWw.ExAmPlE.cOm. 300 A 192.0.2.10'])
  })

  test('BC-065 a name of no zone here: REFUSED, empty, no bigger than the query and OPT', () => {
    const query = queryOf('www.example.net')
    const reply = exchange(DESK, query) ?? new Uint8Array(0)
    expect(said(reply)).toMatchObject({
      rcode: 'REFUSED',
      aa: false,
      answer: [],
      authority: [],
      additional: [],
    })
    expect(reply.length).toBeLessThanOrEqual(query.length + 11)
  })

  test.each([
    ['www.example.com', 0x8510],
    ['www.example.net', 0x8110],
  ])('BC-066 RA is 0, RD and CD are copied: %s', (name, flags) => {
    const query = queryOf(name)
    query[2]! |= 1
    query[3]! |= 0x30 // of AD and CD only CD returns: RFC 4035 §3
    expect(flagsOf(exchange(DESK, query) ?? new Uint8Array(12)).flags).toBe(flags)
  })

  test('BC-067 AAAA has 16 octets and nothing follows the last record', () => {
    const answer = ask(DESK, 'v6.example.com', { type: 'AAAA', edns: false })
    expect(answer.answer.map(line => line.split(' ')[3]).sort()).toEqual(
      ['2001:db8::c000:201', '::', '::ffff:c000:201'].sort(),
    )
    expect(answer.octets).toBe(12 + 16 + 4 + 3 * 28)
  })

  // biome-ignore format: table
  test.each([
    ['BC-064 a type nobody knows',   'UNKNOWN_65280', 'www.example.com',    'NOERROR'],
    ['BC-064 type 0',                'UNKNOWN_0',     'www.example.com',    'NOERROR'],
    ['BC-064 OPT asked as a type',   'OPT',           'www.example.com',    'NOERROR'],
    ['RFC 9824 NXNAME, where nothing is signed', 'UNKNOWN_128', 'www.example.com', 'NOERROR'],
    ['RFC 6895 §3.1 a reserved meta type', 'UNKNOWN_200',  'www.example.com',    'NOERROR'],
    ['RFC 2930 TKEY',                'UNKNOWN_249',   'www.example.com',    'NOERROR'],
    ['RFC 8945 TSIG asked as a type', 'UNKNOWN_250',  'www.example.com',    'NOERROR'],
    ['RFC 1035 §3.2.3 MAILB',        'UNKNOWN_253',   'www.example.com',    'NOERROR'],
    ['RFC 1035 §3.2.3 MAILA',        'UNKNOWN_254',   'nosuch.example.com', 'NXDOMAIN'],
    ['BC-064 at a name that is not', 'UNKNOWN_65280', 'nosuch.example.com', 'NXDOMAIN'],
  ])('RFC 8906 §3.1.2 %s', (_, type, name, rcode) => {
    expect(ask(DESK, name, { type })).toMatchObject({ rcode, answer: [], authority: [expect.stringContaining('SOA')] })
  })
})

describe('class CH: what the server says of itself', () => {
  // biome-ignore format: table
  test.each([
    ['RFC 4892 version.bind',  '0776657273696f6e0462696e6400',   'lbdns test'],
    ['RFC 4892 id.server',     '02696406736572766572' + '00',    'test-host'],
    ['map.lbdns',              '036d6170056c62646e73' + '00',    DESK.world.digest],
  ])('%s', (_, name, text) => {
    const reply = exchange(DESK, hex(`000a00000001000000000000${name}00100003`)) ?? new Uint8Array(12)
    const length = name.length / 2
    expect(reply.subarray(12 + length, 16 + length)).toEqual(hex('00100003'))
    expect(Buffer.from(reply.subarray(-text.length)).toString()).toBe(text)
    expect(flagsOf(reply)).toEqual({ id: 10, flags: 0x8400, rcode: 0 })
  })
})

/** A query for the SOA with an OPT record made of hex. */
function withOpt(size: string, ttl: string, options: string, type = '0006'): Uint8Array {
  const rdlength = (options.length / 2).toString(16).padStart(4, '0')
  return hex(
    `000a00000001000000000001${WWW.slice(8)}${type}0001000029${size}${ttl}${rdlength}${options}`,
  )
}

/** The OPT record of a reply: it is the last one, and has no options here. */
function optOf(reply: Uint8Array): string {
  return Buffer.from(reply.subarray(-11)).toString('hex')
}

describe('EDNS', () => {
  // biome-ignore format: table
  test.each([
    ['BC-034 RFC 6891 §6.1.3 version 1: BADVERS', '04d0', '00010000', '',               0, 0, '00002904d0010000000000'],
    ['BC-034 version 100 and an option',          '04d0', '00640000', '00640000',       0, 0, '00002904d0010000000000'],
    ['BC-038 RFC 6891 §6.1.2 an unknown option',  '04d0', '00000000', '0064000200ff',   0, 1, '00002904d0000000000000'],
    ['BC-039 RFC 6891 §6.1.4 Z bits stay 0',      '04d0', '00000080', '',               0, 1, '00002904d0000000000000'],
    ['BC-041 NSID where there is none: not copied',       '04d0', '00000000', '00030004deadbeef', 0, 1, '00002904d0000000000000'],
    ['BC-048 RFC 3225 §3 DO is copied',           '04d0', '00008000', '',               0, 1, '00002904d0000080000000'],
  ])('%s', (_, size, ttl, options, rcode, answers, opt) => {
    const reply = exchange(DESK, withOpt(size, ttl, options)) ?? new Uint8Array(12)
    expect([reply[3]! & 15, reply[7], optOf(reply)]).toEqual([rcode, answers, opt])
  })

  test('BC-037 RFC 6891 §7 no OPT for who sends none, right after one who does', () => {
    const plainly = said(exchange(DESK, queryOf('www.example.com')) ?? new Uint8Array(12))
    const without = said(
      exchange(DESK, queryOf('www.example.com', { edns: false })) ?? new Uint8Array(12),
    )
    expect([plainly.edns, without.edns, without.answer]).toEqual([true, false, plainly.answer])
  })

  test('BC-036 each query is answered by its own EDNS, whatever came before', () => {
    const queries = [
      withOpt('04d0', '00000000', ''),
      withOpt('04d0', '00010000', ''),
      queryOf('example.com', { type: 'SOA', edns: false }),
    ]
    const [plain, badvers, none] = queries
    for (const query of [...queries, ...queries.reverse()]) {
      const reply = exchange(DESK, query!) ?? new Uint8Array(12)
      const isOpt = reply[11] === 1
      if (query === plain) expect([isOpt, optOf(reply)]).toEqual([true, '00002904d0000000000000'])
      if (query === badvers) expect(optOf(reply)).toBe('00002904d0010000000000')
      if (query === none) expect(isOpt).toBe(false)
    }
  })
})

const MANY = deskOf(
  `${ZONE_Z}${Array.from({ length: 40 }, (_, i) => `forty A 192.0.2.${i + 1}\n`).join('')}` +
    `${Array.from({ length: 200 }, (_, i) => `two-hundred A 198.51.100.${i + 1}\n`).join('')}` +
    `${Array.from({ length: 8 }, (_, i) => `big TXT "${String(i).repeat(100)}"\n`).join('')}` +
    `${`same TXT "${'x'.repeat(100)}"\n`.repeat(8)}` +
    `${Array.from({ length: 10 }, (_, i) => `mx MX ${i} m${i}\nm${i} A 192.0.2.${i}\nm${i} AAAA 2001:db8::${i}\n`).join('')}`,
  `pools:
  sixty: {targets: [${Array.from({ length: 60 }, (_, i) => `203.0.113.${i + 1}`).join(', ')}]}
  many: {targets: [${Array.from({ length: 200 }, (_, i) => `203.0.113.${i + 1}`).join(', ')}]}
steer:
  pool.example.com: {ttl: 30, pick: shuffle, pools: [sixty]}
  two.example.com: {ttl: 30, pick: shuffle, answers: 2, pools: [sixty]}
  whole.example.com: {ttl: 30, pick: shuffle, truncate: true, pools: [many]}
  fits.example.com: {ttl: 30, pick: shuffle, pools: [many]}
`,
)

describe('UDP size and truncation', () => {
  test.each([0, 1, 511])('BC-045 RFC 6891 §6.2.3 size %i counts as 512', size => {
    expect(ask(MANY, 'm1.example.com', { size })).toMatchObject({
      tc: false,
      answer: ['m1.example.com. 300 A 192.0.2.1'],
    })
  })

  test('BC-046 without OPT at most 512 octets, TC, no OPT', () => {
    const answer = ask(MANY, 'forty.example.com', { edns: false })
    expect(answer).toMatchObject({ tc: true, edns: false, answer: [] })
    expect(answer.octets).toBeLessThanOrEqual(512)
  })

  test('BC-047 RFC 6891 §6.2.3 the size is not for TCP', () => {
    const answer = ask(MANY, 'forty.example.com', { size: 512, transport: 'tcp' })
    expect([answer.tc, answer.answer.length]).toEqual([false, 40])
  })

  test('BC-095 RFC 2181 §9 an RRset is whole or absent', () => {
    expect(ask(MANY, 'big.example.com', { type: 'TXT', edns: false })).toMatchObject({
      tc: true,
      answer: [],
    })
    expect(ask(MANY, 'big.example.com', { type: 'TXT', transport: 'tcp' }).answer).toHaveLength(8)
  })

  test('BC-096 RFC 2181 §5 the same record eight times is one', () => {
    const answer = ask(MANY, 'same.example.com', { type: 'TXT', edns: false })
    expect([answer.tc, answer.answer.length]).toEqual([false, 1])
  })

  test('BC-099 a pool of 60: TC without EDNS whatever the order, all of them over TCP', () => {
    for (let i = 0; i < 20; i += 1) {
      expect(ask(MANY, 'pool.example.com', { edns: false })).toMatchObject({ tc: true, answer: [] })
      expect(new Set(addressesOf('pool', { transport: 'tcp' })).size).toBe(60)
      expect(new Set(addressesOf('pool', {})).size).toBe(60)
    }
  })

  test('BC-100 at most two answers: never TC, every target in time', () => {
    const seen = new Set<string>()
    for (let i = 0; i < 600; i += 1) {
      const answer = ask(MANY, 'two.example.com', { edns: false })
      expect([answer.tc, answer.answer.length]).toEqual([false, 2])
      for (const line of answer.answer) seen.add(line)
    }
    expect(seen.size).toBe(60)
  })

  test.each(['two-hundred', 'whole'])(
    'BC-101 RFC 9715 §3.1 never more than 1232 octets over UDP: %s',
    name => {
      const answer = ask(MANY, `${name}.example.com`, { size: 4096 })
      expect(answer).toMatchObject({ tc: true, answer: [] })
      expect(answer.octets).toBeLessThanOrEqual(1232)
      expect(addressesOf(name, { transport: 'tcp' })).toHaveLength(200)
    },
  )

  test('a large pool is cut to what fits 1232 octets, the same over UDP and TCP', () => {
    const udp = ask(MANY, 'fits.example.com', { subnet: '2001:db8::/128' })
    const tcp = ask(MANY, 'fits.example.com', { transport: 'tcp' })
    expect([udp.tc, tcp.tc, udp.answer.length]).toEqual([false, false, tcp.answer.length])
    expect(udp.answer.length).toBeGreaterThan(60)
    expect(udp.octets).toBeLessThanOrEqual(1232)
  })

  test('BC-102 RFC 6891 §6.1.1 OPT and ECS stay in a truncated reply', () => {
    const answer = ask(MANY, 'forty.example.com', { size: 512, subnet: '198.51.100.0/24' })
    expect(answer).toMatchObject({ tc: true, edns: true, ecs: '1/24/0/c63364' })
    expect(answer.octets).toBeLessThanOrEqual(512)
  })

  test('BC-103 additional data never makes an answer too big', () => {
    const answer = ask(MANY, 'mx.example.com', { type: 'MX', edns: false })
    expect([answer.tc, answer.answer.length]).toEqual([false, 10])
  })
})

function addressesOf(name: string, options: Parameters<typeof ask>[2]): string[] {
  return ask(MANY, `${name}.example.com`, options).answer.map(line => line.split(' ')[3] ?? '')
}
