/**
 * What a running server does when an operator asks: each request is read already; here it is weighed
 * against what is served, done, and told. Changes are visible to every worker before the reply goes.
 */
import type { Desk } from './answer/desk.ts'
import { boardTold } from './board-told.ts'
import type { Changeover } from './changeover.ts'
import { unknownWord } from './config/nearest.ts'
import { nameText } from './dns/name.ts'
import { isWrong, type Wrong, wrong, wrongText } from './fault.ts'
import { MOST_OVERRIDES } from './health/overrides.ts'
import type { Reloaded } from './next.ts'
import { type Obey, type Reply, refused } from './ops/control.ts'
import type { Request } from './ops/request.ts'
import type { When } from './ops/written.ts'
import { challengeOf, dropsChallenge } from './proofs.ts'
import { healthOf, overridesOf, statesOf } from './states.ts'
import { impose } from './steer/impose.ts'
import { named, placed, slotNamed } from './steer/named.ts'
import type { Does, Override } from './steer/override.ts'
import type { Steering } from './steer/steering.ts'
import { movedNames } from './tell/control/dry-run.ts'
import { doesText, overrideTold } from './tell/control/overrides.ts'
import type { DryRun, Status } from './tell/control/told.ts'

/** The running server, as far as requests need it. */
export type House = {
  readonly desk: Desk
  readonly changeover: Changeover
  readonly status: () => Status
  readonly reload: () => Promise<Reloaded>
  /** All desks serve what is imposed, it outlives the process, or it is told that it does not. */
  readonly settle: () => Promise<'kept' | 'lost'>
}

type Of<Kind extends Request['kind']> = Extract<Request, { readonly kind: Kind }>
type Imposing = Of<'drain'> | Of<'force'> | Of<'ramp'> | Of<'acme set'>

export function obeying(house: House): Obey {
  return async (request, author) => {
    switch (request.kind) {
      case 'status':
        return done(house.status())
      case 'states':
        return done(statesOf(house.changeover))
      case 'health':
        return done(healthOf(house.changeover))
      case 'overrides':
        return done(overridesOf(house.changeover))
      case 'board':
        return done(boardTold(house.desk.board, house.desk.world.digest))
      case 'dump':
        return done({
          status: house.status(),
          ...statesOf(house.changeover),
          ...healthOf(house.changeover),
        })
      case 'reload':
        return reloaded(await house.reload())
      case 'drain':
      case 'force':
      case 'ramp':
      case 'acme set':
        return imposing(house, request, author)
      case 'push':
        return pushed(house, request)
      default:
        return undoing(house, request, author)
    }
  }
}

function done(value: unknown): Reply {
  return { ok: true, value }
}

function reloaded(came: Reloaded): Reply {
  if (came.kind === 'refused') return refused('failed', ...came.problems)
  const { kind, digest } = came
  return done(kind === 'planned' ? { now: kind, digest, at: came.at } : { now: kind, digest })
}

/** Imposes something, or tells what it would do. */
async function imposing(house: House, request: Imposing, author: string): Promise<Reply> {
  const { overrides, sheet } = house.changeover
  const does = doesOf(house, request)
  if (isWrong(does)) return refused('usage', wrongText(does))
  const span = spanOf(request)
  if (isWrong(span)) return refused('usage', wrongText(span))
  if (request.kind !== 'acme set' && request.dry_run) return done(supposed(house, does))
  if (overrides.all.length >= MOST_OVERRIDES) {
    const what = `${MOST_OVERRIDES} overrides are there already`
    return refused('failed', wrongText(wrong(what, 'undo some: lbdns ctl overrides')))
  }
  const reason = request.kind === 'acme set' ? '' : request.reason
  const made = overrides.make({ author, reason, does, ...span })
  const kept = await house.settle()
  if (does.kind === 'challenge') return proofs(house, does.name)
  const told = overrideTold(placed(sheet.steering, made), Date.now())
  return done(kept === 'kept' ? told : { ...told, kept: 'no' })
}

function doesOf({ changeover, desk }: House, request: Imposing): Does | Wrong {
  const { steering } = changeover.sheet
  switch (request.kind) {
    case 'drain': {
      const { percent, what } = request
      return flawOf(steering, what) ?? { kind: 'drain', what, share: percent / 100 }
    }
    case 'force': {
      const { to, what } = request
      return flawOf(steering, what) ?? { kind: 'force', what, to }
    }
    case 'ramp':
      return rampOf(changeover, request)
    case 'acme set':
      return challengeOf(desk, changeover.overrides.all, request)
  }
}

/** Says that nothing is called that, or nothing. */
function flawOf(steering: Steering, what: string): Wrong | undefined {
  const { pools, targets } = named(steering, what)
  if (pools.length + targets.length > 0) return undefined
  return unknownWord(`no pool and no target is called ${what}`, what, steering.poolNames)
}

