/** The report: one file that asks for nothing, escapes what came from the network, and can be read. */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { judgeUnits } from '../../probe/judge/units.ts'
import { program } from '../../probe/program.ts'
import { reportPage } from '../../probe/tell/html/page.ts'
import { THEMES } from '../../probe/tell/html/palette.ts'
import { describeWith, find } from '../kit/process.ts'
import { observe } from './judge-simulate.ts'
import { absent, labWorld, paper } from './world.ts'

const HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(2)>\u001b[31m'

function hostilePage(): string {
  const observations = Array.from({ length: 5 }, (_, sequence) =>
    observe(
      undefined,
      { answers: [`${HOSTILE}${sequence % 2}`] },
      { name: HOSTILE, sequence, at: 20 * sequence, instance: HOSTILE },
    ),
  )
  const options = { command: 'dns2', seed: 1, alpha: 0.001, samples: 5, panel: [] } as const
  const unit = { name: HOSTILE, type: 'A', chain: [], servers: [HOSTILE] } as const
  const units = [{ ...unit, after: 'nothing', trust: undefined, observations }] as const
  const judgements = judgeUnits(units, options)
  return reportPage({
    head: {
      tool: { name: 'lbprobe', version: HOSTILE },
      began: '2026-12-01T10:00:00Z',
      options,
      plan: { maxQueries: 500, rate: 20 },
    },
    judgements,
    units,
    baseline: { judgements, units, began: HOSTILE },
    world: { width: 960, height: 400, shapes: [], spotOf: () => ({ x: 0, y: 0 }) },
    places: new Map(),
  })
}

test('what came from the network is text', () => {
  const page = hostilePage()
  expect(page).not.toMatch(/<script|<img/)
  expect(page.includes('\u001b')).toBe(false)
  expect(page).toContain('&lt;script&gt;alert(1)')
})

test('nothing is asked for outside', () => {
  const page = hostilePage()
  expect(page).not.toMatch(/(?:src|href)="(?!#)|url\(|@import/)
  expect(page).toContain(
    'default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;; img-src data:',
  )
})

/** Relative luminance. WCAG 2.2. */
function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map(at => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

describe('WCAG 2.2 1.4.3 contrast is at least 4.5', () => {
  for (const [name, theme] of Object.entries(THEMES)) {
    for (const ink of ['ink', 'faint', 'accent', 'good', 'bad', 'doubtful'] as const) {
      test(`${name}: ${ink}`, () => {
        expect(contrast(theme[ink], theme.paper)).toBeGreaterThanOrEqual(4.5)
        expect(contrast(theme[ink], theme.card)).toBeGreaterThanOrEqual(4.5)
      })
    }
  }
})

describeWith(['chromium'], 'in Chromium', () => {
  test('no request, no complaint, folds open by keyboard, no sideways scrolling', async () => {
    const { chromium } = await import('playwright-core')
    const folder = await mkdtemp(join(tmpdir(), 'lbprobe-report-'))
    const file = join(folder, 'report.html')
    await writeFile(file, hostilePage())
    const browser = await chromium.launch({
      executablePath: find('chromium') ?? '',
      args: ['--no-sandbox'],
    })
    try {
      const page = await browser.newPage({ viewport: { width: 390, height: 900 } })
      const [asked, said] = [[] as string[], [] as string[]]
      page.on('request', request => asked.push(request.url()))
      page.on('console', message => said.push(message.text()))
      page.on('dialog', dialog => said.push(dialog.message()))
      await page.goto(`file://${file}`)
      await page.locator('summary').focus()
      await page.keyboard.press('Enter')
      expect(await page.locator('details[open]').count()).toBe(1)
      const width = await page.evaluate('document.documentElement.scrollWidth')
      const levels = await page.locator('h1,h2,h3').evaluateAll(all => all.map(one => one.nodeName))
      expect([asked, said, width]).toEqual([[`file://${file}`], [], 390])
      expect(levels.filter(level => level === 'H1').length).toBe(1)
      await page.screenshot({ path: join(folder, 'narrow.png') })
    } finally {
      await browser.close()
    }
  })
})

describe('the command', () => {
  /** Files in memory, with two recordings in them. */
  async function recorded() {
    const files = new Map<string, string>()
    const disk = {
      readText: async (path: string) => files.get(path) ?? absent(path),
      writeText: async (path: string, text: string) => {
        if (path.startsWith('full/')) throw Object.assign(new Error(path), { code: 'ENOSPC' })
        files.set(path, text)
      },
      appendText: async (path: string, text: string) =>
        void files.set(path, (files.get(path) ?? '') + text),
    }
    const use = async (line: string) => {
      const [out, err] = [paper(), paper()]
      const exit = await program(line.split(' '), labWorld({ out, err, ...disk }))
      return { exit, out: out.text(), err: err.text() }
    }
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
    for (const part of ['Who gets what', 'By country', 'Findings', 'What moved', 'ECS004']) {
      expect(page).toContain(part)
    }
    const count = (pattern: RegExp): number => page.match(pattern)?.length ?? 0
    expect(count(/<table/g)).toBeGreaterThan(3)
    expect(count(/<caption/g)).toBe(count(/<table/g))
    expect(count(/<th(?= |>)/g)).toBe(count(/<th scope="(?:col|row)"/g))
    expect(count(/<svg/g)).toBeGreaterThan(2)
    const named = count(/<svg[^>]*role="img"[^>]*><title>/g)
    expect(named).toBeGreaterThan(2)
    expect(named + count(/<svg[^>]*aria-hidden="true"/g)).toBe(count(/<svg/g))
    const levels = [...page.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level))
    expect(levels[0]).toBe(1)
    for (const [at, level] of levels.entries())
      expect(level - (levels[at - 1] ?? 0)).toBeLessThan(2)
    expect(page).toMatch(/<a class="skip" href="#verdicts"/)
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
