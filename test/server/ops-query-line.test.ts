/** A line of the query log: which keys it has, and that no name gets out of its text. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Sampled } from '../../server/answer/sampled.ts'
import { canonical, nameFromText } from '../../server/dns/name.ts'
import { isWrong } from '../../server/fault.ts'
import { queryLine } from '../../server/ops/query-line.ts'
import { wire } from '../kit/steering.ts'

const TIME = '2026-12-24T06:00:00.250Z'
const MEANING = {
  share: 0.01,
  owners: [canonical(wire('www.example.com.')), canonical(wire('*.w.example.com.'))],
  poolNames: ['fra', 'Zürich "2"'],
}
const SAMPLED: Sampled = {
  generation: 1,
  client: { octets: Uint8Array.of(203, 0, 113, 0), bits: 24 },
  from: 'ecs',
  name: wire('www.example.com.'),
  type: 1,
  rcode: 0,
  scope: 24,
  transport: 'udp',
  size: 71,
  slot: 0,
  pool: 0,
}

const HEAD = `{"time":"${TIME}","client":"203.0.113.0/24","from":"ecs"`
const TAIL = '"transport":"udp","size":71,"sample":0.01}\n'

// biome-ignore format: table
const LINES: readonly (readonly [string, Partial<Sampled>, string])[] = [
  ['all there is',               {},                                         `${HEAD},"name":"www.example.com.","type":"A","rcode":"NOERROR","scope":24,"pool":"fra",${TAIL}`],
  ['a name of a wildcard',       { slot: 1, name: wire('a.w.example.com.') }, `${HEAD},"name":"a.w.example.com.","type":"A","rcode":"NOERROR","scope":24,"pool":"fra","steer":"*.w.example.com.",${TAIL}`],
  ['nothing steered',            { slot: undefined, pool: undefined },       `${HEAD},"name":"www.example.com.","type":"A","rcode":"NOERROR","scope":24,${TAIL}`],
  ['no pool serves',             { pool: undefined },                        `${HEAD},"name":"www.example.com.","type":"A","rcode":"NOERROR","scope":24,${TAIL}`],
  ['no question',                { name: undefined, type: 0, rcode: 1, scope: 0, slot: undefined }, `${HEAD},"rcode":"FORMERR","scope":0,${TAIL}`],
  ['the root',                   { name: wire('.'), slot: undefined, type: 2 }, `${HEAD},"name":".","type":"NS","rcode":"NOERROR","scope":24,${TAIL}`],
  ['RFC 3597 §5 an unknown type', { type: 65_280, rcode: 12, slot: undefined }, `${HEAD},"name":"www.example.com.","type":"TYPE65280","rcode":"RCODE12","scope":24,${TAIL}`],
  ['a pool with a quote in it',  { pool: 1 },                                `${HEAD},"name":"www.example.com.","type":"A","rcode":"NOERROR","scope":24,"pool":"Zürich \\"2\\"",${TAIL}`],
]

describe('a line', () => {
  test.each(LINES)('%s', (_, change, expected) => {
    expect(queryLine({ ...SAMPLED, ...change }, MEANING, TIME)).toBe(expected)
  })

  test('IPv6 as RFC 5952 writes it, over TCP, told by nobody', () => {
    const octets = Uint8Array.from([0x20, 1, 0xd, 0xb8, 0, 9, ...Array(10).fill(0)])
    const sampled: Sampled = {
      ...SAMPLED,
      client: { octets, bits: 48 },
      from: 'peer',
      transport: 'tcp',
    }
    expect(JSON.parse(queryLine(sampled, MEANING, TIME))).toMatchObject({
      client: '2001:db8:9::/48',
      from: 'peer',
      transport: 'tcp',
    })
  })

  const label = fc.uint8Array({ minLength: 1, maxLength: 63 })
  test('any name: one line of ASCII, out of which the same name is read', () => {
    fc.assert(
      fc.property(fc.array(label, { maxLength: 3 }), labels => {
        const name = canonical(
          Uint8Array.from([...labels.flatMap(octets => [octets.length, ...octets]), 0]),
        )
        const line = queryLine({ ...SAMPLED, name, slot: undefined }, MEANING, TIME)
        expect(line).toMatch(/^[ -~]+\n$/)
        const read = nameFromText(JSON.parse(line).name, undefined)
        expect(isWrong(read) ? read : [...read]).toEqual([...name])
      }),
    )
  })
})
