/** Blocks as a partition, pools that rotate, and the cache oracle, on cases worked out by hand. */
import { describe, expect, test } from 'vitest'
import { oracle } from '../../probe/judge/oracle.ts'
import { leavesOf, mergedCount, overlapsOf } from '../../probe/judge/partition.ts'
import { classOf, join, type Pools } from '../../probe/judge/pools.ts'
import type { Sighting } from '../../probe/judge/sighting.ts'
import { spanText } from '../../probe/judge/span.ts'
import { sighting } from './spans.ts'

const equal = (set: readonly string[]): string => set.join(' ')

/** `network scope answer`, one a line. */
function sightings(...lines: readonly string[]): readonly Sighting[] {
  return lines.map(line => {
    const [network = '', scope = '', answer = ''] = line.split(' ')
    return sighting(network, scope === '-' ? undefined : Number(scope), answer)
  })
}

describe('blocks', () => {
  // biome-ignore format: table
  const TABLE = [
    ['two halves of one answer are one',        ['20.0.0.0/24 9 a', '20.128.0.0/24 9 a'],                        2, 1, []],
    ['two halves of two answers are two',       ['20.0.0.0/24 9 a', '20.128.0.0/24 9 b'],                        2, 2, []],
    ['neighbours that are no siblings',         ['20.128.0.0/24 9 a', '21.0.0.0/24 9 a'],                        2, 2, []],
    ['merging goes on upwards',                 ['20.0.0.0/24 9 a', '20.128.0.0/24 10 a', '20.192.0.0/24 10 a'], 3, 1, []],
    ['one block met twice',                     ['20.0.0.0/24 8 a', '20.9.0.0/24 8 a'],                          1, 1, []],
    ['scope past source: the network itself',   ['20.0.0.0/32 30 a'],                                            1, 1, []],
    ['a block in a block',                      ['20.0.0.0/24 8 a', '20.1.0.0/24 16 b'],                         2, 2, ['20.1.0.0/16 in 20.0.0.0/8']],
    ['the narrowest around it is named',        ['20.0.0.0/24 8 a', '20.1.0.0/24 16 b', '20.1.2.0/24 24 c'],     3, 3, ['20.1.0.0/16 in 20.0.0.0/8', '20.1.2.0/24 in 20.1.0.0/16']],
    ['scope 0 holds everything',                ['20.0.0.0/24 0 a', '200.1.0.0/24 16 b'],                        2, 2, ['200.1.0.0/16 in 0.0.0.0/0']],
  ] as const
  for (const [rule, lines, count, merged, overlaps] of TABLE) {
    test(rule, () => {
      const leaves = leavesOf(sightings(...lines), equal, 32)
      expect(leaves).toHaveLength(count)
      expect(mergedCount(leaves)).toBe(merged)
      const found = overlapsOf(leaves)
      expect(found.map(({ inner, outer }) => `${spanText(inner)} in ${spanText(outer)}`)).toEqual(
        overlaps,
      )
    })
  }

  test('a short source of which more was wanted is no block', () => {
    const seen = sightings('20.0.0.0/24 25 a', '20.0.0.0/32 25 a', '20.0.0.128/32 25 b')
    const texts = leavesOf(seen, equal, 32).map(({ span }) => spanText(span))
    expect(texts).toEqual(['20.0.0.0/25', '20.0.0.128/25'])
  })

  test('a block that holds two answers says so', () => {
    const [leaf] = leavesOf(sightings('20.0.0.0/24 8 a', '20.9.0.0/24 8 b'), equal, 24)
    expect(leaf).toMatchObject({ groups: ['a', 'b'], tried: 2 })
  })
})

describe('pools', () => {
  test('what one network was given at two times is one, directly or through others', () => {
    const pools: Pools = new Map()
    join(pools, ['a'], ['b'])
    join(pools, ['b'], ['c'])
    expect(classOf(pools, ['a'])).toBe(classOf(pools, ['c']))
    expect(classOf(pools, ['a'])).not.toBe(classOf(pools, ['d']))
  })

  test('without rotation only equal sets are: a shared address joins nothing', () => {
    expect(classOf(new Map(), ['a', 'b'])).not.toBe(classOf(new Map(), ['a', 'c']))
  })
})

describe('the cache oracle', () => {
  const MODELS = ['RFC 7871 §7.3.1', 'Unbound subnetcache', 'PowerDNS Recursor']
  const shares = (lines: readonly string[]): readonly number[] => {
    const report = oracle(sightings(...lines), equal, { seed: 3, orders: 40 })
    expect(report.models.map(({ model }) => model)).toEqual(MODELS)
    return report.models.map(({ share }) => share)
  }

  test('true scopes mislead nobody', () => {
    expect(shares(['20.0.0.0/24 9 a', '20.127.0.0/24 9 a', '20.128.0.0/24 9 b'])).toEqual([0, 0, 0])
  })

  test('scope 0 for two answers: whoever comes second gets the first one, in every order', () => {
    expect(shares(['20.0.0.0/24 0 a', '30.0.0.0/24 0 b'])).toEqual([0.5, 0.5, 0.5])
  })

  test('no option back is scope 0', () => {
    expect(shares(['20.0.0.0/24 - a', '30.0.0.0/24 - b'])).toEqual([0.5, 0.5, 0.5])
  })

  test('a block in another misleads by the longest match where the outer came first', () => {
    const [rfc = 0, , recursor = 0] = shares(['20.0.0.0/24 8 a', '20.1.0.0/24 16 b'])
    // of both clients the inner one, in half of the orders: 1/4 on average; 40 orders come within 0.15
    expect(Math.abs(rfc - 0.25)).toBeLessThan(0.15)
    expect(Math.abs(recursor - 0.25)).toBeLessThan(0.15)
  })

  test('rotation misleads nobody: groups count, not addresses', () => {
    const report = oracle(sightings('20.0.0.0/24 8 a', '20.1.0.0/24 8 b'), () => 'one pool', {
      seed: 1,
      orders: 5,
    })
    expect(report).toMatchObject({ clients: 2, orders: 5 })
    expect(report.models.map(({ worst }) => worst)).toEqual([0, 0, 0])
  })
})
