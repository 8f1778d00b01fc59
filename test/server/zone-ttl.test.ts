/** Times to live: where they come from and which one counts. */
import { expect, test } from 'vitest'
import { RRSET, rrsetWord } from '../../server/zone/zones.ts'
import { allTexts, FIXTURE, findText, loadText, rrsetTexts } from '../kit/zone-text.ts'

const SOA = '@ SOA ns1 host 1 7200 900 1209600 60\n@ NS ns1\nns1 A 192.0.2.1\n'

// clause, text, TTL of www
// biome-ignore format: table
const FROM = [
  ['RFC 2308 §4 $TTL', `$TTL 600\n${SOA}www A 192.0.2.5\n`, 600],
  ['RFC 2308 §4 $TTL goes before a TTL stated last', `$TTL 600\n${SOA}x 7 A 192.0.2.4\nwww A 192.0.2.5\n`, 600],
  ['RFC 2308 §4 $TTL holds until the next', `$TTL 600\n${SOA}$TTL 5\nwww A 192.0.2.5\n`, 5],
  ['RFC 1035 §5.1 no $TTL: the one stated last', `${SOA.replace('@ SOA', '@ 7200 SOA')}x 8 A 192.0.2.4\nwww A 192.0.2.5\n`, 8],
  ['BC-137 no $TTL: the SOA has stated one', `${SOA.replace('@ SOA', '@ 7200 SOA')}www A 192.0.2.5\n`, 7200],
  ['RFC 2308 §4 none at all: the SOA MINIMUM', `${SOA}www A 192.0.2.5\n`, 60],
  ['BC-138 units', `$TTL 1W2D3H4M5S\n${SOA}www A 192.0.2.5\n`, 788645],
  ['BC-138 units in lower case', `$TTL 1d\n${SOA}www A 192.0.2.5\n`, 86400],
  ['BC-138 units in a record', `$TTL 1d\n${SOA}www 1h30m IN A 192.0.2.5\n`, 5400],
  ['BC-092 a TTL of its own', `$TTL 600\n${SOA}www 601 A 192.0.2.5\n`, 601],
  ['BC-094 0 is served as 0', `$TTL 600\n${SOA}www 0 A 192.0.2.5\n`, 0],
  ['RFC 2181 §8 the largest', `$TTL 600\n${SOA}www 2147483647 A 192.0.2.5\n`, 2147483647],
] as const

for (const [rule, text, ttl] of FROM) {
  test(rule, () => {
    const { zones, problems } = loadText(`$ORIGIN example.com.\n${text}`)
    expect(problems).toEqual([])
    expect(rrsetWord(zones, findText(zones, 'www.example.com.', 'A').rrset, RRSET.TTL)).toBe(ttl)
  })
}

// biome-ignore format: table
const WRONG = [
  ['BC-094 above 2^31-1', 'r 2147483648 A 192.0.2.1', 'z:9:3: TTL 2147483648'],
  ['BC-094 all bits set', 'r 4294967295 A 192.0.2.1', 'z:9:3: TTL 4294967295'],
  ['RFC 2181 §8 above 32 bits', 'r 99999999999 A 192.0.2.1', 'z:9:3: 99999999999 is not a TTL'],
  ['BC-138 an unknown unit', 'r 1y A 192.0.2.1', 'z:9:3: 1y is not a TTL'],
  ['BC-138 an unknown unit in $TTL', '$TTL 1y', 'z:9:6: 1y is not a TTL'],
  ['RFC 2181 §8 units add up too high', '$TTL 3600w', 'z:9:6:'],
] as const

for (const [rule, line, said] of WRONG) {
  test(rule, () => {
    const { problems } = loadText(`${FIXTURE}${line}\n`)
    expect(problems).toEqual([expect.stringContaining(said)])
  })
}

test('BC-137 a record before any TTL is wrong, never 0', () => {
  const { problems } = loadText(`$ORIGIN example.com.\nwww A 192.0.2.5\n${SOA}`)
  expect(problems).toEqual([expect.stringContaining('z:2:1: no TTL')])
})

test('BC-138 units in SOA timers, and a blank owner', () => {
  const text = '$ORIGIN example.com.\n$TTL 1D\n@ SOA ns1 host 1 3H 15 1w 3h\n\tNS ns2\n'
  expect(allTexts(loadText(text).zones)).toEqual([
    'example.com. 86400 NS ns2.example.com.',
    'example.com. 86400 SOA ns1.example.com. host.example.com. 1 10800 15 604800 10800',
  ])
})

test('BC-091 RFC 2308 §3 the SOA of a negative answer has MINIMUM, asked for it has its own TTL', () => {
  const { zones } = loadText(FIXTURE)
  const own = findText(zones, 'example.com.', 'SOA')
  expect(rrsetWord(zones, own.rrset, RRSET.TTL)).toBe(3600)
  for (const [name, type] of [
    ['nosuch.example.com.', 'A'],
    ['www.example.com.', 'TXT'],
  ] as const) {
    const { soa } = findText(zones, name, type)
    expect(rrsetTexts(zones, soa)).toEqual([
      'example.com. 60 SOA ns1.example.com. hostmaster.example.com. 2024010101 7200 900 1209600 60',
    ])
  }
})

test('BC-091 RFC 2308 §3 a SOA TTL below MINIMUM counts', () => {
  const { zones } = loadText(FIXTURE.replace('3600 SOA', '30 SOA'))
  expect(rrsetWord(zones, findText(zones, 'x.example.com.', 'A').soa, RRSET.TTL)).toBe(30)
})

test('BC-093 RFC 2181 §5.2 the lowest TTL of an RRset counts, with a warning', () => {
  const { zones, warnings } = loadText(`${FIXTURE}r 3600 A 192.0.2.1\nr 10800 A 192.0.2.2\n`)
  const { rrset } = findText(zones, 'r.example.com.', 'A')
  expect(rrsetTexts(zones, rrset)).toEqual([
    'r.example.com. 3600 A 192.0.2.1',
    'r.example.com. 3600 A 192.0.2.2',
  ])
  expect(warnings).toEqual([expect.stringContaining('z:10:1: the A records of r.example.com.')])
})
