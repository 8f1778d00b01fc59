/**
 * What overrides come to at one moment, for one Steering. Where several say something of one thing,
 * the greatest drain counts, and of what is forced or ramped the latest one. Time is an argument, in
 * milliseconds of the calendar.
 */
import { ALL } from './board.ts'
import type { Named, Placed } from './named.ts'
import type { Override } from './override.ts'
import type { Steering } from './steering.ts'
import { poolOf, targetsIn } from './targets.ts'

export const FORCED = { no: 0, up: 1, down: 2 } as const

export type Imposed = Ramps & {
  /** By target: one of FORCED. */
  readonly forced: Uint8Array
  /** By target and by pool: the share of clients left to it, in parts of ALL. */
  readonly keeps: Int32Array
  readonly poolKeeps: Int32Array
  /** By pool: when something of it begins or ends next, or NEVER. */
  readonly poolNext: Float64Array
}

/** What goes on changing by itself, by slot. */
export type Ramps = {
  /** As on the board. */
  readonly rampFrom: Int32Array
  readonly rampTo: Int32Array
  readonly rampShare: Int32Array
  /** When something of it begins or ends next; while it goes on changing, now; or NEVER. */
  readonly slotNext: Float64Array
}

export const NEVER = Number.POSITIVE_INFINITY

/** @param all in the order in which they were made */
export function impose(steering: Steering, all: readonly Placed[], now: number): Imposed {
  const { poolNames, targets } = steering
  const into: Imposed = {
    ...ramps(steering, all, now),
    forced: new Uint8Array(targets),
    keeps: new Int32Array(targets).fill(ALL),
    poolKeeps: new Int32Array(poolNames.length).fill(ALL),
    poolNext: new Float64Array(poolNames.length).fill(NEVER),
  }
  for (const one of all) if (one.kind === 'targets') imposeOn(steering, one, now, into)
  return into
}

/** What ramps come to, without all else that is imposed. */
export function ramps({ slots }: Steering, all: readonly Placed[], now: number): Ramps {
  const into: Ramps = {
    rampFrom: new Int32Array(slots).fill(-1),
    rampTo: new Int32Array(slots).fill(-1),
    rampShare: new Int32Array(slots),
    slotNext: new Float64Array(slots).fill(NEVER),
  }
  for (const one of all) if (one.kind === 'ramp') imposeRamp(one, now, into)
  return into
}

/** Whether an override is in force. */
export function phaseAt({ from, until }: Override, now: number): 'later' | 'in force' | 'over' {
  if (now < from) return 'later'
  return until !== undefined && now >= until ? 'over' : 'in force'
}

/** When an override begins, ends, or is all the way there: the next of these; or NEVER. */
export function nextOf(override: Override, now: number): number {
  const { does, from, until = NEVER } = override
  const whole = does.kind === 'ramp' ? from + 1000 * does.seconds : from
  return [from, whole, until].find(time => time > now) ?? NEVER
}

function imposeOn(
  steering: Steering,
  { override, pools, targets }: Extract<Placed, { kind: 'targets' }>,
  now: number,
  into: Imposed,
): void {
  const next = nextOf(override, now)
  for (const pool of [...pools, ...targets.map(target => poolOf(steering, target))]) {
    into.poolNext[pool] = Math.min(into.poolNext[pool] ?? NEVER, next)
  }
  if (phaseAt(override, now) !== 'in force') return
  const { does } = override
  if (does.kind === 'drain') drain({ pools, targets }, does.share, into)
  if (does.kind !== 'force') return
  for (const target of [...pools.flatMap(pool => targetsIn(steering, pool)), ...targets]) {
    into.forced[target] = FORCED[does.to]
  }
}

function drain({ pools, targets }: Named, share: number, into: Imposed): void {
  const left = Math.round(ALL * (1 - share))
  for (const pool of pools) into.poolKeeps[pool] = Math.min(into.poolKeeps[pool] ?? ALL, left)
  for (const target of targets) into.keeps[target] = Math.min(into.keeps[target] ?? ALL, left)
}

function imposeRamp(
  { from, override, seconds, slot, to }: Extract<Placed, { kind: 'ramp' }>,
  now: number,
  into: Ramps,
): void {
  const phase = phaseAt(override, now)
  const gone = seconds === 0 ? 1 : (now - override.from) / (1000 * seconds)
  const isOnTheWay = phase === 'in force' && gone < 1
  const next = isOnTheWay ? now : nextOf(override, now)
  into.slotNext[slot] = Math.min(into.slotNext[slot] ?? NEVER, next)
  if (phase !== 'in force') return
  into.rampFrom[slot] = from
  into.rampTo[slot] = to
  into.rampShare[slot] = Math.round(ALL * Math.min(1, gone))
}
