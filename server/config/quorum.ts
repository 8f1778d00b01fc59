/**
 * How much of a pool must be up, as operators write it: `2`, `50%` or `0.5`.
 */
import { type Wrong, wrong } from '../fault.ts'
import type { Quorum } from '../steer/rule.ts'

const FIX = 'write a count like 2, or a share like 50% or 0.5'

/** Reads a quorum: a number from 1 up counts targets, one below is a share of them. */
export function quorumFrom(written: string | number): Quorum | Wrong {
  const number = typeof written === 'number' ? written : numberIn(written)
  if (number === undefined || number <= 0) return wrong(`${written} is no quorum`, FIX)
  if (typeof written === 'string' && written.endsWith('%')) {
    if (number <= 100) return { kind: 'share', share: number / 100 }
    return wrong(`${written} is more than all`, 'at most 100%')
  }
  if (number < 1) return { kind: 'share', share: number }
  if (Number.isInteger(number)) return { kind: 'count', count: number }
  return wrong(`${written} is no whole number of targets`, FIX)
}

function numberIn(text: string): number | undefined {
  const digits = /^(\d+(?:\.\d+)?)%?$/.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
