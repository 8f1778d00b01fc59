/** Response rate limiting as a table: who is told what how often, by a clock that stands in the test. */
import { describe, expect, test } from 'vitest'
import { attend } from '../../server/answer/attend.ts'
import { address, setAddressText } from '../../server/dns/address.ts'
import { openTallies } from '../../server/guard/answers.ts'
import {
  accounts,
  DENY,
  limit,
  PASS,
  type RrlOptions,
  rrl,
  rrlPolicy,
  SLIP,
  TELLS,
  TICKS_A_SECOND,
} from '../../server/guard/rrl.ts'
import { risen } from '../kit/tallies.ts'
import { type Ask, deskOf, peerOf, queryOf, said } from '../kit/world.ts'
import { ZONE_Z } from '../kit/zone-text.ts'

const RATE = 10
const ALL_SAME = { answer: RATE, referral: RATE, nodata: RATE, nxdomain: RATE, error: RATE, all: 0 }
const USUAL: RrlOptions = {
  rates: ALL_SAME,
  slip: 2,
  window: 15,
  bits4: 24,
  bits6: 56,
  exempt: [],
  mode: 'on',
}

function limiter(options: Partial<RrlOptions> = {}, seed = 1) {
  const policy = rrlPolicy({ ...USUAL, ...options })
  const own = rrl(accounts(seed))
  const to = address()
  return (from: string, seconds: number, what: number = TELLS.answer, number = 7) => {
    setAddressText(to, from)
    return limit(own, policy, to, what, number, Math.round(seconds * TICKS_A_SECOND) | 0)
  }
}

/** Verdicts as letters: passed, slipped, denied. */
const LETTER = { [PASS]: 'p', [SLIP]: 's', [DENY]: '.' }

function flood(
  times: number,
  seconds: (nth: number) => number,
  options: Partial<RrlOptions> = {},
  from = '192.0.2.1',
): string {
  const ask = limiter(options)
  const verdicts = Array.from({ length: times }, (_, nth) => ask(from, seconds(nth)))
  return verdicts.map(verdict => LETTER[verdict as keyof typeof LETTER]).join('')
}

/** Eight seconds before ticks wrap, and a point long after. */
const WRAP = 2 ** 31 / TICKS_A_SECOND

describe('a flood of one answer to one network, 10 a second, window 15 s', () => {
  // biome-ignore format: table
  const ROWS: readonly (readonly [what: string, got: () => string, wanted: string])[] = [
    ['a second\'s worth at once, then every second is truncated', () => flood(16, () => 5), 'pppppppppp.s.s.s'],
    ['slip 1: all are truncated', () => flood(13, () => 5, { slip: 1 }), 'ppppppppppsss'],
    ['slip 0: none is', () => flood(13, () => 5, { slip: 0 }), 'pppppppppp...'],
    ['slip 3', () => flood(16, () => 5, { slip: 3 }), 'pppppppppp..s..s'],
    ['one each 100 ms: never limited', () => flood(300, nth => 5 + nth / 10), 'p'.repeat(300)],
    ['one each 50 ms: as much is owed as was not paid; after a second of credit all are limited', () => flood(24, nth => 5 + nth / 20, { slip: 0 }), `${'p'.repeat(19)}.....`],
    ['a window of 1 s', () => flood(30, () => 5, { slip: 0, window: 1 }), `${'p'.repeat(10)}${'.'.repeat(20)}`],
    ['over the wrap of ticks', () => flood(300, nth => WRAP - 15 + nth / 10), 'p'.repeat(300)],
    ['on both sides of it', () => flood(16, nth => WRAP + (nth - 8) / 1e6), 'pppppppppp.s.s.s'],
    ['at negative ticks', () => flood(16, () => WRAP + 100), 'pppppppppp.s.s.s'],
  ]
  for (const [what, got, wanted] of ROWS) test(what, () => expect(got()).toBe(wanted))

  test('a flood is told nothing but slips while it lasts, and a window less the credit afterwards', () => {
    const ask = limiter({ slip: 0 })
    for (let nth = 0; nth < 10_000; nth += 1) ask('192.0.2.1', 100 + nth / 1000)
    const end = 110
    expect(ask('192.0.2.1', end + 13.8)).toBe(DENY)
    const other = limiter({ slip: 0 })
    for (let nth = 0; nth < 10_000; nth += 1) other('192.0.2.1', 100 + nth / 1000)
    expect(other('192.0.2.1', end + 14.2)).toBe(PASS)
  })

  test('a thread whose clock is half a second behind does not take a full account for an old one', () => {
    const ask = limiter({ slip: 0 })
    for (let nth = 0; nth < 1000; nth += 1) ask('192.0.2.1', 100)
    expect(ask('192.0.2.1', 99.5)).toBe(DENY)
    expect(ask('192.0.2.1', 100)).toBe(DENY)
  })

  test('what was owed nine hours ago, when ticks have wrapped, is owed no more', () => {
    for (const hours of [1, 5, 9.3, 9.4, 18.6, 18.7, 30]) {
      const ask = limiter({ slip: 0 })
      for (let nth = 0; nth < 100; nth += 1) ask('192.0.2.1', 0)
      expect(ask('192.0.2.1', hours * 3600)).toBe(PASS)
    }
  })
})

