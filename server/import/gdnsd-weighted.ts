/**
 * How much of a weighted resource one answer holds (gdnsd-plugin-weighted(8)): one address, or each
 * with a chance of its own, grouped or not.
 */
import type { Serves } from './draft.ts'
import type { Gdnsd } from './gdnsd-house.ts'
import { changed, type Spot } from './ledger.ts'

/** A group of weighted addresses. */
export type Weighted = {
  readonly name: string
  readonly items: readonly { readonly text: string; readonly weight: number }[]
}

type Part = { readonly multi: boolean; readonly groups: readonly Weighted[] }

/** How the pool of a weighted resource answers; what differs is noted. */
export function weightedServes(
  gdnsd: Gdnsd,
  { name, at }: { readonly name: string; readonly at: Spot },
  parts: readonly Part[],
): Serves {
  const sizes = parts.map(sizeOf)
  const [first] = sizes
  if (first !== undefined && sizes.every(size => size.kind === first.kind)) {
    if (first.kind !== 'some') return first
  }
  const each = sizes.find(size => size.kind === 'each')
  if (each !== undefined && sizes.every(isOfEach)) return each
  const answers = Math.max(...sizes.map(answersOf))
  const here =
    answers === 1
      ? 'one address by weight; groups are not kept together'
      : `${answers} addresses by weight; which come together is left to chance`
  changed(gdnsd.ledger, at, `weighted ${name}: groups or several addresses at once`, here)
  return answers === 1 ? { kind: 'one' } : { kind: 'some', answers }
}

/** Where all weigh the same, all of them come as each by itself. */
function isOfEach({ kind }: Serves): boolean {
  return kind === 'each' || kind === 'all'
}

function answersOf(serves: Serves): number {
  return serves.kind === 'some' || serves.kind === 'each' ? serves.answers : 1
}

/** What a part answers, exactly where there is such a way here. */
function sizeOf({ multi, groups }: Part): Serves {
  const [only, ...more] = groups
  if (only === undefined) return { kind: 'one' }
  const grouped = more.length > 0 || only.name !== ''
  if (!grouped && !multi) return { kind: 'one' }
  if (!grouped && isEven(weightsOf(only))) return { kind: 'all' }
  if (!grouped) return { ...some(expected(weightsOf(only))), kind: 'each' }
  const sums = groups.map(group => sum(weightsOf(group)))
  if (multi) return some(expected(sums))
  const inside = groups.map((group, at) => {
    return ((sums[at] ?? 0) / sum(sums)) * expected(weightsOf(group))
  })
  if (groups.length === 1 && isEven(weightsOf(only))) return { kind: 'all' }
  return some(sum(inside))
}

function some(answers: number): Extract<Serves, { kind: 'some' }> {
  return { kind: 'some', answers: Math.max(1, Math.round(answers)) }
}

/** How many come where each has the chance of its weight ÷ the greatest. */
function expected(weights: readonly number[]): number {
  return sum(weights) / Math.max(...weights)
}

function weightsOf({ items }: Weighted): number[] {
  return items.map(({ weight }) => weight)
}

function isEven(weights: readonly number[]): boolean {
  return new Set(weights).size === 1
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
