/**
 * HTTPS and SVCB records of rules: their octets, and that their hints are what A and AAAA queries of
 * the same client get. RFC 9460; K3, K5, K14 of the rules on scope.
 */
import { describe, expect, test } from 'vitest'
import { serviceOf } from '../kit/service.ts'
import { type Ask, addresses, ask, deskOf, loadFrom, setUp } from '../kit/world.ts'
import { ZONE_Z } from '../kit/zone-text.ts'

const MAP = `networks: {a: [198.51.100.0/24], b: [198.51.100.128/26]}
pools:
  A: {targets: [192.0.2.101, "2001:db8::101"]}
  B: {targets: [192.0.2.102, "2001:db8::102"]}
  D: {targets: [192.0.2.103, 192.0.2.104, "2001:db8::103"]}
  four: {targets: [192.0.2.110]}
  six: {targets: ["2001:db8::110"]}
  host: {targets: [h.example.net]}
  other: {targets: [other.example.net]}
steer:
  www.example.com: &www
    ttl: {max: 40s, min: 10s}
    by: {networks: {a: [A], b: [B]}, default: [D]}
    https: {alpn: [h2, h3]}
  "*.w.example.com": *www
  plain.example.com: {ttl: 30, by: {networks: {a: [A]}, default: [D]}}
  flat.example.com: {ttl: 60, pools: [A], https: {alpn: [h2]}}
  four.example.com: {ttl: 60, pools: [four], https: {alpn: [h2]}}
  six.example.com: {ttl: 60, pools: [six], https: {alpn: [h2]}}
  first.example.com: {ttl: 60, pools: [four, A], https: {alpn: [h2]}}
  ech.example.com:
    ttl: 60
    pools: [A]
    https: {alpn: [h2], no_default_alpn: on, port: 8443, ech: AEj+DQBE, priority: 3, target: svc.example.net}
  _dns.example.com: {ttl: 60, pools: [A], svcb: {alpn: [dot], port: 853}}
  turn.example.com: {ttl: 60, pick: rotate, pools: [D], https: {alpn: [h2]}}
  go.example.com: {ttl: 60, by: {networks: {a: [host]}, default: [other]}}
`

const DESK = deskOf(
  `${ZONE_Z}plain HTTPS 1 . alpn=h2
static HTTPS 1 . alpn=h2
alias HTTPS 0 www
to-www CNAME www
to-flat CNAME flat
www TXT "text of www"
`,
  MAP,
)

const IN_A = '198.51.100.1/32'
const askHttps = (name: string, options: Ask = {}) =>
  ask(DESK, `${name}.example.com`, { type: 'HTTPS', subnet: IN_A, ...options })

const H2 = '0001 0003 026832'
const A4 = '0004 0004 c0000265'
const A6 = '0006 0010 20010db8000000000000000000000101'

// The octets of RFC 9460 §2.2: priority, target, then parameters as key, length, value.
// biome-ignore format: table
const OCTETS = [
  // clause                                            name     type     TTL  data
  ['§2.2 alpn and the hints, keys ascending',          'flat',  'HTTPS', 60,  `0001 00 ${H2} ${A4} ${A6}`],
  ['§7.3 no IPv6 in the pool, no ipv6hint',            'four',  'HTTPS', 60,  `0001 00 ${H2} 0004 0004 c000026e`],
  ['§7.3 no IPv4 in the pool, no ipv4hint',            'six',   'HTTPS', 60,  `0001 00 ${H2} 0006 0010 20010db8000000000000000000000110`],
  ['§7.3 all hints are of the pool that serves A',     'first', 'HTTPS', 60,  `0001 00 ${H2} 0004 0004 c000026e`],
  ['§2.2 everything else, ech between the hints',      'ech',   'HTTPS', 60,  `0003 03737663076578616d706c65036e657400 ${H2} 0002 0000 0003 0002 20fb ${A4} 0005 0006 0048fe0d0044 ${A6}`],
  ['RFC 9461 an SVCB record',                          '_dns',  'SVCB',  60,  `0001 00 0001 0004 03646f74 0003 0002 0355 ${A4} ${A6}`],
  ['a tailored one',                                   'www',   'HTTPS', 40,  `0001 00 0001 0006 026832 026833 ${A4} ${A6}`],
  ['§2.5.2 at a wildcard, `.` is the name asked',      'q.w',   'HTTPS', 40,  `0001 00 0001 0006 026832 026833 ${A4} ${A6}`],
] as const

