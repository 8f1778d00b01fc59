/**
 * A change of the map while caches hold answers of the old one: who is misled is misled no longer
 * than the old greatest TTL, and after a planned change no longer than the least.
 */
import { describe, expect, test } from 'vitest'
import {
  type Answer,
  type Asker,
  CACHES,
  type CacheName,
  MOST_TOLD,
} from '../../probe/judge/caches.ts'
import { changeWorld, type Desk, openDesk } from '../../server/answer/desk.ts'
import type { World } from '../../server/answer/world.ts'
import { openBoard } from '../../server/steer/board.ts'
import { below, chance } from '../../server/steer/chance.ts'
import { capAnswers, endsAfter, endsBefore, noEnds } from '../../server/steer/change.ts'
import { movedSlots } from '../../server/steer/compare.ts'
import { drawConfiguration, NAMES } from '../kit/configurations.ts'
import { drawAddress, edgesOf } from '../kit/edges.ts'
import { askFor, questionOf, told } from '../kit/octet-client.ts'
import { CACHE_NAMES } from '../kit/replay.ts'
import { deskFrom, peerOf } from '../kit/world.ts'

const CHANGES = 8
/** Seconds: when the map changes, and when all is over. */
const CHANGE = 80
const END = 145
/** A second. */
const CLIENTS = 6

type How = 'planned' | 'unplanned'

const drawn = chance(20_260_713)
const PEER = peerOf('203.0.113.53')
const worlds = Array.from(
  { length: CHANGES + 1 },
  (_, i) => deskFrom(drawConfiguration(drawn, i).files).world,
)

/** The pools preferred, by name. What a client sticks to is numbered anew with each map. */
function answer(desk: Desk, question: ReturnType<typeof questionOf>, asker: Asker): Answer<string> {
  const into = told()
  askFor(desk, question, asker.family, asker.address, asker.source, PEER, into)
  return { scope: into.scope, of: into.says.split(' ')[0] ?? '', ttl: into.ttl }
}

/** What `changeover.ts` does, a step a second: caps before and after, and the change. */
function clockOf(desk: Desk, now: World, how: How): (second: number) => void {
  const old = desk.world.steering
  const at = 1000 * CHANGE
  const moved = { before: movedSlots(now.steering, old), after: movedSlots(old, now.steering) }
  let ends = how === 'planned' ? endsBefore(moved.before, at) : noEnds(old)
  return second => {
    if (second === CHANGE) {
      ends = endsAfter(old, noEnds(old), now.steering, moved.after, { at, planned: how })
      changeWorld(desk, now, openBoard(now.steering))
    }
    capAnswers(desk.board.cap, ends, 1000 * second, 1000)
  }
}

/** Runs a change; the seconds after it at which somebody was misled. */
function run(cache: CacheName, index: number, slot: number, family: 4 | 6, how: How): number[] {
  const [old, now] = [worlds[index], worlds[index + 1]]
  if (old === undefined || now === undefined) throw new Error('no such change')
  const desk = openDesk(old, chance(1))
  const step = clockOf(desk, now, how)
  const { keep, look } = CACHES[cache]<string>()
  const edges = [edgesOf(old.steering, slot), edgesOf(now.steering, slot)] as const
  const question = questionOf(NAMES[slot] ?? '')
  const late: number[] = []
  for (let second = 0; second < END; second += 1) {
    step(second)
    for (let i = 0; i < CLIENTS; i += 1) {
      const address = new Uint8Array(family === 4 ? 4 : 16)
      drawAddress(drawn, edges[below(drawn, 2) as 0 | 1], family, address)
      address.fill(0, MOST_TOLD[family] >> 3)
      const asker = { family, address, source: MOST_TOLD[family] }
      const direct = answer(desk, question, asker)
      const kept = look(asker, second)
      if (kept === undefined) keep(asker, direct, second)
      else if (kept !== direct.of) late.push(second - CHANGE)
    }
  }
  return late
}

// how the map changes, then which TTL of the old rule bounds it
const TABLE = [
  ['unplanned', 'ttlMax'],
  ['planned', 'ttlMin'],
] as const

describe.each(TABLE)('%s: misled for less than the old %s', (how, ttl) => {
  test.each(CACHE_NAMES)('%s', cache => {
    let misled = 0
    for (let index = 0; index < CHANGES; index += 1) {
      for (const [slot, family] of [
        [0, 4],
        [0, 6],
        [1, 4],
        [1, 6],
      ] as const) {
        const late = run(cache, index, slot, family, how)
        const bound = worlds[index]?.steering[ttl][slot] ?? 0
        misled += late.length
        expect(late.filter(second => second < 0 || second >= bound)).toEqual([])
      }
    }
    expect(misled).toBeGreaterThan(0) // or there was nothing to bound
  })
})
