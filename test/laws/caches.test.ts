/**
 * Caches in front of the server, in any order of clients, never give a client what is meant for
 * another class: by RFC 7871 §7.3.1, as Unbound does it, and as PowerDNS Recursor does. That the same
 * replay finds wrong scopes is in `caches-wrong.test.ts`.
 */
import { describe, expect, test } from 'vitest'
import type { CacheName } from '../../probe/judge/caches.ts'
import { chance } from '../../server/steer/chance.ts'
import { CACHE_NAMES, type Case, drawCases, replay } from '../kit/replay.ts'

const CONFIGURATIONS = 200
const CLIENTS = 50

const drawn = chance(20_260_711)
const cases = Array.from({ length: CONFIGURATIONS }, (_, i) => drawCases(drawn, i, CLIENTS)).flat()

/** Families behind caches of their own, or both behind one. */
function misledBy(cache: CacheName, { clients, right, title }: Case, families: 'apart' | 'mixed') {
  const groups =
    families === 'mixed'
      ? [clients]
      : ([4, 6] as const).map(one => clients.filter(({ family }) => family === one))
  const found = groups.flatMap(group => replay(drawn, cache, right.says, group))
  return found.map(line => `${title}: ${line}`)
}

describe(`${CONFIGURATIONS} random configurations, ${cases.length * CLIENTS * 3} clients`, () => {
  test.each(CACHE_NAMES)('%s misleads nobody', { timeout: 60_000 }, cache => {
    const families = cache === 'PowerDNS Recursor' ? 'apart' : 'mixed'
    const misled = cases.flatMap(one => misledBy(cache, one, families))
    expect([misled.length, ...misled.slice(0, 10)]).toEqual([0])
  })

  // Its entry of SCOPE 0 is for both families. Real ones do so: tried with 4.8.8, and gdnsd too.
  test('PowerDNS Recursor takes the scope 0 of one family for the other too, and only that', () => {
    const [alone, apart] = [true, false].map(wanted => cases.filter(one => isWhole(one) === wanted))
    expect(apart?.flatMap(one => misledBy('PowerDNS Recursor', one, 'mixed'))).toEqual([])
    expect(alone?.length).toBeGreaterThan(0)
  })
})

/** Just one family of a name has scope 0. */
function isWhole({ clients, right }: Case): boolean {
  const scopes = ([4, 6] as const).map(family =>
    clients.filter(one => one.family === family).every(one => right.says(one).scope === 0),
  )
  return scopes[0] !== scopes[1]
}
