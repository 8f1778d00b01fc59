/** The targets of a World by number: which pool has them, and the text that files call them by. */
import { addressText } from '../dns/address.ts'
import { canonical, nameText } from '../dns/name.ts'
import type { Target } from './rule.ts'
import { KIND, KINDS, type Steering, targetOctets } from './steering.ts'

export type Numbered = readonly [target: number, key: string]

/** The targets of a pool, each with its text. */
export function targetsOf(steering: Steering, pool: number): Numbered[] {
  return targetsIn(steering, pool).map(target => [target, targetText(steering, target)])
}

/** The numbers alone. */
export function targetsIn({ listStart }: Steering, pool: number): number[] {
  const from = listStart[KINDS * pool] ?? 0
  return Array.from({ length: (listStart[KINDS * (pool + 1)] ?? from) - from }, (_, i) => from + i)
}

/** An address, or a host name with its dot. */
export function targetText(steering: Steering, target: number): string {
  const octets = targetOctets(steering, target)
  return isHost(steering, target) ? nameText(canonical(octets)) : addressText(octets)
}

/** The key of a target of the configuration. */
export function targetKey(target: Target): string {
  return target.kind === 'host' ? nameText(canonical(target.name)) : addressText(target.octets)
}

export function isHost(steering: Steering, target: number): boolean {
  return listOf(steering, target) % KINDS === KIND.host
}

/** The pool that a target is listed in. */
export function poolOf(steering: Steering, target: number): number {
  return Math.floor(listOf(steering, target) / KINDS)
}

/** The list that a target stands in: the last one that begins no later, as empty ones hold none. */
function listOf({ listStart }: Steering, target: number): number {
  let low = 0
  let high = listStart.length - 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((listStart[middle] ?? 0) <= target) low = middle
    else high = middle
  }
  return low
}
