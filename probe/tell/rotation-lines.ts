/** The figures of `dns2` as lines: counts, shares of first addresses, and what chance says. */
import type { Judgement } from '../judge/judgement.ts'
import { drawsForPool } from '../judge/odds.ts'
import type { RotationEvidence } from '../judge/verdict.ts'
import { counted, many, percent, printable, pText } from './number.ts'
import { poolText } from './rotation-words.ts'
import type { Style } from './style.ts'
import { fit, tableLines } from './table.ts'

type Page = { readonly style: Style; readonly width: number | undefined }

/** First addresses listed one by one; the rest are counted. */
const LISTED = 16

export function rotationLines(
  one: Judgement,
  seen: RotationEvidence,
  { style, width }: Page,
): readonly string[] {
  const count = `${many(seen.queries, 'query', 'queries')}, ${many(seen.replies, 'reply', 'replies')}`
  const head = `${count} from ${one.server}${lost(one)}`
  if (seen.atLeast === 0) return [head]
  const figures = [
    `seen ${poolOf(one, seen)}`,
    `${range(seen.perAnswer)} per answer`,
    `order changed ${seen.orderChanges} of ${seen.replies - seen.empty - 1} times`,
    ttlText(seen),
  ]
  const lines = [head, figures.join(' · '), ...firstLines(seen)]
  return [...lines.map(line => fit(line, width)), ...chanceLines(one, seen).map(style.faint)]
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

function firstLines(seen: RotationEvidence): readonly string[] {
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
  return tableLines([['first', 'times', 'share', ''], ...rows, ...more], undefined)
}

/** What chance alone would do, for those tests that bear on the verdict. */
function chanceLines(one: Judgement, seen: RotationEvidence): readonly string[] {
  const tests: [number | undefined, string][] = [
    [seen.constant, 'a fair choice of two would look this constant'],
    [seen.cyclic, 'chance would take turns this regularly'],
    [
      seen.drift !== undefined && seen.drift < 1 ? seen.drift : undefined,
      'chance would change once like this',
    ],
    [seen.orders > 1 ? seen.uniform : undefined, 'equal shares would come out this uneven'],
    [
      seen.instance !== undefined && seen.instance < 1 ? seen.instance : undefined,
      'chance would go with the instance like this',
    ],
  ]
  const said = tests.flatMap(([p, what]) => (p === undefined ? [] : [`${pText(p)}: ${what}`]))
  return [...said, ...unseenLine(one, seen)]
}

function unseenLine(one: Judgement, seen: RotationEvidence): readonly string[] {
  if (one.verdict.code !== 'rotating-one' && one.verdict.code !== 'rotating-subset') return []
  const share = `an address not seen may have up to ${percent(seen.unseen)} (95 %)`
  if (seen.perAnswer.max !== 1 || seen.probably === undefined) return [share]
  return [
    `${share}; seeing all of ${seen.probably} takes about ${drawsForPool(seen.probably)} queries`,
  ]
}
