/**
 * Which scope which kind of answer gets: map G and the other public cases on ECS, the rules K1–K19,
 * special blocks, and sources that are not believed. Over UDP and TCP the same.
 */
import { describe, expect, test } from 'vitest'
import { type Ask, addresses, ask, deskOf } from '../kit/world.ts'
import { ZONE_Z } from '../kit/zone-text.ts'

const MAP_G = `networks:
  a: [198.51.100.0/24]
  b: [198.51.100.128/26]
pools:
  A: {targets: [192.0.2.101, "2001:db8::101"]}
  B: {targets: [192.0.2.102, "2001:db8::102"]}
  D: {targets: [192.0.2.103, "2001:db8::103"]}
  four: {targets: [192.0.2.110]}
  eu: {targets: [eu.example.com]}
  us: {targets: [us.example.com]}
steer:
  www.example.com: &g
    {ttl: 30, pick: shuffle, by: {networks: {a: [A], b: [B]}, default: [D]}}
  "*.w.example.com": *g
  x.y.geo.example.com: *g
  flat.example.com: {ttl: 60, pick: shuffle, pools: [D]}
  four.example.com: {ttl: 60, pick: shuffle, by: {networks: {a: [four], b: [four]}, default: [four]}}
  go.example.com: {ttl: 60, pick: shuffle, by: {networks: {a: [eu]}, default: [us]}}
  fixed.example.com: {ttl: 60, pick: rotate, pools: [us]}
`

const DESK = deskOf(
  `${ZONE_Z}www TXT "text of www"
www MX 10 mail
mail A 192.0.2.25
eu A 192.0.2.201
us A 192.0.2.202
to-www CNAME to-www2
to-www2 CNAME www
to-flat CNAME flat
to-go CNAME go
to-fixed CNAME fixed
sub NS ns.sub
ns.sub A 192.0.2.66
d DNAME w
`,
  MAP_G,
)

// biome-ignore format: table
const G = [
  // case and clause                        subnet                            pool    scope
  ['BC-001 the block, not the source',      '198.51.100.1/32',                'A',     25],
  ['BC-004 inside the inner network',       '198.51.100.130/32',              'B',     26],
  ['BC-004 behind the inner network',       '198.51.100.200/32',              'A',     26],
  ['BC-004 SOURCE shorter than the leaf',   '198.51.100.0/24',                'A',     25],
  ['BC-005 the default next to a network',  '198.51.101.9/32',                'D',     24],
  ['BC-005 the default far away',           '203.0.113.7/32',                 'D',     5],
  ['BC-005 beside 192.168.0.0/16',          '192.0.2.5/32',                   'D',     9],
  ['BC-010 /5, one octet: leaf of its zero-padded address',  '192.0.0.0/5',   'D',     9],
  ['BC-010 /25',                            '192.0.2.0/25',                   'D',     9],
  ['BC-015 IPv4 mapped into IPv6',          '::ffff:198.51.100.0/120',        'A',     96 + 25],
  ['N6 IPv4 inside 6to4',                   '2002:c633:6480::/48',            'B',     16 + 26],
  ['N6 IPv4 behind NAT64',                  '64:ff9b::c633:6482/128',         'B',     96 + 26],
] as const

describe.each(['udp', 'tcp'] as const)('map G over %s', transport => {
  test.each(G)('RFC 7871 §7.2.1 %s', (_, subnet, pool, scope) => {
    const four = ask(DESK, 'www.example.com', { subnet, transport })
    const six = ask(DESK, 'www.example.com', { subnet, transport, type: 'AAAA' })
    const last = { A: '1', B: '2', D: '3' }[pool]
    expect([addresses(four), four.scope]).toEqual([[`192.0.2.10${last}`], scope])
    expect([addresses(six), six.scope]).toEqual([[`2001:db8::10${last}`], scope])
  })
})

test('BC-017 an answer for one client is not kept for the next', () => {
  const first = ask(DESK, 'www.example.com', { subnet: '203.0.113.7/32' })
  const next = ask(DESK, 'www.example.com', { subnet: '198.51.100.130/32' })
  expect([addresses(first), addresses(next)]).toEqual([['192.0.2.103'], ['192.0.2.102']])
})

const IN_A = '198.51.100.1/32'

