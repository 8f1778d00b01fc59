/** Which targets are handed out, and why: pools, then their targets, then what operators imposed. */
import { table } from '../columns.ts'
import { shareText } from '../figures.ts'
import { ageText } from './age.ts'
import { overridesText } from './overrides-text.ts'
import type { PoolState, States, TargetState } from './told.ts'

/** @param now milliseconds */
export function statesText({ overrides, pools }: States, now: number): string[] {
  if (pools.length === 0) return ['no pools']
  const imposed = overrides.length === 0 ? [] : ['', ...overridesText(overrides)]
  return [...poolLines(pools), '', ...targetLines(pools, now), ...imposed]
}

function poolLines(pools: readonly PoolState[]): string[] {
  const rows = pools.map(({ all, keeps, pool, up }) => [pool, `${up} of ${all}`, keepsText(keeps)])
  return table(['pool', 'up', 'clients'], rows, ['clients'])
}

const HEAD = [
  ...['pool', 'target', 'now', 'checks', 'forced', 'for', 'clients', 'weight', 'warm'],
  ...['load', 'capacity', 'latency', 'last try'],
]
const FIGURES = ['for', 'clients', 'weight', 'warm', 'load', 'capacity', 'latency']

function targetLines(pools: readonly PoolState[], now: number): string[] {
  const rows = pools.flatMap(({ pool, targets }) =>
    targets.map(target => [pool, ...cells(target, now)]),
  )
  return rows.length === 0 ? ['no targets'] : table(HEAD, rows, FIGURES)
}

function cells(state: TargetState, now: number): string[] {
  const { capacity, checks, forced, keeps, latency_ms: latency, load, since, warm, weight } = state
  return [
    ...[state.target, state.now, checks, forced ?? ''],
    since === undefined ? '' : ageText(since, now),
    keepsText(keeps),
    String(weight),
    warm < 1 ? shareText(warm) : '',
    ...[load, capacity].map(numberText),
    latencyText(latency),
    state.why ?? '',
  ]
}

/** All is what one expects. */
function keepsText(keeps: number): string {
  return keeps === 1 ? '' : shareText(keeps)
}

/** Three figures, or nothing where nothing is known. */
export function numberText(number: number | undefined): string {
  return number === undefined ? '' : String(Number(number.toPrecision(3)))
}

export function latencyText(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '' : `${numberText(milliseconds)} ms`
}
