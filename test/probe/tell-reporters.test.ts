/**
 * Reporters, each held against its own format: SARIF against the schema, metrics against promlint,
 * annotations against the runner's rules of escaping, the rest against a reader of another make.
 */
import { createRequire } from 'node:module'
import Ajv from 'ajv'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { finding } from '../../probe/judge/finding.ts'
import type { Ruling } from '../../probe/judge/ruling.ts'
import { githubText } from '../../probe/tell/reporters/github.ts'
import { junitText } from '../../probe/tell/reporters/junit.ts'
import { markdownText } from '../../probe/tell/reporters/markdown.ts'
import { nagiosText } from '../../probe/tell/reporters/nagios.ts'
import { prettyText } from '../../probe/tell/reporters/pretty.ts'
import { promText } from '../../probe/tell/reporters/prom.ts'
import type { Report } from '../../probe/tell/reporters/report.ts'
import { sarifText } from '../../probe/tell/reporters/sarif.ts'
import { tapText } from '../../probe/tell/reporters/tap.ts'
import { PLAIN } from '../../probe/tell/style.ts'
import { families } from '../kit/exposition.ts'
import { lint } from '../kit/promlint.ts'
import { readXml } from '../kit/xml.ts'
import { lbprobe, NS1 } from './checks-kit.ts'

const AT = { file: 'dir with space/lb:probe,1.yaml', line: 12, column: 5 }

function ruling(state: Ruling['state'], over: Partial<Ruling> = {}): Ruling {
  const base = { name: 'www.example.com', type: 'A', assertion: 'rotation', at: AT }
  return { ...base, state, expected: 'shuffled-list', seen: 'fixed-list', ...over }
}

/** What a hostile name server, or file, would put there. */
const EVIL = '\u001b[31m<&>"\']]> \u0000\ud800 100%,a:b\r\n::error::x | `#` ok 1 - x'

const REPORT: Report = {
  version: '0.1.0',
  command: 'check',
  rulings: [
    ruling('pass'),
    ruling('fail', { assertion: 'by_country.DE.within', seen: EVIL, expected: EVIL }),
    ruling('inconclusive', { assertion: 'ecs.verdict', name: EVIL }),
    ruling('fail', { assertion: 'verdict', at: undefined }),
  ],
  remarks: [
    { name: 'www.example.com', type: 'A', at: AT, finding: finding('ECS006', EVIL, EVIL) },
    { name: 'www.example.com', type: 'A', at: undefined, finding: finding('ECS018', 'x') },
  ],
  figures: [],
  exit: 1,
  failed: [EVIL],
  seconds: 1.25,
}

const EMPTY: Report = { ...REPORT, rulings: [], remarks: [], exit: 9, failed: ['no reply'] }

describe('sarif', () => {
  const require = createRequire(import.meta.url)
  const schema = require('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json')
  const ajv = new Ajv({ schemaId: 'auto', format: 'full', allErrors: true })
  ajv.addMetaSchema(require('ajv/lib/refs/json-schema-draft-04.json'))
  const holds = ajv.compile(schema)

  for (const [rule, report] of [
    ['rulings and findings', REPORT],
    ['nothing', EMPTY],
  ] as const) {
    test(`keeps to the schema of 2.1.0: ${rule}`, () => {
      const log = JSON.parse(sarifText(report))
      expect(holds(log), JSON.stringify(holds.errors)).toBe(true)
    })
  }

  test('the schema refuses what is no SARIF', () => {
    const log = JSON.parse(sarifText(REPORT))
    log.runs[0].results[0].level = 'fatal'
    expect(holds(log)).toBe(false)
  })

  test('§3.27: a result is at its line, of a rule that comes along', () => {
    const [run] = JSON.parse(sarifText(REPORT)).runs
    const [first, second] = run.results
    expect(first).toMatchObject({ ruleId: 'assert/by_country', kind: 'fail', level: 'error' })
    expect(first.locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'dir%20with%20space/lb:probe,1.yaml', uriBaseId: '%SRCROOT%' },
      region: { startLine: 12, startColumn: 5 },
    })
    expect(second).toMatchObject({ ruleId: 'assert/ecs.verdict', kind: 'open', level: 'none' })
    for (const { ruleId, ruleIndex } of run.results) {
      expect(run.tool.driver.rules[ruleIndex]).toMatchObject({
        id: ruleId,
        help: { text: expect.stringMatching(/./) },
      })
    }
    const ids = run.results.map(({ ruleId }: { ruleId: string }) => ruleId)
    expect(ids).toContain('ECS006')
  })

  test('a file that is wrong is a result at its place', async () => {
    const files = { 'x.yaml': 'version: 1\nchecks: 7\n' }
    const { files: written } = await lbprobe(['check', 'x.yaml', '--reporter', 'sarif=s'], files)
    const log = JSON.parse(written.s ?? '')
    expect(holds(log)).toBe(true)
    expect(log.runs[0].invocations[0]).toMatchObject({ executionSuccessful: false, exitCode: 2 })
    expect(log.runs[0].results[0].locations[0].physicalLocation.region.startLine).toBe(2)
  })
})

