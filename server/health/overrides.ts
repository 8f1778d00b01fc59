/**
 * The overrides there are: what an operator has imposed and not undone, from when to when. They go by
 * the calendar, outlive every World and the process, and are written on each sheet by name.
 */
import { impose, nextOf, phaseAt, ramps } from '../steer/impose.ts'
import { type Placed, placed } from '../steer/named.ts'
import type { Override } from '../steer/override.ts'
import { type Clock, EVERY_MS } from './clock.ts'
import type { Sheet } from './sheet.ts'

/** No more at a time: each costs a little whenever one of them changes. */
export const MOST_OVERRIDES = 1000

/** What became of an override, and at whose hand where it was a hand. */
export type Turn = 'made' | 'begun' | 'ended' | 'undone'

export type OnTurn = (turn: Turn, override: Override, by: string | undefined) => void

export class Overrides {
  readonly #clock: Clock
  readonly #onTurn: OnTurn
  #all: Override[] = []
  #last = 0
  #sheet: Sheet | undefined
  #placed: readonly Placed[] = []
  /** The calendar when what is on the sheet was written. */
  #written = 0
  #cancel: (() => void) | undefined

  /** @param onTurn hears what becomes of each; not of those that are recalled */
  constructor(clock: Clock, onTurn: OnTurn) {
    this.#clock = clock
    this.#onTurn = onTurn
  }

  /** In the order in which they were made. */
  get all(): readonly Override[] {
    return this.#all
  }

  /** How it stands with each on the sheet of now. */
  get placed(): readonly Placed[] {
    return this.#placed
  }

  /** Takes up what was there before a restart; what has ended meanwhile is told of. */
  recall(kept: readonly Override[]): void {
    const now = this.#clock.date()
    this.#all = kept.toSorted((a, b) => a.id - b.id)
    this.#last = this.#all.at(-1)?.id ?? 0
    this.#written = now
    this.#drop(({ until }) => until !== undefined && until <= now, 'ended', undefined)
  }

  /** Writes on this sheet from now on. */
  follow(sheet: Sheet): void {
    this.#sheet = sheet
    this.#place()
    this.#write('before')
  }

  make(wanted: Omit<Override, 'id' | 'made'>): Override {
    this.#last += 1
    const override = { ...wanted, id: this.#last, made: this.#clock.date() }
    this.#all = [...this.#all, override]
    this.#onTurn('made', override, override.author)
    this.#place()
    this.#write('serving')
    return override
  }

  /** Ends all that are meant. Returns them. */
  undo(isMeant: (override: Override) => boolean, by: string): readonly Override[] {
    const gone = this.#drop(isMeant, 'undone', by)
    if (gone.length === 0) return gone
    this.#place()
    this.#write('serving')
    return gone
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }

  #drop(
    isMeant: (override: Override) => boolean,
    turn: 'ended' | 'undone',
    by: string | undefined,
  ): readonly Override[] {
    const gone = this.#all.filter(isMeant)
    this.#all = this.#all.filter(one => !gone.includes(one))
    for (const one of gone) this.#onTurn(turn, one, by)
    return gone
  }

  #place(): void {
    const sheet = this.#sheet
    if (sheet !== undefined) this.#placed = this.#all.map(one => placed(sheet.steering, one))
  }

  #write(when: 'serving' | 'before'): void {
    const sheet = this.#sheet
    if (sheet === undefined) return
    const now = this.#clock.date()
    sheet.impose(impose(sheet.steering, this.#placed, now), when)
    this.#written = now
    this.#cancel ??= this.#isSettled(now) ? undefined : this.#wait()
  }

  #wait(): () => void {
    return this.#clock.wait(EVERY_MS, () => {
      this.#cancel = undefined
      this.#look()
    })
  }

  /** Nothing will happen by time alone. */
  #isSettled(now: number): boolean {
    return this.#all.every(one => nextOf(one, now) === Number.POSITIVE_INFINITY)
  }

  #look(): void {
    const before = this.#written
    const now = this.#clock.date()
    const begun = this.#all.filter(one => before < one.from && phaseAt(one, now) === 'in force')
    for (const one of begun) this.#onTurn('begun', one, undefined)
    const ended = this.#drop(one => phaseAt(one, now) === 'over', 'ended', undefined)
    if (ended.length > 0) this.#place()
    if (begun.length + ended.length > 0) this.#write('serving')
    else this.#sheet?.plan()
    if (this.#isRamping(now)) this.#ramp(now)
    this.#written = now
    this.#cancel ??= this.#isSettled(now) ? undefined : this.#wait()
  }

  #ramp(now: number): void {
    const sheet = this.#sheet
    sheet?.ramp(ramps(sheet.steering, this.#placed, now))
  }

  /** Some clients go on moving. */
  #isRamping(now: number): boolean {
    return this.#all.some(
      ({ does, from }) =>
        does.kind === 'ramp' && now >= from && this.#written < from + 1000 * does.seconds,
    )
  }
}
