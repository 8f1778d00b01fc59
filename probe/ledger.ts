/**
 * The book of a run: questions are put at the pace of their server, what came of them is written
 * down, and it is known when to give up. What to ask is the affair of whoever holds the book.
 */

import { type Asked, type Asker, ask, asker, type Manner } from './ask/ask.ts'
import { enter, type Lane, laneTo, leave, MOST_AT_ONCE, STORM, slowDown, turn } from './ask/lane.ts'
import { type Server, serverText } from './ask/server.ts'
import type { Observation } from './judge/observation.ts'
import { observationOf } from './observe.ts'
import { type Budget, isLoopback } from './plan/budget.ts'
import type { Chance } from './plan/chance.ts'
import type { Question } from './plan/question.ts'
import type { World } from './world.ts'

export type Run = {
  readonly asker: Asker
  readonly chance: Chance
  readonly budget: Budget
  /** Questions under way at once in `ecs`. */
  readonly width: number
  /** Milliseconds between two questions of `dns2`. */
  readonly intervalMs: number
  readonly signal: AbortSignal
  /** Called after each question with how many were asked for this subject. */
  readonly progress: (asked: number) => void
  /** Called with each observation as it comes. */
  readonly record?: (seen: Observation) => void
  /** What an earlier run saw of a question, which then is not sent; nothing: it is to be sent. */
  readonly remembered?: Remembered
  /** Called when what was asked is less than what was wanted; the deadline and the interrupt are known. */
  readonly cut?: (why: Cut) => void
}

export type Remembered = (
  question: Question,
  server: Server,
) => Promise<readonly Observation[] | undefined>

/** What a run may cost, and how long it waits. */
export type Limits = Manner & Budget & { readonly deadlineMs?: number | undefined }

/** When a command must have ended that began at `began`, by its wire's clock. */
export function endOf(began: number, { deadlineMs }: Pick<Limits, 'deadlineMs'>): number {
  return began + (deadlineMs ?? Number.POSITIVE_INFINITY)
}

/**
 * A run with an asker of its own, which knows no server yet.
 *
 * @param until when it must have ended, by the wire's clock
 */
export function runAlone(
  { tries, timeoutMs, size, queries, rate }: Limits,
  chance: Chance,
  world: Pick<World, 'wire' | 'width' | 'interrupt'>,
  progress: Run['progress'],
  until: number,
): Run {
  const own = asker(world.wire, chance, { tries, timeoutMs, size })
  own.until = until
  return {
    asker: own,
    chance,
    budget: { queries, rate },
    width: world.width,
    intervalMs: 0,
    signal: world.interrupt,
    progress,
  }
}

export type Cut =
  | { readonly kind: 'budget' }
  | { readonly kind: 'refused'; readonly server: string; readonly replies: number }

/** What one subject has cost and shown so far. */
export type Ledger = {
  readonly run: Run
  readonly seen: Observation[]
  readonly began: number
  sequence: number
  /** Failures in a row, since the last reply. */
  failures: number
  /** Whether the server last asked refuses everything. */
  refused: boolean
}

/** After so many failures in a row a server is taken for dead. */
export const DEAD_AT_START = 4
const DEAD = 10

/** A book for one subject; the clock starts now. */
export function ledger(run: Run): Ledger {
  const began = run.asker.wire.now()
  return { run, seen: [], began, sequence: 0, failures: 0, refused: false }
}

/** Questions in their order, some under way at once. */
export async function putAll(
  book: Ledger,
  questions: readonly Question[],
  server: Server,
): Promise<void> {
  const queue = [...questions]
  const walk = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if (isOver(book)) return
      await put(book, next, server)
    }
  }
  const width = Math.min(book.run.width, queue.length)
  await Promise.all(Array.from({ length: width }, walk))
}

/** Asks one question at the pace of its server, if it will have it, and writes down what came of it. */
export async function put(book: Ledger, question: Question, server: Server): Promise<void> {
  const { asker } = book.run
  const lane = laneTo(asker.lanes, serverText(server))
  book.refused = lane.refusals >= STORM
  if (book.refused) return
  const known = await book.run.remembered?.(question, server)
  if (known !== undefined) {
    book.sequence += known.length
    return enterAll(book, lane, known, server)
  }
  if (isEnded(book.run)) return
  await enter(lane, isLoopback(server.address) ? Number.POSITIVE_INFINITY : MOST_AT_ONCE)
  try {
    await pace(book, lane, server)
    if (!isEnded(book.run)) await write(book, lane, question, server)
  } finally {
    leave(lane)
  }
}

async function write(book: Ledger, lane: Lane, question: Question, server: Server): Promise<void> {
  const { run } = book
  const sequence = book.sequence
  book.sequence += 1
  const results = await unlessAborted(ask(run.asker, question, server), run.signal)
  if (results === undefined || isCutShort(results, run)) return
  const found = results.map((result, index) => {
    if (index > 0) book.sequence += 1
    const number = index === 0 ? sequence : book.sequence - 1
    return observationOf(question, result, book.began, number)
  })
  for (const seen of found) run.record?.(seen)
  enterAll(book, lane, found, server)
}

/** What came of one question; its first observation says how the server is. */
function enterAll(book: Ledger, lane: Lane, found: readonly Observation[], server: Server): void {
  const [first] = found
  book.seen.push(...found)
  book.failures = first?.error === undefined ? 0 : book.failures + 1
  watch(book, lane, first, server)
  book.run.progress(book.sequence)
}

/** What is no reply because the time of the run was over says nothing of the server. */
function isCutShort(results: readonly Asked[], { asker }: Run): boolean {
  return results[0]?.reply.error === 'timeout' && asker.wire.now() >= asker.until
}

/** Learns from a reply that the server would rather be asked less, or not at all. */
function watch(book: Ledger, lane: Lane, seen: Observation | undefined, server: Server): void {
  const { run } = book
  const signs = seen?.oddities ?? []
  if (signs.includes('rate-slip') || signs.includes('tcp-after-drop')) {
    slowDown(lane, run.asker.wire.now())
  }
  lane.refusals = seen?.rcode === 'REFUSED' ? lane.refusals + 1 : 0
  book.refused = lane.refusals >= STORM
  if (lane.refusals !== STORM) return
  run.cut?.({ kind: 'refused', server: serverText(server), replies: STORM })
}

/** Keeps the rate to one server; the loopback has none. */
async function pace(book: Ledger, lane: Lane, server: Server): Promise<void> {
  const { budget, asker } = book.run
  if (isLoopback(server.address) || budget.rate === Number.POSITIVE_INFINITY) return
  await turn(lane, budget.rate, asker.wire, asker.until)
}

/** Whether any reply came at all. */
export function answered(book: Ledger): boolean {
  return book.seen.some(({ error }) => error === undefined)
}

/** Whether the server is taken for dead or refuses everything, or the run has ended. */
export function isOver(book: Ledger): boolean {
  const limit = answered(book) ? DEAD : DEAD_AT_START
  return isEnded(book.run) || book.refused || book.failures >= limit
}

/** Whether the run was interrupted, or its time is over. */
export function isEnded({ signal, asker }: Run): boolean {
  return signal.aborted || asker.wire.now() >= asker.until
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return undefined
  let stop = (): void => undefined
  const aborted = new Promise<undefined>(resolve => {
    stop = () => resolve(undefined)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
