/**
 * How pools, targets and checks of a running server stand, as it tells whoever asks: read off the
 * board, and off what wrote it.
 */
import type { World } from './answer/world.ts'
import type { Changeover, Next } from './changeover.ts'
import { ALL, type Board } from './steer/board.ts'
import { FORCED } from './steer/impose.ts'
import type { Steering } from './steer/steering.ts'
import { targetsOf } from './steer/targets.ts'
import { moment, overrideTold } from './tell/control/overrides.ts'
import type {
  Health,
  OverrideTold,
  PoolState,
  States,
  Status,
  TargetState,
} from './tell/control/told.ts'

/** What a status is made of. Times are milliseconds of the calendar. */
export type Facts = Pick<Status, 'version' | 'config' | 'listening' | 'engine' | 'workers'> &
  Pick<Status, 'restarts' | 'reloads'> & {
    readonly started: number
    readonly loaded: number
    readonly world: World
    readonly changeover: Changeover
    readonly planned: Next | undefined
  }

export function statusOf({ changeover, loaded, planned, started, world, ...facts }: Facts): Status {
  const { pools, overrides } = statesOf(changeover)
  const targets = pools.flatMap(pool => pool.targets)
  const at = planned?.served.config.activateAt?.ms
  return {
    ...facts,
    pid: process.pid,
    started: moment(started),
    digest: world.digest,
    loaded: moment(loaded),
    ...(planned !== undefined &&
      at !== undefined && { planned: { digest: planned.served.world.digest, at: moment(at) } }),
    zones: world.zones.zoneCount,
    names: world.steering.slots,
    pools: { usable: pools.filter(({ up }) => up > 0).length, all: pools.length },
    targets: { up: targets.filter(({ now }) => now === 'up').length, all: targets.length },
    overrides: {
      now: overrides.filter(({ now }) => now === 'in force').length,
      later: overrides.filter(({ now }) => now === 'later').length,
    },
  }
}

export function statesOf(changeover: Changeover): States {
  const { steering } = changeover.sheet
  const pools = steering.poolNames.map((_, pool) => poolState(changeover, pool))
  return { pools, overrides: overridesOf(changeover) }
}

export function overridesOf({ overrides }: Changeover): OverrideTold[] {
  const now = Date.now()
  return overrides.placed.map(one => overrideTold(one, now))
}

function poolState(changeover: Changeover, pool: number): PoolState {
  const { board, steering } = changeover.sheet
  const targets = targetsOf(steering, pool).map(([target, text]) => ({
    target: text,
    ...targetState(changeover, target),
  }))
  return {
    pool: steering.poolNames[pool] ?? '',
    up: targets.filter(({ now }) => now === 'up').length,
    all: targets.length,
    keeps: shareOf(board.poolKeeps[pool]),
    targets,
  }
}

function targetState(changeover: Changeover, target: number): Omit<TargetState, 'target'> {
  const { board, steering } = changeover.sheet
  const { forced } = changeover.sheet.standing(target)
  const [first] = changeover.verdicts.on(target)
  return {
    now: board.up[target] === 1 ? 'up' : 'down',
    checks: checksSay(changeover, target),
    ...(forced !== FORCED.no && { forced: forced === FORCED.up ? 'up' : 'down' }),
    keeps: shareOf(board.keeps[target]),
    warm: Math.round(1000 * (board.warm[target] ?? 1)) / 1000,
    ...measured(steering, board, target),
    ...(first?.why !== undefined && { why: first.why }),
    ...(first !== undefined && { since: moment(first.since) }),
  }
}

function checksSay({ sheet, verdicts }: Changeover, target: number): TargetState['checks'] {
  const all = verdicts.on(target)
  if (all.length === 0) return 'unchecked'
  if (!all.every(({ isProven }) => isProven)) return 'unproven'
  return sheet.standing(target).says === 1 ? 'up' : 'down'
}

function measured(
  { weight }: Steering,
  { latency, load, share }: Board,
  target: number,
): Pick<TargetState, 'weight' | 'load' | 'capacity' | 'latency_ms'> {
  const known = (name: string, value: number | undefined) =>
    value === undefined || Number.isNaN(value) ? {} : { [name]: Math.round(1e6 * value) / 1e6 }
  return {
    weight: weight[target] ?? 0,
    ...known('load', load[target]),
    ...known('capacity', share[target]),
    ...known('latency_ms', latency[target]),
  }
}

function shareOf(parts: number | undefined): number {
  return Math.round((1e6 * (parts ?? ALL)) / ALL) / 1e6
}

export function healthOf({ sheet, verdicts }: Changeover): Health {
  const { poolNames } = sheet.steering
  const watches = verdicts.watched().map(({ targets, verdict, watch }) => {
    const { check, lastTry, latencyMs, place, since, tally, why } = watch
    const { capacity, load } = verdict
    return {
      ...{ check: check.name, kind: check.trial.kind, place },
      targets: targets.map(({ name, pool }) => `${poolNames[pool]}/${name}`),
      ...{ now: tally.up ? ('up' as const) : ('down' as const), proven: tally.isProven },
      since: moment(since),
      ...(lastTry !== undefined && { last_try: moment(lastTry) }),
      ...(latencyMs !== undefined && { latency_ms: Math.round(1000 * latencyMs) / 1000 }),
      ...(why !== undefined && { why }),
      ...{ steady_s: verdict.seconds, passes: tally.passes, failures: tally.failures },
      ...(load !== undefined && { load }),
      ...(capacity !== undefined && { capacity }),
    }
  })
  return { watches }
}
