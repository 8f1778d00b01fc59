/** What `watch` prints and does not draw over: the page of `--once`, and the summary at the end. */
import type { WatchState } from '../judge/watch-state.ts'
import { many, printable } from './number.ts'
import { subnetLines, tableText } from './watch-rows.ts'
import { type Logged, legendLines } from './watch-screen.ts'
import type { WatchStyle } from './watch-style.ts'
import { changeText, momentText, spanText } from './watch-words.ts'

/** Wide enough for an IPv6 subnet and all that is said of it. */
const UNCUT = 400

/**
 * One pass as a page.
 *
 * @param width columns to be cut to; absent: lines are as long as they are
 */
export function onceText(
  state: WatchState,
  width: number | undefined,
  style: WatchStyle,
  now: number,
): string {
  const columns = width ?? UNCUT
  const head = `${style.bold(`${printable(state.name)} ${state.type}`)}  ${momentText(now)}`
  const silent = state.silent === undefined ? [] : [style.bad(`no reply (${state.silent.why})`)]
  const table = tableText(subnetLines(state.rows, 'region'), columns, style)
  const legend = legendLines(state, columns, style)
  return [head, ...silent, ...legend, '', ...table].map(line => `${line.trimEnd()}\n`).join('')
}

/** For the end: what was found of each name and type, and what changed. */
export function summaryLines(
  states: readonly WatchState[],
  log: readonly Logged[],
  lastedMs: number,
  style: WatchStyle,
): readonly string[] {
  return states.flatMap(state => {
    const { name, type, verdict, passes } = state
    const said = verdict === undefined ? 'no verdict yet' : `${verdict.answer}  ${verdict.code}`
    const lasted = `${many(passes, 'pass', 'passes')} in ${spanText(lastedMs)}`
    const head = `${said}  ${style.bold(`${printable(name)} ${type}`)}  ${style.faint(lasted)}`
    const mine = log.filter(one => one.name === name && one.type === type)
    return [head, ...mine.map(({ change }) => `  ${momentText(change.at)}  ${changeText(change)}`)]
  })
}
