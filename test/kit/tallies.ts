/** What rose by a message: the cells of a thread's tallies in words, for tests that compare them. */
import { type Answered, addAnswers } from '../../server/guard/answered.ts'
import type { Tallies } from '../../server/guard/answers.ts'
import { COOKIE } from '../../server/guard/cookies.ts'
import {
  AT,
  CUT,
  DROP,
  OTHERS,
  RCODES,
  REQUESTS,
  SCOPES,
  SIZE_BOUNDS,
  SIZES,
} from '../../server/guard/tally.ts'
import type { Steering } from '../../server/steer/steering.ts'

/** `requests udp 4 A`, `scopes 6 56`, …: each cell that is not zero, with its number. */
export function risen(cells: Float64Array): Record<string, number> {
  const found: Record<string, number> = {}
  for (const [cell, count] of cells.entries()) if (count !== 0) found[wordsOf(cell)] = count
  return found
}

const OVER = ['udp', 'tcp', 'dot', 'doh']
const FAMILY = ['4', '6']

function wordsOf(cell: number): string {
  const starts = Object.entries(AT).toSorted(([, a], [, b]) => b - a)
  const [column, start] = starts.find(([, from]) => from <= cell) ?? ['', 0]
  const at = cell - start
  switch (column) {
    case 'requests':
      return `requests ${OVER[Math.floor(at / REQUESTS / 2)]} ${FAMILY[Math.floor(at / REQUESTS) % 2]} ${typeWord(at % REQUESTS)}`
    case 'requestSizes':
    case 'responseSizes':
      return `${column} ${OVER[Math.floor(at / SIZES)]} ${sizeWord(at % SIZES)}`
    case 'cookies':
      return `cookies ${Object.keys(COOKIE)[at]}`
    case 'errors':
      return `errors ${at}`
    case 'scopes':
      return `scopes ${FAMILY[Math.floor(at / SCOPES)]} ${at % SCOPES}`
    case 'drops':
      return `drops ${Object.entries(DROP).find(([, why]) => why === at)?.[0]}`
    case 'cuts':
      return `cuts ${Object.entries(CUT).find(([, why]) => why === at)?.[0]}`
    default:
      return column === 'responses' ? `responses ${at === RCODES - 1 ? 'other' : at}` : column
  }
}

function typeWord(type: number): string {
  const other = Object.entries(OTHERS).find(([, cell]) => cell === type)
  return other?.[0] ?? String(type)
}

function sizeWord(at: number): string {
  if (at > SIZE_BOUNDS.length) return 'sum'
  return at === SIZE_BOUNDS.length ? '+Inf' : `≤${SIZE_BOUNDS[at]}`
}

/** `name pool`: how many. */
export function answeredIn(tallies: Tallies, steering: Steering): Record<string, number> {
  const found: Answered = new Map()
  addAnswers(found, tallies.answers, steering)
  return counts(found)
}

export function counts(answered: Answered): Record<string, number> {
  const all = [...answered].flatMap(([name, pools]) =>
    [...pools].map(([pool, count]) => [`${name} ${pool}`, count] as const),
  )
  return Object.fromEntries(all)
}
