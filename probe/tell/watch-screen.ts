/**
 * The screen of `watch`: from what is known, and the size of a terminal, to exactly as many lines as
 * it holds, none longer than it is wide. A headline, the groups, the table, the latest changes, keys.
 */

import type { About } from '../judge/options.ts'
import { answersOf } from '../judge/watch-pool.ts'
import { type Change, groupOf, pauseMs, type WatchState } from '../judge/watch-state.ts'
import { printable } from './number.ts'
import { sentenceOf } from './sentence.ts'
import { regionLines, type Sort, subnetLines, tableText } from './watch-rows.ts'
import { type Span, spansLine, type WatchStyle } from './watch-style.ts'
import { answersText, changeText, clockText, placesText, spanText } from './watch-words.ts'

export type View = {
  readonly state: WatchState
  /** Which of how many names and types is shown, from 1. */
  readonly at: number
  readonly of: number
  /** Milliseconds since 1970. */
  readonly now: number
  readonly began: number
  readonly everyMs: number
  readonly pace: 'running' | 'paused'
  readonly sort: Sort
  readonly page: 'table' | 'help'
  /** The latest last. */
  readonly log: readonly Logged[]
  readonly warning: string | undefined
}

/** A change, and of what. */
export type Logged = About & { readonly change: Change }

export type Size = { readonly columns: number; readonly rows: number }

export function screenLines(view: View, size: Size, style: WatchStyle): readonly string[] {
  const { columns, rows } = size
  const head = headLines(view, columns, style)
  const foot = footLine(view, columns, style)
  const space = Math.max(0, rows - head.length - 1)
  const body = view.page === 'help' ? helpLines(columns) : bodyLines(view, columns, space, style)
  const kept = body.slice(0, space)
  const blank = Array.from({ length: Math.max(0, space - kept.length) }, () => '')
  return [...head, ...kept, ...blank, foot].slice(-Math.max(1, rows)).slice(0, rows)
}

function headLines(view: View, columns: number, style: WatchStyle): readonly string[] {
  const { state, at, of } = view
  const left: Span[] = [
    ...verdictSpans(state, style),
    [`${printable(state.name)} ${state.type}`, style.bold],
  ]
  if (of > 1) left.push([`  ${at} of ${of}`, style.faint])
  const pace = view.pace === 'paused' ? 'paused' : `every ${everyText(view.everyMs)}`
  const right = `pass ${state.passes} · ${pace} · ${clockText(view.now)}`
  const width = left.reduce((sum, [text]) => sum + text.length, 0)
  const gap = columns - width - right.length
  const tail: Span[] = gap < 2 ? [] : [[' '.repeat(gap)], [right, style.faint]]
  const warning: Span[] =
    view.warning === undefined ? [] : [[printable(view.warning), style.doubtful]]
  return [[...left, ...tail], [subHead(view, style)], warning].map(line => spansLine(line, columns))
}

function everyText(ms: number): string {
  return ms < 1000 ? `${ms / 1000} s` : spanText(ms)
}

function verdictSpans({ verdict }: WatchState, style: WatchStyle): readonly Span[] {
  if (verdict === undefined) return []
  const { answer, code } = verdict
  const paint = { real: style.good, fake: style.bad, unclear: style.doubtful, none: style.bold }
  return [[`${answer}  ${code}`, paint[answer]], ['  ']]
}

/** What matters most now: silence, learning, or what the verdict means. */
function subHead({ state, now, everyMs }: View, style: WatchStyle): Span {
  const { silent, verdict } = state
  if (silent !== undefined) {
    const since = `${clockText(silent.since)}, ${spanText(now - silent.since)}`
    const again = spanText(pauseMs(state, everyMs))
    return [`no reply since ${since} (${silent.why}); asking every ${again}`, style.bad]
  }
  if (state.passes === 0) return ['asking for the first time', style.faint]
  if (state.phase === 'learning') return ['learning who is answered how', style.faint]
  return [
    verdict === undefined ? 'too early for a verdict' : sentenceOf(verdict.judgement),
    style.faint,
  ]
}

