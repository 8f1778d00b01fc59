/**
 * `-f`: every command in every format that it has, each held against a reader of that format, on
 * stdout and in a file; what it has not, and what contradicts itself, is told.
 */
import dnsPacket from 'dns-packet'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkSchema } from '../../probe/tell/check.ts'
import { diffSchema } from '../../probe/tell/diff-schema.ts'
import { resolverSchema } from '../../probe/tell/resolver-schema.ts'
import { resultSchema } from '../../probe/tell/schema.ts'
import { readCsv, readRecords } from '../kit/csv.ts'
import { readTables } from '../kit/markdown.ts'
import { readXml } from '../kit/xml.ts'
import { deliver, LINES, type Line, NS1, NS2 } from './delivered.ts'
import { type Serve, wireOf } from './in-process.ts'
import { paper } from './world.ts'

const ESCAPE = '\u001b'
const NAMES = Object.keys(LINES) as Line[]
const EVERY = ['pretty', 'plain', 'short', 'json', 'jsonl', 'yaml', 'csv', 'md', 'html', 'svg']

// biome-ignore format: table
const HAS: Readonly<Record<Line, readonly string[]>> = {
  dns2:     ['pretty', 'plain', 'short', 'json', 'jsonl', 'yaml', 'csv', 'md', 'html'],
  ecs:      ['pretty', 'plain', 'short', 'json', 'jsonl', 'yaml', 'csv', 'md', 'html'],
  diff:     ['pretty', 'plain', 'short', 'json', 'jsonl', 'yaml', 'csv', 'md'],
  resolver: ['pretty', 'plain', 'short', 'json', 'jsonl', 'yaml', 'csv', 'md'],
  map:      ['pretty', 'plain', 'short', 'json', 'yaml', 'csv', 'md', 'svg'],
  check:    ['pretty', 'plain', 'json', 'yaml', 'csv', 'md'],
  subnets:  ['pretty', 'plain', 'json', 'yaml', 'csv', 'md'],
}

const SCHEMA: Partial<Record<Line, { parse: (value: unknown) => unknown }>> = {
  dns2: resultSchema,
  ecs: resultSchema,
  diff: diffSchema,
  resolver: resolverSchema,
  check: checkSchema,
}

const linesOf = (text: string): unknown[] =>
  text.split('\n').slice(0, -1).map(line => JSON.parse(line)) // biome-ignore format: one line

/** Reads a text as what it should be; what comes of it says how much was found. */
const READERS: Readonly<Record<string, (text: string, name: Line) => number>> = {
  pretty: (text, name) => Number(text.includes(ESCAPE) || name === 'subnets'),
  plain: text => Number(!text.includes(ESCAPE) && text.length > 20),
  short: text => Number(/^\S+( \S+)+\n$/.test(text)),
  json: (text, name) => {
    const value = JSON.parse(text)
    SCHEMA[name]?.parse(value)
    return Object.keys(value).length
  },
  jsonl: text => linesOf(text).length,
  yaml: text => Object.keys(parse(text)).length,
  csv: text => readCsv(text).length - 1,
  md: text => readTables(text).length,
  html: text => Number(text.startsWith('<!doctype html>') && text.endsWith('</html>\n')),
  svg: text => readXml(text).children.length,
}

describe.each(NAMES)('%s', name => {
  for (const format of HAS[name]) {
    test(`-f ${format}, on stdout and in a file`, async () => {
      const shown = await deliver(`${LINES[name]} -f ${format}`)
      expect(shown.exit, shown.err).toBe(['diff', 'check'].includes(name) ? 1 : 0)
      expect(READERS[format]?.(shown.out, name)).toBeGreaterThan(0)
      const kept = await deliver(`${LINES[name]} -f ${format} -o out.file`)
      expect([kept.exit, kept.out, kept.files.get('out.file')]).toEqual([shown.exit, '', shown.out])
    })

    test(`-f ${format} on a full disk is a sentence`, async () => {
      const { exit, out, err } = await deliver(`${LINES[name]} -f ${format} -o full/x`)
      expect(err).toContain('--output full/x: the disk is full · name a file that can be written')
      expect(exit).toBe(2)
      if (format === 'json') expect(JSON.parse(out)).toMatchObject({ error: { code: 'usage' } })
      else if (format === 'yaml') expect(parse(out)).toMatchObject({ error: { code: 'usage' } })
      else if (format === 'jsonl') expect(linesOf(out).at(-1)).toMatchObject({ error: {} })
      else expect(out).toBe('')
    })
  }

  test('what it has not is told with what it has', async () => {
    for (const format of EVERY.filter(one => !HAS[name].includes(one))) {
      const { exit, out, err } = await deliver(`${LINES[name]} -f ${format}`)
      const there = `there are ${HAS[name].join(', ')}`
      const what = `lbprobe: -f ${format}: not a format here · ${there}\n`
      const document = format === 'jsonl' ? [{ end: 'failed', error: { code: 'usage' } }] : []
      expect([exit, err]).toEqual([2, what])
      expect(linesOf(out)).toMatchObject(document)
    }
  })

  test('YAML is the JSON document, for readers of 1.1 too', async () => {
    const [json, yaml] = await Promise.all(
      ['json', 'yaml'].map(format => deliver(`${LINES[name]} -f ${format}`)),
    )
    const document = JSON.parse(json?.out ?? '')
    expect(parse(yaml?.out ?? '')).toEqual(document)
    expect(parse(yaml?.out ?? '', { version: '1.1' })).toEqual(document)
  })
})

