/** Many answers of one slot, and what to count in them. */
import { type Board, openBoard } from '../../server/steer/board.ts'
import { chance } from '../../server/steer/chance.ts'
import { decision } from '../../server/steer/decision.ts'
import type { Policy, Pool, Target } from '../../server/steer/rule.ts'
import { type hint, steer } from '../../server/steer/steer.ts'
import { type Steering, targetOctets } from '../../server/steer/steering.ts'
import { startTurns, type Turns } from '../../server/steer/turns.ts'
import { chosen, compiled, peerOf, pool, type RuleText, rule, subnetOf } from './steering.ts'

export function addresses(count: number, prefix = '192.0.2.'): string[] {
  return Array.from({ length: count }, (_, i) => `${prefix}${i + 1}`)
}

/** One rule over pools, all of them for everybody unless told; no problems in it. */
export function steeredBy(text: RuleText, pools: readonly Pool[], more: Partial<Policy> = {}) {
  const all = pools.map((_, i) => i)
  const whole = text.choose || text.default ? {} : { all }
  const { steering, said } = compiled({ pools, ...more, rules: [rule({ ...whole, ...text })] })
  if (said.problems.length > 0) throw new Error(said.problems.map(one => one.what).join('\n'))
  return steering
}

/** One rule over one pool; targets as in `pool`. */
export function steered(text: RuleText, ...targets: readonly string[]): Steering {
  return steeredBy(text, [pool('p', ...targets)])
}

/** A pool whose targets have what the operator fixed: `{ load, capacity }`, one a target. */
export function poolWith(
  name: string,
  fixed: readonly Pick<Target, 'load' | 'capacity'>[],
  ...targets: readonly string[]
): Pool {
  const plain = pool(name, ...targets)
  return { ...plain, targets: plain.targets.map((one, i) => ({ ...one, ...fixed[i] })) }
}

/** A board on which the targets named, in hex, are down. */
export function boardWith(steering: Steering, ...down: readonly string[]): Board {
  const board = openBoard(steering)
  for (let target = 0; target < steering.targets; target += 1) {
    const hex = Buffer.from(targetOctets(steering, target)).toString('hex')
    if (down.includes(hex)) board.up[target] = 0
  }
  return board
}

export type Asked = {
  readonly board?: Board
  readonly turns?: Turns
  readonly slot?: number
  readonly seed?: number
  readonly peer?: string
  readonly family?: (i: number) => 4 | 6
  readonly subnet?: (i: number) => string
  /** Instead of `steer`. */
  readonly by?: typeof hint
}

/** Answers of one thread, one after the other; each the targets in hex. */
export function asked(steering: Steering, times: number, told: Asked = {}): string[][] {
  const drawn = chance(told.seed ?? 1)
  const made = decision()
  const { board = openBoard(steering), slot = 0, by = steer } = told
  const turns = told.turns ?? startTurns(steering, drawn)
  const peer = peerOf(told.peer ?? '192.0.2.53')
  return Array.from({ length: times }, (_, i) => {
    const subnet = subnetOf(told.subnet?.(i) ?? '')
    by(steering, board, slot, told.family?.(i) ?? 4, subnet, peer, turns, drawn, made)
    return chosen(steering, made)
  })
}

/** Turns at their very beginning. */
export function firstTurns(steering: Steering): Turns {
  const turns = startTurns(steering, chance(1))
  turns.next.fill(0)
  turns.gains.fill(0)
  return turns
}

export function counts<Key>(of: Iterable<Key>): Map<Key, number> {
  const counted = new Map<Key, number>()
  for (const one of of) counted.set(one, (counted.get(one) ?? 0) + 1)
  return counted
}

/** The last octet of an address in hex, as a letter: 1 is `a`. */
export function letter(hex = ''): string {
  return String.fromCharCode(0x60 + Number.parseInt(hex.slice(-2), 16))
}

/** Answers as words: `ab` is the first target, then the second. */
export function words(answers: readonly (readonly string[])[]): string[] {
  return answers.map(answer => answer.map(letter).join(''))
}

/** Pearson's χ² of counts against the shares expected; what is expected nowhere may not occur. */
export function chiSquare(
  counted: ReadonlyMap<string, number>,
  shares: Readonly<Record<string, number>>,
): number {
  const all = [...counted.values()].reduce((sum, count) => sum + count, 0)
  const whole = Object.values(shares).reduce((sum, share) => sum + share, 0)
  let chi = 0
  for (const key of new Set([...counted.keys(), ...Object.keys(shares)])) {
    const expected = (all * (shares[key] ?? 0)) / whole
    const missed = (counted.get(key) ?? 0) - expected
    chi += missed === 0 ? 0 : missed ** 2 / expected
  }
  return chi
}
