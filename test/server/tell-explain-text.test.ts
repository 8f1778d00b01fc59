/** An explanation for a person: whole, calm, no wider than a terminal, and the same for a seed. */
import { describe, expect, test } from 'vitest'
import { chance } from '../../server/steer/chance.ts'
import { explainText } from '../../server/tell/explain/text.ts'
import { explained, servingOf } from '../kit/serving.ts'
import { drawQuestion, drawServing } from '../kit/servings.ts'
import { checked, nearest, network, placesFor, policyOf, pool, rule } from '../kit/steering.ts'

const CHECK = checked('web')
const POOLS = [
  {
    ...pool('fra', '192.0.2.10', '192.0.2.11'),
    point: { lat: 50.11, lon: 8.68 },
    check: CHECK,
  },
  { ...pool('iad', '198.51.100.10'), point: { lat: 38.95, lon: -77.45 } },
]
const policy = policyOf({
  pools: POOLS,
  networks: [network('office', '203.0.113.0/24')],
  rules: [
    rule({
      networks: [[0, [1]]],
      countries: { DE: [0, 1] },
      default: nearest([0, 1], { bias: { 1: -20 } }),
    }),
    rule({ owner: 'flat.example.com.', all: [0], pick: 'rotate' }),
    rule({ owner: '*.wild.example.com.', all: [1] }),
  ],
})
const places = placesFor(policy, {
  networks: [
    ['20.0.0.0/8', { country: { iso_code: 'DE' } }],
    ['21.0.0.0/8', { country: { iso_code: 'US' }, location: { latitude: 40, longitude: -100 } }],
  ],
})
const MORE = `to-www CNAME www
to-flat CNAME flat
old DNAME wild
sub NS ns.sub
ns.sub A 192.0.2.53
`
const SERVING = servingOf(policy, places, MORE)

/** The text as far as it is about one verb. */
function said(verb: string, question: Parameters<typeof explained>[1]): string[] {
  const lines = explainText(explained(SERVING, question)).split('\n')
  const start = lines.findIndex(line => line.startsWith(verb.padEnd(7)))
  if (start < 0) return []
  const more = lines.slice(start + 1)
  const end = more.findIndex(line => !line.startsWith('       '))
  return [lines[start] ?? '', ...more.slice(0, end)].map(line => line.slice(7))
}

test('the whole of it, but for the order that is drawn', () => {
  const text = explainText(explained(SERVING, { client: '20.1.2.0/24' }))
  expect(text.replaceAll(/192\.0\.2\.1[01]/g, '192.0.2.1_')).toBe(`\
read   question  www.example.com. A, asked by 127.0.0.1, reply at most 1232 octets
       client    20.1.2.0/24, as the resolver tells
find   zone      example.com.
       found     www.example.com. is steered
steer  rule      www.example.com., rules:1
       client    20.1.2.0/24 decides
       because   country DE (test0.mmdb), block 20.0.0.0/8, rules:7
       block     20.0.0.0/8, and no wider: 21.0.0.0/8 beside it gets iad, fra
       ranking   fra, iad
       pools     fra  serves: 2 of 2 targets up, 1 needed
                 iad  stands by: 1 of 1 targets up, 1 needed
       pick      shuffle: all 2 IPv4 targets, in random order
       targets   192.0.2.1_
                 192.0.2.1_
       ttl       30 s, the most that the rule allows (10 … 30 s): no verdict can change in 30 s
       scope     8, less than the 24 bits told: a cache may answer all of 20.0.0.0/8 with this
       failover  63 s at worst: 3 × 10 s until check web has seen it, 2 s timeout, 1 s to publish,
                   30 s in caches
reply  NOERROR, authoritative, 2 answer records, scope 8
write  87 octets

;; ->>HEADER<<- opcode: QUERY, status: NOERROR, id: 0
;; flags: qr aa; QUERY: 1, ANSWER: 2, AUTHORITY: 0, ADDITIONAL: 1

;; OPT PSEUDOSECTION:
; EDNS: version: 0, flags:; udp: 1232
; CLIENT-SUBNET: 20.1.2.0/24/8
;; QUESTION SECTION:
;www.example.com.		IN	A

;; ANSWER SECTION:
www.example.com.	30	IN	A	192.0.2.1_
www.example.com.	30	IN	A	192.0.2.1_
`)
})

