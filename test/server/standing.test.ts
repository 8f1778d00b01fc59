/** How things stand, from the board and the World to plain facts. */
import { expect, test } from 'vitest'
import { poolFacts, worldFacts } from '../../server/standing.ts'
import { NO_CAP, openBoard } from '../../server/steer/board.ts'
import { deskOf } from '../kit/world.ts'
import { ZONE_Z } from '../kit/zone-text.ts'

const { world } = deskOf(
  ZONE_Z,
  `pools:
  six: {targets: ["2001:DB8::1", 192.0.2.9, 192.0.2.10]}
  host: {targets: [H.example.net]}
  proven: {targets: [192.0.2.1]}
  guessed: {targets: [192.0.2.1]}
steer:
  a.example.com: {ttl: 30, pools: [six]}
  b.example.com: {ttl: 30, pools: [host]}
  c.example.com: {ttl: 30, pools: [proven, guessed]}
`,
)

test('pools and targets, by the names that files call them', () => {
  const board = openBoard(world.steering)
  board.flip.set([NO_CAP, NO_CAP, 30, 0])
  board.up[1] = 0
  board.latency[2] = 12.5
  const up = (target: string) => ({ target, isUp: true, latencySeconds: undefined })
  expect(poolFacts(world.steering, board)).toEqual([
    {
      pool: 'six',
      targets: [
        up('192.0.2.9'),
        { target: '192.0.2.10', isUp: false, latencySeconds: undefined },
        { target: '2001:db8::1', isUp: true, latencySeconds: 0.0125 },
      ],
      checked: undefined,
    },
    { pool: 'host', targets: [up('h.example.net.')], checked: undefined },
    {
      pool: 'proven',
      targets: [up('192.0.2.1')],
      checked: { isProven: true, steadySeconds: 30 },
    },
    {
      pool: 'guessed',
      targets: [up('192.0.2.1')],
      checked: { isProven: false, steadySeconds: 0 },
    },
  ])
  board.up[1] = 1 // read anew each time
  expect(poolFacts(world.steering, board)[0]?.targets[1]?.isUp).toBe(true)
})

// biome-ignore format: table
const GEO = [
  // databases              made on                     seconds since 1970
  [[],                      '',                         []],
  [['a.mmdb'],              '2026-06-17',               [['a.mmdb', 1_781_654_400]]],
  [['a.mmdb', 'b.mmdb'],    '1970-01-02, 2000-01-01',   [['a.mmdb', 86_400], ['b.mmdb', 946_684_800]]],
  [['a.mmdb', 'b.mmdb'],    'unknown, 1970-01-02',      [['b.mmdb', 86_400]]],
  [['a.mmdb', 'a.mmdb'],    '1970-01-02, 1970-01-02',   [['a.mmdb', 86_400]]],
] as const

test.each(GEO)('databases %j made on %s', (names, built, expected) => {
  const { geo } = worldFacts(world, {
    geo: { names, built },
    loaded: { at: 0, tookMs: 0, records: 0 },
  })
  expect(geo.map(({ database, builtAt }) => [database, builtAt])).toEqual(expected)
})

test('the load', () => {
  const loaded = { at: 1_796_075_979_465, tookMs: 250, records: 5 }
  expect(worldFacts(world, { geo: { names: [], built: '' }, loaded })).toMatchObject({
    ...{ loadedAt: 1_796_075_979.465, loadSeconds: 0.25, zones: 1, records: 5, steeredNames: 3 },
  })
})
