/**
 * What happens, told to whoever listens. Each event gets a number and a time, and the last ones are
 * kept for those who come back. Knows no socket.
 */
import type { Event, Happening } from '../tell/control/told.ts'

/** So many events are kept. */
const MOST_KEPT = 256
/** So many of the problems of a refused reload are told: a file may have thousands. */
const MOST_PROBLEMS = 20

/** What it throws, or rejects with, is counted and lost. */
export type Listener = (event: Event) => unknown

/** What was told meanwhile. */
export type Missed = {
  readonly events: readonly Event[]
  /** Whether that is all of it. */
  readonly isWhole: boolean
}

export type EventCounts = {
  /** Events. */
  readonly told: number
  /** Times that a listener threw. */
  readonly broken: number
}

export class Events {
  readonly #date: () => number
  /** Numbers begin anew at each start: this tells one start from another. */
  readonly #start: string
  readonly #listeners = new Set<Listener>()
  readonly #kept: Event[] = []
  /** Told and not handed out yet: a listener may tell of something itself. */
  readonly #waiting: Event[] = []
  #isHandingOut = false
  #told = 0
  #broken = 0

  /** @param date milliseconds of the calendar */
  constructor(date: () => number) {
    this.#date = date
    this.#start = Math.trunc(date()).toString(36)
  }

  get counts(): EventCounts {
    return { told: this.#told, broken: this.#broken }
  }

  /** Listeners hear of it before this returns, each in the order in which things were told. */
  tell(happening: Happening): Event {
    this.#told += 1
    const time = new Date(this.#date()).toISOString()
    const event = { id: this.#told, time, ...brief(happening) }
    this.#kept.push(event)
    if (this.#kept.length > MOST_KEPT) this.#kept.shift()
    this.#waiting.push(event)
    if (!this.#isHandingOut) this.#handOut()
    return event
  }

  /** @returns calls it off */
  subscribe(listener: Listener): () => void {
    const own: Listener = event => listener(event) // one function may listen twice
    this.#listeners.add(own)
    return () => this.#listeners.delete(own)
  }

  /** The name of an event, which no event of another start has. */
  nameOf({ id }: Event): string {
    return `${this.#start}-${id}`
  }

  /** @param name of the last event that somebody heard of, or what they say is one */
  since(name: string): Missed {
    const [, start, number] = /^([0-9a-z]+)-(\d{1,15})$/.exec(name) ?? []
    const last = Number(number)
    const isOurs = start === this.#start && last <= this.#told
    if (!isOurs) return { events: [...this.#kept], isWhole: false }
    const events = this.#kept.filter(({ id }) => id > last)
    return { events, isWhole: events.length === this.#told - last }
  }

  #handOut(): void {
    this.#isHandingOut = true
    for (let at = this.#waiting.shift(); at !== undefined; at = this.#waiting.shift()) {
      for (const listener of [...this.#listeners]) {
        if (this.#listeners.has(listener)) void this.#hand(listener, at)
      }
    }
    this.#isHandingOut = false
  }

  async #hand(listener: Listener, event: Event): Promise<void> {
    try {
      await listener(event)
    } catch {
      this.#broken += 1
    }
  }
}

function brief(happening: Happening): Happening {
  if (happening.kind !== 'reload refused') return happening
  const more = happening.problems.length - MOST_PROBLEMS
  if (more <= 0) return happening
  const problems = [...happening.problems.slice(0, MOST_PROBLEMS), `and ${more} more`]
  return { ...happening, problems }
}