function rampOf(
  { overrides, sheet }: Changeover,
  { from, name, over, to }: Of<'ramp'>,
): Does | Wrong {
  const { steering } = sheet
  const slot = slotNamed(steering, name)
  const names = steering.owners.map(nameText)
  if (slot < 0) return unknownWord(`${name} is not steered`, name, names)
  for (const pool of [from, to]) {
    if (steering.poolNames.includes(pool)) continue
    return unknownWord(`no pool is called ${pool}`, pool, steering.poolNames)
  }
  if (from === to) return wrong(`from ${from} to ${to} moves nobody`, 'name two pools')
  const owner = names[slot] ?? name
  const other = overrides.all.find(({ does }) => does.kind === 'ramp' && does.name === owner)
  if (other !== undefined) {
    return wrong(`${owner} has a ramp already`, `undo it first: lbdns ctl undo ${other.id}`)
  }
  return { kind: 'ramp', name: owner, from, to, seconds: over }
}

/** A week: an authority that was told to look has looked by then. */
const PROOF_MS = 7 * 86_400_000

function spanOf(request: Imposing): Pick<Override, 'from' | 'until'> | Wrong {
  const now = Date.now()
  if (request.kind === 'acme set') return { from: now, until: now + PROOF_MS }
  const from = startOf(request.at, now)
  if (from < now) return wrong(`at: that moment has passed`, 'leave it out to begin now')
  if (request.for === undefined) return { from }
  if (request.for === 0) return wrong('for: it would end when it begins', 'write a span like 2h')
  return { from, until: from + 1000 * request.for }
}

function startOf(at: When | undefined, now: number): number {
  if (at === undefined) return now
  return 'atMs' in at ? at.atMs : now + 1000 * at.inSeconds
}

/** Whom it would move once it is all the way in force, as all else stands now. */
function supposed({ changeover: { overrides, sheet } }: House, does: Does): DryRun {
  const { board, steering } = sheet
  const now = Date.now()
  const from = now - (does.kind === 'ramp' ? 1000 * does.seconds : 0)
  const one = placed(steering, { id: 1, author: '', reason: '', made: now, from, does })
  const then = sheet.supposing(impose(steering, [...overrides.placed, one], now))
  return { does: doesText(does), names: movedNames(steering, board, then) }
}

function pushed({ changeover }: House, request: Of<'push'>): Reply {
  const { capacity, check, load, now, what } = request
  const targets = changeover.verdicts.pushed(what, check, { now, load, capacity })
  const { poolNames } = changeover.sheet.steering
  if (targets.length > 0) {
    return done({ targets: targets.map(({ name, pool }) => `${poolNames[pool]}/${name}`) })
  }
  const by = check === undefined ? 'nothing is pushed' : `no check ${check} is pushed`
  const fix = 'name a target whose pool has a check of type: push'
  return refused('usage', wrongText(wrong(`${by} of ${what}`, fix)))
}

/** Undoes what was imposed. */
async function undoing(
  house: House,
  request: Of<'undrain'> | Of<'unforce'> | Of<'undo'> | Of<'acme clear'>,
  author: string,
): Promise<Reply> {
  const { changeover } = house
  const isMeant = meant(changeover, request)
  const gone = isWrong(isMeant) ? [] : changeover.overrides.undo(isMeant, author)
  if (isWrong(isMeant)) return refused('usage', wrongText(isMeant))
  if (gone.length === 0) return refused('usage', wrongText(nothingOf(request)))
  const now = Date.now()
  const undone = gone.map(one => overrideTold(placed(changeover.sheet.steering, one), now))
  await house.settle()
  return request.kind === 'acme clear' ? proofs(house, request.name) : done({ undone })
}

/** How many proofs a name has now. */
function proofs({ changeover }: House, name: string): Reply {
  const isOf = dropsChallenge({ name })
  const tokens = isWrong(isOf) ? 0 : changeover.overrides.all.filter(isOf).length
  return done({ name, tokens })
}

function meant(
  { sheet: { steering } }: Changeover,
  request: Parameters<typeof undoing>[1],
): ((override: Override) => boolean) | Wrong {
  switch (request.kind) {
    case 'undo':
      return ({ id }) => id === request.id
    case 'acme clear':
      return dropsChallenge(request)
    default: {
      const kind = request.kind === 'undrain' ? 'drain' : 'force'
      const key = keyOf(steering, request.what)
      return ({ does }) => does.kind === kind && keyOf(steering, does.what) === key
    }
  }
}

/** Equal for two ways to name the same pools and targets. */
function keyOf(steering: Steering, what: string): string {
  const { pools, targets } = named(steering, what)
  return pools.length + targets.length === 0 ? what : `${pools} ${targets}`
}

function nothingOf(request: Parameters<typeof undoing>[1]): Wrong {
  const seeing = 'lbdns ctl overrides lists all'
  switch (request.kind) {
    case 'undo':
      return wrong(`no override has the number ${request.id}`, seeing)
    case 'undrain':
      return wrong(`${request.what} is not drained`, seeing)
    case 'unforce':
      return wrong(`${request.what} is not forced`, seeing)
    case 'acme clear':
      return wrong(`no such proof is set for ${request.name}`, seeing)
  }
}
