/** What the query log is told of a query: whose prefix, what was asked and answered, and how often. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ecsPolicy } from '../../server/answer/ecs.ts'
import { resample, type Sampling, sample, sampler } from '../../server/answer/sample.ts'
import { MOST_WORDS, readSampled, type Sampled } from '../../server/answer/sampled.ts'
import { serve } from '../../server/answer/serve.ts'
import { prefixFrom, prefixText } from '../../server/config/prefix.ts'
import { nameText } from '../../server/dns/name.ts'
import { hex } from '../../server/dns/octets.ts'
import { isWrong } from '../../server/fault.ts'
import { ring, take } from '../../server/guard/ring.ts'
import { chance } from '../../server/steer/chance.ts'
import { type Ask, deskOf, peerOf, queryOf } from '../kit/world.ts'
import { ZONE_Z } from '../kit/zone-text.ts'

const DESK = deskOf(
  `${ZONE_Z}al CNAME flat\n`,
  `networks: {a: [198.51.100.0/24]}
pools:
  A: {targets: [192.0.2.101, "2001:db8::101"]}
  B: {targets: [192.0.2.102, "2001:db8::102"]}
  H: {targets: [h.example.net]}
steer:
  www.example.com: {ttl: 30s, by: {networks: {a: [A]}, default: [B]}, https: {}}
  flat.example.com: {ttl: 30s, pools: [B]}
  "*.wild.example.com": {ttl: 30s, pools: [B]}
  go.example.com: {ttl: 30s, pools: [H]}
`,
)
const { owners, poolNames } = DESK.world.steering

const ALL: Sampling = { generation: 7, share: 1 }
const record = new Int32Array(MOST_WORDS)

/** What is told of one message, with every one of them taken. */
function toldOf(message: Uint8Array, { from, transport }: Ask = {}, desk = DESK) {
  const into = ring(1 << 10)
  const all = sampler(into)
  resample(all, ALL, desk.chance)
  const peer = peerOf(from, transport)
  const size = serve(desk, message, message.length, new Uint8Array(65_535), peer)
  sample(all, desk, peer, size)
  const length = take(into, record)
  return length === 0 ? undefined : readSampled(record, length)
}

function told(name: string, options: Ask = {}): Sampled {
  const sampled = toldOf(queryOf(name, options), options)
  if (sampled === undefined) throw new Error('nothing')
  return sampled
}

// biome-ignore format: table
const CLIENTS = [
  // rule                                             source             subnet told                  from    client
  ['§11.1: IPv4 is cut to 24 bits',                   '192.0.2.1',       '203.0.113.77/32',           'ecs',  '203.0.113.0/24'],
  ['a /24 is as it was told',                         '192.0.2.1',       '203.0.113.0/24',            'ecs',  '203.0.113.0/24'],
  ['a /25 is cut by a bit',                           '192.0.2.1',       '203.0.113.128/25',          'ecs',  '203.0.113.0/24'],
  ['what is shorter stays: /20',                      '192.0.2.1',       '203.0.112.0/20',            'ecs',  '203.0.112.0/20'],
  ['what is shorter stays: /1',                       '192.0.2.1',       '128.0.0.0/1',               'ecs',  '128.0.0.0/1'],
  ['§7.1.2: SOURCE 0 would rather not be located',    '192.0.2.1',       '0.0.0.0/0',                 'ecs',  '0.0.0.0/0'],
  ['§7.1.2: likewise of IPv6',                        '2001:db8::1',     '::/0',                      'ecs',  '::/0'],
  ['IPv6 is cut to 48 bits',                          '192.0.2.1',       '2001:db8:1:2:3:4:5:6/128',  'ecs',  '2001:db8:1::/48'],
  ['a /56 is cut',                                    '192.0.2.1',       '2001:db8:1:200::/56',       'ecs',  '2001:db8:1::/48'],
  ['a /44 stays',                                     '192.0.2.1',       '2001:db8:10::/44',          'ecs',  '2001:db8:10::/44'],
  ['no option: the source, cut to 24 bits',           '198.51.100.201',  undefined,                   'peer', '198.51.100.0/24'],
  ['no option: the source, cut to 48 bits',           '2001:db8:9:8::7', undefined,                   'peer', '2001:db8:9::/48'],
  ['a source mapped into IPv6 is IPv4',               '::ffff:192.0.2.9', undefined,                  'peer', '192.0.2.0/24'],
  ['RFC 3056 §2: of 6to4, 24 bits of IPv4',           '2002:cb00:7163::1', undefined,                 'peer', '2002:cb00:7100::/40'],
  ['RFC 3056 §2: also where it is told',              '192.0.2.1',       '2002:cb00:7163::/48',       'ecs',  '2002:cb00:7100::/40'],
  ['RFC 6052 §2.1: of NAT64, none',                   '64:ff9b::cb00:7163', undefined,                'peer', '64:ff9b::/48'],
] as const

