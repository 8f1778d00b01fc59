/** The state file: what comes back from it, and what becomes of one that is damaged, old, or in the way. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type Problem, problemText } from '../../server/fault.ts'
import type { Kept } from '../../server/health/kept.ts'
import { readState, StateFile } from '../../server/state.ts'
import type { Override } from '../../server/steer/override.ts'
import { folder, stopAll } from '../kit/process.ts'

afterAll(stopAll)

const KEPT: Kept = { up: false, since: 1.8e12, riseFactor: 2, changes: [9_000, 20] }
const HEALTH = new Map([
  ['192.0.2.1 {"kind":"tcp","port":80}', KEPT],
  ['192.0.2.2 {"kind":"tcp","port":80}', { ...KEPT, up: true, riseFactor: 1, changes: [] }],
])
const HOUR = 3600

/** A file in a folder of its own, as it is written. */
async function written(
  health: ReadonlyMap<string, Kept> = HEALTH,
  overrides: readonly Override[] = [],
): Promise<string> {
  const file = join(folder(), 'lbdns.state')
  await new StateFile(file, () => ({ health, overrides }), fail).stop()
  return file
}

function fail(problem: Problem): never {
  throw new Error(problemText(problem))
}

const said = (file: string, now?: number) =>
  readState(file, HOUR, now).warnings.map(warning => problemText(warning).replaceAll(file, 'FILE'))

describe('what is read back', () => {
  test('is what was written, and how long ago', async () => {
    const file = await written()
    const { health, goneMs, warnings } = readState(file, HOUR, Date.now() + 5_000)
    expect([health, warnings]).toEqual([HEALTH, []])
    expect(goneMs).toBeGreaterThanOrEqual(5_000)
    expect(goneMs).toBeLessThan(10_000)
  })

  test('where nothing is known, nothing is written', async () => {
    expect(existsSync(await written(new Map()))).toBe(false)
  })

  test('where there is no file, there is nothing to say', () => {
    expect(said(join(folder(), 'none'))).toEqual([])
  })

  test('a clock that was set back makes nothing old', async () => {
    const found = readState(await written(), HOUR, Date.now() - 86_400_000)
    expect([found.health.size, found.goneMs]).toEqual([2, 0])
  })

  test('what is too old is not used, and said', async () => {
    const later = Date.now() + 3_601_000
    expect(said(await written(), later)).toEqual([
      'FILE: is older than 3600 s: what was known of health is not used',
    ])
  })
})

describe('what is damaged', () => {
  test('any octet that is another one: moved aside, said, and nothing of it used', async () => {
    const file = await written()
    const whole = readFileSync(file)
    for (let at = 0; at < whole.length - 1; at += 7) {
      const octets = Uint8Array.from(whole)
      octets[at] = (octets[at] ?? 0) ^ 1
      writeFileSync(file, octets)
      const { health, warnings } = readState(file, HOUR)
      expect([at, health.size, warnings.length]).toEqual([at, 0, 1])
      expect(readFileSync(`${file}.bad`)).toEqual(Buffer.from(octets))
    }
  })

  test.each([0, 1, 40, 200])('cut after %i octets', async length => {
    const file = await written()
    writeFileSync(file, readFileSync(file).subarray(0, length))
    expect(said(file)).toEqual(['FILE: is damaged, and is FILE.bad now: what it kept is not used'])
    expect(existsSync(file)).toBe(false)
  })

  test('a file of another schema', async () => {
    const file = await written()
    writeFileSync(file, readFileSync(file, 'utf8').replace('lbdns.state/1', 'lbdns.state/9'))
    expect(said(file)).toHaveLength(1)
  })

  test('a folder in its place', () => {
    const file = join(folder(), 'lbdns.state')
    mkdirSync(file)
    expect(said(file)).toEqual([expect.stringMatching(/^FILE: cannot be read: EISDIR/)])
  })
})

describe('what cannot be written', () => {
  test('is said once each time, and the next one that goes is whole', async () => {
    const where = join(folder(), 'later')
    const file = join(where, 'lbdns.state')
    const warnings: string[] = []
    const warn = (problem: Problem) => void warnings.push(problemText(problem))
    const state = new StateFile(file, () => ({ health: HEALTH, overrides: [] }), warn)
    await state.stop()
    await state.stop()
    expect(warnings).toEqual([expect.stringContaining('cannot be written: ENOENT')])
    mkdirSync(where)
    await state.stop()
    expect(readState(file, HOUR).health).toEqual(HEALTH)
    rmSync(where, { recursive: true })
    await state.stop()
    expect(warnings).toHaveLength(2)
  })

  test('a half-written one beside it, as of a process that was killed, is in nobody’s way', async () => {
    const file = await written()
    writeFileSync(`${file}.new`, '{"schema":')
    expect(readState(file, HOUR).health).toEqual(HEALTH)
    await new StateFile(file, () => ({ health: HEALTH, overrides: [] }), fail).stop()
    expect(existsSync(`${file}.new`)).toBe(false)
  })
})
