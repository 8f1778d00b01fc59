/** The main job, end to end: lbdns serves its demo, and lbprobe says of each name what it is. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Place } from '../kit/ask.ts'
import { startLbdns } from '../kit/lbdns.ts'
import { stopAll } from '../kit/process.ts'
import { lbprobe, measured } from './lbprobe.ts'

afterAll(stopAll)

describe('lbprobe and the demo', () => {
  let demo: Place
  beforeAll(async () => {
    const config = readFileSync('data/demo/lbdns.yaml', 'utf8').replace(/^listen:.*$/m, '')
    const zone = readFileSync('data/demo/example.com.zone', 'utf8')
    const { port } = await startLbdns(config, { 'example.com.zone': zone })
    demo = { host: '127.0.0.1', port }
  })

  test('dns2 tells a shuffled list from one rotating address', async () => {
    const names = 'shuffled.example.com rotating.example.com flat.example.com'
    const results = await measured('dns2', demo, names)
    expect(results.map(({ name, type, verdict }) => [name, type, verdict.code])).toEqual([
      ['shuffled.example.com', 'A', 'shuffled-list'],
      ['shuffled.example.com', 'AAAA', 'shuffled-list'],
      ['rotating.example.com', 'A', 'rotating-one'],
      ['rotating.example.com', 'AAAA', 'rotating-one'],
      ['flat.example.com', 'A', 'shuffled-list'],
      ['flat.example.com', 'AAAA', 'shuffled-list'],
    ])
  })

  test('ecs tells geography from rotation', async () => {
    const names = 'cdn.example.com flat.example.com rotating.example.com shuffled.example.com'
    const results = await measured('ecs', demo, names)
    expect(
      results.map(({ name, type, verdict }) => [name, type, verdict.answer, verdict.code]),
    ).toEqual([
      ['cdn.example.com', 'A', 'real', 'geo'],
      ['cdn.example.com', 'AAAA', 'real', 'geo'],
      ['flat.example.com', 'A', 'none', 'static-pool'],
      ['flat.example.com', 'AAAA', 'none', 'static-pool'],
      ['rotating.example.com', 'A', 'none', 'rotation'],
      ['rotating.example.com', 'AAAA', 'none', 'rotation'],
      ['shuffled.example.com', 'A', 'none', 'static-pool'],
      ['shuffled.example.com', 'AAAA', 'none', 'static-pool'],
    ])
    for (const { groups, scopes } of results.slice(0, 2)) {
      expect(groups.map(({ regions }) => regions.join()).sort()).toEqual(['BR', 'DE', 'JP', 'US'])
      expect(scopes.flatMap(one => one.scopes).every(scope => scope > 0)).toBe(true)
    }
  })

  // biome-ignore format: table
  const EXPECTATIONS = [
    ['cdn.example.com',  'geo',  0],
    ['cdn.example.com',  'real', 0],
    ['flat.example.com', 'geo',  1],
    ['flat.example.com', 'none', 0],
  ] as const
  test.each(EXPECTATIONS)('%s --expect %s exits with %i', async (name, expected, code) => {
    const ran = await lbprobe('ecs', demo, `${name} --expect ${expected}`)
    expect([ran.code, ran.stderr]).toEqual([code, expect.any(String)])
  })

  test('what a person reads says the same', async () => {
    const { stdout } = await lbprobe('ecs', demo, 'A cdn.example.com flat.example.com')
    expect(stdout).toMatch(/^real +geo +cdn\.example\.com A$/m)
    expect(stdout).toMatch(/^none +static-pool +flat\.example\.com A$/m)
  })
})
