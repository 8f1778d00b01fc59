/**
 * One World's board as it is written: what checks say, what operators impose, what a change of the map
 * caps, and what starts slowly, each from its own hand, put together here. Knows none of these hands.
 */
import { ALL, type Board, NO_CAP } from '../steer/board.ts'
import { secondsTo } from '../steer/change.ts'
import { FORCED, type Imposed, impose, NEVER, type Ramps } from '../steer/impose.ts'
import { KINDS, type Steering } from '../steer/steering.ts'
import { poolOf } from '../steer/targets.ts'
import { isServing } from '../steer/walk.ts'
import { type Clock, EVERY_MS } from './clock.ts'
import { type SlowStarts, Warming } from './warming.ts'

/** What is known of a target on its own. */
export type Standing = {
  /** What its checks say; 1 where it has none. */
  readonly says: 0 | 1
  readonly forced: number
}

export class Sheet {
  readonly steering: Steering
  readonly board: Board
  /** By slot: the most seconds that a change of the map leaves its answers; or NO_CAP. */
  readonly caps: Uint32Array
  readonly #clock: Clock
  readonly #warming: Warming
  readonly #onPool: (pool: number) => void
  /** By target: what its checks say, and for how many seconds that holds; NO_CAP: it has none. */
  readonly #says: Uint8Array
  readonly #steady: Uint32Array
  #imposed: Imposed

  /** @param onPool hears of each pool that is usable from now on, or is not any more */
  constructor(
    steering: Steering,
    board: Board,
    slow: SlowStarts,
    clock: Clock,
    onPool: (pool: number) => void = () => {},
  ) {
    const { slots, targets } = steering
    this.steering = steering
    this.board = board
    this.caps = new Uint32Array(slots).fill(NO_CAP)
    this.#clock = clock
    this.#onPool = onPool
    this.#warming = new Warming(steering, slow, clock, (target, share) => {
      board.warm[target] = share
      this.#writePartial(poolOf(steering, target))
    })
    this.#says = new Uint8Array(targets).fill(1)
    this.#steady = new Uint32Array(targets).fill(NO_CAP)
    this.#imposed = impose(steering, [], 0)
  }

  /**
   * Notes what the checks of a target say. Whoever is done with a pool's targets calls `settle`.
   *
   * @param seconds in which it cannot change
   */
  check(target: number, up: boolean, seconds: number): void {
    this.#says[target] = up ? 1 : 0
    this.#steady[target] = seconds
  }

  /** Writes what was noted of a pool. A target that comes back starts slowly, but not before it served. */
  settle(pool: number, when: 'serving' | 'before' = 'serving'): void {
    const { up } = this.board
    const before = isServing(this.steering, this.board, pool)
    const end = this.#endOf(pool)
    for (let target = this.#startOf(pool); target < end; target += 1) {
      const now = this.#isUp(target, pool, this.#imposed) ? 1 : 0
      if (now === up[target]) continue
      up[target] = now
      if (when === 'serving') this.#warming.turn(target, pool, now)
    }
    this.#writePartial(pool)
    this.#writeFlip(pool)
    const isOther = isServing(this.steering, this.board, pool) !== before
    if (isOther && when === 'serving') this.#onPool(pool)
  }

  /** Writes what operators impose. */
  impose(imposed: Imposed, when: 'serving' | 'before' = 'serving'): void {
    this.#imposed = imposed
    const { board } = this
    board.keeps.set(imposed.keeps)
    board.poolKeeps.set(imposed.poolKeeps)
    for (let pool = 0; pool < board.flip.length; pool += 1) this.settle(pool, when)
    this.ramp(imposed)
  }

  /** Writes how far ramps have come. */
  ramp(ramps: Ramps): void {
    this.#imposed = { ...this.#imposed, ...ramps }
    const { rampFrom, rampShare, rampTo } = this.board
    rampShare.set(ramps.rampShare)
    rampTo.set(ramps.rampTo)
    rampFrom.set(ramps.rampFrom)
    this.writeCaps()
  }

  /** Writes how long answers may be kept: what is planned comes nearer all the time. */
  plan(): void {
    for (let pool = 0; pool < this.board.flip.length; pool += 1) {
      if (this.#imposed.poolNext[pool] !== NEVER) this.#writeFlip(pool)
    }
    this.writeCaps()
  }

  writeCaps(): void {
    const now = this.#clock.date()
    const { slotNext } = this.#imposed
    for (let slot = 0; slot < this.caps.length; slot += 1) {
      const cap = this.caps[slot] ?? NO_CAP
      const next = slotNext[slot] ?? NEVER
      this.board.cap[slot] = next === NEVER ? cap : Math.min(cap, secondsTo(next, now, EVERY_MS))
    }
  }

  /** A copy of the board as it would be under other overrides. */
  supposing(imposed: Imposed): Board {
    const { keeps, poolKeeps, rampFrom, rampShare, rampTo } = imposed
    const up = Uint8Array.from(this.board.up, (_, target) =>
      this.#isUp(target, poolOf(this.steering, target), imposed) ? 1 : 0,
    )
    return { ...this.board, up, keeps, poolKeeps, rampFrom, rampShare, rampTo }
  }

  standing(target: number): Standing {
    return {
      says: this.#says[target] === 0 ? 0 : 1,
      forced: this.#imposed.forced[target] ?? FORCED.no,
    }
  }

  /** What started slowly on the sheet before this one goes on. */
  warmFrom(before: Sheet): void {
    this.#warming.goOnFrom(before.#warming)
  }

  /** Nothing is written any more by time alone. */
  stop(): void {
    this.#warming.stop()
  }

  #isUp(target: number, pool: number, { forced, keeps, poolKeeps }: Imposed): boolean {
    if (keeps[target] === 0 || poolKeeps[pool] === 0) return false
    if (forced[target] !== FORCED.no) return forced[target] === FORCED.up
    return this.#says[target] === 1
  }

  /** No check changes what is imposed. */
  #isImposed(target: number, pool: number): boolean {
    const { forced, keeps, poolKeeps } = this.#imposed
    return forced[target] !== FORCED.no || keeps[target] === 0 || poolKeeps[pool] === 0
  }

  #writeFlip(pool: number): void {
    const next = this.#imposed.poolNext[pool] ?? NEVER
    let least = next === NEVER ? NO_CAP : secondsTo(next, this.#clock.date(), EVERY_MS)
    const end = this.#endOf(pool)
    for (let target = this.#startOf(pool); target < end; target += 1) {
      if (!this.#isImposed(target, pool)) least = Math.min(least, this.#steady[target] ?? NO_CAP)
    }
    this.board.flip[pool] = least
  }

  /** Where the targets of a pool begin, and end: no list is made of them after each try. */
  #startOf(pool: number): number {
    return this.steering.listStart[KINDS * pool] ?? 0
  }

  #endOf(pool: number): number {
    return this.#startOf(pool + 1)
  }

  #writePartial(pool: number): void {
    const { keeps, partial, warm } = this.board
    const end = this.#endOf(pool)
    let target = this.#startOf(pool)
    while (target < end && keeps[target] === ALL && warm[target] === 1) target += 1
    partial[pool] = target < end ? 1 : 0
  }
}