test('YAML 1.1: NO is a country, not a Boolean', async () => {
  const { out } = await deliver(`ecs -q A ${NS1} geo.lab.test --country NO,DE -f yaml`)
  expect(out).toContain('region: "NO"')
})

describe('rows', () => {
  const rows = async (name: Line) => readRecords((await deliver(`${LINES[name]} -f csv`)).out)
  const document = async (name: Line) => JSON.parse((await deliver(`${LINES[name]} -J`)).out)

  test('dns2 and ecs: one for each query', async () => {
    for (const name of ['dns2', 'ecs'] as const) {
      const { queries } = await document(name)
      const seen = (await rows(name)).map(row => [row.seq, row.subnet, row.rcode, row.scope])
      const text = (value: unknown) => (value === undefined ? '' : String(value))
      expect(seen).toEqual(
        queries.map((one: { seq: number; subnet?: string; rcode: string; got?: { scope: 0 } }) =>
          [one.seq, one.subnet, one.rcode, one.got?.scope].map(text),
        ),
      )
    }
  })

  test('diff and resolver: one for each server', async () => {
    const pairs = (await rows('diff')).map(({ server, option }) => [server, option])
    expect(pairs).toEqual([['127.0.0.1#5300', 'exact'], ['127.0.0.2#5300', 'missing']]) // biome-ignore format: row
    const [one, ...more] = await rows('resolver')
    expect([one?.server, one?.verdict, more]).toEqual(['127.0.0.1#5300', 'forwards', []])
  })

  test('map: one for each leaf', async () => {
    const { leaves } = await document('map')
    expect((await rows('map')).map(({ prefix }) => prefix)).toEqual(
      leaves.map(({ prefix }: { prefix: string }) => prefix),
    )
  })

  test('check: one for each assertion, with its line', async () => {
    expect(await rows('check')).toMatchObject([
      { name: 'geo.lab.test', assertion: 'addresses.within', outcome: 'pass', line: '5' },
      { name: 'single.lab.test', assertion: 'rotation', outcome: 'fail', line: '8' },
    ])
  })
})

describe('JSON lines', () => {
  test.each(['dns2', 'ecs'] as const)(
    '%s: a recording with its results, replayed alike',
    async name => {
      const { out } = await deliver(`${LINES[name]} --jsonl`)
      const live = JSON.parse((await deliver(`${LINES[name]} -J`)).out)
      const lines = linesOf(out) as {
        result?: unknown
        end?: string
        schema?: string
        of?: number
      }[]
      expect(lines[0]).toMatchObject({ schema: 'lbprobe.recording/1' })
      expect(lines.filter(({ of }) => of === 0)).toHaveLength(live.queries.length)
      expect(lines.flatMap(({ result }) => result ?? [])).toEqual(live.results)
      expect(lines.at(-1)).toEqual({ end: 'done' })
      const again = await deliver(`${name} -J --replay r.jsonl`, {}, { 'r.jsonl': out })
      expect(JSON.parse(again.out).results).toEqual(live.results)
    },
  )

  test.each(['diff', 'resolver'] as const)(
    '%s: a head, each query, each result, the end',
    async name => {
      const { out } = await deliver(`${LINES[name]} --jsonl`)
      const live = JSON.parse((await deliver(`${LINES[name]} -J`)).out)
      const lines = linesOf(out) as { result?: unknown; query?: unknown }[]
      expect(lines[0]).toEqual({ schema: live.schema, tool: live.tool, plan: live.plan })
      expect(lines.flatMap(({ query }) => query ?? [])).toEqual(live.queries)
      expect(lines.flatMap(({ result }) => result ?? [])).toEqual(live.results)
      expect(lines.at(-1)).toEqual({ end: 'done' })
    },
  )

  test('each query is there before the next is asked', async () => {
    const counts: number[] = []
    const out = paper()
    const serve: Serve = (query, transport) => {
      counts.push(
        out
          .text()
          .split('\n')
          .filter(line => line.startsWith('{"of"')).length,
      )
      return texts(query, transport)
    }
    await deliver(`dns2 -q TXT ${NS1} x.test -n 5 --jsonl`, { out, wire: wireOf(serve) })
    expect(counts).toEqual([0, 1, 2, 3, 4])
  })

  test('no reply is said in the last line', async () => {
    const { exit, out } = await deliver(`dns2 -q A ${NS1} silence.lab.test -n 2 --jsonl`)
    const error = { code: 'no-reply', message: 'no reply from any server' }
    expect([exit, linesOf(out).at(-1)]).toEqual([9, { end: 'done', error }])
  })
})

