/** What a desk answers by: the World and the board it was given, and what it keeps when they change. */
import { expect, test } from 'vitest'
import { changeWorld, type Desk, openDesk } from '../../server/answer/desk.ts'
import { NO_CAP, openBoard } from '../../server/steer/board.ts'
import { chance } from '../../server/steer/chance.ts'
import { addresses, ask, deskOf, setUp } from '../kit/world.ts'
import { ZONE_Z } from '../kit/zone-text.ts'

const YAML = `networks: {a: [198.51.100.0/24]}
pools:
  A: {targets: [192.0.2.101, "2001:db8::101"]}
  B: {targets: [192.0.2.102, "2001:db8::102"]}
  C: {targets: [192.0.2.111, 192.0.2.112, 192.0.2.113]}
  H: {targets: [h.example.net]}
steer:
  www.example.com: {ttl: {max: 30s, min: 10s}, by: {networks: {a: [A, B]}, default: [B, A]}, https: {}}
  go.example.com: {ttl: {max: 30s, min: 10s}, pools: [H]}
  turn.example.com: {ttl: 30s, pick: rotate, pools: [C]}
`
const subnet = '198.51.100.0/24'

// biome-ignore format: table
const CAPS = [
  // the board says   served
  [NO_CAP,            30],
  [31,                30],
  [20,                20],
  [10,                10],
  [1,                 10],
  [0,                 10],
] as const

test.each(CAPS)('a cap of %i: a TTL of %i, whatever is asked', (cap, ttl) => {
  const desk = deskOf(ZONE_Z, YAML)
  desk.board.cap.fill(cap)
  for (const [name, type, scope] of [
    ['www', 'A', 24],
    ['www', 'AAAA', 24],
    ['www', 'HTTPS', 24],
    ['go', 'A', 0],
  ] as const) {
    const { answer, scope: said } = ask(desk, `${name}.example.com`, { subnet, type })
    expect([type, answer[0]?.split(' ')[1], said]).toEqual([type, String(ttl), scope])
  }
})

test('another board is another health, and the same scope', () => {
  const desk = deskOf(ZONE_Z, YAML)
  const first = desk.board
  const given = () => {
    const answer = ask(desk, 'www.example.com', { subnet })
    return [...addresses(answer), answer.scope]
  }
  setUp(desk, 0, '192.0.2.101', '2001:db8::101')
  expect(given()).toEqual(['192.0.2.102', 24])
  changeWorld(desk, desk.world) // no board: all is up
  expect(given()).toEqual(['192.0.2.101', 24])
  changeWorld(desk, desk.world, first)
  expect(given()).toEqual(['192.0.2.102', 24])
})

/** Whose turn it was: 0, 1 or 2. */
function turnAt(desk: Desk): number {
  return Number(addresses(ask(desk, 'turn.example.com'))[0]?.split('.')[3]) - 111
}

test('a rotation goes on in the new World', () => {
  const desk = deskOf(ZONE_Z, YAML)
  const { world } = deskOf(ZONE_Z, YAML)
  const turns = Array.from({ length: 9 }, () => {
    changeWorld(desk, world, openBoard(world.steering))
    return turnAt(desk)
  })
  const [start = 0] = turns
  expect(turns).toEqual(turns.map((_, i) => (start + i) % 3))
})

test('two desks, one rotation, through a change of the World', () => {
  const one = deskOf(ZONE_Z, YAML)
  const other = openDesk(one.world, chance(2), one.board, one.turns.next)
  const start = turnAt(one)
  const turns = [other, one, other, other].map(turnAt)
  const { world } = deskOf(ZONE_Z, YAML)
  changeWorld(one, world, openBoard(world.steering))
  turns.push(turnAt(one))
  changeWorld(other, world, one.board, one.turns.next)
  turns.push(...[other, one, other].map(turnAt))
  expect(turns).toEqual(turns.map((_, i) => (start + 1 + i) % 3))
})
