/**
 * TTLs around a change of the map: what is answered before a planned one has left the caches by
 * then, and what is answered after any has left them together with the last old answers.
 */
import { describe, expect, test } from 'vitest'
import { NO_CAP } from '../../server/steer/board.ts'
import { capAnswers, endsAfter, endsBefore } from '../../server/steer/change.ts'
import type { Steering } from '../../server/steer/steering.ts'
import { wire } from '../kit/steering.ts'

/** As much of a Steering as a change reads: owners, and their least and greatest TTLs. */
function names(...rows: readonly (readonly [owner: string, min: number, max: number])[]): Steering {
  return {
    slots: rows.length,
    owners: rows.map(([owner]) => wire(owner)),
    ttlMin: Uint32Array.from(rows, ([, min]) => min),
    ttlMax: Uint32Array.from(rows, ([, , max]) => max),
  } as unknown as Steering
}

function caps(ends: Float64Array, now: number, everyMs = 0): number[] {
  const caps = new Uint32Array(ends.length)
  capAnswers(caps, ends, now, everyMs)
  return [...caps]
}

const NOON = 1_800_000_000_000
const OLD = names(['www.example.com.', 10, 30], ['api.example.com.', 5, 300])

describe('before a planned change', () => {
  const ends = endsBefore(Uint8Array.of(1, 0), NOON)
  // biome-ignore format: table
  const TABLE = [
    ['a minute before, all of it may be kept', 60_000, 60],
    ['the whole seconds that are left',         7_999,  7],
    ['less than a second: nothing',               999,  0],
  ] as const
  test.each(TABLE)('%s', (_, before, cap) => {
    expect(caps(ends, NOON - before)).toEqual([cap, NO_CAP])
  })

  test('what is on the board holds until it is written anew', () => {
    expect(caps(ends, NOON - 5_100, 250)).toEqual([4, NO_CAP])
  })
})

describe('after a change', () => {
  const now = names(
    ['api.example.com.', 7, 70],
    ['www.example.com.', 20, 40],
    ['new.example.com.', 1, 2],
  )
  const moved = Uint8Array.of(0, 1, 1)
  const none = new Float64Array(2)

  test('unplanned: for the old greatest TTL, and only where the map moved', () => {
    const ends = endsAfter(OLD, none, now, moved, { at: NOON, planned: 'unplanned' })
    expect(caps(ends, NOON)).toEqual([NO_CAP, 30, NO_CAP])
    expect(caps(ends, NOON + 29_000)).toEqual([NO_CAP, 1, NO_CAP])
    expect(caps(ends, NOON + 30_000)).toEqual([NO_CAP, NO_CAP, NO_CAP])
  })

  test('planned: for the old least TTL', () => {
    const ends = endsAfter(OLD, none, now, moved, { at: NOON, planned: 'planned' })
    expect(caps(ends, NOON)).toEqual([NO_CAP, 10, NO_CAP])
    expect(caps(ends, NOON + 10_000)).toEqual([NO_CAP, NO_CAP, NO_CAP])
  })

  test('a reload that moves nothing keeps what an earlier one began', () => {
    const earlier = Float64Array.of(0, NOON + 200_000)
    const ends = endsAfter(OLD, earlier, now, Uint8Array.of(0, 0, 0), {
      at: NOON,
      planned: 'unplanned',
    })
    expect(caps(ends, NOON)).toEqual([200, NO_CAP, NO_CAP])
  })

  test('says when it is over', () => {
    const ends = endsAfter(OLD, none, now, moved, { at: NOON, planned: 'planned' })
    const written = new Uint32Array(3)
    expect(capAnswers(written, ends, NOON + 9_999, 0)).toBe('on')
    expect(capAnswers(written, ends, NOON + 10_000, 0)).toBe('over')
  })
})
