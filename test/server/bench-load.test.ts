/** The load generator's own arithmetic: what it asks, what it holds to be right, what it counts. */
import dnsPacket from 'dns-packet'
import { describe, expect, test } from 'vitest'
import { check, OTHER, RIGHT, STRICTNESS, WRONG } from '../bench/load/check.ts'
import { ask, expire, hear, openFlow, tally } from '../bench/load/flow.ts'
import { putQuery } from '../bench/load/message.ts'
import { KINDS, type Kind, type Questions, questionsOf } from '../bench/load/questions.ts'
import { coverOf, isPublic, locate, type Network, networks } from '../bench/site/networks.ts'
import { addressesOf, addressText, poolRow } from '../bench/site/site.ts'

const SETS = new Map(KINDS.map(kind => [kind, questionsOf(kind)]))

function setOf(kind: Kind): Questions {
  const set = SETS.get(kind)
  if (set === undefined) throw new Error(`no set of ${kind}`)
  return set
}

function messageOf(set: Questions, number: number): Buffer {
  const start = set.start[number] ?? 0
  return Buffer.from(set.octets.slice(start, start + (set.length[number] ?? 0)))
}

test('a query is what dns-packet reads as one', () => {
  const out = new Uint8Array(128)
  const end = putQuery(out, 0, 'www.example.com', 0xcb0071ff)
  const { additionals, questions } = dnsPacket.decode(Buffer.from(out.subarray(0, end)))
  expect(questions).toEqual([{ name: 'www.example.com', type: 'A', class: 'IN' }])
  const [opt] = additionals ?? []
  expect(opt).toMatchObject({ type: 'OPT', udpPayloadSize: 1232 })
  // RFC 7871 §6: family 1, source 24, scope 0, three octets.
  expect(out.subarray(end - 7, end)).toEqual(Uint8Array.of(0, 1, 24, 0, 0xcb, 0, 0x71))
})

test('mixed: a fifth of the names do not exist', () => {
  const { rcode } = setOf('mixed')
  const absent = rcode.filter(code => code === 3).length / rcode.length
  expect(absent).toBeCloseTo(0.2, 2)
})

test('cold: every name of the large zone once, each with its own address', () => {
  const { first } = setOf('cold')
  expect(new Set(first).size).toBe(1_000_000)
  expect(messageOf(setOf('cold'), 5).toString('latin1')).toContain(
    `h${(first[5] ?? 0) - 0x0a000000}\x07example`,
  )
})

test('malformed: most are no proper query any more, all have room for an id', () => {
  const set = setOf('malformed')
  const isProper = (message: Buffer) => {
    try {
      const [question, ...more] = dnsPacket.decode(message).questions ?? []
      return more.length === 0 && question?.type === 'A' && question.class === 'IN'
    } catch {
      return false
    }
  }
  const proper = Array.from({ length: 200 }, (_, i) => isProper(messageOf(set, i)))
  expect(proper.filter(Boolean).length).toBeLessThan(100)
  expect(Math.min(...set.length)).toBeGreaterThanOrEqual(2)
})

describe('where a client belongs', () => {
  const net = (text: string, site: number): Network => {
    const [address = '', bits = ''] = text.split('/')
    return { base: numberOf(address), bits: Number(bits), site }
  }
  const cover = coverOf([
    net('16.0.0.0/4', 1),
    net('24.0.0.0/8', 2),
    net('25.0.0.0/8', 2),
    net('32.0.0.0/8', 0),
  ])

  // biome-ignore format: table
  test.each([
    ['inside a network of a network',             '24.1.2.3', 2, 7], // both /8 are one /7
    ['beside it, in the network around',          '26.0.0.1', 1, 7],
    ['far from it, in the network around',        '16.0.0.1', 1, 5],
    ['a network of the default adds no boundary', '32.0.0.1', 0, 3],
    ['nowhere',                                   '200.0.0.1', 0, 1],
  ] as const)('%s', (_, client, site, scope) => {
    expect(locate(cover, numberOf(client))).toEqual({ site, scope })
  })

  test('as the longest network says, for 2,000 clients of the 20,000 networks', () => {
    const all = networks()
    const whole = coverOf(all)
    const byBits = new Map(all.map(one => [`${one.bits}/${one.base}`, one.site]))
    for (let i = 0; i < 2_000; i += 1) {
      const client = Math.imul(i, 2_654_435_761) >>> 0
      let expected = 0
      for (let bits = 1; bits <= 24; bits += 1) {
        expected =
          byBits.get(`${bits}/${((client >>> (32 - bits)) << (32 - bits)) >>> 0}`) ?? expected
      }
      expect(locate(whole, client).site).toBe(expected)
    }
  })

  test('only public clients ask', () => {
    expect(['10.1.2.3', '127.0.0.1', '224.0.0.1', '8.8.8.8'].map(numberOf).map(isPublic)).toEqual([
      false,
      false,
      false,
      true,
    ])
  })
})