describe('RFC 9460: one record of the rule', () => {
  test.each(OCTETS)('%s', (_, name, type, ttl, data) => {
    expect(askHttps(name, { type }).answer).toEqual([
      `${name}.example.com. ${ttl} ${type} ${data.replaceAll(' ', '')}`,
    ])
  })
})

const STATIC = `0001 00 ${H2}`.replaceAll(' ', '')

// biome-ignore format: table
const KINDS: readonly (readonly [string, string, Ask, Record<string, unknown>])[] = [
  // rule and what it is about                         name       asked              what comes back
  ['K14 hints that are tailored: the leaf',            'www',     {},                { scope: 25, rcode: 'NOERROR' }],
  ['K14 at a wildcard',                                'q.w',     {},                { scope: 25, rcode: 'NOERROR' }],
  ['K14 hints the same for everybody',                 'flat',    {},                { scope: 0, rcode: 'NOERROR' }],
  ['K3 K14 a static one at a steered name',            'plain',   {},                { scope: 0, answer: [`plain.example.com. 300 HTTPS ${STATIC}`] }],
  ['K14 a static one elsewhere',                       'static',  {},                { scope: 0, answer: [`static.example.com. 300 HTTPS ${STATIC}`] }],
  ['K14 AliasMode to a steered name brings no hints',  'alias',   {},                { scope: 0, additional: [], answer: ['alias.example.com. 300 HTTPS 000003777777076578616d706c6503636f6d00'] }],
  ['K5 NODATA: the rule makes HTTPS, not SVCB',        'www',     { type: 'SVCB' },  { scope: 0, rcode: 'NOERROR', answer: [], authority: [expect.stringContaining('SOA')] }],
  ['K5 NODATA: the rule makes SVCB, not HTTPS',        '_dns',    {},                { scope: 0, rcode: 'NOERROR', answer: [], authority: [expect.stringContaining('SOA')] }],
  ['K5 NODATA: AAAA where HTTPS is there',             'four',    { type: 'AAAA' },  { scope: 0, rcode: 'NOERROR', answer: [] }],
  ['K8 a tailored CNAME for HTTPS too',                'go',      {},                { scope: 24, answer: ['go.example.com. 60 CNAME h.example.net'] }],
  ['K9 K11 a chain stops before tailored hints',       'to-www',  {},                { scope: 0, answer: ['to-www.example.com. 300 CNAME www.example.com'] }],
  ['K9 a chain goes through hints for all',            'to-flat', {},                { scope: 0, answer: ['to-flat.example.com. 300 CNAME flat.example.com', `flat.example.com. 60 HTTPS ${`0001 00 ${H2} ${A4} ${A6}`.replaceAll(' ', '')}`] }],
  ['K3 TXT beside it',                                 'www',     { type: 'TXT' },   { scope: 0, answer: ['www.example.com. 300 TXT "text of www"'] }],
  ['R9 RFC 8482 ANY',                                  'flat',    { type: 'ANY' },   { scope: 0, answer: ['flat.example.com. 3600 HINFO RFC8482 '] }],
  ['WT4 §7.1.2 SOURCE 0',                              'www',     { subnet: '0.0.0.0/0' }, { scope: 0, rcode: 'NOERROR' }],
  ['N1 RFC 1918: by the source, the block as scope',   'www',     { subnet: '10.1.2.0/24' }, { scope: 8, rcode: 'NOERROR' }],
]

describe('RFC 7871 §7.2.1: the scope of service records', () => {
  test.each(KINDS)('%s', (_, name, asked, expected) => {
    expect(askHttps(name, asked)).toMatchObject(expected)
  })
})

