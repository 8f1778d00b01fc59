/** What the tests of webhooks share: a clock moved by hand, and a receiver that touches no socket. */
import { type Problem, problemText } from '../../server/fault.ts'
import { Events } from '../../server/ops/events.ts'
import type { Outcome, Parcel, Post } from '../../server/ops/post.ts'
import { newBudget } from '../../server/ops/retry.ts'
import { type Address, Webhook } from '../../server/ops/webhook.ts'
import type { Happening } from '../../server/tell/control/told.ts'
import { HandClock } from './clock.ts'

export const AT = { file: 'lbdns.yaml', line: 3, column: 5 }

export const ADDRESS: Address = {
  ...{ url: 'https://hooks.example.com/', token: undefined, secret: undefined },
  ...{ kinds: undefined, at: AT },
}

export const TAKEN: Outcome = { kind: 'taken' }
export const LATER: Outcome = { kind: 'later', why: 'status 503' }
export const REFUSED: Outcome = { kind: 'refused', why: 'status 404' }

/** An event whose digest says which one it is. */
export const numbered = (number: number): Happening => ({
  kind: 'reloaded',
  listening: [],
  digest: `${number}`,
})

export type Posted = {
  readonly parcel: Parcel
  readonly signal: AbortSignal
  /** Which event, and when, in seconds since the beginning. */
  readonly number: number
  readonly at: number
}

export type Receiver = (hand: HandClock) => (posted: Posted) => Promise<Outcome>

/** Answers after 20 ms: the outcomes one after the other, the last again and again. */
export function playing(...outcomes: readonly Outcome[]): Receiver {
  let next = 0
  return hand => async () => {
    const outcome = outcomes[Math.min(next, outcomes.length - 1)] ?? TAKEN
    next += 1
    await hand.after(20)
    return outcome
  }
}

/** A webhook that hears of all events, and what was posted. */
export function stage(receiver: Receiver, chance: () => number = () => 0.5) {
  const hand = new HandClock()
  const { clock } = hand
  const begin = clock.now()
  const posted: Posted[] = []
  const warned: string[] = []
  const receive = receiver(hand)
  const post: Post = (parcel, signal) => {
    const number = Number(JSON.parse(parcel.body).digest)
    const one = { parcel, signal, number, at: (clock.now() - begin) / 1000 }
    posted.push(one)
    return receive(one)
  }
  const warn = (problem: Problem) => warned.push(problemText(problem))
  const events = new Events(clock.date)
  const means = { post, clock, chance, warn, nameOf: events.nameOf.bind(events) }
  const budget = newBudget(clock.now())
  const open = (more: Partial<Address> = {}) => {
    const hook = new Webhook({ ...ADDRESS, ...more }, budget, means)
    events.subscribe(event => hook.tell(event))
    return hook
  }
  return { hand, events, posted, warned, open, post, means }
}

/** How many seconds lie between the posts. */
export function gaps(posted: readonly Posted[]): number[] {
  return posted.slice(1).map(({ at }, before) => at - (posted[before]?.at ?? 0))
}
