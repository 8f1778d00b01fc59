import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hex } from '../../server/dns/octets.ts'
import { isWrong, problemText, remarks } from '../../server/fault.ts'
import { childRecord, type Database, openDatabase } from '../../server/geo/mmdb.ts'
import { compilePlaces } from '../../server/geo/places.ts'
import type { Wanted } from '../../server/geo/record.ts'
import { builder, leafValue, lookup } from '../../server/geo/tree.ts'
import { growTree } from '../../server/geo/walk.ts'
import { assemble, encode, writeDatabase } from '../kit/mmdb.ts'
import { octetsOf } from '../kit/steering.ts'

const GERMANY = { country: { iso_code: 'DE' }, continent: { code: 'EU' } }
const EVERYTHING: Wanted = {
  country: true,
  point: true,
  subdivisions: new Set(['US-CA']),
  cities: new Set(['Berlin']),
  asns: new Set([64500]),
  fields: new Map([['traits/isp', new Set(['A'])]]),
}
const GOOD = writeDatabase({ networks: [['198.51.100.0/24', GERMANY]] })

function opened(octets: Uint8Array): Database {
  const said = remarks()
  const database = openDatabase(octets, 'test.mmdb', said)
  if (database === undefined) throw new Error(said.problems.map(problemText).join())
  return database
}

/** The field `ip` of the record that an address leads to, the tree followed down to its last bit. */
function readerOf(database: Database, family: 4 | 6): (address: string) => string | undefined {
  const build = builder()
  const found: (string | undefined)[] = []
  const depth = family === 4 ? 32 : 128
  const root = growTree(database, family, depth, build, record => {
    return found.push((record as { ip?: string } | undefined)?.ip) - 1
  })
  if (isWrong(root)) throw new Error(root.wrong)
  return address => found[leafValue(lookup(build.cells, root, octetsOf(address)))]
}

/** Opens and compiles: everything that is wrong, wherever it shows. */
function problemsOf(octets: Uint8Array): string[] {
  const said = remarks()
  const database = openDatabase(octets, 'bad.mmdb', said)
  if (database !== undefined) compilePlaces([database], EVERYTHING, new Map(), said)
  return said.problems.map(problemText)
}

function randomOctets(length: number): Buffer {
  const octets = Buffer.alloc(length)
  let word = 1
  for (let at = 0; at < length; at += 1) {
    word = (Math.imul(word, 1664525) + 1013904223) >>> 0
    octets[at] = word >>> 24
  }
  return octets
}

describe('MaxMind DB node layout', () => {
  // biome-ignore format: table
  const TABLE = [
    // bits  octets of one node       left        right
    [24, '123456 789abc',             0x123456,   0x789abc],
    [28, '234567 18 9abcde',          0x1234567,  0x89abcde],
    [28, 'ffffff 0f ffffff',          0x0ffffff,  0xfffffff],
    [32, 'fedcba98 80000001',         0xfedcba98, 0x80000001],
  ] as const
  for (const [recordBits, octets, left, right] of TABLE) {
    test(`${recordBits} bits: ${octets}`, () => {
      const shape = { octets: hex(octets), recordBits }
      expect([childRecord(shape, 0, 0), childRecord(shape, 0, 1)]).toEqual([left, right])
    })
  }
})