describe('the client', () => {
  for (const [rule, from, subnet, by, client] of CLIENTS) {
    test(rule, () => {
      const sampled = told('www.example.com', { from, ...(subnet && { subnet }) })
      expect([sampled.from, prefixText(sampled.client)]).toEqual([by, client])
    })
  }

  test.each([
    ['allow', '203.0.113.0/24', 'ecs'],
    ['allow', '192.0.2.0/24', 'peer'],
    ['deny', '203.0.113.0/24', 'peer'],
  ] as const)('%s: [%s]: a subnet is the client’s where it is believed', (list, block, by) => {
    const prefix = prefixFrom(block)
    if (isWrong(prefix)) throw new Error(block)
    const ecs = ecsPolicy({ enabled: true, allow: [], deny: [], [list]: [prefix] })
    const desk = { ...DESK, world: { ...DESK.world, ecs } }
    const asked = { from: '203.0.113.5', subnet: '198.51.100.0/24' }
    const client = { ecs: '198.51.100.0/24', peer: '203.0.113.0/24' }[by]
    const sampled = toldOf(queryOf('www.example.com', asked), asked, desk)
    expect([sampled?.from, sampled && prefixText(sampled.client)]).toEqual([by, client])
  })

  test('where the option is switched off, the source is', () => {
    const desk = { ...DESK, world: { ...DESK.world, ecs: { ...DESK.world.ecs, enabled: false } } }
    const asked = { from: '203.0.113.5', subnet: '198.51.100.0/24' }
    expect(toldOf(queryOf('www.example.com', asked), asked, desk)?.from).toBe('peer')
  })
})

// biome-ignore format: table
const ANSWERS = [
  // asked                        type     subnet              rcode scope pool  by
  ['www.example.com',             'A',     '198.51.100.0/24',  0,    24,   'A',  'www.example.com.'],
  ['WWW.Example.COM',             'A',     '198.51.0.0/24',    0,    18,   'B',  'www.example.com.'],
  ['www.example.com',             'A',     undefined,          0,    0,    'B',  'www.example.com.'],
  ['www.example.com',             'HTTPS', '198.51.100.0/24',  0,    24,   'A',  'www.example.com.'],
  ['a.b.wild.example.com',        'AAAA',  undefined,          0,    0,    'B',  '*.wild.example.com.'],
  ['al.example.com',              'A',     undefined,          0,    0,    'B',  'flat.example.com.'],
  ['go.example.com',              'A',     undefined,          0,    0,    'H',  'go.example.com.'],
  ['www.example.com',             'TXT',   undefined,          0,    0,    undefined, undefined],
  ['ns1.example.com',             'A',     undefined,          0,    0,    undefined, undefined],
  ['nosuch.example.com',          'A',     '198.51.100.0/24',  3,    0,    undefined, undefined],
  ['www.example.net',             'A',     undefined,          5,    0,    undefined, undefined],
] as const

const TYPES: Readonly<Record<string, number>> = { A: 1, TXT: 16, AAAA: 28, HTTPS: 65 }

describe('the answer', () => {
  for (const [name, type, subnet, rcode, scope, pool, by] of ANSWERS) {
    test(`${name} ${type} of ${subnet}`, () => {
      const sampled = told(name, { type, ...(subnet && { subnet }) })
      expect(sampled).toMatchObject({ generation: 7, rcode, scope, type: TYPES[type] })
      expect(sampled.name && nameText(sampled.name)).toBe(`${name.toLowerCase()}.`)
      expect(sampled.pool === undefined ? undefined : poolNames[sampled.pool]).toBe(pool)
      const owner = sampled.slot === undefined ? undefined : owners[sampled.slot]
      expect(owner && nameText(owner)).toBe(by)
    })
  }

  test.each(['udp', 'tcp'] as const)('over %s, and how many octets it had', transport => {
    const query = queryOf('ns1.example.com', { edns: false })
    // Header, question, and one A record behind a pointer: RFC 1035 §4.1.
    const size = 12 + 17 + 4 + 12 + 4
    expect(toldOf(query, { transport })).toMatchObject({ transport, size })
  })

  test('a query after one that was steered is not', () => {
    told('www.example.com')
    expect(told('nosuch.example.com')).toMatchObject({ slot: undefined, pool: undefined })
    expect(told('www.example.net')).toMatchObject({ slot: undefined, pool: undefined })
  })
})

