/** The replay of `caches.test.ts` finds what is wrong with other servers' scopes: so it can fail. */
import { describe, expect, test } from 'vitest'
import type { CacheName } from '../../probe/judge/caches.ts'
import { chance } from '../../server/steer/chance.ts'
import { CACHE_NAMES, drawCases, replay } from '../kit/replay.ts'
import { WRONG } from '../kit/wrong-scopes.ts'

const CONFIGURATIONS = 25
const CLIENTS = 50

const drawn = chance(20_260_712)
const cases = Array.from({ length: CONFIGURATIONS }, (_, i) => drawCases(drawn, i, CLIENTS)).flat()

// What is wrong; whether it misleads: the RFC's cache, Unbound, PowerDNS Recursor. The last one always
// tells the same much, so that what is wrong with short SOURCEs alone does not show there.
// biome-ignore format: table
const TABLE = [
  ['SOURCE copied',                              'misled', 'misled', 'not misled'],
  ['scope 0 for the default branch (Knot DNS)',  'misled', 'misled', 'misled'],
  ['the matched prefix, overlapping (Knot DNS)', 'misled', 'misled', 'misled'],
  ['one bit too short',                          'misled', 'misled', 'misled'],
  ['always /16 (geodns)',                        'misled', 'misled', 'misled'],
  ['no option back (CoreDNS)',                   'misled', 'misled', 'misled'],
  ['the majority where SOURCE is short',         'misled', 'misled', 'not misled'],
] as const

/** How many clients are, one family at a time. */
function misledBy(cache: CacheName, title: keyof typeof WRONG): number {
  return cases
    .flatMap(({ clients, right }) =>
      ([4, 6] as const).map(one => {
        const group = clients.filter(({ family }) => family === one)
        return replay(drawn, cache, WRONG[title](right), group).length
      }),
    )
    .reduce((sum, count) => sum + count, 0)
}

describe.each(TABLE)('%s', (title, ...misleads) => {
  test.each(CACHE_NAMES.map((cache, i) => [cache, misleads[i]] as const))(
    '%s is %s',
    (cache, is) => {
      expect(misledBy(cache, title) > 0 ? 'misled' : 'not misled').toBe(is)
    },
  )
})

test('no way to be wrong is without a row', () => {
  expect(TABLE.map(([title]) => title)).toEqual(Object.keys(WRONG))
})