describe('BC-026 each record width, at the edges of networks', () => {
  const IPV4 = [
    '1.1.1.1/32',
    '1.1.1.2/31',
    '1.1.1.4/30',
    '1.1.1.8/29',
    '1.1.1.16/28',
    '1.1.1.32/32',
  ]
  const IPV6 = ['::1:ffff:ffff/128', '::2:0:0/122', '::2:0:40/124', '::2:0:50/125', '::2:0:58/127']
  // biome-ignore format: table
  const TABLE = [
    // version, addresses found, each beside its network's first address; then those not found
    [4, IPV4, [['1.1.1.1', '1.1.1.1'], ['1.1.1.3', '1.1.1.2'], ['1.1.1.7', '1.1.1.4'],
               ['1.1.1.15', '1.1.1.8'], ['1.1.1.31', '1.1.1.16'], ['1.1.1.32', '1.1.1.32']],
              ['1.1.1.0', '1.1.1.33', '255.255.255.255', '0.0.0.0']],
    [6, IPV6, [['::1:ffff:ffff', '::1:ffff:ffff'], ['::2:0:0', '::2:0:0'], ['::2:0:3f', '::2:0:0'],
               ['::2:0:4f', '::2:0:40'], ['::2:0:57', '::2:0:50'], ['::2:0:59', '::2:0:58']],
              ['::1:ffff:fffe', '::2:0:5a', '2001:db8::']],
  ] as const
  for (const recordBits of [24, 28, 32] as const) {
    for (const [ipVersion, networks, found, absent] of TABLE) {
      const text = networks.map(cidr => [cidr, { ip: cidr.split('/')[0] ?? '' }] as const)
      const database = opened(writeDatabase({ recordBits, ipVersion, networks: text }))
      const ipOf = readerOf(database, ipVersion)
      for (const [address, ip] of found) {
        test(`${recordBits} bits, IPv${ipVersion}: ${address}`, () => {
          expect(ipOf(address)).toBe(ip)
        })
      }
      for (const address of absent) {
        test(`${recordBits} bits, IPv${ipVersion}: ${address} is not found`, () => {
          expect(ipOf(address)).toBeUndefined()
        })
      }
    }
  }
  test('an IPv6 address in a file of IPv4 only is not found', () => {
    const database = opened(writeDatabase({ ipVersion: 4, networks: [['0.0.0.0/0', { ip: '0' }]] }))
    expect(readerOf(database, 4)('192.0.2.1')).toBe('0')
    expect(readerOf(database, 6)('2001:db8::')).toBeUndefined()
  })
})

describe('BC-024 IPv4 starts at ::/96, whatever is aliased', () => {
  for (const aliased of [false, true]) {
    test(`with${aliased ? '' : 'out'} aliases`, () => {
      const file = writeDatabase({ aliased, networks: [['198.51.100.0/24', { ip: 'here' }]] })
      expect(readerOf(opened(file), 4)('198.51.100.7')).toBe('here')
    })
  }
})