describe('what has one account', () => {
  const full = (options: Partial<RrlOptions> = {}) => {
    const ask = limiter({ slip: 0, ...options })
    for (let nth = 0; nth < 20; nth += 1) ask('192.0.2.1', 5)
    for (let nth = 0; nth < 20; nth += 1) ask('2001:db8:0:100::1', 5)
    return ask
  }
  type Row = readonly [what: string, ask: ReturnType<typeof full>, from: string, more: number[]]
  const { answer, error, nodata, nxdomain, referral } = TELLS
  // biome-ignore format: table
  const SAME: readonly Row[] = [
    ['the same /24', full(), '192.0.2.254', []],
    ['the same /56', full(), '2001:db8:0:1ff::9', []],
    ['ipv4_prefix 8', full({ bits4: 8 }), '192.255.0.1', []],
    ['ipv6_prefix 32', full({ bits6: 32 }), '2001:db8:ffff::', []],
  ]
  // biome-ignore format: table
  const APART: readonly Row[] = [
    ['the next /24', full(), '192.0.3.1', []],
    ['the next /56', full(), '2001:db8:0:200::1', []],
    ['ipv4_prefix 32', full({ bits4: 32 }), '192.0.2.2', []],
    ['ipv6_prefix 64', full({ bits6: 64 }), '2001:db8:0:101::1', []],
    ['IPv4 and an IPv6 address that begins alike', full({ bits6: 24 }), 'c000:0200::', []],
    ['another answer', full(), '192.0.2.1', [answer, 8]],
    ['no such type', full(), '192.0.2.1', [nodata, 7]],
    ['no such name', full(), '192.0.2.1', [nxdomain, 7]],
    ['a referral', full(), '192.0.2.1', [referral, 7]],
    ['an error', full(), '192.0.2.1', [error, 7]],
    ['a source that is exempt', full({ exempt: [{ family: 4, octets: Uint8Array.of(192, 0, 2, 0), bits: 25 }] }), '192.0.2.1', []],
    ['a kind without a limit', full({ rates: { ...ALL_SAME, answer: 0 } }), '192.0.2.1', []],
  ]
  for (const [what, ask, from, [kind, number]] of SAME) {
    test(what, () => expect(ask(from, 5, kind, number)).toBe(DENY))
  }
  for (const [what, ask, from, [kind, number]] of APART) {
    test(`apart: ${what}`, () => expect(ask(from, 5, kind, number)).toBe(PASS))
  }

  test('all: every answer another one, 30 in all', () => {
    const ask = limiter({ slip: 0, rates: { ...ALL_SAME, all: 30 } })
    const verdicts = Array.from({ length: 40 }, (_, number) => ask('192.0.2.1', 5, answer, number))
    expect(verdicts.filter(verdict => verdict === PASS)).toHaveLength(30)
  })

  test('100,000 networks at 1 a second: 262,144 accounts hold them, and hardly any is taken for another', () => {
    const ask = limiter({ slip: 0, rates: { ...ALL_SAME, answer: 1 } })
    let denied = 0
    let passed = 0
    for (let nth = 0; nth < 100_000; nth += 1) {
      const from = `${1 + (nth >> 16)}.${(nth >> 8) & 255}.${nth & 255}.1`
      if (ask(from, 5) !== PASS) denied += 1
      if (ask(from, 5) === PASS) passed += 1
    }
    expect(denied).toBeLessThan(10) // two accounts are one where 16 bits of set and 32 of tag agree
    expect(passed).toBe(0)
  })
})