// biome-ignore format: table
const ODD = [
  // rule                                   message                                              rcode, or nothing told
  ['a response is not answered',            '0001 8000 0001 0000 0000 0000 00 0001 0001',        undefined],
  ['less than a header neither',            '0001 0000 0001',                                    undefined],
  ['RFC 9619 §4: no question',              '0001 0000 0000 0000 0000 0000',                     1],
  ['RFC 1035 §3.1: a name cut short',       '0001 0000 0001 0000 0000 0000 03 7777',             1],
] as const

describe('what is odd', () => {
  for (const [rule, message, rcode] of ODD) {
    test(rule, () => {
      const sampled = toldOf(hex(message))
      expect(sampled?.rcode).toBe(rcode)
      if (rcode !== undefined) expect(sampled).toMatchObject({ name: undefined, type: 0 })
    })
  }

  test('the longest name, and octets that are no letters', () => {
    const labels = [
      '3f'.concat('00'.repeat(63)),
      '3f'.concat('22'.repeat(63)),
      '3f'.concat('ff'.repeat(63)),
    ]
    const name = `${labels.join('')}3d${'5c'.repeat(61)}00`
    const message = hex(`0001 0000 0001 0000 0000 0000 ${name} 0010 0001`)
    expect(toldOf(message)).toMatchObject({ name: hex(name), rcode: 5, type: 16 })
  })

  test('any words are a record that is whole, or none', () => {
    const word = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
    const words = fc.array(word, { maxLength: MOST_WORDS }).map(all => Int32Array.from(all))
    const plausible = fc.tuple(words, fc.integer({ min: 0, max: 255 }), fc.constantFrom(4, 6))
    fc.assert(
      fc.property(plausible, fc.nat(MOST_WORDS + 4), ([words, length, family], count) => {
        if (words.length > 3) words.set([1, 0, (24 << 16) | (family << 8) | length], 1)
        const sampled = readSampled(words, count)
        if (sampled === undefined) return
        prefixText(sampled.client)
        if (sampled.name !== undefined) nameText(sampled.name)
        expect(sampled.client.bits).toBeLessThanOrEqual(64)
      }),
    )
  })
})

/** How many of so many messages are taken. */
function taken(share: number, messages: number, seed: number): number[] {
  const into = ring(1 << 18)
  const some = sampler(into)
  const desk = { ...DESK, chance: chance(seed) }
  resample(some, { generation: 1, share }, desk.chance)
  const query = queryOf('ns1.example.com')
  const peer = peerOf()
  const out = new Uint8Array(65_535)
  const size = serve(desk, query, query.length, out, peer)
  const at: number[] = []
  for (let message = 0; message < messages; message += 1) {
    sample(some, desk, peer, size)
    if (take(into, record) > 0) at.push(message)
  }
  return at
}

describe('by chance', () => {
  test('of 0 none, of 1 all', () => {
    expect(taken(0, 10_000, 1)).toEqual([])
    expect(taken(1, 1_000, 1)).toHaveLength(1_000)
  })

  test.each([0.5, 0.1, 0.01, 0.001])('of %f as many as that, ± 4 σ', share => {
    const messages = 200_000
    const deviation = Math.sqrt(messages * share * (1 - share))
    const count = taken(share, messages, 11).length
    expect(Math.abs(count - messages * share)).toBeLessThan(4 * deviation)
  })

  test('no step is favoured: of ten that come in turn each has its tenth, ± 4 σ', () => {
    const at = taken(0.1, 200_000, 5)
    const deviation = Math.sqrt(20_000 * 0.1 * 0.9)
    for (let turn = 0; turn < 10; turn += 1) {
      const count = at.filter(message => message % 10 === turn).length
      expect(Math.abs(count - 2_000)).toBeLessThan(4 * deviation)
    }
  })

  test('gaps are geometric: after one is taken, the next is with the same chance', () => {
    const at = taken(0.25, 100_000, 3)
    const follows = at.filter((message, i) => at[i + 1] === message + 1).length
    const deviation = Math.sqrt(at.length * 0.25 * 0.75)
    expect(Math.abs(follows - at.length * 0.25)).toBeLessThan(4 * deviation)
  })

  test('begins and ends when it is told to', () => {
    const into = ring(1 << 10)
    const one = sampler(into)
    const query = queryOf('ns1.example.com')
    const peer = peerOf()
    const size = serve(DESK, query, query.length, new Uint8Array(65_535), peer)
    const isTaken = () => {
      sample(one, DESK, peer, size)
      return take(into, record) > 0
    }
    expect(isTaken()).toBe(false)
    resample(one, ALL, DESK.chance)
    expect([isTaken(), isTaken()]).toEqual([true, true])
    resample(one, { generation: 8, share: 0 }, DESK.chance)
    expect(isTaken()).toBe(false)
  })
})
