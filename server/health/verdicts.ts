/**
 * Keeps the board's verdicts as the checks have them. What is known of an address outlives every
 * World: it is written on the next board before anybody is served from that.
 */
import { type Board, NO_CAP } from '../steer/board.ts'
import type { Steering } from '../steer/steering.ts'
import { joined } from '../steer/verdict.ts'
import type { CheckedTarget, Checks } from './checked.ts'
import type { Clock } from './clock.ts'
import type { Kept } from './kept.ts'
import { putMeasured } from './measured.ts'
import type { Try } from './watch.ts'
import { type Before, Watches } from './watches.ts'

/** A target that came up or went down. */
export type Flip = {
  readonly pool: string
  readonly target: string
  readonly now: 'up' | 'down'
  /** What the last try told. */
  readonly why: string
}

/** Where verdicts are written. */
type Sheet = {
  readonly steering: Steering
  readonly board: Board
  /** By target: in which its verdict cannot change. */
  readonly seconds: Uint32Array
}

type Groups<Key> = ReadonlyMap<Key, readonly CheckedTarget[]>

export class Verdicts {
  readonly #watches: Watches
  readonly #onFlip: (flip: Flip) => void
  #sheet: Sheet | undefined
  /** By key of a watch. */
  #byKey: Groups<string> = new Map()
  #byPool: Groups<number> = new Map()

  /** @param chance draws from 0 … 1, without 1 */
  constructor(
    try_: Try,
    clock: Clock,
    chance: () => number,
    onFlip: (flip: Flip) => void,
    before?: Before,
  ) {
    this.#watches = new Watches(try_, clock, chance, key => this.#heard(key), before)
    this.#onFlip = onFlip
  }

  /** Watches what a World wants, and writes all that is known on its board. */
  follow(checks: Checks, steering: Steering, board: Board): void {
    const seconds = new Uint32Array(steering.targets)
    this.#sheet = { steering, board, seconds }
    this.#byKey = groups(checks.targets, ({ keys }) => keys)
    this.#byPool = groups(checks.targets, ({ pool }) => [pool])
    this.#watches.follow(checks.wanted)
    for (const one of checks.targets) this.#write(this.#sheet, one)
    for (const pool of this.#byPool.keys()) this.#writeFlip(this.#sheet, pool)
  }

  /** What is known, for after a restart. */
  kept(): ReadonlyMap<string, Kept> {
    return this.#watches.kept()
  }

  stop(): void {
    this.#watches.stop()
  }

  #heard(key: string): void {
    const sheet = this.#sheet
    if (sheet === undefined) return
    const hanging = this.#byKey.get(key) ?? []
    const flipped = hanging.filter(one => {
      const before = sheet.board.up[one.target]
      this.#write(sheet, one)
      return sheet.board.up[one.target] !== before
    })
    for (const pool of new Set(hanging.map(one => one.pool))) this.#writeFlip(sheet, pool)
    for (const one of flipped) this.#tell(sheet, one, key)
  }

  #tell({ steering, board }: Sheet, { name, pool, target }: CheckedTarget, key: string): void {
    this.#onFlip({
      pool: steering.poolNames[pool] ?? '',
      target: name,
      now: board.up[target] === 1 ? 'up' : 'down',
      why: this.#watches.verdict(key)?.why ?? '',
    })
  }

  #write({ board, seconds, steering }: Sheet, one: CheckedTarget): void {
    const verdict = this.#verdictOn(one)
    board.up[one.target] = verdict.up ? 1 : 0
    seconds[one.target] = verdict.seconds
    if (one.loads === 'of a file') return
    const told = one.keys.map(key => this.#watches.verdict(key))
    const load = told.find(verdict => verdict?.load !== undefined)?.load
    const capacity = told.find(verdict => verdict?.capacity !== undefined)?.capacity
    putMeasured(board, steering, one.target, { load, capacity })
    board.latency[one.target] = told[0]?.latencyMs ?? Number.NaN
  }

  /** The first verdict of a pool that can change is the one that counts. */
  #writeFlip({ board, seconds }: Sheet, pool: number): void {
    let least = NO_CAP
    for (const { target } of this.#byPool.get(pool) ?? []) {
      least = Math.min(least, seconds[target] ?? 0)
    }
    board.flip[pool] = least
  }

  #verdictOn({ keys, need }: CheckedTarget) {
    return joined(
      need,
      keys.map(key => this.#watches.verdict(key) ?? { up: true, seconds: 0 }),
    )
  }
}

function groups<Key>(
  targets: readonly CheckedTarget[],
  keysOf: (target: CheckedTarget) => readonly Key[],
): Groups<Key> {
  const made = new Map<Key, CheckedTarget[]>()
  for (const one of targets) {
    for (const key of keysOf(one)) {
      const group = made.get(key) ?? []
      group.push(one)
      made.set(key, group)
    }
  }
  return made
}
