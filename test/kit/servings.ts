/**
 * Random maps served with every way to pick, targets down, loads and caps, and random questions that
 * are asked of them. What is right is drawn up beside them by `oracle.ts`.
 */
import { type Desk, openDesk } from '../../server/answer/desk.ts'
import type { Explainable } from '../../server/explain.ts'
import { type Board, openBoard } from '../../server/steer/board.ts'
import { below, type Chance, chance } from '../../server/steer/chance.ts'
import type { Choose, LastResort, Pick, Policy, Pool, Target } from '../../server/steer/rule.ts'
import { runAt, runsOf } from './blocks.ts'
import { anyNumber, drawMap, type Family, oneOf, type RandomMap, textOf } from './maps.ts'
import { classOf, classOfNobody, edgesOf } from './oracle.ts'
import { servingOf } from './serving.ts'

// biome-ignore format: table
const PICKS: readonly Pick[] = [
  'shuffle', 'rotate', 'random', 'weighted', 'smooth',
  'hash', 'two', 'least', 'feedback', 'fastest', 'multi',
]
const RESORTS: readonly LastResort[] = [
  { kind: 'all' },
  { kind: 'healthiest' },
  { kind: 'pool', pool: 1 },
]
const HTTPS = { type: 65, priority: 1, target: Uint8Array.of(0), params: [] }

/** Such a map, and what serves it. */
export type Drawn = {
  readonly policy: Policy
  readonly isAlias: boolean
  readonly serving: Explainable
  readonly board: Board
  readonly desk: Desk
  /** By rule: who gets what. */
  readonly right: readonly [Right, Right]
}
type Right = { readonly choose: Choose; readonly runs: ReturnType<typeof runsOf> }

/** A map of which both rules pick as drawn, from pools of all kinds. */
export type DrawnPolicy = {
  readonly map: RandomMap
  readonly policy: Policy
  readonly isAlias: boolean
}

export function drawPolicy(drawn: Chance, index: number): DrawnPolicy {
  const isAlias = below(drawn, 8) === 0
  const map = drawMap(drawn, {
    pick: PICKS[index % PICKS.length] ?? 'shuffle',
    answers: oneOf(drawn, [0, 1, 2, 3]) || undefined,
    ttl: oneOf(drawn, [
      { max: 30, min: 10 },
      { max: 60, min: 60 },
    ]),
    quantum: { ipv4: oneOf(drawn, [8, 24, 32]), ipv6: oneOf(drawn, [32, 48]) },
    spread: below(drawn, 4) === 0 ? 'pools' : undefined,
    spill: below(drawn, 4) === 0 ? 1.4 : undefined,
    quorum: below(drawn, 4) === 0 ? { kind: 'share', share: 0.5 } : undefined,
    lastResort: oneOf(drawn, RESORTS),
    services: isAlias ? undefined : [HTTPS],
  })
  const pools = poolsFor(drawn, map.policy.pools, isAlias)
  return { map, policy: { ...map.policy, pools }, isAlias }
}

export function drawServing(drawn: Chance, index: number): Drawn {
  const { isAlias, map, policy } = drawPolicy(drawn, index)
  const serving = servingOf(policy, map.places)
  const board = drawBoard(drawn, serving)
  const desk = openDesk(serving.world, chance(1), board)
  const right = [rightOf(map, policy, 0), rightOf(map, policy, 1)] as const
  return { policy, isAlias, serving, board, desk, right }
}

function rightOf({ lying }: RandomMap, policy: Policy, slot: number): Right {
  const { choose, pick } = policy.rules[slot] ?? {}
  if (choose === undefined) throw new Error(`no rule ${slot}`)
  const says = (family: Family) => ({
    edges: edgesOf(family, lying[family]),
    says: (at: bigint) => classOf(policy, choose, family, lying[family], at),
  })
  const isApart = (ranking: string): boolean =>
    pick === 'hash' && ranking.split(/[ =]/).some(index => hasSeveral(policy.pools[Number(index)]))
  return { choose, runs: runsOf(says(4), says(6), isApart) }
}

/** Whether hashing has a choice in a pool. */
function hasSeveral(pool: Pool | undefined): boolean {
  const kinds = pool?.targets.map(target => (target.kind === 'host' ? 'host' : target.family)) ?? []
  return new Set(kinds).size < kinds.length
}

