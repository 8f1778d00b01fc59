/**
 * One measurement: a plan is asked and the judge looks on. What to ask is in `plan`, how in `ask`, at
 * which pace and until when in `ledger`, and what it means in `judge`.
 */

import type { Server } from './ask/server.ts'
import { askExtras, type ExtraWish } from './extras.ts'
import { lastRound, look } from './judge/look.ts'
import type { Observation } from './judge/observation.ts'
import { blocksToVerify } from './judge/verify.ts'
import {
  answered,
  DEAD_AT_START,
  isEnded,
  isOver,
  type Ledger,
  ledger,
  put,
  putAll,
  type Run,
} from './ledger.ts'
import { below } from './plan/chance.ts'
import type { Subnet } from './plan/question.ts'
import { inARow, roundOf, type Subject } from './plan/rounds.ts'
import { scopeQuestions } from './plan/scope.ts'

export type RotationWish = {
  readonly count: number
  /** Sent with every question, or nothing is. */
  readonly subnet: Subnet | undefined
}

export type EcsWish = ExtraWish & {
  /** Most rounds, where the user set a limit; else the judge knows. */
  readonly rounds: number | undefined
  readonly samples: number
  readonly alpha: number
  readonly seed: number
}

/** Through a resolver a run takes so long that a TTL which counts down is seen to. */
const CACHE_SHOWS_MS = 2200

/** Asks the same question again and again, of the first server that answers. */
export async function measureRotation(
  run: Run,
  subject: Subject,
  servers: readonly Server[],
  wish: RotationWish,
): Promise<readonly Observation[]> {
  const book = ledger(run)
  const questions = inARow(subject, Math.min(wish.count, run.budget.queries), wish.subnet)
  if (questions.length < wish.count) run.cut?.({ kind: 'budget' })
  for (const server of servers) {
    book.failures = 0
    for (const question of questions) {
      await put(book, question, server)
      if (isOver(book)) break
      const pauseMs = Math.max(run.intervalMs, spreadMs(book.seen, questions.length))
      if (pauseMs > 0) await run.asker.wire.sleep(pauseMs)
    }
    if (answered(book) || isEnded(run)) break
  }
  return book.seen
}

/** Milliseconds between questions to what may answer out of a cache; 0: it does not. */
function spreadMs(seen: readonly Observation[], count: number): number {
  const { answers = [], flags } = seen.at(-1) ?? {}
  const isResolver = flags?.ra === true && !flags.aa && answers.length > 0
  return isResolver ? CACHE_SHOWS_MS / Math.max(1, count - 1) : 0
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
    const questions = roundOf(subject, wish.panel, round + 1, run.chance, wish.controls)
    if (isOver(book)) break
    if (book.sequence + questions.length > run.budget.queries) {
      run.cut?.({ kind: 'budget' })
      break
    }
    round += 1
    await putAll(book, questions, main)
    await support(book, subject, others, wish, round)
    view = look(book.seen, options)
  }
  if (view.kind === 'enough' && view.dependent) await verify(book, subject, main, wish, round)
  await askExtras(book, subject, main, wish, round)
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
    if (isEnded(book.run)) return undefined
    book.failures = 0
    book.refused = false
    const questions = roundOf(subject, wish.panel, 1, book.run.chance, wish.controls)
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
    const wanted = blocks.reduce((sum, { samples }) => sum + samples.length, 0)
    if (questions.length < wanted) book.run.cut?.({ kind: 'budget' })
    if (questions.length === 0 || isOver(book)) return
    for (const question of questions) asked.add(question.subnet?.text ?? '')
    await putAll(book, questions, server)
  }
}