// biome-ignore format: table
const KINDS: readonly (readonly [string, string, Ask, Record<string, unknown>])[] = [
  // rule and what it is about                 name            asked             what comes back
  ['K1 A of a steered name',                   'www',          {},               { scope: 25, rcode: 'NOERROR' }],
  ['K13 a steered wildcard',                   'q.w',          {},               { scope: 25, answer: ['q.w.example.com. 30 A 192.0.2.101'] }],
  ['K13 a name below a DNAME stops at it',     'q.d',          {},               { scope: 0, answer: ['d.example.com. 300 DNAME w.example.com', 'q.d.example.com. 300 CNAME q.w.example.com'] }],
  ['K2 BC-002 a name that is not steered',     'ns1',          {},               { scope: 0, answer: ['ns1.example.com. 300 A 192.0.2.1'] }],
  ['K2 the same for everybody',                'flat',         {},               { scope: 0, answer: ['flat.example.com. 60 A 192.0.2.103'] }],
  ['P4 one ranking for the whole family',      'four',         {},               { scope: 0, answer: ['four.example.com. 60 A 192.0.2.110'] }],
  ['K3 TXT at a steered name',                 'www',          { type: 'TXT' },  { scope: 0, answer: ['www.example.com. 300 TXT "text of www"'] }],
  ['K3 MX at a steered name',                  'www',          { type: 'MX' },   { scope: 0, answer: ['www.example.com. 300 MX 10 mail.example.com'] }],
  ['K4 BC-006 NXDOMAIN',                       'nosuch',       {},               { scope: 0, rcode: 'NXDOMAIN' }],
  ['K5 BC-018 NODATA: the pool has IPv4 only', 'four',         { type: 'AAAA' }, { scope: 0, rcode: 'NOERROR', answer: [] }],
  ['K5 BC-006 NODATA at a steered name',       'www',          { type: 'CAA' },  { scope: 0, rcode: 'NOERROR', answer: [] }],
  ['K7 BC-019 a referral',                     'host.sub',     {},               { scope: 0, aa: false, answer: [], additional: ['ns.sub.example.com. 300 A 192.0.2.66'] }],
  ['K8 a tailored CNAME',                      'go',           {},               { scope: 24, answer: ['go.example.com. 60 CNAME eu.example.com'] }],
  ['K8 a tailored CNAME, any type asked',      'go',           { type: 'MX' },   { scope: 24, answer: ['go.example.com. 60 CNAME eu.example.com'] }],
  ['K8 a CNAME the same for all',              'fixed',        {},               { scope: 0, answer: ['fixed.example.com. 60 CNAME us.example.com'] }],
  ['K9 K11 BC-020 a chain stops before a tailored name', 'to-www', {},           { scope: 0, answer: ['to-www.example.com. 300 CNAME to-www2.example.com', 'to-www2.example.com. 300 CNAME www.example.com'] }],
  ['K11 a chain stops before a tailored CNAME', 'to-go',       {},               { scope: 0, answer: ['to-go.example.com. 300 CNAME go.example.com'] }],
  ['K9 a chain goes through a pool for all',   'to-flat',      {},               { scope: 0, answer: ['to-flat.example.com. 300 CNAME flat.example.com', 'flat.example.com. 60 A 192.0.2.103'] }],
  ['K9 and ends with a steered CNAME',         'to-fixed',     {},               { scope: 0, answer: ['to-fixed.example.com. 300 CNAME fixed.example.com', 'fixed.example.com. 60 CNAME us.example.com'] }],
  ['R9 ANY at a steered name',                 'www',          { type: 'ANY' },  { scope: 0, answer: ['www.example.com. 3600 HINFO RFC8482 '] }],
  ['K15 MX brings no steered addresses',       'www',          { type: 'MX' },   { additional: [] }],
]

describe('RFC 7871 §7.2.1, §7.4: the scope of each kind of answer', () => {
  test.each(KINDS)('%s', (_, name, asked, expected) => {
    expect(ask(DESK, `${name}.example.com`, { ...asked, subnet: IN_A })).toMatchObject(expected)
  })

  test('K16 REFUSED echoes the option with scope 0', () => {
    expect(ask(DESK, 'www.example.net', { subnet: IN_A })).toMatchObject({
      rcode: 'REFUSED',
      ecs: '1/32/0/c6336401',
      authority: [],
      answer: [],
    })
  })

  test('R2 BC-007 no option in the query, none in the reply', () => {
    expect(ask(DESK, 'www.example.com', { from: '198.51.100.130' })).toMatchObject({
      edns: true,
      ecs: undefined,
      answer: ['www.example.com. 30 A 192.0.2.102'],
    })
  })

  test('R4 §12.1 the option is in every reply to a query that has one', () => {
    for (const [, name, asked] of KINDS) {
      expect(ask(DESK, `${name}.example.com`, { ...asked, subnet: IN_A }).ecs).toMatch(
        /^1\/32\/\d+\/c6336401$/,
      )
    }
  })

  test('BC-069 names that only the steering makes exist as empty non-terminals', () => {
    for (const name of ['y.geo.example.com', 'geo.example.com', 'w.example.com']) {
      expect(ask(DESK, name)).toMatchObject({
        rcode: 'NOERROR',
        answer: [],
        authority: [expect.stringContaining('SOA')],
      })
    }
  })
})