/** More targets for the pools of a map: up to five of a family, with weights; or host names. */
function poolsFor(drawn: Chance, pools: readonly Pool[], isAlias: boolean): Pool[] {
  return pools.map((pool, index) => {
    const some = (make: (at: number) => Target): Target[] =>
      Array.from({ length: 1 + below(drawn, 5) }, (_, at) => make(at))
    const weight = () => ({ weight: below(drawn, 4), load: below(drawn, 9) })
    const host = (at: number): Target => ({ kind: 'host', name: hostName(index, at), ...weight() })
    const ipv4 = (at: number): Target => {
      const octets = Uint8Array.of(192, 0, 2, 16 * index + at)
      return { kind: 'address', family: 4, octets, ...weight() }
    }
    const ipv6 = (at: number): Target => {
      const octets = Uint8Array.of(32, 1, 13, 184, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, index, at)
      return { kind: 'address', family: 6, octets, ...weight() }
    }
    return { ...pool, targets: isAlias ? some(host) : [...some(ipv4), ...some(ipv6)] }
  })
}

/** `p1-2.example.org.` */
function hostName(pool: number, at: number): Uint8Array {
  return Uint8Array.from(Buffer.from(`\x04p${pool}-${at}\x07example\x03org\x00`, 'latin1'))
}

/** Some targets are down; some loads, capacities and speeds are known; some slots are capped. */
function drawBoard(drawn: Chance, { world: { steering } }: Explainable): Board {
  const board = openBoard(steering)
  const down = below(drawn, 4)
  for (let target = 0; target < steering.targets; target += 1) {
    if (below(drawn, 4) < down) board.up[target] = 0
    if (below(drawn, 3) > 0) board.share[target] = 1 + below(drawn, 9)
    if (below(drawn, 3) > 0) board.latency[target] = 1 + below(drawn, 90)
  }
  if (below(drawn, 4) === 0) board.cap[0] = below(drawn, 40)
  return board
}

export type Question = {
  readonly name: string
  readonly type: string
  readonly subnet: string | undefined
  readonly source: string
  readonly seed: readonly number[]
}

export function drawQuestion(drawn: Chance, isAlias: boolean, index: number): Question {
  const family = oneOf(drawn, [4, 4, 6] as const)
  const bits = oneOf(drawn, family === 4 ? [0, 8, 16, 20, 24, 24, 32] : [32, 48, 56, 56, 128])
  const number = nearby(drawn, family) & ~((1n << BigInt((family === 4 ? 32 : 128) - bits)) - 1n)
  return {
    name: oneOf(drawn, ['www.example.com', 'named.example.com']),
    type: oneOf(drawn, isAlias ? ['A', 'TXT'] : ['A', 'A', 'AAAA', 'HTTPS']),
    subnet: below(drawn, 10) === 0 ? undefined : textOf(family, { start: number, end: 0n, bits }),
    source:
      index % 2 === 0 ? '127.0.0.1' : `${oneOf(drawn, [10, 9, 8, 17])}.1.2.${below(drawn, 250)}`,
    seed: [below(drawn, 1 << 30)],
  }
}

/** Often where networks are, and special and embedded blocks. */
function nearby(drawn: Chance, family: Family): bigint {
  const any = anyNumber(drawn, family)
  if (below(drawn, 2) === 0) return any
  const low = any & (family === 4 ? 0xffffn : (1n << 100n) - 1n)
  if (family === 4) return low | oneOf(drawn, [0x0a010000n, 0xc0a80000n, 0x08080000n, 0x7f000000n])
  return oneOf(drawn, [
    (0x2002n << 112n) | low,
    0xffff00000000n | (low & 0xffffffffn),
    (0x20010db8n << 96n) | (low & ((1n << 96n) - 1n)),
  ])
}

/**
 * The ranking of whoever decides, as pools by index: `0=1 2`.
 *
 * @param by whose address that is
 */
export function rightRanking(
  { policy, right }: Drawn,
  { name, source, subnet = '' }: Question,
  by: 'subnet' | 'source' | 'nobody',
): string {
  const { choose, runs } = right[name.startsWith('www') ? 0 : 1]
  if (by === 'nobody') return classOfNobody(policy, choose)
  const [address = ''] = (by === 'subnet' ? subnet : source).split('/')
  return runAt(runs[address.includes(':') ? 6 : 4], numberOf(address)).says
}

/** An address without `::`. */
function numberOf(address: string): bigint {
  const [separator, bits, base] = address.includes(':') ? [':', 16n, '0x'] : ['.', 8n, '']
  return address.split(separator).reduce((sum, part) => (sum << bits) | BigInt(base + part), 0n)
}