describe('hints are what A and AAAA queries get', () => {
  // Every /28 of 198.51.100.0/24 and some of elsewhere, in both families.
  const clients = [
    ...Array.from({ length: 16 }, (_, i) => `198.51.100.${16 * i}/28`),
    ...Array.from({ length: 64 }, (_, i) => `${4 * i + 1}.2.3.0/24`),
    ...Array.from({ length: 64 }, (_, i) => `${(0x2000 + 97 * i).toString(16)}:db8::/48`),
    '2002:c633:6480::/48',
    '64:ff9b::c633:6401/128',
  ]

  test.each(['www', 'flat', 'four', 'six', 'first'])('%s, for many clients', name => {
    for (const subnet of clients) {
      const four = askHttps(name, { subnet, type: 'A' })
      const six = askHttps(name, { subnet, type: 'AAAA' })
      const made = askHttps(name, { subnet })
      const { ipv4, ipv6 } = serviceOf(made)
      expect([subnet, ipv4, made.scope]).toEqual([subnet, addresses(four), four.scope ?? 0])
      // The pool that serves `first` has no IPv6, so AAAA is answered from the next.
      expect([subnet, ipv6]).toEqual([subnet, name === 'first' ? [] : addresses(six)])
    }
  })

  test('sources without a subnet likewise, with no option in the reply', () => {
    for (const from of ['198.51.100.130', '198.51.100.1', '203.0.113.1', '2001:db8::1']) {
      const [made, four, six] = (['HTTPS', 'A', 'AAAA'] as const).map(type =>
        ask(DESK, 'www.example.com', { from, type }),
      )
      expect(serviceOf(made!)).toMatchObject({ ipv4: addresses(four!), ipv6: addresses(six!) })
      expect(made?.ecs).toBeUndefined()
    }
  })

  test('spread over two pools they are those of both', () => {
    const desk = deskOf(
      ZONE_Z,
      `pools:
  A: {targets: [192.0.2.101, "2001:db8::101"]}
  B: {targets: [192.0.2.102, "2001:db8::102"]}
steer: {www.example.com: {ttl: 30, answers: 2, spread: pools, pools: [A, B], https: {alpn: [h2]}}}
`,
    )
    const made = ask(desk, 'www.example.com', { type: 'HTTPS', subnet: IN_A })
    expect(serviceOf(made)).toMatchObject({
      ipv4: ['192.0.2.101', '192.0.2.102'],
      ipv6: ['2001:db8::101', '2001:db8::102'],
    })
    expect(made.scope).toBe(0)
  })

  test('a rotation: hints show whose turn it is, and move nobody’s', () => {
    const turns: string[] = []
    for (let i = 0; i < 8; i += 1) {
      const hints = [askHttps('turn'), askHttps('turn')].map(made => serviceOf(made).ipv4)
      const [next = ''] = addresses(askHttps('turn', { type: 'A' }))
      expect(hints).toEqual([[next], [next]])
      turns.push(next)
    }
    expect(new Set(turns.slice(0, 2)).size).toBe(2)
    expect(turns.slice(2)).toEqual(turns.slice(0, -2))
  })
})

describe('health moves hints as it moves addresses, and no scope', () => {
  const desk = () =>
    deskOf(
      ZONE_Z,
      `networks: {a: [198.51.100.0/24]}
pools:
  A: {targets: [192.0.2.101, "2001:db8::101", "2001:db8::102"]}
  B: {targets: [192.0.2.103, "2001:db8::103"]}
steer:
  www.example.com: {ttl: 30, by: {networks: {a: [A, B]}, default: [B, A]}, https: {alpn: [h2]}}
`,
    )
  const A = ['192.0.2.101', '2001:db8::101', '2001:db8::102']
  const B = ['192.0.2.103', '2001:db8::103']
  // biome-ignore format: table
  test.each([
    ['all up',                         [],                       ['192.0.2.101'], A.slice(1)],
    ['one of three down',              [A[1]],                   ['192.0.2.101'], [A[2]]],
    ['the whole pool down: the next',  A,                        ['192.0.2.103'], [B[1]]],
    ['K6 all down: all of the first',  [...A, ...B],             ['192.0.2.101'], A.slice(1)],
  ])('%s', (_, down, ipv4, ipv6) => {
    const open = desk()
    setUp(open, 0, ...(down as string[]))
    const made = ask(open, 'www.example.com', { type: 'HTTPS', subnet: IN_A })
    expect(serviceOf(made)).toMatchObject({ ipv4, ipv6 })
    expect(made).toMatchObject({ rcode: 'NOERROR', scope: 24 })
  })
})

