/**
 * One webhook: what happens is posted to it, one event after the other, each again until it is taken
 * or given up. What waits is bounded, and so is how often it is tried: nobody who hangs, refuses or
 * lies costs more than that. Knows no socket; what posts is an argument.
 */
import { createHmac } from 'node:crypto'
import type { EventKind } from '../config/config.ts'
import { type At, type Problem, problemAt, wrong } from '../fault.ts'
import type { Event } from '../tell/control/told.ts'
import type { Clock } from './clock.ts'
import type { Outcome, Parcel, Post } from './post.ts'
import { type Budget, earn, MOST_TRIES, pauseMs, spend } from './retry.ts'

/** Events that wait. Of more, the oldest go: who was away wants to know how things are now. */
const MOST_WAITING = 1_000
const TIMEOUT_MS = 5_000

/** Where to post, and what proves to be us. */
export type Address = {
  readonly url: string
  readonly token: string | undefined
  readonly secret: string | undefined
  /** Absent: all. */
  readonly kinds: readonly EventKind[] | undefined
  readonly at: At
}

/** What webhooks are made of. */
export type Means = {
  readonly post: Post
  readonly clock: Clock
  /** Draws from 0 … 1, without 1. */
  readonly chance: () => number
  /** Hears once of each time that events are not taken any more. */
  readonly warn: (warning: Problem) => void
  readonly nameOf: (event: Event) => string
}

export type HookCounts = {
  /** Events: taken, given up, and lost before they were tried, as too many waited or the end came. */
  readonly sent: number
  readonly failed: number
  readonly dropped: number
  /** Tries beyond the first of each event. */
  readonly retried: number
  /** Events, now. */
  readonly waiting: number
}

export class Webhook {
  readonly #means: Means
  readonly #budget: Budget
  readonly #waiting: Event[] = []
  readonly #counts = { sent: 0, failed: 0, dropped: 0, retried: 0 }
  #address: Address
  /** Ends when nothing waits any more; absent: nothing does. */
  #work: Promise<void> | undefined
  /** What ends a pause, and what ends a try. */
  #goOn = () => {}
  #cut = () => {}
  /** `last`: each is tried once more; `over`: none is. */
  #end: 'no' | 'last' | 'over' = 'no'
  /** That events are not taken has been said. */
  #isTold = false

  /** @param budget of all webhooks together */
  constructor(address: Address, budget: Budget, means: Means) {
    this.#address = address
    this.#budget = budget
    this.#means = means
  }

  get counts(): HookCounts {
    return { ...this.#counts, waiting: this.#waiting.length }
  }

  tell(event: Event): void {
    const { kinds } = this.#address
    if (this.#end !== 'no' || kinds?.includes(event.kind) === false) return
    earn(this.#budget)
    this.#waiting.push(event)
    if (this.#waiting.length > MOST_WAITING) {
      this.#waiting.shift()
      this.#counts.dropped += 1
      this.#say(`more than ${MOST_WAITING} wait`)
    }
    this.#work ??= this.#run()
  }

  /** Posts as this says from now on, what waits too. */
  follow(address: Address): void {
    this.#address = address
  }

  /** Tries once more what waits, as far as there is time; the rest is lost. */
  async close(withinMs: number): Promise<void> {
    this.#end = 'last'
    this.#goOn()
    const enough = this.#means.clock.wait(withinMs, () => {
      this.#end = 'over'
      this.#cut()
    })
    await this.#work
    enough()
    this.#counts.dropped += this.#waiting.splice(0).length
  }

  async #run(): Promise<void> {
    for (let event = this.#waiting.shift(); event !== undefined; event = this.#waiting.shift()) {
      await this.#deliver(event)
      if (this.#end === 'over') break
    }
    this.#work = undefined
  }

  /** Tries until it is taken, refused, or not worth another try. */
  async #deliver(event: Event): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const outcome = await this.#try(parcelOf(event, this.#address, this.#means.nameOf(event)))
      if (outcome.kind === 'taken') return this.#took()
      if (outcome.kind === 'refused') return this.#gaveUp(outcome.why)
      const why = this.#stopsFor(tries)
      if (why !== undefined) return this.#gaveUp(`${outcome.why}${why}`)
      await this.#pause(pauseMs(tries, this.#means.chance(), outcome.askedMs))
      await this.#turn()
      this.#counts.retried += 1
    }
  }

  /** Waits until the budget has a retry. At the end there is no need to save. */
  async #turn(): Promise<void> {
    while (this.#end === 'no') {
      const ms = spend(this.#budget, this.#means.clock.now())
      if (ms === 0) return
      await this.#pause(ms)
    }
  }

  #took(): void {
    this.#counts.sent += 1
    this.#isTold = false
  }

  #gaveUp(why: string): void {
    this.#counts.failed += 1
    this.#say(why)
  }

  /** Why there is no other try, or `undefined`. */
  #stopsFor(tries: number): string | undefined {
    if (this.#end !== 'no') return ', and there is no time for another try'
    return tries < MOST_TRIES ? undefined : `, ${tries} times`
  }

  /** What came of a try, also of one that never ends or breaks its word and throws. */
  async #try(parcel: Parcel): Promise<Outcome> {
    const controller = new AbortController()
    const { signal } = controller
    this.#cut = () => controller.abort()
    const enough = this.#means.clock.wait(TIMEOUT_MS, this.#cut)
    const late = new Promise<Outcome>(resolve => {
      const why = `no answer within ${TIMEOUT_MS / 1000} s`
      signal.addEventListener('abort', () => resolve({ kind: 'later', why }), { once: true })
    })
    try {
      return await Promise.race([this.#means.post(parcel, signal), late])
    } catch (cause) {
      return { kind: 'later', why: String(cause) }
    } finally {
      enough()
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise(resolve => {
      const callOff = this.#means.clock.wait(ms, resolve)
      this.#goOn = () => {
        callOff()
        resolve()
      }
    })
  }

  /** The URL is not shown: it may be all that keeps others from posting there. */
  #say(why: string): void {
    if (this.#isTold) return
    this.#isTold = true
    const what = `an event is lost, as this webhook does not take it: ${why}`
    this.#means.warn(problemAt(this.#address.at, wrong(what, 'no more is said until it takes one')))
  }
}

function parcelOf(event: Event, { secret, token, url }: Address, name: string): Parcel {
  const body = JSON.stringify(event)
  const signed = secret && createHmac('sha256', secret).update(body).digest('hex')
  const fields = {
    'content-type': 'application/json',
    'user-agent': 'lbdns',
    'x-lbdns-event': event.kind,
    'x-lbdns-event-id': name,
    ...(token && { authorization: `Bearer ${token}` }),
    ...(signed && { 'x-lbdns-signature': `sha256=${signed}` }),
  }
  return { url, fields, body }
}
