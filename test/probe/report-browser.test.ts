/**
 * Reports of runs in the lab, looked at in Chromium: in every colour scheme, at every width and size
 * of letters, on paper, by keyboard, and by the rules of axe. A screen reader's ear it has not.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { describeWith, find, folder, stopAll } from '../kit/process.ts'
import {
  colors,
  contrast,
  cutOff,
  focusable,
  focused,
  moving,
  openAll,
  textAmiss,
} from './report-eyes.ts'
import { labPages } from './report-pages.ts'

vi.setConfig({ testTimeout: 120_000 })

const PAGES = ['now', 'six', 'dns2', 'hostile'] as const

/** A4 less its margins, in CSS pixels. */
const PAPER = 688

type Mode = {
  readonly context: BrowserContextOptions
  readonly letters?: number
  readonly paper?: true
}
const sized = (width: number, rest: BrowserContextOptions = {}): Mode => ({
  context: { viewport: { width, height: 900 }, ...rest },
})

// biome-ignore format: table
const MODES: Readonly<Record<string, Mode>> = {
  'light':                    sized(1280, { colorScheme: 'light' }),
  'dark':                     sized(1280, { colorScheme: 'dark' }),
  'very wide':                sized(1920),
  'tablet':                   sized(768),
  'narrow':                   sized(360),
  'narrow and dark':          sized(360, { colorScheme: 'dark' }),
  '200 % zoom':               sized(640, { deviceScaleFactor: 2 }),
  '400 % zoom':               sized(320, { deviceScaleFactor: 4 }),
  'letters of 32 px':         { ...sized(1280), letters: 32 },
  'narrow, letters of 32 px': { ...sized(360), letters: 32 },
  'reduced motion':           sized(1280, { reducedMotion: 'reduce' }),
  'forced colours':           sized(1280, { forcedColors: 'active' }),
  'paper':                    { ...sized(PAPER, { colorScheme: 'dark' }), paper: true },
}

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

type Said = { readonly asked: string[]; readonly said: string[] }

describeWith(['chromium'], 'in Chromium', () => {
  let browser: Browser
  const files = new Map<string, string>()

  beforeAll(async () => {
    const { chromium } = await import('playwright-core')
    const pages = await labPages()
    const where = folder(Object.fromEntries(pages.map(([name, text]) => [`${name}.html`, text])))
    for (const [name] of pages) files.set(name, `file://${join(where, name)}.html`)
    browser = await chromium.launch({
      executablePath: find('chromium') ?? '',
      args: ['--no-sandbox'],
    })
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await stopAll()
  })

  async function open(name: string, { context, letters, paper }: Mode): Promise<Page & Said> {
    const page = await browser.newPage(context)
    const [asked, said] = [[] as string[], [] as string[]]
    page.on('request', request => asked.push(request.url()))
    page.on('console', message => said.push(message.text()))
    page.on('pageerror', error => said.push(error.message))
    page.on('dialog', dialog => said.push(dialog.message()))
    if (letters !== undefined) {
      const session = await page.context().newCDPSession(page)
      await session.send('Page.enable')
      await session.send('Page.setFontSizes', { fontSizes: { standard: letters, fixed: letters } })
    }
    if (paper) await page.emulateMedia({ media: 'print' })
    await page.goto(files.get(name) ?? '')
    return Object.assign(page, { asked, said })
  }

  describe.each(Object.entries(MODES))('%s', (mode, how) => {
    test.each(PAGES)('%s: all of it can be read, and it asks for nothing', async name => {
      const page = await open(name, how)
      await page.evaluate(openAll)
      const width = await page.evaluate('document.documentElement.scrollWidth')
      expect(width).toBeLessThanOrEqual(how.context.viewport?.width ?? 0)
      expect(await page.evaluate(textAmiss)).toEqual([])
      expect(await page.evaluate(cutOff)).toEqual([])
      expect(await page.evaluate(moving)).toEqual([])
      const seen = mode === 'forced colours' ? [] : await page.evaluate(colors)
      const pale = seen.filter(({ color, ground, least }) => contrast(color, ground) < least)
      expect(pale).toEqual([])
      expect([page.asked, page.said]).toEqual([[files.get(name)], []])
      await page.close()
    })
  })

  test.each(PAGES)('%s: the rules of axe, WCAG 2.2 AA and what is best', async name => {
    const page = await open(name, MODES.narrow ?? sized(360))
    await page.evaluate(readFileSync(axe, 'utf8'))
    const found = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as {
      violations: { id: string; nodes: { html: string }[] }[]
    }
    const wrong = found.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
    expect(wrong).toEqual([])
    await page.close()
  })

  test('by keyboard: the skip link first, then everything, each seen and marked', async () => {
    const page = await open('now', MODES.narrow ?? sized(360))
    const steps = await page.evaluate(focusable)
    expect(steps).toBeGreaterThan(20)
    for (let step = 0; step < steps; step += 1) {
      await page.keyboard.press('Tab')
      const there = await page.evaluate(focused)
      expect(there).toMatchObject({ isSeen: true })
      expect(there?.outline).toBeGreaterThanOrEqual(2)
      if (step === 0) expect(there?.what).toBe('A Skip to the verdicts')
    }
    await page.keyboard.press('Tab')
    expect(await page.evaluate(focused)).toBe(undefined)
    await page.close()
  })

  test('by keyboard: the skip link skips, Enter and Space open and close a fold', async () => {
    const page = await open('now', MODES.light ?? sized(1280))
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
    const fold = page.locator('details').first()
    await fold.locator('> summary').focus()
    for (const [key, isOpen] of [
      ['Enter', true],
      ['Space', false],
      ['Space', true],
    ] as const) {
      await page.keyboard.press(key)
      expect((await fold.getAttribute('open')) !== null).toBe(isOpen)
    }
    await page.close()
  })

  test('whatever got in would be stopped: scripts, and pictures from elsewhere', async () => {
    const page = await open('now', MODES.light ?? sized(1280))
    const stopped = await page.evaluate(`new Promise(done => {
      const seen = []
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
        if (seen.push(effectiveDirective) === 2) done(seen.sort())
      })
      const script = document.createElement('script')
      script.textContent = 'document.title = "in"'
      document.body.append(script, Object.assign(new Image(), { src: 'http://127.0.0.1:9/' }))
    })`)
    expect(stopped).toEqual(['img-src', 'script-src-elem'])
    expect(await page.title()).not.toBe('in')
    await page.close()
  })

  test('colour is never alone: each country that is coloured has its letter on the map', async () => {
    for (const width of [360, 768, 1280]) {
      const page = await open('now', sized(width))
      const map = page.locator('svg[role=img]:has(.marks)').first()
      const letters = await map.locator('.marks text:visible').allTextContents()
      expect(letters.sort()).toEqual(['A', 'B', 'C', 'D'])
      expect(await map.locator('use[fill]').count()).toBe(4)
      await page.close()
    }
  })

  test('on paper: subnets are open, queries stay in the file, in light colours', async () => {
    const page = await open('now', MODES.paper ?? sized(PAPER))
    const captions = await page.locator('caption:visible').allTextContents()
    expect(captions).toContain('One row a client subnet')
    expect(captions).not.toContain('In order of sending')
    expect(await page.locator('.on-paper:visible').first().textContent()).toMatch(/not on paper/)
    const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor')
    expect(ground).toBe('rgb(255, 255, 255)')
    const pdf = await page.pdf({ preferCSSPageSize: true })
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    await page.close()
  })
})