function numberOf(address: string): number {
  return Buffer.from(address.split('.').map(Number)).readUInt32BE()
}

test('the pools of sites are apart', () => {
  expect(addressesOf(poolRow(0))).toEqual([
    '203.0.113.11',
    '203.0.113.12',
    '203.0.113.13',
    '203.0.113.14',
  ])
  expect(addressText(poolRow(4).first)).toBe('203.0.113.51')
})

type Reply = {
  readonly rcode?: number
  readonly name?: string
  readonly addresses?: readonly string[]
  readonly subnet?: readonly number[]
  readonly tc?: true
  readonly query?: true
}

/** A reply to the first query of a kind that has addresses, with this and that changed. */
function judge(kind: Kind, change: (right: Reply) => Reply, strictness = 3 as 0 | 1 | 2 | 3) {
  const set = setOf(kind)
  const number = set.count.findIndex(count => count > 0)
  const row = { first: set.first[number] ?? 0, count: set.count[number] ?? 0 }
  const message = dnsPacket.decode(messageOf(set, number))
  const own = message.questions?.[0]?.name ?? ''
  const sent = [...messageOf(set, number).subarray(-7)]
  sent[3] = set.scope[number] ?? 0
  const {
    rcode = 0,
    name,
    addresses = [],
    subnet,
    tc,
    query,
  } = change({
    name: own,
    addresses: addressesOf(row),
    ...(kind === 'ecs' ? { subnet: sent } : {}),
  })
  const option = { code: 8, data: Buffer.from(subnet ?? []) }
  const opt = { type: 'OPT', name: '.', udpPayloadSize: 1232, flags: 0, options: [option] }
  const reply = dnsPacket.encode({
    type: query ? 'query' : 'response',
    id: 0,
    flags: 0x400 | rcode | (tc ? 0x200 : 0),
    questions: [{ type: 'A', class: 'IN', name: name ?? own }],
    answers: addresses.map(data => ({ type: 'A', class: 'IN', name: own, ttl: 60, data })),
    additionals: subnet === undefined ? [] : [opt as never],
  })
  return check(set, number, reply, 0, reply.length, strictness)
}

const reversed = (right: Reply): Reply => ({
  ...right,
  addresses: (right.addresses ?? []).toReversed(),
})
const without = (right: Reply): Reply => ({ ...right, addresses: right.addresses?.slice(1) ?? [] })
const twice = (right: Reply): Reply => ({
  ...right,
  addresses: [...(right.addresses?.slice(1) ?? []), right.addresses?.[1] ?? ''],
})
const shifted = (right: Reply): Reply => ({
  ...right,
  addresses: ['192.0.2.9', '192.0.2.10', '192.0.2.11', '192.0.2.12'],
})
const mingled = (right: Reply): Reply => ({
  ...right,
  addresses: ['192.0.2.8', '192.0.2.9', '192.0.2.10', '192.0.2.11'],
})
const scoped =
  (by: number) =>
  (right: Reply): Reply => ({
    ...right,
    subnet: (right.subnet ?? []).map((octet, at) => (at === 3 ? octet + by : octet)),
  })
const elsewhere = (right: Reply): Reply => ({
  ...right,
  subnet: (right.subnet ?? []).map((octet, at) => (at === 6 ? octet ^ 1 : octet)),
})

