/**
 * The World that a desk serves, and the one to come. A change is made at once or at the time that
 * the operator planned, and for one TTL around it answers whose map moves are kept for less, so that
 * old and new covers meet in caches only for a while (`steer/change.ts`). Loads and checks follow
 * the World.
 */

import { changeWorld, type Desk } from './answer/desk.ts'
import type { Moved } from './aside.ts'
import type { Problem } from './fault.ts'
import { EVERY_MS, MACHINE } from './health/clock.ts'
import { Loads } from './health/loads.ts'
import { Overrides } from './health/overrides.ts'
import { Sheet } from './health/sheet.ts'
import { tryOnce } from './health/try.ts'
import { type Flip, Verdicts } from './health/verdicts.ts'
import type { Try } from './health/watch.ts'
import type { Before } from './health/watches.ts'
import type { Served } from './served.ts'
import type { State } from './state.ts'
import { type Board, openBoard } from './steer/board.ts'
import { capAnswers, type Ends, endsAfter, endsBefore, noEnds } from './steer/change.ts'
import { placed } from './steer/named.ts'
import type { Override } from './steer/override.ts'
import { targetsIn } from './steer/targets.ts'
import { isServing } from './steer/walk.ts'
import { overrideTold } from './tell/control/overrides.ts'
import type { Happening, OverrideTold } from './tell/control/told.ts'

/** A timer holds no more milliseconds than this: 24 days. */
const LONGEST_MS = 0x7fff_ffff

/** What is to come. */
export type Next = { readonly served: Served; readonly moved: Moved }

/** Who is told of what is found while serving. */
export type Hearing = {
  readonly warn: (warning: Problem) => void
  readonly tell: (happening: Happening) => void
  /** Nothing is tried before. */
  readonly settled: () => Promise<unknown>
}

/** What was known, and imposed, before a restart. */
export type Past = { readonly health: Before; readonly overrides: readonly Override[] }

export class Changeover {
  readonly #desk: Desk
  readonly #warn: (warning: Problem) => void
  readonly #tell: (happening: Happening) => void
  readonly overrides: Overrides
  readonly verdicts: Verdicts
  #sheet: Sheet
  #loads: Loads
  #ends: Ends
  #caps: NodeJS.Timeout | undefined
  #plan: NodeJS.Timeout | undefined

  constructor(desk: Desk, served: Served, { settled, tell, warn }: Hearing, past: Past) {
    this.#desk = desk
    this.#warn = warn
    this.#tell = tell
    this.#ends = noEnds(desk.world.steering)
    const onFlip = (flip: Flip) => tell({ kind: 'verdict', ...flip })
    const tries: Try = (...trial) => settled().then(() => tryOnce(...trial))
    this.verdicts = new Verdicts(tries, MACHINE, Math.random, onFlip, past.health)
    this.overrides = new Overrides(MACHINE, (what, override, by) => {
      tell({ kind: 'override', what, by, override: this.#told(override) })
    })
    this.overrides.recall(past.overrides)
    this.#sheet = this.#openSheet(served, desk.board)
    this.#loads = this.#openLoads(served)
  }

  /** Serves the next World from now on. A plan that waits is given up. */
  change(next: Next, planned: 'planned' | 'unplanned'): void {
    this.stopWaiting()
    this.#loads.stop()
    const { world } = next.served
    const change = { at: Date.now(), planned }
    const old = this.#desk.world.steering
    const ends = endsAfter(old, this.#ends, world.steering, next.moved.after, change)
    const board = openBoard(world.steering)
    const sheet = this.#openSheet(next.served, board)
    sheet.warmFrom(this.#sheet)
    this.#sheet.stop()
    this.#sheet = sheet
    changeWorld(this.#desk, world, board)
    this.#loads = this.#openLoads(next.served)
    this.#cap(ends)
  }

  /**
   * Waits for a planned time; until then, what will move is kept in caches no longer than that.
   *
   * @param at    milliseconds, in the future
   * @param ready is called then, once, unless the plan is given up before
   */
  plan(next: Next, at: number, ready: () => void): void {
    this.stopWaiting()
    const before = endsBefore(next.moved.before, at)
    this.#cap(before.map((end, slot) => end || (this.#ends[slot] ?? 0)))
    this.#wait(at, ready)
  }

  /** What outlives the process. */
  kept(): State {
    return { health: this.verdicts.kept(), overrides: this.overrides.all }
  }

  /** How the board of now comes about. */
  get sheet(): Sheet {
    return this.#sheet
  }

  /** Gives up what was planned. */
  stopWaiting(): void {
    clearTimeout(this.#plan)
  }

  stop(): void {
    this.stopWaiting()
    this.#sheet.stop()
    this.overrides.stop()
    clearInterval(this.#caps)
    this.#loads.stop()
    this.verdicts.stop()
  }

  #tellOfPool({ board, steering }: Sheet, pool: number): void {
    const targets = targetsIn(steering, pool)
    const up = targets.filter(target => board.up[target] === 1).length
    const now = isServing(steering, board, pool) ? 'usable' : 'unusable'
    const name = steering.poolNames[pool] ?? ''
    this.#tell({ kind: 'pool', pool: name, now, up, all: targets.length })
  }

  #told(override: Override): OverrideTold {
    return overrideTold(placed(this.#desk.world.steering, override), Date.now())
  }

  #wait(at: number, ready: () => void): void {
    const left = at - Date.now()
    if (left > 0) {
      this.#plan = setTimeout(() => this.#wait(at, ready), Math.min(left, LONGEST_MS)).unref()
      return
    }
    clearInterval(this.#caps) // what is capped stays so until the World changes
    ready()
  }

  #cap(ends: Ends): void {
    clearInterval(this.#caps)
    this.#ends = ends
    const write = () => {
      const left = capAnswers(this.#sheet.caps, ends, Date.now(), EVERY_MS)
      this.#sheet.writeCaps()
      if (left === 'over') clearInterval(this.#caps)
    }
    this.#caps = setInterval(write, EVERY_MS).unref()
    write()
  }

  /** All that is known and imposed is on it, before anybody is served from its board. */
  #openSheet({ checks, world }: Served, board: Board): Sheet {
    const sheet = new Sheet(world.steering, board, new Map(checks.slow), MACHINE, pool =>
      this.#tellOfPool(sheet, pool),
    )
    this.verdicts.follow(checks, sheet)
    this.overrides.follow(sheet)
    return sheet
  }

  #openLoads({ loadFiles }: Served): Loads {
    const opened = new Loads(loadFiles, this.#desk.world.steering, this.#desk.board, this.#warn)
    opened.start()
    return opened
  }
}
