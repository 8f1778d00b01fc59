/** Many records of one name: sorted, once each, and refused where no message holds them. */
import { describe, expect, test } from 'vitest'
import { problemText, remarks, wrong } from '../../server/fault.ts'
import { compileZones } from '../../server/zone/compile.ts'
import { parseZone } from '../../server/zone/master.ts'
import { textStream } from '../../server/zone/stream.ts'
import { allTexts, FIXTURE, findText, loadText, rrsetTexts } from '../kit/zone-text.ts'

/** `count` lines, of which each knows its number. */
function lines(count: number, line: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => `${line(i)}\n`).join('')
}

const address = (i: number) => `10.0.${i >> 8}.${i & 255}`

// RFC 1035 §4.1.4, §3.2.1: 16 octets an A record behind a pointer; around them 12 of header, 4 of the
// question's type and class, and the name: 65,535 − 16 − 15 octets hold 4,094 of them, and no more.
const MOST = Math.floor((65_535 - 16 - 15) / 16)

test('as many records as a message holds', () => {
  const { zones, problems } = loadText(FIXTURE + lines(MOST, i => `m A ${address(i)}`))
  expect(problems).toEqual([])
  expect(rrsetTexts(zones, findText(zones, 'm.example.com.', 'A').rrset)).toHaveLength(MOST)
})

test.each([MOST + 1, 50_000])(
  '%i records in one RRset are refused, where the first stands that does not fit',
  count => {
    const { problems } = loadText(FIXTURE + lines(count, i => `m A ${address(i)}`))
    expect(problems).toEqual([
      `z:${8 + MOST + 1}:1: m.example.com. has more A records than a message holds · at most 65535 octets`,
    ])
  },
)

test('RFC 2181 §5 of 60,000 records that say 3,000 things, the first of each is kept', () => {
  const { zones, problems, warnings } = loadText(
    FIXTURE + lines(60_000, i => `m A ${address(i % 3000)}`),
  )
  expect(problems).toEqual([])
  expect(rrsetTexts(zones, findText(zones, 'm.example.com.', 'A').rrset)).toEqual(
    Array.from({ length: 3000 }, (_, i) => `m.example.com. 300 A ${address(i)}`),
  )
  expect(warnings).toHaveLength(1001)
  expect(warnings[0]).toBe('z:3009:1: a second A record with the same data · remove it')
})

test.each([5, 63, 64, 65, 500])(
  '%i types of a name in any order become ascending RRsets',
  count => {
    const type = (i: number) => 1000 + ((i * 7919) % count)
    const text = lines(count, i => `m TYPE${type(i)} \\# 1 01\nm TYPE${type(i)} \\# 1 00`)
    const { zones } = loadText(FIXTURE + text)
    const records = allTexts(zones).filter(record => record.startsWith('m.'))
    expect(records).toEqual(
      Array.from({ length: count }, (_, i) => 1000 + i).flatMap(of => [
        `m.example.com. 300 TYPE${of} \\# 1 01`,
        `m.example.com. 300 TYPE${of} \\# 1 00`,
      ]),
    )
  },
)

describe('offsets never wrap: what is too much for a column is a Problem', () => {
  const text = FIXTURE + lines(5000, i => `h${i} A ${address(i)}`)
  const file = { file: 'z', include: () => wrong('no includes') }
  const parsed = (most: number) => {
    const found = remarks()
    return { records: parseZone({ ...file, stream: textStream(text) }, found, most), found }
  }

  test('of one zone, where the first record stands that has no room', () => {
    // Names of 18 octets at most: 16 KiB hold 910 of them, and 3 MiB all 5,000.
    const { problems } = parsed(1 << 14).found
    expect(problems).toEqual([
      expect.objectContaining({ what: 'the zone has more than 16384 octets of names, or of data' }),
    ])
    expect(problems[0]?.line).toBeGreaterThan(900)
    expect(problems[0]?.line).toBeLessThan(1000)
    expect(parsed(3 << 20).found.problems).toEqual([])
  })

  test('of what one directive makes', () => {
    const { problems } = loadText(
      `${FIXTURE}$GENERATE 1-1000000 h-$ TXT ${'x'.repeat(200)}\n`,
      {},
      [],
      textStream,
      1 << 20,
    )
    expect(problems).toEqual([
      expect.stringContaining('z:9:1: the zone has more than 1048576 octets'),
    ])
  })

  test('of all zones together', () => {
    // 16 octets of each A record, and a few more: beyond 64 KiB, below 96.
    const compiled = (most: number) => {
      const { records, found } = parsed(3 << 20)
      compileZones(records === undefined ? [] : [records], [], found, most)
      return found.problems.map(problemText)
    }
    expect(compiled(1 << 16)).toEqual([
      'z: zones up to example.com. take more than 65536 octets together',
    ])
    expect(compiled(3 << 20)).toEqual([])
  })
})
