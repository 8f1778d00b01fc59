/**
 * Keeps a sheet's verdicts as the checks have them. What is known of an address outlives every World:
 * it is written on the next sheet before anybody is served from that.
 */
import { named } from '../steer/named.ts'
import { joined } from '../steer/verdict.ts'
import type { Beat } from './beat.ts'
import type { CheckedTarget, Checks } from './checked.ts'
import type { Clock } from './clock.ts'
import type { Kept } from './kept.ts'
import { putMeasured } from './measured.ts'
import type { Sheet } from './sheet.ts'
import type { Try, Verdict } from './watch.ts'
import { type Before, type Standing, Watches } from './watches.ts'

/** A target of which checks say that it came up or went down. */
export type Flip = {
  readonly pool: string
  readonly target: string
  readonly now: 'up' | 'down'
  /** What the last try told. */
  readonly why: string
}

const NOBODY = { targets: [] }

export type Watched = Standing & { readonly targets: readonly CheckedTarget[] }

export class Verdicts {
  readonly #watches: Watches
  readonly #onFlip: (flip: Flip) => void
  #sheet: Sheet | undefined
  /** By key of a watch. */
  #byKey: Groups = new Map()
  /** By key of a watch: what it tries. */
  #places: ReadonlyMap<string, string> = new Map()
  #byTarget: ReadonlyMap<number, CheckedTarget> = new Map()

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

  /** Watches what a World wants, and writes all that is known on its sheet. */
  follow(checks: Checks, sheet: Sheet): void {
    this.#sheet = sheet
    this.#byKey = groups(checks.targets)
    this.#byTarget = new Map(checks.targets.map(one => [one.target, one]))
    this.#places = new Map(checks.wanted.map(({ key, place }) => [key, place]))
    this.#watches.follow(checks.wanted)
    for (const one of checks.targets) this.#write(sheet, one)
    for (const pool of new Set(checks.targets.map(one => one.pool))) sheet.settle(pool, 'before')
  }

  /** All watches, each with what hangs on it. */
  watched(): readonly Watched[] {
    return this.#watches
      .all()
      .map(one => ({ ...one, targets: this.#byKey.get(one.watch.key) ?? [] }))
  }

  /** What each check of a target says; of one without checks, nothing. */
  on(target: number): readonly Verdict[] {
    const keys = this.#byTarget.get(target)?.keys ?? []
    return keys.flatMap(key => this.#watches.verdict(key) ?? [])
  }

  /**
   * Takes a push of a target, however it is named, or of a place that is checked. Returns for which
   * targets it was.
   *
   * @param check absent: every check there that is pushed
   */
  pushed(what: string, check: string | undefined, beat: Beat): readonly CheckedTarget[] {
    const { targets } = this.#sheet === undefined ? NOBODY : named(this.#sheet.steering, what)
    const keys = new Set(targets.flatMap(target => this.#byTarget.get(target)?.keys ?? []))
    const places = [...keys].flatMap(key => this.#places.get(key) ?? [])
    const meant = new Set(places.length > 0 ? places : [what])
    const heard = [...meant].flatMap(place => this.#watches.pushed({ check, place }, beat))
    return heard.flatMap(key => this.#byKey.get(key) ?? [])
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
      const { says } = sheet.standing(one.target)
      this.#write(sheet, one)
      return sheet.standing(one.target).says !== says
    })
    for (const pool of new Set(hanging.map(one => one.pool))) sheet.settle(pool)
    for (const one of flipped) this.#tell(sheet, one, key)
  }

  #tell(sheet: Sheet, { name, pool, target }: CheckedTarget, key: string): void {
    this.#onFlip({
      pool: sheet.steering.poolNames[pool] ?? '',
      target: name,
      now: sheet.standing(target).says === 1 ? 'up' : 'down',
      why: this.#watches.verdict(key)?.why ?? '',
    })
  }

  #write(sheet: Sheet, one: CheckedTarget): void {
    const verdict = this.#verdictOn(one)
    sheet.check(one.target, verdict.up, verdict.seconds)
    if (one.loads === 'of a file') return
    const { board, steering } = sheet
    const told = one.keys.map(key => this.#watches.verdict(key))
    const load = told.find(verdict => verdict?.load !== undefined)?.load
    const capacity = told.find(verdict => verdict?.capacity !== undefined)?.capacity
    putMeasured(board, steering, one.target, { load, capacity })
    board.latency[one.target] = told[0]?.latencyMs ?? Number.NaN
  }

  #verdictOn({ keys, need }: CheckedTarget) {
    return joined(
      need,
      keys.map(key => this.#watches.verdict(key) ?? { up: true, seconds: 0 }),
    )
  }
}

type Groups = ReadonlyMap<string, readonly CheckedTarget[]>

function groups(targets: readonly CheckedTarget[]): Groups {
  const made = new Map<string, CheckedTarget[]>()
  for (const one of targets) {
    for (const key of one.keys) {
      const group = made.get(key) ?? []
      group.push(one)
      made.set(key, group)
    }
  }
  return made
}