describe('junit', () => {
  const text = junitText(REPORT)
  const tree = readXml(text.replace(/^<\?xml.*\?>\n/, ''))
  const elements = (from: typeof tree) => from.children.filter(one => typeof one !== 'string')

  test('counts what it holds', () => {
    expect(tree.attributes).toMatchObject({ tests: '4', failures: '2', errors: '0', skipped: '1' })
    const suites = elements(tree)
    const cases = suites.flatMap(elements)
    expect(suites.map(({ attributes }) => attributes.tests)).toEqual(['3', '1'])
    expect(cases.flatMap(elements).map(({ name }) => name)).toEqual([
      'failure',
      'failure',
      'skipped',
    ])
  })

  test('XML 1.0 §2.2: no character that may not stand there', () => {
    expect(text).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u)
    expect(text).not.toContain('<&>')
  })
})

describe('github', () => {
  const lines = githubText(REPORT).trimEnd().split('\n')

  test('one command a line, whatever stands in it', () => {
    for (const line of lines) expect(line).toMatch(/^::(error|warning|notice) [^:]*::/)
    expect(lines).toHaveLength(6)
  })

  // actions/toolkit command.ts: % \r \n in data; those and : , in properties
  test('%, line ends, colons and commas are escaped', () => {
    const place = 'file=dir with space/lb%3Aprobe%2C1.yaml,line=12,col=5'
    expect(lines[0]).toContain(`::error ${place},title=www.example.com A%3A by_country.DE.within::`)
    expect(lines[0]).toContain('100%25,a:b%0D%0A::error::x')
    expect(githubText(REPORT)).not.toContain('\u001b')
  })

  test('what fails is an error, what cannot be said a warning, a note a notice', () => {
    expect(lines.map(line => line.split(' ')[0])).toEqual([
      '::error', '::warning', '::error', '::error', '::notice', '::error',
    ]) // biome-ignore format: list
  })
})

describe('tap', () => {
  test('TAP 14: version, plan, points, and YAML under what fails', () => {
    const lines = tapText(REPORT).split('\n')
    expect(lines.slice(0, 3)).toEqual([
      'TAP version 14',
      '1..4',
      'ok 1 - www.example.com A rotation',
    ])
    const points = lines.filter(line => /^(not )?ok /.test(line))
    expect(points.map(line => line.match(/^(not )?ok \d+/)?.[0])).toEqual([
      'ok 1', 'not ok 2', 'ok 3', 'not ok 4',
    ]) // biome-ignore format: list
    expect(points[2]).toContain('\\#')
    expect(points[2]).toContain(' # SKIP cannot be said: ')
    const block = tapText(REPORT).match(/ {2}---\n([\s\S]*?) {2}\.\.\.\n/)?.[1] ?? ''
    expect(Object.keys(parse(block))).toEqual(['expected', 'seen', 'at'])
  })

  test('nothing measured bails out', () => {
    expect(tapText(EMPTY)).toContain('1..0\n')
    expect(tapText(EMPTY)).toContain('Bail out!')
  })
})

describe('nagios', () => {
  test('one line, one bar, performance data after it', () => {
    const text = nagiosText(REPORT)
    expect(text.split('\n')).toHaveLength(2)
    const [status, data, more] = text.trimEnd().split('|')
    expect([status?.slice(0, 18), more]).toEqual(['LBPROBE CRITICAL -', undefined])
    expect(data?.trim()).toBe(
      'passed=1;;;0 failed=2;;0;0 inconclusive=1;0;;0 queries=0;;;0 time=1.250s;;;0',
    )
  })
})