describe('find', () => {
  // biome-ignore format: table
  const FOUND = [
    ['ns1.example.com.',     'A',    ['found     ns1.example.com. has records of that type']],
    ['ns1.example.com.',     'TXT',  ['found     ns1.example.com. exists, but has no record of that type']],
    ['no.example.com.',      'A',    ['found     no.example.com. does not exist']],
    ['x.wild.example.com.',  'A',    ['found     x.wild.example.com. is steered, by *.wild.example.com.']],
    ['x.wild.example.com.',  'AAAA', ['found     x.wild.example.com. is steered, by *.wild.example.com., but its pools have no such addresses']],
    ['a.sub.example.com.',   'A',    ['found     a.sub.example.com. is delegated, by sub.example.com.']],
    ['to-flat.example.com.', 'A',    ['aliases   to-flat.example.com. → flat.example.com.', 'found     flat.example.com. is steered']],
    ['to-www.example.com.',  'A',    ['aliases   to-www.example.com. → www.example.com.', 'found     www.example.com. is steered, by its clients: the resolver is to ask for that itself']],
    ['x.old.example.com.',   'A',    ['aliases   x.old.example.com. → x.wild.example.com.', 'found     x.wild.example.com. is steered, by *.wild.example.com.']],
  ] as const

  test.each(FOUND)('%s %s', (name, type, lines) => {
    const [zone, ...found] = said('find', { name, type })
    expect(zone).toBe('zone      example.com.')
    expect(
      found
        .join('\n')
        .replace(/\n {12}/g, ' ')
        .split('\n'),
    ).toEqual(lines)
  })

  test('a name of no zone', () => {
    expect(said('find', { name: 'www.example.net.' })).toEqual([
      'found     www.example.net. is in no zone served here',
    ])
  })
})

describe('client, reasons and scope', () => {
  // biome-ignore format: table
  const SAID = [
    ['RFC 7871 §7.2.1 SCOPE less than SOURCE', { client: '20.1.2.0/24' }, 'scope     8, less than the 24 bits told: a cache may answer all of 20.0.0.0/8 with this'],
    ['RFC 7871 §7.2.1 SCOPE as SOURCE',        { client: '203.0.113.0/24' }, 'scope     24, just as many as were told: this is for all of 203.0.113.0/24'],
    ['RFC 7871 §7.2.1 SCOPE more than SOURCE', { client: '203.0.112.0/23' }, 'scope     24, more than the 23 bits told: this is for 203.0.112.0/24, and others in 203.0.112.0/23 may get another: a resolver should tell more'],
    ['RFC 7871 §7.1.2 SOURCE 0',               { client: '0.0.0.0/0' }, 'scope     0, for others who would rather not be located (SOURCE 0)'],
    ['RFC 7871 §7.2.1 not tailored',           { client: '20.1.2.0/24', name: 'flat.example.com.' }, 'scope     0: everybody gets the same'],
    ['RFC 7871 §10 a special block',           { client: '10.1.2.0/24' }, 'scope     8: special addresses, 10.0.0.0/8, are answered as one'],
    ['RFC 7871 §7.2.2 no option',              {}, 'scope     none, as no subnet was told'],
    ['nobody',                                 { client: '10.1.2.0/24' }, 'client    addresses in 10.0.0.0/8 tell nothing of a client, and the resolver\'s address tells nothing (127.0.0.0/8): nobody\'s address decides'],
    ['the resolver',                           { source: '20.1.2.3' }, 'client    no subnet is told, so the address of the resolver decides: 20.1.2.3'],
    ['not read',                               { name: 'flat.example.com.' }, 'client    is not read: everybody gets the same'],
    ['a network, and where it is written',     { client: '203.0.113.0/24' }, 'because   network office, prefix 203.0.113.0/24, rules:2'],
    // d3-geo's geoDistance × 6371.0088 km; a bias of −20 % divides by 0.8.
    ['distances, and what bias makes of one',  { client: '21.1.2.0/24' }, 'because   default: no branch knows this client nearest: US point 40.0,-100.0 → iad 1,934 km (bias −20 %: 2,417), fra 7,825 km'],
    ['nobody knows where',                     { client: '9.1.2.0/24' }, 'because   default: no branch knows this client nearest: it is not known where that is, so as listed'],
  ] as const

  test.each(SAID)('%s', (_, question, line) => {
    const text = said('steer', question)
      .join('\n')
      .replace(/\n {10,12}/g, ' ')
    expect(text.split('\n')).toContain(line)
    const { reply, steer } = explained(SERVING, question)
    expect(steer?.scope.bits).toBe(reply.scope ?? 0)
  })
})

test('no line is wider than 100 columns, and nothing is left out of a text', () => {
  const drawn = chance(3)
  for (let map = 0; map < 20; map += 1) {
    const { board, isAlias, serving } = drawServing(drawn, map)
    for (let index = 0; index < 20; index += 1) {
      const { subnet, ...question } = drawQuestion(drawn, isAlias, index)
      const told = explained(serving, { ...question, board, ...(subnet && { client: subnet }) })
      const [text = ''] = explainText(told).split('\n\n;; ')
      expect(text).not.toMatch(/undefined|NaN|null|\[object|, ,|: ,| \n/)
      for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(100)
    }
  }
})

test('with the same seed all is the same, with others the order is not', () => {
  const texts = Array.from({ length: 20 }, (_, seed) => {
    const text = explainText(explained(SERVING, { client: '20.1.2.0/24', seed: [seed] }))
    expect(explainText(explained(SERVING, { client: '20.1.2.0/24', seed: [seed] }))).toBe(text)
    return text
  })
  expect(new Set(texts).size).toBe(2) // two addresses have two orders
})

test('all of it is plain data', () => {
  const told = explained(SERVING, { client: '21.1.2.0/24' })
  expect(JSON.parse(JSON.stringify(told))).toEqual(told)
  expect(told.schema).toBe('lbdns.explanation/2')
})