/** What a hostile zone may say: each of it means something in one of the formats. */
const TEXT = 'a","=1|2\r\n- x: [y] <script>`*_\\'
const NAME = 'a|b*_`<i>,c.test'

/** A server that says so to everybody. */
const texts = (query: Uint8Array, _transport: string) => {
  const { id, questions = [] } = dnsPacket.decode(Buffer.from(query))
  const [{ name, type } = { name: '', type: 'TXT' as const }] = questions
  const answers = type === 'TXT' ? [{ name, type, ttl: 60, data: TEXT } as const] : []
  const flags = dnsPacket.AUTHORITATIVE_ANSWER
  const octets = dnsPacket.encode({ type: 'response', id: id ?? 0, flags, questions, answers })
  return [{ kind: 'message', after: 0, octets }] as const
}

describe('what came from the network stays in its place', () => {
  // RFC 1035 §5.1: in quotes, a backslash before a quote and itself, octets that are no text as \DDD
  const shown = '"a\\",\\"=1|2\\013\\010- x: [y] <script>`*_\\\\"'
  const use = (format: string) =>
    deliver(`dns2 -q TXT ${NS1} ${NAME} -n 3 -f ${format}`, { wire: wireOf(texts) })

  test('CSV', async () => {
    const rows = readRecords((await use('csv')).out)
    const row = { name: NAME, rcode: 'NOERROR', answers: shown }
    expect(rows).toMatchObject([row, row, row])
  })

  test('CSV of diff', async () => {
    const line = `diff -q TXT ${NS1} ${NS2} ${NAME} -f csv`
    const rows = readRecords((await deliver(line, { wire: wireOf(texts) })).out)
    expect(rows.map(({ name, answers }) => [name, answers])).toEqual([[NAME, shown], [NAME, shown]]) // biome-ignore format: row
  })

  test('Markdown', async () => {
    const [table] = readTables((await use('md')).out)
    expect(table?.map(row => row[1])).toEqual(['name', `${NAME} TXT`])
  })

  test('YAML and JSON lines', async () => {
    expect(parse((await use('yaml')).out).queries[0]).toMatchObject({
      name: NAME,
      answers: [shown],
    })
    expect(linesOf((await use('jsonl')).out)[2]).toMatchObject({ name: NAME, answers: [shown] })
  })

  test('HTML', async () => {
    const { out } = await use('html')
    expect(out).not.toMatch(/<script|<i>/)
    expect(out).toContain('&lt;script&gt;')
  })
})

test('-f html is the report of the recording', async () => {
  const line = `${LINES.ecs} --record r.jsonl`
  const { out, files } = await deliver(`${line} -f html`)
  const report = await deliver('report r.jsonl', {}, { 'r.jsonl': files.get('r.jsonl') ?? '' })
  expect(out).toBe(report.out)
})

