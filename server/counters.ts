/**
 * All that is counted in the process: a page for each serving thread, in memory that outlives the
 * thread, and what was counted under Worlds that nobody serves any more. Nothing counted gets less by
 * a reload or a death.
 */
import { type Answered, addAnswered, addAnswers, trim } from './guard/answered.ts'
import { type Numbering, openTallies, type Tallies } from './guard/answers.ts'
import { CELLS } from './guard/tally.ts'

/** A matrix in which a thread may still count, and the World it is of. */
type Open = { readonly tallies: Tallies; readonly world: Numbering }

export class Counters {
  readonly #pages: Page[] = []
  readonly #past: Answered = new Map()

  /** Opens a page for one more thread, which serves this first. */
  open(world: Numbering): Page {
    const page = new Page(world, left => this.#fold(left, page.world))
    this.#pages.push(page)
    return page
  }

  /** All cells of `tally.ts`, all threads together. */
  cells(): Float64Array {
    const all = new Float64Array(CELLS)
    for (const { tallies } of this.#pages) addNumbers(all, tallies.cells)
    return all
  }

  answered(): Answered {
    const all: Answered = new Map()
    for (const [world, answers] of this.#matrices()) addAnswers(all, answers, world)
    addAnswered(all, this.#past)
    return all
  }

  /** Threads that serve one World count as one: its names are put into words but once. */
  #matrices(): Map<Numbering, Float64Array> {
    const sums = new Map<Numbering, Float64Array>()
    for (const { tallies, world } of this.#pages.flatMap(page => page.open())) {
      const sum = sums.get(world)
      if (sum === undefined) sums.set(world, tallies.answers.slice())
      else addNumbers(sum, tallies.answers)
    }
    return sums
  }

  #fold({ tallies, world }: Open, now: Numbering): void {
    addAnswers(this.#past, tallies.answers, world)
    trim(this.#past, now)
  }
}

/** What one thread counts. */
export class Page {
  readonly #fold: (left: Open) => void
  /** Of the World of today last; before it those that the thread may still serve. */
  #open: readonly Open[]
  #today: Open

  constructor(world: Numbering, fold: (left: Open) => void) {
    this.#fold = fold
    this.#today = { tallies: openTallies(world), world }
    this.#open = [this.#today]
  }

  /** Where the thread counts from when it serves the World of today. */
  get tallies(): Tallies {
    return this.#today.tallies
  }

  get world(): Numbering {
    return this.#today.world
  }

  open(): readonly Open[] {
    return this.#open
  }

  /** Turns to the next World: its tallies, for whoever serves it. */
  turn(world: Numbering): Tallies {
    const tallies = openTallies(world, this.tallies.cells)
    this.#today = { tallies, world }
    this.#open = [...this.#open, this.#today]
    return tallies
  }

  /** The thread counts in these now, and in nothing older any more. */
  settle(tallies: Tallies): void {
    const at = this.#open.findIndex(one => one.tallies === tallies)
    const older = this.#open.slice(0, Math.max(0, at))
    this.#open = this.#open.slice(older.length)
    for (const left of older) this.#fold(left)
  }
}

function addNumbers(to: Float64Array, from: Float64Array): void {
  for (let at = 0; at < to.length; at += 1) to[at] = (to[at] ?? 0) + (from[at] ?? 0)
}
