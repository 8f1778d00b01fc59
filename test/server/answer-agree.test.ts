/**
 * On random policies and random health: A, AAAA and HTTPS of one name and one client agree on the
 * pool, as far as pools have both families, and on TTL and scope; the scope no health ever moves.
 */
import { expect, test } from 'vitest'
import { type Desk, openDesk } from '../../server/answer/desk.ts'
import { below, type Chance, chance } from '../../server/steer/chance.ts'
import type { Choose, Policy, Pool, Rule } from '../../server/steer/rule.ts'
import { KINDS, PICK } from '../../server/steer/steering.ts'
import { serviceOf } from '../kit/service.ts'
import { latency, nearest, network, policyOf, pool, rule } from '../kit/steering.ts'
import { addresses, ask, worldOf } from '../kit/world.ts'
import { ZONE_Z } from '../kit/zone-text.ts'

const POLICIES = 60
const CLIENTS = 12
const POOLS = [0, 1, 2, 3]
const PICKS = Object.keys(PICK) as Rule['pick'][]
const ALPN = { key: 1, value: Uint8Array.of(2, 0x68, 0x32) }
const HTTPS = { type: 65, priority: 1, target: Uint8Array.of(0), params: [ALPN] }
const HALF = { kind: 'share', share: 0.5 } as const

/** Which families pools have: all of them both, or only the first for certain. */
type Kind = 'both' | 'mixed'

function one<T>(dice: Chance, ...of: readonly T[]): T {
  return of[below(dice, of.length)] as T
}

/** Targets of pool p are 192.0.2.(16p + t) and 2001:db8::(16p + t), so that answers tell the pool. */
function drawPool(dice: Chance, number: number, kind: Kind): Pool {
  const families = kind === 'both' || number === 0 ? [4, 6] : one(dice, [4], [6], [4, 6])
  const texts = families.flatMap(family =>
    Array.from({ length: 1 + below(dice, 4) }, (_, t) => {
      const last = 16 * number + t
      const text = family === 4 ? `192.0.2.${last}` : `2001:db8::${last.toString(16)}`
      return `${text}=${one(dice, 1, 1, 3)}`
    }),
  )
  const point = { lat: below(dice, 90), lon: below(dice, 90) }
  const quorum = one(dice, {}, { quorum: HALF })
  const spill = one(dice, {}, { spill: 1.4 })
  return { ...pool(`p${number}`, ...texts), point, ...quorum, ...spill }
}

/** Some pools in some order, the first pool among them, so that every client has both families. */
function some(dice: Chance): number[] {
  const drawn = POOLS.map(number => ({ number, at: below(dice, 1000) }))
  const mixed = drawn.sort((a, b) => a.at - b.at).map(({ number }) => number)
  return mixed.filter(number => number === 0 || below(dice, 2) === 1)
}

function drawRule(dice: Chance, pick: Rule['pick'], number: number): Rule {
  const fallback: Choose = { kind: 'latency', latency: 0, nearest: nearest(POOLS) }
  const how = one(
    dice,
    { all: some(dice) },
    { networks: [[0, some(dice)] as const, [1, some(dice)] as const], default: some(dice) },
    { choose: fallback },
  )
  return rule({
    owner: `r${number}.example.com.`,
    pick,
    answers: one(dice, undefined, 1, 2, 8),
    spread: one(dice, undefined, undefined, 'pools' as const),
    lastResort: one(dice, undefined, { kind: 'healthiest' as const }, { kind: 'pool', pool: 0 }),
    services: [HTTPS],
    ...how,
  })
}

function drawPolicy(dice: Chance, kind: Kind): Policy {
  const times = () => Object.fromEntries(POOLS.map(number => [number, 10 * below(dice, 3)]))
  return policyOf({
    pools: POOLS.map(number => drawPool(dice, number, kind)),
    networks: [network('a', '11.0.0.0/9', '2600::/16'), network('b', '11.64.0.0/12')],
    latencies: [latency('rtt.csv', ['11.0.0.0/8', times()], ['2600::/12', times()])],
    rules: PICKS.map((pick, number) => drawRule(dice, pick, number)),
  })
}

function drawClient(dice: Chance): string {
  const octet = () => below(dice, 256)
  const near = `11.${octet()}.${octet()}.0/24`
  return one(
    dice,
    near,
    near,
    `${1 + below(dice, 9)}.${octet()}.0.0/24`,
    `26${octet().toString(16).padStart(2, '0')}::/56`,
  )
}

/** Makes targets up or down; in some pools none of a family, and of both then where `both` is. */
function shake(dice: Chance, { board, world }: Desk, kind: Kind): void {
  const { listStart } = world.steering
  for (const number of POOLS) {
    const dead = [below(dice, 4) === 0, below(dice, 4) === 0]
    for (const family of [0, 1]) {
      const isDead = dead[kind === 'both' ? 0 : family]
      const from = listStart[KINDS * number + family] ?? 0
      const up = board.up.subarray(from, listStart[KINDS * number + family + 1])
      for (const at of up.keys()) up[at] = isDead || (at > 0 && below(dice, 3) === 0) ? 0 : 1
    }
  }
}

/** The pools that addresses are of, ascending. */
function poolsOf(given: readonly string[]): number[] {
  const numbers = given.map(text => {
    const [, hex] = text.split('::')
    return (hex === undefined ? Number(text.split('.')[3]) : Number.parseInt(hex || '0', 16)) >> 4
  })
  return [...new Set(numbers)].sort()
}

/** The pools of both answers and of both hints; all scopes and TTLs there are. */
function asked(desk: Desk, name: string, subnet: string) {
  const four = ask(desk, name, { subnet })
  const six = ask(desk, name, { subnet, type: 'AAAA' })
  const made = ask(desk, name, { subnet, type: 'HTTPS' })
  const { ipv4, ipv6 } = serviceOf(made)
  const all = [four, six, made]
  return {
    pools: [addresses(four), addresses(six), ipv4, ipv6].map(poolsOf),
    scopes: [...new Set(all.map(({ scope }) => scope))],
    ttls: [...new Set(all.map(({ answer }) => answer[0]?.split(' ')[1]))],
  }
}

test.each(['both', 'mixed'] as const)('A, AAAA and HTTPS agree: %s families', kind => {
  const dice = chance(1794, kind.length)
  for (let round = 0; round < POLICIES; round += 1) {
    const desk = openDesk(worldOf(ZONE_Z, drawPolicy(dice, kind)), chance(round))
    const slot = round % PICKS.length
    const name = `r${slot}.example.com`
    for (let i = 0; i < CLIENTS; i += 1) {
      const subnet = drawClient(dice)
      const { scopes } = asked(desk, name, subnet)
      shake(dice, desk, kind)
      const now = asked(desk, name, subnet)
      const [four, six, hints4, hints6 = []] = now.pools
      const where = `round ${round}, ${name}, ${subnet}`
      expect([where, now.scopes, now.ttls]).toEqual([where, scopes, ['30']])
      expect(scopes).toHaveLength(1)
      expect([where, hints4]).toEqual([where, four])
      if (kind === 'both') expect([where, six, hints6]).toEqual([where, four, four])
      else if (desk.world.steering.spread[slot] === 1) continue
      else expect([where, hints6]).toEqual([where, `${six}` === `${four}` ? four : []])
    }
  }
})
