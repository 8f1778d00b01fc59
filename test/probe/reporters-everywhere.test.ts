/** `--reporter` of `diff`, `resolver` and `map`: what fails is said as for `ecs`; exit codes stay. */
import { createRequire } from 'node:module'
import Ajv from 'ajv'
import { describe, expect, test } from 'vitest'
import { families } from '../kit/exposition.ts'
import { readTables } from '../kit/markdown.ts'
import { lint } from '../kit/promlint.ts'
import { readXml } from '../kit/xml.ts'
import { deliver, LINES, NS1, NS2 } from './delivered.ts'
import { interruptedAfter } from './in-process.ts'

const SILENT = '@127.0.0.9:5300'
const DIFF = `diff -q A ${NS1} ${NS2}`
const LYING = `map -q ${NS1} lying-scope.lab.test --within 128.0.0.0/6 --samples 29`
const MIRROR = `resolver -q ${NS1} --zone whoami.lab.test`

type Row = readonly [
  line: string,
  exit: number,
  junit: readonly [tests: string, failures: string, skipped: string],
  nagios: readonly [exit: number, line: RegExp],
]

// biome-ignore format: table
const ROWS: readonly Row[] = [
  [`${DIFF} geo.lab.test`,                       0, ['1', '0', '0'], [0, /^LBPROBE OK - 1 of 1 assertions hold \|/]],
  [`${DIFF} partial-ecs.lab.test`,               1, ['1', '1', '0'], [2, /^LBPROBE CRITICAL - partial-ecs\.lab\.test A same: expected servers that say the same/]],
  [`${DIFF} partial-ecs.lab.test --exit-zero`,   0, ['1', '1', '0'], [0, /^LBPROBE CRITICAL/]],
  [`diff -q A ${NS1} ${SILENT} geo.lab.test`,    3, ['1', '0', '1'], [3, /^LBPROBE UNKNOWN - .*only 127\.0\.0\.1#5300 answers/]],
  [`diff -q A ${SILENT} @127.0.0.9:5301 x.test`, 9, ['1', '0', '1'], [2, /^LBPROBE CRITICAL - .*no reply from any of 2 servers/]],
  [MIRROR,                                       0, ['1', '0', '0'], [0, /^LBPROBE OK/]],
  [`${MIRROR} --expect forwards`,                0, ['1', '0', '0'], [0, /^LBPROBE OK/]],
  [`${MIRROR} --expect strips`,                  1, ['1', '1', '0'], [2, /^LBPROBE CRITICAL - 127\.0\.0\.1#5300 verdict: expected strips · seen forwards: /]],
  [`resolver -q ${SILENT} --zone whoami.lab.test`, 9, ['1', '0', '1'], [2, /^LBPROBE CRITICAL/]],
  [LINES.map,                                    0, ['1', '0', '0'], [0, /^LBPROBE OK/]],
  [LYING,                                        0, ['1', '0', '0'], [0, /^LBPROBE OK/]],
  [`${LYING} --fail-on mis-scoped`,              1, ['2', '1', '0'], [2, /^LBPROBE CRITICAL - lying-scope\.lab\.test A fail-on\.mis-scoped: expected no mis-scoped/]],
  [`map -q ${SILENT} geo.lab.test`,              9, ['1', '0', '1'], [2, /^LBPROBE CRITICAL/]],
]

describe.each(ROWS)('%s', (line, exit, [tests, failures, skipped], [grade, words]) => {
  test('junit', async () => {
    const used = await deliver(`${line} --reporter junit`)
    const tree = readXml(used.out.replace(/^<\?xml.*\?>\n/, ''))
    expect([used.exit, tree.attributes]).toMatchObject([exit, { tests, failures, skipped }])
  })

  test('nagios: one line, and its exit codes', async () => {
    const used = await deliver(`${line} --reporter nagios`)
    expect(used.out).toMatch(words)
    expect(used.out.split('\n')).toHaveLength(2)
    expect(used.exit).toBe(grade)
  })
})

describe('of each, as its readers want it', () => {
  const require = createRequire(import.meta.url)
  const ajv = new Ajv({ schemaId: 'auto', format: 'full' })
  ajv.addMetaSchema(require('ajv/lib/refs/json-schema-draft-04.json'))
  const holds = ajv.compile(
    require('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json') as object,
  )
  const failing = {
    diff: `${DIFF} partial-ecs.lab.test`,
    resolver: `${MIRROR} --expect strips`,
    map: `${LYING} --fail-on mis-scoped`,
  }
  const RULES = {
    diff: ['ECS013', 'assert/same'],
    resolver: ['assert/verdict'],
    map: ['ECS004', 'assert/fail-on'],
  }

  test.each(['diff', 'resolver', 'map'] as const)('%s', async name => {
    const reporters = ['sarif', 'github', 'tap', 'prom', 'markdown']
    const wish = reporters.map(one => `--reporter ${one}=${one}`).join(' ')
    const { exit, out, files } = await deliver(`${failing[name]} ${wish}`)
    const kept = (file: string) => files.get(file) ?? ''
    expect(exit).toBe(1)
    expect(out).toContain(name === 'resolver' ? '127.0.0.1#5300' : 'lab.test A')

    const sarif = JSON.parse(kept('sarif'))
    expect(holds(sarif), JSON.stringify(holds.errors)).toBe(true)
    const results = sarif.runs[0].results.map(({ ruleId }: { ruleId: string }) => ruleId)
    expect([...new Set(results)].sort()).toEqual(RULES[name])
    expect(sarif.runs[0].invocations[0]).toMatchObject({ exitCode: 1, executionSuccessful: true })

    expect(kept('github')).toMatch(/^::error title=/m)
    expect(kept('tap')).toMatch(/^not ok \d - /m)
    expect(readTables(kept('markdown'))[0]?.some(([state]) => state === '**fails**')).toBe(true)
    expect(lint(families(kept('prom')))).toEqual([])
    expect(kept('prom')).toMatch(new RegExp(`^lbprobe_verdict\\{.*kind="${name}",verdict="`, 'm'))
  })
})

describe('an interrupted map says so once', () => {
  // biome-ignore format: table
  const ROWS = [
    ['on the page',           '',       'out'],
    ['beside rows',           '-f csv', 'err'],
    ['in the document too',   '-J',     'both'],
  ] as const
  test.each(ROWS)('%s', async (_, format, where) => {
    const stop = new AbortController()
    const over = { wire: interruptedAfter(300, stop), interrupt: stop.signal }
    const line = `${LINES.map} --record r.jsonl ${format}`.trim()
    const { exit, out, err } = await deliver(line, over)
    const count = (text: string) => text.match(/partial: \S+ .*, then interrupted/g)?.length ?? 0
    expect(exit).toBe(130)
    expect([count(out), count(err)]).toEqual({ out: [1, 0], err: [0, 1], both: [1, 1] }[where])
    expect(err.match(/the same command with --resume r\.jsonl goes on/g)).toHaveLength(1)
  })
})
