/**
 * One more pass of `watch`: what it shows moves the state on, and what changed comes out. Rotation is
 * no change. While learning, every reply only adds to what is known; then a change is what chance does
 * not explain: a group's answer that has gone or come (`watch-pool.ts`), subnets that left their group
 * (`watch-leave.ts`), a scope seen twice running that was not usual, another verdict (`watch-verdict.ts`).
 */
import type { Observation } from './observation.ts'
import { setKey } from './reply.ts'
import { noteExpiry } from './watch-cache.ts'
import { learn } from './watch-learn.ts'
import { answersOf, isOf, noted } from './watch-pool.ts'
import { sampled } from './watch-samples.ts'
import { scopeRuns } from './watch-scope.ts'
import { settle } from './watch-settle.ts'
import {
  answersIn,
  type Change,
  failureOf,
  groupOf,
  isChange,
  type Pass,
  type Step,
  TRAIL,
  type WatchGroup,
  type WatchRow,
  type WatchState,
} from './watch-state.ts'
import { weigh } from './watch-verdict.ts'

/** Moves the state on by one pass. The judge that gives verdicts is opened once in a few passes. */
export function step(before: WatchState, pass: Pass): Step {
  const mine = pass.observations.filter(
    ({ name, type }) => name === before.name && type === before.type,
  )
  const about = mine.filter(({ purpose }) => purpose === 'sample')
  const usable = about.filter(seen => failureOf(seen) === undefined)
  const passed = { ...before, passes: before.passes + 1, rows: passedRows(before, about, pass.at) }
  if (usable.length === 0) return fallenSilent(passed, about, pass.at)
  const heard = { ...passed, silent: undefined, server: usable[0]?.server ?? before.server }
  const counted = count(heard, usable, pass.at)
  const rounds = counted.rounds + 1
  const dated = (seen: Observation): Observation => ({
    ...seen,
    round: rounds,
    at: pass.at + seen.at,
  })
  const panel = usable.map(dated)
  const window = [...counted.window, ...panel]
  const state = { ...counted, window, rounds }
  const back: Change[] =
    before.silent === undefined ? [] : [{ kind: 'back', at: pass.at, since: before.silent.since }]
  const next = state.phase === 'learning' ? learn(state, pass.at) : settle(state, pass.at)
  const asked = mine.filter(({ purpose }) => purpose === 'scope').map(dated)
  const tried = sampled(next, panel, asked, pass.at)
  const weighed = weigh(tried.state, pass.at)
  return steadied(weighed.state, [...back, ...tried.changes, ...weighed.changes], pass.at)
}

function steadied(state: WatchState, changes: readonly Change[], at: number): Step {
  const steadySince = changes.some(isChange) ? at : state.steadySince
  return { state: { ...state, steadySince }, changes }
}

function fallenSilent(state: WatchState, about: readonly Observation[], at: number): Step {
  const why = about.map(failureOf).find(found => found !== undefined) ?? 'nothing could be sent'
  if (state.silent !== undefined) {
    return {
      state: { ...state, silent: { ...state.silent, passes: state.silent.passes + 1 } },
      changes: [],
    }
  }
  const silent = { since: at, why, passes: 1 }
  return steadied({ ...state, silent }, [{ kind: 'silent', at, why }], at)
}

/** What each row shows of this pass; groups and changes come later. */
function passedRows(
  state: WatchState,
  about: readonly Observation[],
  at: number,
): readonly WatchRow[] {
  return state.rows.map(row => {
    const seen = about.find(({ sent }) => sent?.text === row.subnet)
    const failure = seen === undefined ? 'not asked' : failureOf(seen)
    if (seen === undefined || failure !== undefined) return failed(row, failure ?? '', at)
    const group = groupOf(state, row.letter)
    const isIn = group === undefined || isOf(group.pool, answersIn(seen))
    return {
      ...row,
      scope: seen.echo?.scope,
      ...scopeRuns(row, seen.echo?.scope),
      ttl: seen.ttl,
      source: seen.flags.aa ? ('authority' as const) : ('cache' as const),
      milliseconds: seen.milliseconds,
      failing: undefined,
      trail: `${row.trail}${isIn ? (row.letter ?? '+') : '?'}`.slice(-TRAIL),
    }
  })
}

function failed(row: WatchRow, why: string, at: number): WatchRow {
  const failing = { since: row.failing?.since ?? at, why }
  return { ...row, failing, trail: `${row.trail}·`.slice(-TRAIL) }
}

/** Counts the replies for their groups; a record that is still the one in the cache counts once. */
function count(state: WatchState, usable: readonly Observation[], at: number): WatchState {
  if (state.phase === 'learning') return state
  const expiries = new Map(state.expiries)
  const isNew = (seen: Observation, key: string): boolean =>
    noteExpiry(expiries, key, { ...seen, at: at + seen.at })
  const young = usable.filter(seen => isNew(seen, letterOf(state, seen)))
  const own = usable.filter(seen => isNew(seen, seen.sent?.text ?? ''))
  const groups = state.groups.map(group => {
    const mine = young.filter(seen => letterOf(state, seen) === group.letter)
    const given = mine.map(answersIn)
    return { ...group, manner: mannerOf(group, given), pool: noted(group.pool, given) }
  })
  const rows = state.rows.map(row => {
    const seen = own.find(({ sent }) => sent?.text === row.subnet)
    return seen === undefined ? row : walked(state, row, answersIn(seen))
  })
  return { ...state, groups, rows, expiries }
}

/** Replies that have something of the group's, but not all, or more: its answers vary. */
function mannerOf(
  { pool, manner }: WatchGroup,
  given: readonly (readonly string[])[],
): WatchGroup['manner'] {
  const known = answersOf(pool)
  const isOdd = (answers: readonly string[]): boolean =>
    isOf(pool, answers) && setKey(answers.toSorted()) !== setKey(known.toSorted())
  return given.some(isOdd) ? 'varies' : manner
}

function letterOf(state: WatchState, seen: Observation): string {
  return state.rows.find(({ subnet }) => subnet === seen.sent?.text)?.letter ?? ''
}

function walked(state: WatchState, row: WatchRow, answers: readonly string[]): WatchRow {
  const group = groupOf(state, row.letter)
  const isIn = group !== undefined && isOf(group.pool, answers)
  return { ...row, outside: isIn ? [] : [...row.outside, answers] }
}
