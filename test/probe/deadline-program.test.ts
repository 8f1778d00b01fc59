/**
 * `--deadline` in every command that asks for long: it ends the run, what was seen is told, and said to
 * be partial. At 20 queries a second, so that time goes by on the clock of the test.
 */
import { describe, expect, test } from 'vitest'
import { labOf } from '../../probe/lab/lab.ts'
import { ATLAS, type Serve, wireTo } from './in-process.ts'
import { mapOf } from './map-run.ts'
import { using } from './using.ts'

const lab = labOf(ATLAS, 1)
const serve: Serve = (query, transport) => lab.serve(query, transport, 0)

/** 20 a second and server, one at once: as many as fit, and the one under way. */
const fitting = (seconds: number, servers: number) => 20 * seconds * servers + servers

describe('a deadline of 2 s', () => {
  // biome-ignore format: table
  const ROWS = [
    ['diff A geo-rotating.lab.test @192.0.2.1 @192.0.2.2',                      2],
    ['resolver @192.0.2.53 @192.0.2.54 @192.0.2.55 @192.0.2.56 --zone whoami.lab.test', 4],
    ['ecs A @192.0.2.1 geo-rotating.lab.test',                                  1],
    ['dns2 A @192.0.2.1 single.lab.test --count 100',                           1],
  ] as const

  for (const [line, servers] of ROWS) {
    const run = (flags: string) => using(`${line} ${flags}`, serve)

    test(`${line}: ends it, and says so`, async () => {
      const document = JSON.parse((await run('--json --deadline 2')).out)
      const message = 'the deadline of 2 s is over: this is what was seen until then'
      expect(document.partial).toEqual({ reason: 'deadline', message })
      expect(document.queries.length).toBeGreaterThan(1)
      expect(document.queries.length).toBeLessThanOrEqual(fitting(2, servers))
      expect((await run('--deadline 2')).out).toContain(`partial: ${message}`)
    })

    test(`${line}: one that is not met is not mentioned`, async () => {
      expect(JSON.parse((await run('--json --deadline 900')).out).partial).toBeUndefined()
    })
  }

  test('map', async () => {
    const remote = { wire: wireTo(labOf(ATLAS, 5)) }
    const words = [
      '@192.0.2.1',
      'geo.lab.test',
      '--json',
      '--deadline',
      '2',
      '--fail-on',
      'partial',
    ]
    const { exit, out } = await mapOf(words, new Map(), remote)
    const { partial, stop } = JSON.parse(out)
    expect([exit, stop]).toEqual([4, 'deadline'])
    expect(partial).toMatch(/^partial: \S+ % of the space was seen, then its time was over$/)
  })

  test('map: replayed, it ends for the same reason', async () => {
    const disk = new Map<string, string>()
    const remote = { wire: wireTo(labOf(ATLAS, 5)) }
    const words = ['@192.0.2.1', 'geo.lab.test', '--json', '--deadline', '2']
    const live = await mapOf([...words, '--record', 'r.jsonl'], disk, remote)
    const again = await mapOf(['--replay', 'r.jsonl', '--json'], disk)
    expect(again.out).toBe(live.out)
  })
})
