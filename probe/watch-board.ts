/**
 * What a use of `watch` has in hand: the states of its names, its log, and what its keys have set.
 * Mutable, as a thing with a life; how it is shown is in `watch-view.ts`.
 */

import { fresh, type WatchState } from './judge/watch-state.ts'
import type { Subnet } from './plan/question.ts'
import type { Subject } from './plan/rounds.ts'
import type { Logged, View } from './tell/watch-screen.ts'

export type Board = {
  readonly panel: readonly Subnet[]
  readonly seed: number
  readonly everyMs: number
  readonly began: number
  states: WatchState[]
  log: Logged[]
  /** What the user should know of how it is asked, each once. */
  warnings: string[]
  /** Which name and type is shown, from 0. */
  shown: number
  pace: View['pace']
  sort: View['sort']
  page: View['page']
  ending: 'none' | 'quit' | 'interrupted'
}

/** Changes that are kept. */
const LOGGED = 500

export function board(
  subjects: readonly Subject[],
  panel: readonly Subnet[],
  seed: number,
  everyMs: number,
  now: number,
): Board {
  return {
    panel,
    seed,
    everyMs,
    began: now,
    states: subjects.map(subject => freshFor(subject, panel, seed, now)),
    log: [],
    warnings: [],
    shown: 0,
    pace: 'running',
    sort: 'region',
    page: 'table',
    ending: 'none',
  }
}

function freshFor(
  { name, type }: Subject,
  panel: readonly Subnet[],
  seed: number,
  now: number,
): WatchState {
  const places = panel.map(({ text, region }) => ({ subnet: text, region }))
  return fresh({ name, type }, places, seed, now)
}

export function logged(on: Board, news: readonly Logged[]): void {
  on.log = [...on.log, ...news].slice(-LOGGED)
}

const SORTS: readonly View['sort'][] = ['region', 'group', 'change']

/**
 * What a key does. Ctrl-C comes as a character, since the terminal is raw.
 *
 * @returns whether the key means something here
 */
export function press(on: Board, key: string, now: number): boolean {
  switch (key) {
    case 'q':
      on.ending = 'quit'
      return true
    case '\x03':
      on.ending = 'interrupted'
      return true
    case 'p':
      on.pace = on.pace === 'paused' ? 'running' : 'paused'
      return true
    case 'r':
      on.states = on.states.map(state => freshFor(state, on.panel, on.seed, now))
      on.log = []
      return true
    case 'n':
      on.shown = (on.shown + 1) % on.states.length
      return true
    case 's':
      on.sort = SORTS[(SORTS.indexOf(on.sort) + 1) % SORTS.length] ?? 'region'
      return true
    case '?':
    case 'h':
      on.page = on.page === 'help' ? 'table' : 'help'
      return true
  }
  return false
}

export function viewOf(on: Board, now: number): View {
  const { shown, states, everyMs, began, pace, sort, page, log, warnings } = on
  const state = states[shown]
  if (state === undefined) throw new Error('a board without a name')
  const warning = warnings.at(-1)
  return {
    state,
    at: shown + 1,
    of: states.length,
    now,
    began,
    everyMs,
    pace,
    sort,
    page,
    log,
    warning,
  }
}
