/** A map as text, CSV, JSON and SVG: small ones, their expected side by hand. */
import { describe, expect, test } from 'vitest'
import { judgeMap, type MapJudgement } from '../../probe/judge/map.ts'
import { rangeOf } from '../../probe/judge/span.ts'
import { mapCsv } from '../../probe/tell/map-csv.ts'
import { mapJson } from '../../probe/tell/map-json.ts'
import { mapText } from '../../probe/tell/map-person.ts'
import { mapSvg } from '../../probe/tell/map-svg.ts'
import { branchText, treeOf } from '../../probe/tell/map-tree.ts'
import { PLAIN } from '../../probe/tell/style.ts'
import { sighting } from './spans.ts'

/** Blocks of 20.0.0.0/8 and what each is answered. */
function judged(...blocks: readonly (readonly [prefix: string, answer: string])[]): MapJudgement {
  const stretches = blocks.map(([prefix, answer]) => {
    const [address = '', bits] = prefix.split('/')
    const seen = sighting(`${address}/24`, Number(bits), answer)
    return { range: rangeOf(seen.claim), seen }
  })
  const space = stretches.reduce((sum, { range }) => sum + range.to - range.from, 0n)
  const swept = {
    server: '192.0.2.53#53',
    sightings: stretches.map(({ seen }) => seen),
    stretches,
    drawn: [],
    pools: new Map<string, string>(),
    mode: 'swept',
    stop: undefined,
    covered: space,
    space,
    asked: blocks.length,
    lost: 0,
  } as const
  return judgeMap(swept, { name: 'www.example.com', type: 'A', seed: 1, orders: 1, sources: [24] })
}

const HALVES = judged(
  ['20.0.0.0/9', '192.0.2.1'],
  ['20.128.0.0/10', '192.0.2.2'],
  ['20.192.0.0/10', '192.0.2.1'],
)

describe('the tree', () => {
  const lines = (most: number): readonly string[] => {
    const nodes = treeOf(HALVES.parts, most)
    return nodes.map(({ groups }, at) => {
      return `${branchText(nodes, at)} ${groups.map(({ letter, share }) => `${letter} ${share}`).join(', ')}`
    })
  }

  test('takes apart what is mixed, and nothing else', () => {
    expect(lines(9)).toEqual([
      '20.0.0.0/8 A 0.75, B 0.25',
      '├ 20.0.0.0/9 A 1',
      '└ 20.128.0.0/9 B 0.5, A 0.5',
      '  ├ 20.128.0.0/10 B 1',
      '  └ 20.192.0.0/10 A 1',
    ])
  })

  test('ends at so many lines', () => {
    expect(lines(1)).toEqual(['20.0.0.0/8 A 0.75, B 0.25'])
    expect(lines(3)).toHaveLength(3)
  })

  test('of nothing is nothing', () => {
    expect(treeOf([], 9)).toEqual([])
  })
})

test('CSV: a line a block, as `lbdns map --csv` begins it', () => {
  expect(mapCsv(HALVES)).toBe(
    'prefix,scope,group,tried,answers\n' +
      '20.0.0.0/9,9,A,1,192.0.2.1\n' +
      '20.128.0.0/10,10,B,1,192.0.2.2\n' +
      '20.192.0.0/10,10,A,1,192.0.2.1\n',
  )
})

test('RFC 4180 §2.6 a cell with commas stands in quotes', () => {
  const odd = judged(['20.0.0.0/9', '"a,b"'], ['20.128.0.0/9', 'c'])
  expect(mapCsv(odd)).toContain('20.0.0.0/9,9,A,1,"""a,b"""\n')
})

test('JSON: one document, its version first', () => {
  const text = mapJson({ tool: { name: 'lbprobe', version: '1' }, judgement: HALVES })
  expect(text.startsWith('{"schema":"lbprobe.map/1"')).toBe(true)
  expect(JSON.parse(text)).toMatchObject({
    kind: 'partition',
    coverage: 1,
    groups: [
      { letter: 'A', share: 0.75, blocks: 2 },
      { letter: 'B', share: 0.25, blocks: 1 },
    ],
    leaves: [{ prefix: '20.0.0.0/9', scope: 9, groups: ['A'] }, {}, {}],
  })
})

test('JSON of a run that never began', () => {
  const error = { code: 'usage', message: 'no name to map' }
  const text = mapJson({ tool: { name: 'lbprobe', version: '1' }, error })
  expect(JSON.parse(text)).toMatchObject({ schema: 'lbprobe.map/1', error, leaves: [] })
})

describe('what comes from the network', () => {
  const EVIL = judged(['20.0.0.0/9', '\u001b[31m<svg/onload=1>'], ['20.128.0.0/9', 'c'])

  test('is no control character on a terminal', () => {
    expect(mapText(EVIL, { style: PLAIN, width: undefined, lines: 9 })).not.toContain('\u001b')
  })

  test('is no element of a picture', () => {
    const svg = mapSvg(EVIL)
    expect(svg).not.toContain('\u001b')
    expect(svg).not.toContain('<svg/')
  })
})

test('SVG: three quarters of the square are of the first group', () => {
  const svg = mapSvg(HALVES)
  const lengths = [...svg.matchAll(/<path d="([^"]+)" stroke="(#[0-9a-f]+)"/g)].map(([, d = '']) =>
    [...d.matchAll(/h(\d+)/g)].reduce((sum, [, length]) => sum + Number(length), 0),
  )
  expect(lengths.sort((a, b) => a - b)).toEqual([128 * 128, 3 * 128 * 128])
})

test('a person is told in so many columns', () => {
  const text = mapText(HALVES, { style: PLAIN, width: 60, lines: 9 })
  const table = text.split('\n').filter(line => /^ {2}(group|[AB] )/.test(line))
  expect(table).toEqual([
    '  group  of all  blocks  answers',
    '  A      75 %    2       192.0.2.1',
    '  B      25 %    1       192.0.2.2',
  ])
  expect(text).toContain('2 answer groups in 3 blocks, none in another')
})