function bodyLines(
  view: View,
  columns: number,
  space: number,
  style: WatchStyle,
): readonly string[] {
  const { state, sort, log } = view
  if (space < LOW) return lowLines(view, columns, space, style)
  const groups = legendLines(state, columns, style)
  const legend = groups.slice(0, Math.max(1, space >> 2))
  const logged = logLines(log, view.of, columns, style)
  const least = Math.min(logged.length, 4)
  const room = space - legend.length - 3 - least
  const every = subnetLines(state.rows, sort)
  const lines = every.length <= room ? every : regionLines(state.rows, sort)
  const table = cutTo(tableText(lines, columns, style), Math.max(2, room + 1), style)
  const left = space - legend.length - table.length - 2
  return [...legend, '', ...table, '', ...(left < 1 ? [] : latest(logged, left))]
}

/** Below so many lines there is room for the table only. */
const LOW = 12

function lowLines(
  { state, sort }: View,
  columns: number,
  space: number,
  style: WatchStyle,
): readonly string[] {
  return cutTo(tableText(regionLines(state.rows, sort), columns, style), space, style)
}

/** The title stays, and of the changes as many as there is room for, the latest first. */
function latest(logged: readonly string[], room: number): readonly string[] {
  return logged.slice(0, room)
}

function cutTo(lines: readonly string[], most: number, style: WatchStyle): readonly string[] {
  if (lines.length <= most) return lines
  return [...lines.slice(0, most - 1), style.faint(`and ${lines.length - most + 1} more`)]
}

export function legendLines(
  state: WatchState,
  columns: number,
  style: WatchStyle,
): readonly string[] {
  return state.groups.map(({ letter }) => {
    const rows = state.rows.filter(row => row.letter === letter)
    const group = groupOf(state, letter)
    const answers = group === undefined ? '' : answersText(answersOf(group.pool))
    const where = `  ${placesText(rows)}`
    const room = Math.max(0, columns - letter.length - 2 - where.length)
    const cut = answers.length > room ? `${answers.slice(0, Math.max(0, room - 1))}…` : answers
    return spansLine(
      [
        [letter, text => style.bold(style.group(letter, text))],
        ['  '],
        [cut, text => style.group(letter, text)],
        [where, style.faint],
      ],
      columns,
    )
  })
}

function logLines(
  log: readonly Logged[],
  subjects: number,
  columns: number,
  style: WatchStyle,
): readonly string[] {
  if (log.length === 0) return [spansLine([['no change yet', style.faint]], columns)]
  const lines = log.toReversed().map(({ name: of, type, change }) => {
    const name = subjects > 1 ? `${printable(of)} ${type}: ` : ''
    return spansLine(
      [[`${clockText(change.at)}  `, style.faint], [name + changeText(change)]],
      columns,
    )
  })
  return [spansLine([['changes, the latest first', style.faint]], columns), ...lines]
}

const KEYS = [
  ['q', 'quit'],
  ['p', 'pause'],
  ['r', 'reset'],
  ['n', 'next name'],
  ['s', 'sort'],
  ['?', 'help'],
] as const

function footLine(view: View, columns: number, style: WatchStyle): string {
  const keys = KEYS.filter(([key]) => key !== 'n' || view.of > 1).flatMap(([key, does]): Span[] => {
    const word = key === 'p' && view.pace === 'paused' ? 'go on' : does
    return [
      [key, style.bold],
      [` ${word}   `, style.faint],
    ]
  })
  const sort: Span = [`sorted by ${view.sort}`, style.faint]
  const steady = spanText(view.now - view.state.steadySince)
  return spansLine([...keys, sort, [` · no change for ${steady}`, style.faint]], columns)
}

const HELP = `Each pass asks once for every client subnet. Subnets that are answered alike
are a group, with a letter and a colour that stay.

A change is what chance does not explain: rotation and shuffling are none.
The trail shows a letter for each pass:  · no answer   ? an answer that is
not the group's (yet)   + not known yet
A few networks inside the blocks that scopes claim are asked in each pass too.

q  quit, with a summary          n  the next name or type
p  pause, and go on              s  sort by region, group, last change
r  forget all, and learn anew    ?  this page, and back

Ctrl-Z suspends, Ctrl-C interrupts; both leave the terminal as it was.`

function helpLines(columns: number): readonly string[] {
  return HELP.split('\n').map(line => spansLine([[line]], columns))
}
