/** The report: one file that asks for nothing, escapes what came from the network, and says what it is. */
import { describe, expect, test } from 'vitest'
import { judgeUnits } from '../../probe/judge/units.ts'
import { placed } from '../../probe/tell/html/marks.ts'
import { reportPage } from '../../probe/tell/html/page.ts'
import { GROUPS, THEMES } from '../../probe/tell/html/palette.ts'
import { contrast } from './report-eyes.ts'
import { desk, endedPage, hostilePage, hostileReport } from './report-pages.ts'

test('what came from the network is text', () => {
  const page = hostilePage()
  expect(page).not.toMatch(/<script|<img/)
  expect(page.includes('\u001b')).toBe(false)
  expect(page).toContain('&lt;script&gt;alert(1)')
})

test('nothing is asked for outside: a link is followed by the reader alone', () => {
  const page = hostilePage()
  const links = /<a href="https:\/\/www\.rfc-editor\.org\//g
  expect(page.replace(links, '')).not.toMatch(/(?:src|href)="(?!#)|url\(|@import/)
  expect(page).toContain(
    'default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;; img-src data:',
  )
})

describe('WCAG 2.2 1.4.3 contrast is at least 4.5, 1.4.11 of marks at least 3', () => {
  for (const [name, theme] of Object.entries(THEMES)) {
    for (const ink of ['ink', 'faint', 'accent', 'good', 'bad', 'doubtful'] as const) {
      test(`${name}: ${ink}`, () => {
        expect(contrast(theme[ink], theme.paper)).toBeGreaterThanOrEqual(4.5)
        expect(contrast(theme[ink], theme.card)).toBeGreaterThanOrEqual(4.5)
      })
    }
    test.each(GROUPS)(`${name}: %s`, fill => {
      expect(contrast(fill, theme.card)).toBeGreaterThanOrEqual(3)
    })
  }
})

describe('letters of the map', () => {
  const room = { width: 400, height: 200 }
  const wish = (x: number, y: number, text = 'A') => ({ spot: { x, y }, text, letter: text })

  test('alone, one stands at its country', () => {
    expect(placed([wish(200, 100)], room, 14)[0]?.at).toEqual({ x: 200, y: 100 })
  })

  test('none covers another, and none leaves the map, however many are wished for', () => {
    const crowd = Array.from({ length: 60 }, (_, at) => wish(2 * at, 3 + (at % 5), 'AB'))
    const marks = placed(crowd, room, 14)
    expect(marks.length).toBeGreaterThan(5)
    for (const [at, one] of marks.entries()) {
      expect(one.at.x - one.width / 2).toBeGreaterThan(0)
      expect(one.at.y - one.height / 2).toBeGreaterThan(0)
      for (const other of marks.slice(at + 1)) {
        const isBeside = Math.abs(one.at.x - other.at.x) >= (one.width + other.width) / 2
        const isBelow = Math.abs(one.at.y - other.at.y) >= (one.height + other.height) / 2
        expect(isBeside || isBelow).toBe(true)
      }
    }
  })
})

// biome-ignore format: table
const ENDS = [
  ['done',        endedPage('done', undefined),                                        undefined],
  ['interrupted', endedPage('partial', { reason: 'interrupted' }),                     'interrupted: this is what was seen until then.'],
  ['deadline',    endedPage('partial', { reason: 'deadline', seconds: 30 }),           'the deadline of 30 s is over: this is what was seen until then.'],
  ['killed',      endedPage('cut', undefined),                                         'the recording has no end: the run was killed, or is not over yet.'],
] as const
test.each(ENDS)('a run that ended so: %s', (_, page, said) => {
  expect(page.includes('Partial: ')).toBe(said !== undefined)
  if (said !== undefined) expect(page).toContain(`<strong>Partial: </strong>${said}`)
})

test('a run in which nothing was asked has a page that says so', () => {
  const page = reportPage({ ...hostileReport(), judgements: [], units: [], baseline: undefined })
  expect(page).toContain('<h1>Nothing was asked</h1>')
  expect(page).not.toMatch(/NaN|undefined|Infinity/)
})

test('a query costs at most 200 octets of the file, and none of the charts', () => {
  const sizeOf = (count: number): number => {
    const report = hostileReport(count)
    const units = report.units.map(unit => ({ ...unit, name: 'a.test', servers: ['192.0.2.1#53'] }))
    const plain = units.map(unit => ({
      ...unit,
      observations: unit.observations.map(seen => ({
        ...seen,
        ...{ name: 'a.test', instance: undefined, answers: [`192.0.2.${seen.sequence % 8}`] },
      })),
    }))
    const judgements = judgeUnits(plain, report.head.options)
    return reportPage({ ...report, units: plain, judgements, baseline: undefined }).length
  }
  const [few, many] = [sizeOf(1000), sizeOf(6000)]
  expect((many - few) / 5000).toBeLessThan(200)
})

describe('the command', () => {
  async function recorded() {
    const { files, use } = desk()
    for (const name of ['geo', 'lying-scope']) {
      await use(`ecs -q A @127.0.0.1:5300 ${name}.lab.test --record ${name}.jsonl`)
    }
    return { files, use }
  }

  test('a page with map, countries, findings and what moved: every table and picture has its name', async () => {
    const { files, use } = await recorded()
    const line = 'report lying-scope.jsonl -o r.html --baseline lying-scope.jsonl'
    expect(await use(line)).toEqual({ exit: 0, out: '', err: '' })
    const page = files.get('r.html') ?? ''
    for (const part of ['Who gets what', 'By country', 'Findings', 'Nothing moved.', 'ECS004']) {
      expect(page).toContain(part)
    }
    const count = (pattern: RegExp): number => page.match(pattern)?.length ?? 0
    expect(count(/<table/g)).toBeGreaterThan(3)
    expect(count(/<caption/g)).toBe(count(/<table/g))
    expect(count(/<th(?= |>)/g)).toBe(count(/<th scope="(?:col|row)"/g))
    expect(count(/<svg/g)).toBeGreaterThan(2)
    const named = count(/<svg[^>]*role="img"[^>]*><title>/g)
    expect(named).toBe(2)
    expect(named + count(/<svg[^>]*aria-hidden="true"/g)).toBe(count(/<svg/g))
    const levels = [...page.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level))
    expect(levels[0]).toBe(1)
    for (const [at, level] of levels.entries())
      expect(level - (levels[at - 1] ?? 0)).toBeLessThan(2)
    expect(page).toMatch(/<a class="skip" href="#main"/)
    expect(page).toContain('<title>lying-scope.lab.test · lbprobe ecs</title>')
  })

  test('the line that measures again does: the same verdict, by the same queries', async () => {
    const { files, use } = await recorded()
    await use('report geo.jsonl -o r.html')
    const [, said = ''] =
      /<dt>again<\/dt><dd><code>lbprobe ([^<]*)</.exec(files.get('r.html') ?? '') ?? []
    await use(`${said} -q --record again.jsonl`)
    const sentIn = (file: string): readonly string[] =>
      [...(files.get(file) ?? '').matchAll(/"sent":\{"text":"([^"]*)"/g)].map(
        ([, text = '']) => text,
      )
    expect(sentIn('geo.jsonl').length).toBeGreaterThan(50)
    expect(sentIn('again.jsonl')).toEqual(sentIn('geo.jsonl'))
  })

  test('what the earlier recording had and this one has not is said', async () => {
    const { files, use } = await recorded()
    await use('report geo.jsonl -o r.html --baseline lying-scope.jsonl')
    const page = files.get('r.html') ?? ''
    expect(page).toContain('<strong>Not asked for again: </strong>lying-scope.lab.test A.')
    expect(page).toContain('This name and type was not in the earlier recording.')
  })

  // biome-ignore format: table
  const WRONG = [
    ['report',                                      'report takes one recording'],
    ['report absent.jsonl',                         'absent.jsonl: no such file'],
    ['report geo.jsonl --baseline absent.jsonl',    'absent.jsonl: no such file'],
    ['report geo.jsonl -o full/r.html',             '--output full/r.html: the disk is full'],
  ] as const
  test.each(WRONG)('%s', async (line, said) => {
    const { use } = await recorded()
    const { exit, err } = await use(line)
    expect(err).toContain(said)
    expect(exit).toBe(2)
  })
})