// biome-ignore format: table
const SPECIAL = [
  // rule                                     subnet             from              pool  scope
  ['BC-013 RFC 1918 10.0.0.0/8',              '10.1.2.0/24',     '198.51.100.1',   '1',  8],
  ['BC-013 RFC 1918 172.16.0.0/12',           '172.16.5.0/24',   '198.51.100.130', '2',  12],
  ['BC-013 RFC 1918 192.168.0.0/16',          '192.168.1.0/24',  '203.0.113.1',    '3',  16],
  ['BC-013 RFC 4193 fc00::/7',                'fd00::/48',       '198.51.100.1',   '1',  7],
  ['BC-013 N2 loopback',                      '127.0.0.1/32',    '198.51.100.1',   '1',  8],
  ['N2 RFC 6598 shared space',                '100.64.9.0/24',   '198.51.100.1',   '1',  10],
  ['N2 link-local',                           '169.254.1.0/24',  '198.51.100.1',   '1',  16],
  ['N2 this network',                         '0.0.0.0/8',       '198.51.100.1',   '1',  8],
  ['N2 Teredo',                               '2001:0:1::/48',   '198.51.100.1',   '1',  32],
  ['N2 IPv6 link-local',                      'fe80::/64',       '198.51.100.1',   '1',  10],
  ['N2 IPv6 multicast',                       'ff02::/16',       '198.51.100.1',   '1',  8],
  ['both special: the default branch',        '10.1.2.0/24',     '127.0.0.1',      '3',  8],
  ['BC-008 SOURCE 0: by the source address',  '0.0.0.0/0',       '198.51.100.130', '2',  0],
  ['BC-008 SOURCE 0 of IPv6 likewise',        '::/0',            '198.51.100.130', '2',  0],
] as const

describe('RFC 7871 §10, §7.1.2: addresses that say nothing of the client', () => {
  test.each(SPECIAL)('%s', (_, subnet, from, pool, scope) => {
    const answer = ask(DESK, 'www.example.com', { subnet, from })
    expect([addresses(answer), answer.scope]).toEqual([[`192.0.2.10${pool}`], scope])
  })

  test('in a family with one ranking there is nothing to keep apart: scope 0', () => {
    expect(ask(DESK, 'four.example.com', { subnet: '10.1.2.0/24' }).scope).toBe(0)
  })
})

describe('the scope vector: an operator’s own networks inside a private block', () => {
  const desk = deskOf(
    ZONE_Z,
    `networks: {one: [10.0.0.0/8], two: [10.1.0.0/16]}
pools: {dc1: {targets: [192.0.2.1]}, dc2: {targets: [192.0.2.2]}, dc3: {targets: [192.0.2.3]}}
steer: {www.example.com: {ttl: 30, pick: shuffle, by: {networks: {one: [dc1], two: [dc2]}, default: [dc3]}}}
`,
  )
  // biome-ignore format: table
  test.each([
    ['10.1.2.0/24', '192.0.2.2', 16],
    ['10.2.3.0/24', '192.0.2.1', 15],
    ['9.0.0.0/24',  '192.0.2.3', 7],
  ])('%s', (subnet, address, scope) => {
    const answer = ask(desk, 'www.example.com', { subnet })
    expect([addresses(answer), answer.scope]).toEqual([[address], scope])
  })

  test('BC-022 a source in a named private network gets that network', () => {
    expect(addresses(ask(desk, 'www.example.com', { from: '10.1.9.9' }))).toEqual(['192.0.2.2'])
  })
})

describe('RFC 7871 §11.3: sources that are not believed', () => {
  const desk = deskOf(
    ZONE_Z,
    `ecs: {allow: [192.0.2.0/24, "2001:db8::/32"], deny: [192.0.2.128/25]}\n${MAP_G}`,
  )
  // biome-ignore format: table
  test.each([
    ['allowed',              '192.0.2.7',    '1', 25],
    ['allowed, IPv6',        '2001:db8::7',  '1', 25],
    ['denied after all',     '192.0.2.200',  '3', 0],
    ['not on the list',      '203.0.113.7',  '3', 0],
  ])('%s', (_, from, pool, scope) => {
    const answer = ask(desk, 'www.example.com', { subnet: IN_A, from })
    expect([addresses(answer), answer.ecs]).toEqual([[`192.0.2.10${pool}`], `1/32/${scope}/c6336401`])
  })

  test('W14 switched off: no option in replies', () => {
    const off = deskOf(ZONE_Z, `ecs: {enabled: false}\n${MAP_G}`)
    expect(ask(off, 'www.example.com', { subnet: IN_A })).toMatchObject({
      ecs: undefined,
      edns: true,
    })
  })
})