describe('prom', () => {
  test('promtool check metrics finds nothing', async () => {
    const files = { 'x.yaml': `version: 1\nchecks:\n${CHECKS}` }
    const { files: written } = await lbprobe(
      ['check', NS1, 'x.yaml', '--reporter', 'prom=m'],
      files,
    )
    for (const text of [promText(REPORT), promText(EMPTY), written.m ?? '']) {
      expect(lint(families(text))).toEqual([])
    }
    const held = families(written.m ?? '')
    const sample = (name: string) => held.find(family => family.name === name)?.samples
    expect(sample('probe_success')?.[0]?.value).toBe(1)
    expect(sample('lbprobe_verdict')?.map(({ labels }) => labels.verdict)).toEqual([
      'single',
      'lying-scope',
    ])
    expect(sample('lbprobe_finding')?.[0]?.labels.id).toBe('ECS004')
  })
})

const CHECKS = `  - {name: single.lab.test, rotation: single}
  - {name: lying-scope.lab.test, ecs: {verdict: lying-scope}}
`

describe('markdown', () => {
  test('what the network says is no markup', () => {
    const rows = markdownText(REPORT)
      .split('\n')
      .filter(line => line.startsWith('|'))
    const cells = rows.map(row => row.replaceAll('\\|', '').split('|').length)
    expect(new Set(cells)).toEqual(new Set([8, 7]))
    expect(markdownText(REPORT)).not.toMatch(/<&|[^\P{Cc}\n]/u)
  })
})

describe('pretty', () => {
  test('what fails has its place below it, what holds none', () => {
    expect(prettyText({ ...REPORT, rulings: REPORT.rulings.slice(0, 1) }, PAGE)).toContain(
      'www.example.com A\n  ok    rotation  fixed-list\n  error  ECS006',
    )
    expect(prettyText({ ...REPORT, rulings: [ruling('fail')], remarks: [] }, PAGE)).toBe(
      'www.example.com A\n' +
        '  FAIL  rotation  expected shuffled-list · seen fixed-list\n' +
        '        dir with space/lb:probe,1.yaml:12:5\n\n' +
        '1 assertion: 0 hold, 1 fails · 0 queries in 1.3 s\n',
    )
  })
})

const PAGE = { style: PLAIN, width: undefined }

describe('several at once', () => {
  const files = { 'x.yaml': `version: 1\nchecks:\n${CHECKS}` }

  test('each to its file, and stdout is for people', async () => {
    const names = ['junit', 'sarif', 'tap', 'nagios', 'prom', 'markdown', 'github', 'pretty']
    const flags = names.flatMap(name => ['--reporter', `${name}=out/${name}`])
    const ran = await lbprobe(['check', NS1, 'x.yaml', ...flags], files)
    for (const name of names) expect(ran.files[`out/${name}`], name).toMatch(/./)
    expect(ran.out).toContain('2 assertions: 2 hold')
  })

  test('annotations and pretty share stdout; the step summary is added to what is there', async () => {
    const environment = { GITHUB_STEP_SUMMARY: 'summary.md' }
    const held = { ...files, 'summary.md': 'before\n' }
    const words = ['check', NS1, 'x.yaml', '--reporter', 'github']
    const ran = await lbprobe(words, held, { environment })
    expect(ran.out).toMatch(/::error file=x.yaml,line=4,col=12,.*ECS004[\s\S]*2 assertions: 2 hold/)
    expect(ran.files['summary.md']).toMatch(/^before\n## lbprobe check\n/)
  })

  test('dns2 and ecs have them too', async () => {
    const words = [
      'ecs',
      NS1,
      'A',
      'lying-scope.lab.test',
      '--expect',
      'geo',
      '--reporter',
      'junit',
    ]
    const { out, exit } = await lbprobe(words)
    expect(exit).toBe(1)
    expect(out).toMatch(/^<\?xml[\s\S]*failures="1"[\s\S]*expected geo/)
    const other = await lbprobe(['dns2', NS1, 'A', 'single.lab.test', '--reporter', 'tap=t'])
    expect(other.out).toContain('gives one address')
    expect(other.files.t).toContain('ok 1 - single.lab.test A verdict')
  })
})
