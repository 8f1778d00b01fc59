/** `explain` and `checks`: a page for every word that a report may hold, and what a mistyped one gets. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { FINDING_IDS } from '../../probe/judge/finding.ts'
import { ECS_ANSWER, ROTATION_ANSWER } from '../../probe/judge/verdict.ts'
import { program } from '../../probe/program.ts'
import { ENTRIES, pagesOf } from '../../probe/tell/explain/pages.ts'
import { labWorld, paper } from './world.ts'

async function lbprobe(line: string, columns?: number) {
  const out = paper()
  const err = paper()
  const world = labWorld({ out: { ...out, columns }, err, version: '0' })
  const exit = await program(line.split(' '), world)
  return { exit, out: out.text(), err: err.text() }
}

/** Words that the judge's source puts beside a code. */
function modifiers(): readonly string[] {
  const sources = readdirSync('probe/judge').map(file =>
    readFileSync(`probe/judge/${file}`, 'utf8'),
  )
  const pushed = sources.flatMap(text => [...text.matchAll(/modifiers\.push\(['`]([a-z-]+)/g)])
  return [...new Set(pushed.map(([, word = '']) => word)), 'cname-to']
}

describe('a page for every', () => {
  test.each([...FINDING_IDS])('finding: %s', word => expect(pagesOf(word)).toHaveLength(1))
  test.each(Object.keys(ECS_ANSWER))('code of ecs: %s', word => {
    expect(pagesOf(word).map(({ kind }) => kind)).toContain('verdict of ecs')
  })
  test.each(Object.keys(ROTATION_ANSWER))('code of dns2: %s', word => {
    expect(pagesOf(word).map(({ kind }) => kind)).toContain('verdict of dns2')
  })
  test.each(['real', 'fake', 'none', 'unclear'])('answer: %s', word => {
    expect(pagesOf(word).map(({ kind }) => kind)).toContain('answer')
  })
  test.each(modifiers())('word beside a code: %s', word => {
    expect(pagesOf(word).map(({ kind }) => kind)).toContain('modifier')
  })
})

test('no page has a paragraph that is empty, or a word that breaks a line', () => {
  for (const { word, section, page } of ENTRIES) {
    for (const text of [section, ...Object.values(page)]) {
      expect(text, word).toMatch(/^\S.*\S$/)
      expect(Math.max(...text.split(' ').map(part => part.length)), word).toBeLessThan(40)
    }
  }
})

describe('explain', () => {
  // biome-ignore format: table
  const LINES: readonly (readonly [rule: string, line: string, said: RegExp])[] = [
    ['a finding',                    'explain ECS006',          /^ECS006 {2}overlap, error {2}finding\n/],
    ['in any case',                  'explain ecs006',          /^ECS006 /],
    ['by the name of its rule',      'explain overlap',         /^ECS006 /],
    ['a word with what it is about', 'explain cname-to:a.test', /^cname-to {2}modifier\n/],
    ['both commands know the code',  'explain cached',          /verdict of ecs.*verdict of dns2/s],
    ['several words',                'explain real ECS001',     /^real .*\nECS001 /s],
    ['how to see it',                'explain ECS013',          /ecs @127.0.0.1#5300 @127.0.0.2#5300 A mixed-ns\.lab\.test/],
    ['what it takes to see it',      'explain ECS011',          /A lenient\.lab\.test --hostile/],
    ['alone: all of them',           'explain',                 /^word.*\nreal .*\ngeo .*\nweighted .*\nECS001 .*\nDNS007 /s],
  ]
  for (const [rule, line, said] of LINES) {
    test(rule, async () => {
      const { exit, out } = await lbprobe(line)
      expect(out).toMatch(said)
      expect(exit).toBe(0)
    })
  }

  test('lines are no longer than the terminal', async () => {
    const { out } = await lbprobe('explain ECS006', 60)
    expect(
      Math.max(
        ...out
          .split('\n')
          .slice(0, -3)
          .map(line => line.length),
      ),
    ).toBeLessThanOrEqual(60)
  })

  // biome-ignore format: table
  const MISTYPED = [
    ['a letter too many', 'explain geoo',     'near it: geo'],
    ['a letter short',    'explain ECS06',    'near it: ECS006'],
    ['of a rule',         'explain overlapp', 'near it: overlap'],
    ['nothing near',      'explain zebra-xx', 'lbprobe explain lists them all'],
  ] as const
  for (const [rule, line, said] of MISTYPED) {
    test(`mistyped: ${rule}`, async () => {
      const { exit, err, out } = await lbprobe(line)
      expect(err).toContain(said)
      expect([exit, out]).toEqual([2, ''])
    })
  }

  test('as JSON', async () => {
    const { out } = await lbprobe('explain --json ECS006')
    expect(JSON.parse(out)).toMatchObject({
      schema: 'lbprobe.explain/1',
      pages: [{ word: 'ECS006', kind: 'finding', section: 'RFC 7871 §7.2.1' }],
    })
  })
})

describe('checks', () => {
  test('a line a finding, under a head', async () => {
    const { out, exit } = await lbprobe('checks')
    const lines = out.trimEnd().split('\n')
    expect(lines.map(line => line.split(' ')[0])).toEqual(['id', ...FINDING_IDS])
    expect(exit).toBe(0)
  })
  test('as JSON', async () => {
    const { out } = await lbprobe('checks --json')
    expect(JSON.parse(out)).toMatchObject({
      schema: 'lbprobe.checks/1',
      checks: FINDING_IDS.map(id => ({ id })),
    })
  })
})
