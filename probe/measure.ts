/**
 * One measurement: a plan is asked and the judge looks on. Pacing, giving up and stopping are here;
 * what to ask is in `plan`, how in `ask`, and what it means in `judge`.
 */

import { type Asker, ask } from './ask/ask.ts'
import { type Server, serverText } from './ask/server.ts'
import { lastRound, look } from './judge/look.ts'
import type { Observation } from './judge/observation.ts'
import { blocksToVerify } from './judge/verify.ts'
import { observationOf } from './observe.ts'
import { type Budget, isLoopback } from './plan/budget.ts'
import { below, type Chance } from './plan/chance.ts'
import type { Question, Subnet } from './plan/question.ts'
import { inARow, roundOf, type Subject } from './plan/rounds.ts'
import { scopeQuestions } from './plan/scope.ts'

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
}

export type RotationWish = {
  readonly count: number
  /** Sent with every question, or nothing is. */
  readonly subnet: Subnet | undefined
}

export type EcsWish = {
  readonly panel: readonly Subnet[]
  /** Most rounds, where the user set a limit; else the judge knows. */
  readonly rounds: number | undefined
  readonly samples: number
  readonly alpha: number
  readonly seed: number
}

/** What one subject has cost and shown so far. */
type Ledger = {
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
const DEAD_AT_START = 4
const DEAD = 10

/** Asks the same question again and again, of the first server that answers. */
export async function measureRotation(
  run: Run,
  subject: Subject,
  servers: readonly Server[],
  wish: RotationWish,
): Promise<readonly Observation[]> {
  const book = ledger(run)
  const questions = inARow(subject, Math.min(wish.count, run.budget.queries), wish.subnet)
  for (const server of servers) {
    book.failures = 0
    for (const question of questions) {
      await put(book, question, server)
      if (isOver(book)) break
      if (run.intervalMs > 0) await run.asker.wire.sleep(run.intervalMs)
    }
    if (answered(book) || run.signal.aborted) break
  }
  return book.seen
}

/**
 * Asks in complete rounds until the judge has seen enough, then tries the scopes.
 *
 * @param servers name servers of one zone: the first that answers is measured, the others are only
 *   asked whether they do ECS alike
 */
export async function measureEcs(
  run: Run,
  subject: Subject,
  servers: readonly Server[],
  wish: EcsWish,
): Promise<readonly Observation[]> {
  const book = ledger(run)
  const main = await firstAnswering(book, subject, servers, wish)
  if (main === undefined) return book.seen
  const others = servers.filter(server => server !== main)
  const options = { ...subject, ...wish }
  let round = 1
  await support(book, subject, others, wish, round)
  let view = look(book.seen, options)
  const last = wish.rounds ?? lastRound(wish.panel.length)
  while (view.kind === 'more' && round < last) {
    const questions = roundOf(subject, wish.panel, round + 1, run.chance)
    if (isOver(book) || book.sequence + questions.length > run.budget.queries) break
    round += 1
    await putAll(book, questions, main)
    await support(book, subject, others, wish, round)
    view = look(book.seen, options)
  }
  if (view.kind === 'enough' && view.dependent) await verify(book, subject, main, wish, round)
  return book.seen
}

/** The first round, at the first server that answers any of it. */
async function firstAnswering(
  book: Ledger,
  subject: Subject,
  servers: readonly Server[],
  wish: EcsWish,
): Promise<Server | undefined> {
  for (const server of servers) {
    book.failures = 0
    const questions = roundOf(subject, wish.panel, 1, book.run.chance)
    await putAll(book, questions.slice(0, DEAD_AT_START), server)
    if (isOver(book)) continue
    await putAll(book, questions.slice(DEAD_AT_START), server)
    return server
  }
  return undefined
}

/** Asks each further name server for one subnet: does it answer by ECS too? */
async function support(
  book: Ledger,
  subject: Subject,
  others: readonly Server[],
  wish: EcsWish,
  round: number,
): Promise<void> {
  for (const server of others) {
    const subnet = wish.panel[below(book.run.chance, wish.panel.length)]
    await put(book, { ...subject, subnet, round, purpose: 'sample' }, server)
    book.failures = 0
  }
}

async function verify(
  book: Ledger,
  subject: Subject,
  server: Server,
  wish: EcsWish,
  round: number,
): Promise<void> {
  const asked = new Set<string>()
  for (;;) {
    const blocks = blocksToVerify(book.seen, { ...subject, ...wish }).map(block => ({
      samples: block.samples.filter(sample => !asked.has(sample.text)),
    }))
    const left = book.run.budget.queries - book.sequence
    const questions = scopeQuestions(subject, blocks, left, round)
    if (questions.length === 0 || isOver(book)) return
    for (const question of questions) asked.add(question.subnet?.text ?? '')
    await putAll(book, questions, server)
  }
}

function ledger(run: Run): Ledger {
  const began = run.asker.wire.now()
  return { run, seen: [], began, sequence: 0, failures: 0, dueAt: new Map() }
}

/** Questions in their order, some under way at once. */
async function putAll(book: Ledger, questions: readonly Question[], server: Server): Promise<void> {
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

async function put(book: Ledger, question: Question, server: Server): Promise<void> {
  const { run } = book
  await pace(book, server)
  const sequence = book.sequence
  book.sequence += 1
  const results = await unlessAborted(ask(run.asker, question, server), run.signal)
  if (results === undefined) return
  for (const [index, result] of results.entries()) {
    if (index > 0) book.sequence += 1
    const number = index === 0 ? sequence : book.sequence - 1
    book.seen.push(observationOf(question, result, book.began, number))
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

function answered(book: Ledger): boolean {
  return book.seen.some(({ error }) => error === undefined)
}

function isOver(book: Ledger): boolean {
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