describe('BC-029 files that are no database', () => {
  const one = (records: readonly number[], data: Buffer): Buffer =>
    assemble({ recordBits: 24, ipVersion: 4, records, data })
  const country = encode({ country_code: 'DE' })
  const inAHundred = (records: readonly number[]): Buffer =>
    assemble({ recordBits: 24, ipVersion: 6, records, data: country })
  // Of 20 nodes, but with a million leaves that differ from their neighbours.
  const DOUBLING = [...Array.from({ length: 38 }, (_, i) => 1 + (i >> 1)), 20, 20 + 16]
  // biome-ignore format: table
  const TABLE: readonly (readonly [string, Uint8Array, RegExp])[] = [
    ['empty',                     Buffer.alloc(0),                        /is empty/],
    ['packed',                    gzipSync(GOOD),                         /gzip · unpack/],
    ['a zip archive',             Buffer.from('504b0304', 'hex'),         /zip archive · unpack/],
    ['text',                      Buffer.from('not a database\n'),        /no MaxMind metadata/],
    ['1 MiB of random octets',    randomOctets(1 << 20),                  /no MaxMind metadata/],
    ['cut in half',               GOOD.subarray(0, GOOD.length >> 1),     /no MaxMind metadata/],
    ['cut by one octet',          GOOD.subarray(0, -1),                   /metadata that cannot be read|cut/],
    ['its first half missing',    GOOD.subarray(GOOD.length >> 1),        /search tree|should not be/],
    ['metadata alone',            GOOD.subarray(GOOD.indexOf('MaxMind.com') - 3),       /search tree|should not be/],
    ['no fields in its metadata', Buffer.from('abcdef4d61784d696e642e636f6de0', 'hex'), /metadata/],
    ['a record of 20 bits',       writeDatabase({ networks: [], metadata: { record_size: 20 } }), /metadata/],
    ['of format 3',               writeDatabase({ networks: [], metadata: { binary_format_major_version: 3 } }), /format 3/],
    ['for IP version 5',          writeDatabase({ networks: [], metadata: { ip_version: 5 } }), /version 5/],
    ['no nodes',                  writeDatabase({ networks: [], metadata: { node_count: 0 } }), /search tree/],
    ['IPv6 without IPv4',         writeDatabase({ networks: [['2001:db8::/32', GERMANY]] }), /no IPv4/],
    ['a node that is its child',  one([0, 1 + 16], country),              /circles/],
    ['and on the other side',     one([1 + 16, 0], country),              /circles/],
    ['both halves itself',        one([0, 0], country),                   /circles/],
    ['two nodes in a ring',       one([1, 2 + 16, 2 + 16, 0], country),   /circles/],
    ['a ring in IPv6',            inAHundred([1, 0, 2 + 16, 2 + 16]),     /circles/],
    ['each node twice the next', one(DOUBLING, country),                  /circles/],
    ['a record past the end',     one([1 + 16, 1 + 16 + 5000], country),  /outside the data/],
    ['a record before the data',  one([1 + 16, 1 + 7], country),          /outside the data/],
    ['data of no known type',     one([1 + 16, 1 + 16], Buffer.from('00ff', 'hex')), /cannot be read/],
    ['data that points at itself', one([1 + 16, 1 + 16], Buffer.from('2000', 'hex')), /cannot be read/],
  ]
  for (const [name, octets, expected] of TABLE) {
    test(name, () => {
      const problems = problemsOf(octets)
      expect(problems.join('\n')).toMatch(expected)
      expect(problems.every(problem => /^bad\.mmdb: .+ · .+/.test(problem))).toBe(true)
    })
  }
})

describe('what may be meant is a warning', () => {
  test('a database of IPv4 only', () => {
    const said = remarks()
    const database = opened(writeDatabase({ ipVersion: 4, networks: [['0.0.0.0/1', GERMANY]] }))
    compilePlaces([database], EVERYTHING, new Map(), said)
    expect(said.problems).toEqual([])
    expect(said.warnings.map(problemText)).toEqual([
      'test.mmdb: holds no IPv6 addresses: those get the default branch · ' +
        'name a database of IPv6 beside it',
    ])
  })
  test('a pair of one family each needs no word', () => {
    const said = remarks()
    const ipv4 = opened(writeDatabase({ ipVersion: 4, networks: [['0.0.0.0/1', GERMANY]] }))
    const ipv6 = opened(writeDatabase({ networks: [['2001:db8::/32', GERMANY]] }))
    compilePlaces([ipv4, ipv6], EVERYTHING, new Map(), said)
    expect(said).toEqual(remarks())
  })
})

describe('any octets: no throw, no endless walk', () => {
  test('random octets', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), octets => {
        expect(problemsOf(Buffer.from(octets)).length).toBeGreaterThan(0)
      }),
      { seed: 1, numRuns: 300 },
    )
  })
  test('a good file with octets changed', () => {
    const file = writeDatabase({
      aliased: true,
      networks: [
        ['198.51.100.0/24', GERMANY],
        ['2001:db8::/32', { country_code: 'FR' }],
      ],
    })
    const change = fc.tuple(fc.nat(file.length - 1), fc.nat(255))
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), changes => {
        const damaged = Buffer.from(file)
        for (const [at, octet] of changes) damaged[at] = octet
        problemsOf(damaged)
      }),
      { seed: 1, numRuns: 1500 },
    )
  })
  test('random trees', () => {
    const record = fc.nat(16 + 16 + 20)
    fc.assert(
      fc.property(fc.array(record, { minLength: 32, maxLength: 32 }), records => {
        const data = encode({ country_code: 'DE' })
        problemsOf(assemble({ recordBits: 28, ipVersion: 6, records, data }))
      }),
      { seed: 1, numRuns: 1000 },
    )
  })
})
