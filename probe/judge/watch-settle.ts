/** What a pass means once the groups are known: who left, what has gone or come, which scopes are new. */
import { letter } from './groups.ts'
import { unexpired } from './watch-cache.ts'
import { type Leaving, leavers } from './watch-leave.ts'
import { answersOf, EMPTY_POOL, learned, noted, type Pool, turnover } from './watch-pool.ts'
import { samplesAfterChange } from './watch-samples.ts'
import { hasNewScope } from './watch-scope.ts'
import type { Change, Place, Step, WatchGroup, WatchRow, WatchState } from './watch-state.ts'

/** Groups after a change rest on new replies, and so does the next verdict. */
export function settle(before: WatchState, at: number): Step {
  const moved = before.groups.reduce((sofar: Step, { letter }) => afterLeaving(sofar, letter, at), {
    state: before,
    changes: [],
  })
  const turned = moved.state.groups.reduce(
    (sofar: Step, { letter }) => afterTurnover(sofar, letter, at),
    moved,
  )
  const { state, changes } = afterScopes(turned, at)
  const groups = state.groups.filter(({ letter }) => state.rows.some(row => row.letter === letter))
  const expiries = unexpired(state.expiries, at)
  const kept = changes.length === 0 ? state : shaken(state)
  return { state: { ...kept, groups, expiries }, changes }
}

function shaken(state: WatchState): WatchState {
  const samples = samplesAfterChange(state.samples)
  return { ...state, window: [], rounds: 0, doubt: { kind: 'changed' }, samples }
}

function afterLeaving(sofar: Step, from: string, at: number): Step {
  const group = sofar.state.groups.find(one => one.letter === from)
  if (group === undefined) return sofar
  const gone = leavers(group, sofar.state.rows, sofar.state.groups)
  const mine = sofar.state.rows.filter(row => row.letter === from)
  const [only] = gone
  if (only !== undefined && only.to === undefined && only.rows.length === mine.length) {
    return replaced(sofar, group, only, at)
  }
  return gone.reduce((step: Step, leaving) => moved(step, from, leaving, at), sofar)
}

/** All of a group went to answers that nobody had: it is the group that changed, and keeps its letter. */
function replaced({ state, changes }: Step, group: WatchGroup, leaving: Leaving, at: number): Step {
  const { letter } = group
  const pool = poolOf(leaving)
  const change: Change = {
    kind: 'replaced',
    at,
    letter,
    gone: answersOf(group.pool),
    come: answersOf(pool),
    subnets: leaving.rows.map(placeOf),
  }
  const groups = state.groups.map(one =>
    one.letter === letter ? { letter, pool, manner: 'fixed' as const } : one,
  )
  const rows = state.rows.map(row => (row.letter === letter ? arrived(row, letter, at) : row))
  return { state: { ...state, groups, rows }, changes: [...changes, change] }
}

function moved({ state, changes }: Step, from: string, leaving: Leaving, at: number): Step {
  const to = leaving.to ?? letter(state.letters)
  const made =
    leaving.to === undefined
      ? [{ letter: to, pool: poolOf(leaving), manner: 'fixed' as const }]
      : []
  const subnets = leaving.rows.map(placeOf)
  const answers = leaving.answers
  const change: Change = { kind: 'moved', at, subnets, from, to, answers }
  const left = state.groups.map(one =>
    one.letter === from ? { ...one, pool: without(one.pool, answers) } : one,
  )
  const isLeaver = ({ subnet }: WatchRow): boolean => subnets.some(one => one.subnet === subnet)
  const rows = state.rows.map(row => (isLeaver(row) ? arrived(row, to, at) : row))
  const letters = state.letters + made.length
  return {
    state: { ...state, groups: [...left, ...made], rows, letters },
    changes: [...changes, change],
  }
}

function poolOf({ rows }: Leaving): Pool {
  return learned(
    noted(
      EMPTY_POOL,
      rows.flatMap(({ outside }) => outside),
    ),
  )
}

/** What leavers brought in is not the group's. */
function without(pool: Pool, answers: readonly string[]): Pool {
  const stays = [...pool.seen].filter(
    ([answer, { standing }]) => standing === 'known' || !answers.includes(answer),
  )
  return { ...pool, seen: new Map(stays) }
}

/** The letter of the pass in which it is found out is the new one. */
function arrived(row: WatchRow, letter: string, at: number): WatchRow {
  const back = row.outside.length
  const trail = row.trail.slice(0, -back) + row.trail.slice(-back).replaceAll('?', letter)
  return { ...row, letter, trail, outside: [], changedAt: at }
}

function afterTurnover({ state, changes }: Step, letter: string, at: number): Step {
  const mine = state.rows.filter(row => row.letter === letter)
  const group = state.groups.find(one => one.letter === letter)
  if (group === undefined || mine.length === 0) return { state, changes }
  const { pool, gone, come } = turnover(group.pool)
  const manner = gone.length + come.length === 0 ? group.manner : 'fixed'
  const groups = state.groups.map(one => (one.letter === letter ? { letter, pool, manner } : one))
  if (gone.length + come.length === 0) return { state: { ...state, groups }, changes }
  const subnets = mine.map(placeOf)
  const change: Change = { kind: 'replaced', at, letter, gone, come, subnets }
  const rows = state.rows.map(row => (mine.includes(row) ? { ...row, changedAt: at } : row))
  return { state: { ...state, groups, rows }, changes: [...changes, change] }
}

function afterScopes({ state, changes }: Step, at: number): Step {
  const changed = state.rows.filter(hasNewScope)
  const rows = state.rows.map(row =>
    changed.includes(row) ? { ...row, usual: row.other, other: undefined, changedAt: at } : row,
  )
  const kinds = new Map<string, WatchRow[]>()
  for (const row of changed) {
    const key = `${row.usual?.scope} ${row.other?.scope}`
    kinds.set(key, [...(kinds.get(key) ?? []), row])
  }
  const news = [...kinds.values()].map((alike): Change => {
    const { usual, other } = alike[0] ?? {}
    const subnets = alike.map(placeOf)
    return { kind: 'scope', at, subnets, from: usual?.scope ?? 0, to: other?.scope ?? 0 }
  })
  return { state: { ...state, rows }, changes: [...changes, ...news] }
}

function placeOf({ subnet, region }: WatchRow): Place {
  return { subnet, region }
}