// biome-ignore format: table
test.each([
  ['as it should be',                    'mixed',  (right: Reply) => right,                       RIGHT],
  ['in another order',                   'mixed',  reversed,                                      RIGHT],
  ['one address missing',                'mixed',  without,                                       WRONG],
  ['one twice, one missing',             'mixed',  twice,                                         WRONG],
  ['other addresses',                    'mixed',  shifted,                                       WRONG],
  ['NXDOMAIN for a name that exists',    'mixed',  () => ({ rcode: 3 }),                          WRONG],
  ['SERVFAIL',                           'mixed',  () => ({ rcode: 2 }),                          OTHER],
  ['another question',                   'mixed',  (r: Reply) => ({ ...r, name: 'y.example.com' }), WRONG],
  ['truncated',                          'mixed',  (r: Reply) => ({ ...r, tc: true as const }),   WRONG],
  ['no reply but a query',               'mixed',  (r: Reply) => ({ ...r, query: true as const }), WRONG],
  ['the row of another generation',      'reload', shifted,                                       RIGHT],
  ['rows of two generations, mixed',     'reload', mingled,                                       WRONG],
  ['subnet and scope as they should be', 'ecs',    (right: Reply) => right,                       RIGHT],
  ['a scope that is wider',              'ecs',    scoped(-1),                                    WRONG],
  ['a scope that is narrower',           'ecs',    scoped(1),                                     WRONG],
  ['another subnet',                     'ecs',    elsewhere,                                     WRONG],
  ['no subnet',                          'ecs',    ({ subnet: _, ...r }: Reply) => r,             WRONG],
] as const)('a reply: %s (%s)', (_, kind, change, outcome) => {
  expect(judge(kind, change)).toBe(outcome)
})

test('a laxer look lets pass what it does not look at', () => {
  expect(judge('ecs', scoped(1), STRICTNESS.addresses)).toBe(RIGHT)
  expect(judge('mixed', without, STRICTNESS.rcode)).toBe(RIGHT)
  expect(judge('mixed', () => ({ rcode: 2 }), STRICTNESS.reply)).toBe(RIGHT)
})

describe('what is under way on a socket', () => {
  const set = setOf('malformed')
  const open = () => openFlow(set, tally(), STRICTNESS.reply, 2, 7)
  const replyTo = (number: number): Uint8Array => {
    const octets = new Uint8Array(12)
    octets.set(set.octets.subarray(set.start[number], (set.start[number] ?? 0) + 2))
    octets[2] = 0x80
    return octets
  }

  test('no more than the window is asked, beginning where it was told to', () => {
    const flow = open()
    expect([ask(flow, 0), ask(flow, 0), ask(flow, 0)]).toEqual([7, 8, -1])
  })

  test('replies in any order make room; a second one to the same query finds nothing', () => {
    const flow = open()
    const [first, second] = [replyTo(ask(flow, 1)), replyTo(ask(flow, 2))]
    hear(flow, second, 0, 12, 3)
    hear(flow, first, 0, 12, 4)
    hear(flow, first, 0, 12, 5)
    expect(flow.tally).toMatchObject({ sent: 2, answered: 2, other: 1, wrong: 0, lost: 0 })
    expect(flow.freeCount).toBe(2)
  })

  test('what is lost makes room, and a reply after that is not one to its successor', () => {
    const flow = open()
    const late = replyTo(ask(flow, 0))
    expire(flow, 1)
    ask(flow, 2)
    ask(flow, 2)
    hear(flow, late, 0, 12, 3)
    expect(flow.tally).toMatchObject({ sent: 3, answered: 0, other: 1, lost: 1 })
  })

  test('ids do not come back for as long as they can', () => {
    const flow = open()
    const ids = new Set<number>()
    for (let i = 0; i < 65_536; i += 1) {
      const octets = replyTo(ask(flow, 0))
      ids.add(((octets[0] ?? 0) << 8) | (octets[1] ?? 0))
      hear(flow, octets, 0, 12, 1)
    }
    expect(ids.size).toBe(65_536)
  })
})
