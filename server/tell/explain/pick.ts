/** What was picked from the pool that serves, and from what: the board's numbers beside each target. */
import { addressText } from '../../dns/address.ts'
import { nameText } from '../../dns/name.ts'
import type { Decision } from '../../steer/decision.ts'
import type { Pick } from '../../steer/rule.ts'
import { KIND, KINDS, PICK, type Steering, targetOctets } from '../../steer/steering.ts'
import { poolName } from '../ranking.ts'
import type { Candidate, Picked } from './explanation.ts'
import type { Served } from './served.ts'

const PICKS = Object.keys(PICK) as Pick[]

/** Explains the targets of a decision. */
export function picked({ desk: { board, world } }: Served, made: Decision): Picked {
  const { steering } = world
  const kind = kindOf(made)
  const start = steering.listStart[KINDS * made.pool + kind] ?? 0
  const end = steering.listStart[KINDS * made.pool + kind + 1] ?? start
  const from = Array.from({ length: end - start }, (_, i): Candidate => {
    const target = start + i
    return {
      target: targetText(steering, target),
      up: board.up[target] === 1,
      weight: steering.weight[target] ?? 1,
      ...known('load', board.load[target]),
      ...known('capacity', board.share[target]),
      ...known('latency', board.latency[target]),
    }
  })
  const chosen = [...made.targets.subarray(0, made.count)]
  return {
    kind: KIND_TEXT[kind] ?? 'host',
    policy: PICKS.find(name => PICK[name] === steering.pick[made.slot]) ?? 'shuffle',
    most: steering.most[KINDS * made.slot + kind] ?? 0,
    from,
    targets: chosen.map(target => ({
      target: targetText(steering, target),
      pool: poolName(steering, poolOf(steering, target)),
    })),
  }
}

const KIND_TEXT: readonly Picked['kind'][] = ['IPv4', 'IPv6', 'host']

/** Of which kind the targets of a decision are: one of KIND. */
export function kindOf({ alias, family }: Decision): number {
  return alias ? KIND.host : family === 4 ? KIND.ipv4 : KIND.ipv6
}

/** NaN on the board says that nobody knows. */
function known(key: 'load' | 'capacity' | 'latency', value = Number.NaN): Partial<Candidate> {
  return Number.isNaN(value) ? {} : { [key]: value }
}

function targetText(steering: Steering, target: number): string {
  const octets = targetOctets(steering, target)
  const list = listOf(steering, target)
  return list % KINDS === KIND.host ? nameText(octets) : addressText(octets)
}

function poolOf(steering: Steering, target: number): number {
  return Math.floor(listOf(steering, target) / KINDS)
}

/** The list that a target stands in: the last one that begins no later. */
function listOf({ listStart }: Steering, target: number): number {
  let [low, high] = [0, listStart.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((listStart[middle] ?? 0) <= target) low = middle
    else high = middle - 1
  }
  return low
}