describe('the size of a reply with hints', () => {
  const ech = Buffer.alloc(400, 0x45).toString('base64')
  const four = Array.from({ length: 200 }, (_, i) => `198.51.100.${i + 1}`)
  const six = Array.from({ length: 200 }, (_, i) => `"2001:db8::${(i + 1).toString(16)}"`)
  const desk = deskOf(
    ZONE_Z,
    `pools:
  both: {targets: [${[...four, ...six].join(', ')}]}
  four: {targets: [${four.join(', ')}]}
steer:
  fits.example.com: {ttl: 30, pools: [both], https: {alpn: [h2, h3]}}
  ech.example.com: {ttl: 30, pools: [both], https: {alpn: [h2, h3], ech: "${ech}"}}
  four.example.com: {ttl: 30, pools: [four], https: {ech: "${ech}"}}
  two.example.com: {ttl: 30, pools: [both], answers: 2, https: {ech: "${ech}"}}
  whole.example.com: {ttl: 30, pools: [both], truncate: on, https: {alpn: [h2]}}
`,
  )

  test.each(['fits', 'ech', 'four', 'two'])(
    'RFC 9715 §3.1 within 1232 octets, the same over TCP: %s',
    name => {
      const asked = { type: 'HTTPS', subnet: '2001:db8::/128' }
      const udp = ask(desk, `${name}.example.com`, asked)
      const tcp = ask(desk, `${name}.example.com`, { ...asked, transport: 'tcp' })
      const [made, again] = [udp, tcp].map(serviceOf)
      expect(udp.tc).toBe(false)
      expect(udp.octets).toBeLessThanOrEqual(1232)
      expect([again?.ipv4.length, again?.ipv6.length]).toEqual([
        made?.ipv4.length,
        made?.ipv6.length,
      ])
      expect(made?.ipv4.length).toBeGreaterThan(1)
      expect(name === 'four' ? 0 : made?.ipv6.length).toBeGreaterThan(name === 'four' ? -1 : 1)
    },
  )

  test('BC-100 at most two answers, at most two hints, all of them in time', () => {
    const seen = new Set<string>()
    for (let i = 0; i < 1500; i += 1) {
      const { ipv4, ipv6 } = serviceOf(ask(desk, 'two.example.com', { type: 'HTTPS' }))
      expect([ipv4.length, ipv6.length]).toEqual([2, 2])
      for (const hint of [...ipv4, ...ipv6]) seen.add(hint)
    }
    expect(seen.size).toBe(400)
  })

  test('BC-101 with truncate: TC over UDP, all of them over TCP', () => {
    const udp = ask(desk, 'whole.example.com', { type: 'HTTPS', size: 4096, subnet: IN_A })
    const tcp = ask(desk, 'whole.example.com', { type: 'HTTPS', transport: 'tcp', subnet: IN_A })
    expect(udp).toMatchObject({ tc: true, answer: [], ecs: '1/32/0/c6336401' })
    expect(udp.octets).toBeLessThanOrEqual(1232)
    expect([serviceOf(tcp).ipv4.length, serviceOf(tcp).ipv6.length]).toEqual([200, 200])
    expect([tcp.tc, tcp.ecs]).toEqual([false, udp.ecs])
  })

  test('BC-102 RFC 6891 §6.1.1 OPT and ECS stay where the record does not fit', () => {
    const asked = { type: 'HTTPS', size: 512, subnet: '198.51.100.0/24' }
    const answer = ask(desk, 'ech.example.com', asked)
    expect(answer).toMatchObject({ tc: true, answer: [], edns: true, ecs: '1/24/0/c63364' })
    expect(answer.octets).toBeLessThanOrEqual(512)
  })
})

test('a service record in the zone beside one of the rule does not load', () => {
  const loaded = loadFrom({
    'lbdns.yaml': `listen: [127.0.0.1:5353]\nzones: [a.zone]\n${MAP}`,
    'a.zone': `${ZONE_Z}www HTTPS 1 . alpn=h2\n`,
  })
  expect(loaded).toMatchObject({
    ok: false,
    problems: [{ file: 'lbdns.yaml', what: expect.stringContaining('has an HTTPS record') }],
  })
})