describe('a run that was cut short says so once, wherever it is told', () => {
  const SENTENCE = /--max-queries 60 ended the measurement of geo\.lab\.test A early/g
  // biome-ignore format: table
  const ROWS = [
    ['-f plain', 'out'], ['-f short', 'err'], ['-f csv', 'err'], ['-f json', 'out'], ['-f yaml', 'out'],
  ] as const
  test.each(ROWS)('%s', async (format, where) => {
    const { exit, out, err } = await deliver(`${LINES.ecs} --max-queries 60 ${format}`)
    const told = [out, err].map(text => text.match(SENTENCE)?.length ?? 0)
    expect([exit, told]).toEqual([0, where === 'out' ? [1, 0] : [0, 1]])
  })

  test('-f jsonl: the last line has it, and a replay too', async () => {
    const { out } = await deliver(`${LINES.ecs} --max-queries 60 --jsonl`)
    expect(linesOf(out).at(-1)).toMatchObject({ end: 'partial', partial: { reason: 'budget' } })
    const again = await deliver('ecs -J --replay r.jsonl', {}, { 'r.jsonl': out })
    expect(JSON.parse(again.out).partial).toMatchObject({ reason: 'budget' })
  })

  test('-f jsonl: lines of a run that was killed can be replayed', async () => {
    const { out } = await deliver(`${LINES.ecs} --jsonl`)
    const cut = out.slice(0, Math.floor(out.length / 2))
    const { exit, err } = await deliver('ecs -J --replay r.jsonl', {}, { 'r.jsonl': cut })
    expect([exit, err]).toEqual([0, expect.stringContaining('cut off, or is not over yet')])
  })
})

describe('two at once are told, and so is what has no place', () => {
  // biome-ignore format: table
  const ROWS = [
    ['-J -f csv',                       '-f csv and --json: one format a run · leave one out'],
    ['-f json --short',                 '-f json and --short: one format a run · leave one out'],
    ['--jsonl -J',                      '--json and --jsonl: one format a run · leave one out'],
    ['+short -f yaml',                  '-f yaml and --short: one format a run · leave one out'],
    ['-f csv --dry-run',                '-f csv: a plan has nothing to put there · with --dry-run: pretty, plain, short, json, jsonl, yaml'],
    ['-f plain --color always',         '--color always and -f plain: plain has no colour · leave one out'],
    ['-f pretty --reporter junit',      '--reporter junit and -f pretty both write to stdout · give one of them a file: --reporter junit=FILE'],
    ['-J --reporter github',            '--reporter github and --json both write to stdout · give one of them a file: --reporter github=FILE'],
    ['-f csv --reporter pretty',        '--reporter pretty and -f csv both write to stdout · give one of them a file: --reporter pretty=FILE'],
    ['--reporter tap --reporter junit', '--reporter tap and --reporter junit both write to stdout · give one of them a file: --reporter tap=FILE'],
  ] as const
  test.each(ROWS)('%s', async (flags, sentence) => {
    const { exit, err } = await deliver(`${LINES.dns2} ${flags}`)
    expect([exit, err]).toEqual([2, `lbprobe: ${sentence}\n`])
  })

  // biome-ignore format: table
  const FINE = [
    ['the same twice',                  '-J -f json'],
    ['each to its own place',           '-J -o out.json --reporter github'],
    ['two that share the page',         '-f plain --reporter github'],
    ['a plan as a document',            '--dry-run -f yaml'],
  ] as const
  test.each(FINE)('but not %s', async (_, flags) => {
    expect((await deliver(`${LINES.dns2} ${flags}`)).exit).toBe(0)
  })
})

describe('a line that cannot be used is a document too', () => {
  // biome-ignore format: table
  const ROWS = [
    ['dns2',     `dns2 ${NS1} x.test -n 0`,        'lbprobe.result/1'],
    ['a flag',   `ecs ${NS1} x.test --frob`,       'lbprobe.result/1'],
    ['diff',     `diff ${NS1} x.test`,             'lbprobe.diff/1'],
    ['resolver', 'resolver x.test',                'lbprobe.resolver/1'],
    ['map',      `map ${NS1}`,                     'lbprobe.map/1'],
    ['check',    `check ${NS1} x.yaml --alpha 9`,  'lbprobe.check/1'],
    ['subnets',  'subnets show',                   'lbprobe.subnets/1'],
  ] as const
  test.each(ROWS)('%s', async (_, line, schema) => {
    const failed = { schema, error: { code: 'usage', message: expect.any(String) } }
    for (const flag of ['-f yaml', '-fyaml', '--format yaml', '--format=yaml', '-J', '-f json']) {
      const { exit, out } = await deliver(`${line} ${flag}`)
      expect([exit, parse(out)]).toEqual([2, expect.objectContaining(failed)])
    }
    const { exit, out } = await deliver(`${line} -f csv`)
    expect([exit, out]).toEqual([2, ''])
  })
})
