/** The targets of a pool as they are numbered in a World, each with the text that files call it by. */
import { addressText } from '../dns/address.ts'
import { canonical, nameText } from '../dns/name.ts'
import type { Target } from '../steer/rule.ts'
import { KIND, KINDS, type Steering, targetOctets } from '../steer/steering.ts'

export type Numbered = readonly [target: number, key: string]

export function targetsOf(steering: Steering, pool: number): Numbered[] {
  return Object.values(KIND).flatMap(kind => {
    const list = KINDS * pool + kind
    const from = steering.listStart[list] ?? 0
    return Array.from({ length: (steering.listStart[list + 1] ?? from) - from }, (_, i) => {
      const octets = targetOctets(steering, from + i)
      const isHost = kind === KIND.host
      return [from + i, isHost ? nameText(canonical(octets)) : addressText(octets)] as const
    })
  })
}

/** The key of a target of the configuration. */
export function targetKey(target: Target): string {
  return target.kind === 'host' ? nameText(canonical(target.name)) : addressText(target.octets)
}