describe('over the line: what is one answer, as replies tell it', () => {
  const yaml = `rrl: {per_second: 2, slip: 2}
pools: {A: {targets: [192.0.2.7]}}
steer: {lb.example.com: {ttl: 30, pools: [A]}}
`
  const zone = `${ZONE_Z}www A 192.0.2.10
big TXT ${`"${'t'.repeat(250)}" `.repeat(4)}
*.wild A 192.0.2.11
sub NS ns.sub
ns.sub A 192.0.2.12
`
  const OUT = new Uint8Array(65_535)
  type Asked = Ask & { readonly name: string }

  /** Asks in turn and says what comes: the code, TC, or silence. */
  function asked(names: readonly Asked[], transport: 'udp' | 'tcp' = 'udp', more = '') {
    const desk = deskOf(zone, yaml.replace('slip: 2', `slip: 2${more}`))
    const tallies = openTallies(desk.world.steering)
    desk.guard.ticks = 1000
    const words = names.map(({ name, ...options }) => {
      const query = queryOf(name, options)
      const size = attend(desk, tallies, query, query.length, OUT, peerOf('192.0.2.99', transport))
      if (size === 0) return '-'
      return (OUT[2] ?? 0) & 2 ? 'TC' : said(OUT.slice(0, size)).rcode
    })
    return { words: words.join(' '), cells: risen(tallies.cells) }
  }
  const times = (count: number, ...names: readonly Asked[]) =>
    Array.from({ length: count }, (_, nth) => names[nth % names.length] ?? { name: '' })

  // biome-ignore format: table
  const ROWS: readonly (readonly [what: string, names: readonly Asked[], words: string])[] = [
    ['one name', times(4, { name: 'www.example.com' }), 'NOERROR NOERROR - TC'],
    ['a steered name', times(4, { name: 'lb.example.com' }), 'NOERROR NOERROR - TC'],
    ['two types of one name', times(4, { name: 'ns1.example.com' }, { name: 'www.example.com' }), 'NOERROR NOERROR NOERROR NOERROR'],
    ['names that do not exist: one account a zone, RRL without it is walked around', [1, 2, 3, 4].map(nth => ({ name: `n${nth}.example.com` })), 'NXDOMAIN NXDOMAIN - TC'],
    ['names of one wildcard', [1, 2, 3, 4].map(nth => ({ name: `n${nth}.wild.example.com` })), 'NOERROR NOERROR - TC'],
    ['names below one cut', [1, 2, 3, 4].map(nth => ({ name: `n${nth}.sub.example.com` })), 'NOERROR NOERROR - TC'],
    ['names of nobody', [1, 2, 3, 4].map(nth => ({ name: `n${nth}.example.net` })), 'REFUSED REFUSED - TC'],
    ['no such type', times(4, { name: 'www.example.com', type: 'MX' }), 'NOERROR NOERROR - TC'],
  ]
  for (const [what, names, words] of ROWS) test(what, () => expect(asked(names).words).toBe(words))

  test('TCP is not limited', () => {
    expect(asked(times(9, { name: 'www.example.com' }), 'tcp').words).not.toMatch(/-|TC/)
  })

  test('log_only: all is sent, and what would not have been is counted', () => {
    const { cells, words } = asked(times(5, { name: 'www.example.com' }), 'udp', ', log_only: on')
    expect(words).toBe('NOERROR NOERROR NOERROR NOERROR NOERROR')
    expect(cells['cuts shown']).toBe(3)
  })

  test('what is dropped and what is cut is counted apart', () => {
    const { cells } = asked(times(6, { name: 'www.example.com' }))
    expect([cells['drops rate'], cells['cuts rate'], cells['responses 0']]).toEqual([2, 2, 4])
  })
})
