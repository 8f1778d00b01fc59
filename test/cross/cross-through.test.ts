/**
 * lbprobe through what stands between a client and an authority: a balancer that passes all on is seen
 * through; a resolver's cache freezes what rotates behind it, and then no verdict may be given on that.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Place } from '../kit/ask.ts'
import { describeWith, stopAll } from '../kit/process.ts'
import { NEEDS, startGeo, ZONE } from './geo.ts'
import { measured } from './lbprobe.ts'
import { ELSEWHERE, NETWORKS } from './panel.ts'
import { startDnsdist, startRecursor, startUnbound } from './resolvers.ts'

afterAll(stopAll)

type Row = readonly [command: 'ecs' | 'dns2', name: string, answer: string, code: string]

// biome-ignore format: table
const SEEN_THROUGH: readonly Row[] = [
  ['ecs',  'www',    'real', 'geo'],
  ['ecs',  'one',    'none', 'rotation'],
  ['ecs',  'list',   'none', 'static-pool'],
  ['dns2', 'one',    'none', 'rotating-one'],
  ['dns2', 'list',   'none', 'shuffled-list'],
  ['dns2', 'absent', 'none', 'empty'],
]

/** What turns behind a cache cannot be told; that a name is not there can. */
// biome-ignore format: table
const FROZEN: readonly Row[] = [
  ['ecs',  'www',    'unclear', 'cached'],
  ['ecs',  'one',    'unclear', 'cached'],
  ['dns2', 'one',    'unclear', 'cached'],
  ['dns2', 'list',   'unclear', 'cached'],
  ['dns2', 'absent', 'none',    'empty'],
]

// biome-ignore format: table
const BETWEEN = [
  ['dnsdist',       startDnsdist,  SEEN_THROUGH],
  ['unbound',       startUnbound,  FROZEN],
  ['pdns_recursor', startRecursor, FROZEN],
] as const

for (const [program, start, rows] of BETWEEN) {
  describeWith([program, ...NEEDS.gdnsd], `gdnsd through ${program}`, () => {
    let place: Place
    beforeAll(async () => {
      const authority = await startGeo('gdnsd', { networks: NETWORKS, otherwise: ELSEWHERE })
      place = await start(ZONE, authority)
    })

    test.each(rows)('%s %s is %s: %s', async (command, name, answer, code) => {
      const [result] = await measured(command, place, `A ${name}.${ZONE}`)
      expect(result?.verdict).toMatchObject({ answer, code })
    })
  })
}
