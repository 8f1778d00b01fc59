/** The figures of `dns2` as lines: counts, shares of first addresses, and what chance says. */
import type { Judgement } from '../judge/judgement.ts'
import { drawsForPool } from '../judge/odds.ts'
import type { RotationEvidence } from '../judge/verdict.ts'
import { counted, many, percent, printable, pText } from './number.ts'
import { poolText } from './rotation-words.ts'
import type { Style } from './style.ts'
import { tableLines } from './table.ts'

type Page = { readonly style: Style; readonly width: number | undefined }

/** First addresses listed one by one; the rest are counted. */
const LISTED = 16

export function rotationLines(
  one: Judgement,
  seen: RotationEvidence,
  { style, width }: Page,
): readonly string[] {
  const figures = figureLines(one, seen)
  if (seen.atLeast === 0) return figures
  const lines = [...figures, ...firstLines(seen, width)]
  return [...lines, ...chanceLines(one, seen).map(style.faint)]
}

/** How much was asked, and the pool, the order and the TTL that were seen. */
export function figureLines(one: Judgement, seen: RotationEvidence): readonly string[] {
  const count = `${many(seen.queries, 'query', 'queries')}, ${many(seen.replies, 'reply', 'replies')}`
  const head = `${count} from ${one.server}${lost(one)}`
  if (seen.atLeast === 0) return [head]
  const figures = [
    `seen ${poolOf(one, seen)}`,
    `${range(seen.perAnswer)} per answer`,
    `order changed ${seen.orderChanges} of ${seen.replies - seen.empty - 1} times`,
    ttlText(seen),
  ]
  return [head, figures.join(' · ')]
}

function lost({ tally }: Judgement): string {
  const parts = [
    ...(tally.timeouts > 0 ? [many(tally.timeouts, 'timeout', 'timeouts')] : []),
    ...Object.entries(tally.rcodes)
      .filter(([code]) => code !== 'NOERROR')
      .map(([code, n]) => `${n}× ${code}`),
  ]
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

function poolOf(one: Judgement, seen: RotationEvidence): string {
  const rotates = one.verdict.code === 'rotating-one' || one.verdict.code === 'rotating-subset'
  const cyclic = one.verdict.modifiers.includes('cyclic')
  return rotates && !cyclic ? poolText(seen, one.type) : counted(seen.atLeast, one.type)
}

function range({ min, max }: RotationEvidence['perAnswer']): string {
  return min === max ? `${min}` : `${min}–${max}`
}

function ttlText({ ttl, countsDown }: RotationEvidence): string {
  if (ttl === undefined) return 'no TTL'
  const span = ttl.min === ttl.max ? `TTL ${ttl.max} s` : `TTL ${ttl.min}–${ttl.max} s`
  return countsDown ? `${span}, counting down` : span
}

function firstLines(seen: RotationEvidence, width: number | undefined): readonly string[] {
  const total = seen.first.reduce((sum, { count }) => sum + count, 0)
  const listed = seen.first.slice(0, LISTED)
  const rows = listed.map(({ address, count }) => [
    printable(address),
    `${count}×`,
    percent(count / total),
    '#'.repeat(Math.round((40 * count) / total)),
  ])
  const rest = seen.first.length - listed.length
  const more = rest > 0 ? [[`and ${rest} more`]] : []
  return tableLines([['first', 'times', 'share', ''], ...rows, ...more], width)
}

/** What chance alone would do, in words that say which way the test came out. */
export function chanceLines(one: Judgement, seen: RotationEvidence): readonly string[] {
  const { constant, cyclic, drift = 1, uniform, instance = 1, orders } = seen
  const lines: string[] = []
  if (constant !== undefined)
    lines.push(`${pText(constant)} that a fair choice of two looks this constant`)
  if (orders > 1 && cyclic !== undefined) {
    lines.push(speaks(cyclic, 'that random answers take turns so regularly', 'no turns are taken'))
  }
  if (orders > 1 && uniform !== undefined) {
    const even = 'first places are as even as chance makes them'
    lines.push(speaks(uniform, 'that equal chances give first places this uneven', even))
  }
  if (drift < 1) lines.push(`${pText(drift)} that chance puts equal answers side by side like this`)
  if (instance < 0.05)
    lines.push(`${pText(instance)} that answers go so well with instances by chance`)
  return [...lines, ...unseenLine(one, seen)]
}

function speaks(p: number, strange: string, plain: string): string {
  return p <= 0.001 ? `${pText(p)} ${strange}` : `${plain} (${pText(p)})`
}

function unseenLine(one: Judgement, seen: RotationEvidence): readonly string[] {
  if (one.verdict.code !== 'rotating-one' && one.verdict.code !== 'rotating-subset') return []
  const share = `an address not seen may have up to ${percent(seen.unseen)} (95 %)`
  if (seen.perAnswer.max !== 1 || seen.probably === undefined) return [share]
  return [
    `${share}; seeing all of ${seen.probably} takes about ${drawsForPool(seen.probably)} queries`,
  ]
}
