/**
 * The book of a run: questions are put at the pace of their server, what came of them is written
 * down, and it is known when to give up. What to ask is the affair of whoever holds the book.
 */

import { type Asker, ask } from './ask/ask.ts'
import { type Server, serverText } from './ask/server.ts'
import type { Observation } from './judge/observation.ts'
import { observationOf } from './observe.ts'
import { type Budget, isLoopback } from './plan/budget.ts'
import type { Chance } from './plan/chance.ts'
import type { Question } from './plan/question.ts'

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
}

/** What one subject has cost and shown so far. */
export type Ledger = {
  readonly run: Run
  readonly seen: Observation[]
  readonly began: number
  sequence: number
  /** Failures in a row, since the last reply. */
  failures: number
  /** When the next question may leave, by server. */
  readonly dueAt: Map<string, number>
}

/** After so many failures in a row a server is taken for dead. */
export const DEAD_AT_START = 4
const DEAD = 10

/** A book for one subject; the clock starts now. */
export function ledger(run: Run): Ledger {
  const began = run.asker.wire.now()
  return { run, seen: [], began, sequence: 0, failures: 0, dueAt: new Map() }
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

/** Asks one question at the pace of its server, and writes down what came of it. */
export async function put(book: Ledger, question: Question, server: Server): Promise<void> {
  const { run } = book
  await pace(book, server)
  const sequence = book.sequence
  book.sequence += 1
  const results = await unlessAborted(ask(run.asker, question, server), run.signal)
  if (results === undefined) return
  for (const [index, result] of results.entries()) {
    if (index > 0) book.sequence += 1
    const number = index === 0 ? sequence : book.sequence - 1
    const seen = observationOf(question, result, book.began, number)
    book.seen.push(seen)
    run.record?.(seen)
  }
  book.failures = results[0]?.reply.error === undefined ? 0 : book.failures + 1
  run.progress(book.sequence)
}

/** Keeps the rate to one server; the loopback has none. */
async function pace(book: Ledger, server: Server): Promise<void> {
  const { budget, asker } = book.run
  if (isLoopback(server.address) || budget.rate === Number.POSITIVE_INFINITY) return
  const key = serverText(server)
  const now = asker.wire.now()
  const due = Math.max(now, book.dueAt.get(key) ?? 0)
  book.dueAt.set(key, due + 1000 / budget.rate)
  if (due > now) await asker.wire.sleep(due - now)
}

/** Whether any reply came at all. */
export function answered(book: Ledger): boolean {
  return book.seen.some(({ error }) => error === undefined)
}

/** Whether the server is taken for dead, or the run was interrupted. */
export function isOver(book: Ledger): boolean {
  const limit = answered(book) ? DEAD : DEAD_AT_START
  return book.run.signal.aborted || book.failures >= limit
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
