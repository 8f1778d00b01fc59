import { expect, test } from 'vitest'
import { leafBits, leafValue } from '../../server/geo/tree.ts'
import { below, type Chance, chance } from '../../server/steer/chance.ts'
import { groundOf, leavesOf } from '../../server/steer/leaves.ts'
import { JUMP_SIZE, lookUp, rankingOf, SPECIAL, siteAt } from '../../server/steer/steering.ts'
import { compiled, network, pool, rule } from '../kit/steering.ts'

const POOLS = ['a', 'b', 'c'].map((name, i) => pool(name, `192.0.2.${i}`, `2001:db8::${i}`))

/** A prefix of IPv4, and the same bits as the first of an IPv6 one. */
function prefixes(drawn: Chance): string[] {
  const bits = 14 + below(drawn, 19)
  const mask = (0xffff_ffff << (32 - bits)) >>> 0
  const number = ((0x2400_0000 + below(drawn, 0x0400_0000)) & mask) >>> 0
  const octets = [24, 16, 8, 0].map(shift => (number >>> shift) & 255)
  const groups = [number >>> 16, number & 0xffff].map(group => group.toString(16))
  return [`${octets.join('.')}/${bits}`, `${groups.join(':')}::/${bits}`]
}

/** Two rules, each of which reads networks of its own. */
function steered(count: number) {
  const drawn = chance(1)
  const networks = ['m', 'n'].map(name =>
    network(name, ...Array.from({ length: count }, () => prefixes(drawn)).flat()),
  )
  const rules = [
    rule({ networks: [[0, [0]]], default: [1] }),
    rule({ owner: 'b.', networks: [[1, [2]]], default: [1] }),
  ]
  return compiled({ pools: POOLS, networks, rules }).steering
}

const steering = steered(600)
const FAMILIES = [4, 6] as const

test('a small ground has no jump tables, a large one has two for each shape', () => {
  expect(steered(20).jump.length).toBe(0)
  expect(steering.jump.length).toBe(2 * 2 * JUMP_SIZE)
})

test('every leaf is found with its bits, with a jump and without', () => {
  const walking = { ...steering, jump: new Int32Array(0) }
  const wrong: string[] = []
  for (const family of FAMILIES) {
    for (const slot of [0, 1]) {
      for (const { prefix, bits, ranking } of leavesOf(steering, slot, family)) {
        const last = prefix.map((octet, i) => octet | (0xff >> clamp(bits - 8 * i)))
        for (const octets of [prefix, last]) {
          const found = lookUp(steering, steering.shape.at(slot) ?? -1, family, octets)
          const walked = lookUp(walking, steering.shape.at(slot) ?? -1, family, octets)
          const number = leafValue(found)
          const says = number === SPECIAL ? 'special' : rankingOf(steering, slot, number)
          const isRight = found === walked && leafBits(found) === bits && says === ranking
          if (!isRight) wrong.push(`${octets}/${bits}: ${says}, not ${ranking}`)
        }
      }
    }
  }
  expect(wrong).toEqual([])
})

function clamp(bits: number): number {
  return Math.min(8, Math.max(0, bits))
}

test('the ground covers all addresses, and every leaf of it is one of its sites', () => {
  const met = new Set<number>()
  const wrong: string[] = []
  for (const family of FAMILIES) {
    let covered = 0
    for (const { prefix, bits, site } of groundOf(steering, family)) {
      covered += 2 ** -bits
      met.add(site)
      const found = siteAt(steering, prefix)
      if (leafValue(found) !== site || leafBits(found) !== bits) wrong.push(`${prefix}/${bits}`)
    }
    expect(covered).toBe(1)
  }
  expect(wrong).toEqual([])
  expect([...met].sort((a, b) => a - b)).toEqual(
    Array.from({ length: steering.sites }, (_, site) => site),
  )
})
