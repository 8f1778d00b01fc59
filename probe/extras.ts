/**
 * What `ecs` asks beside the measurement, once that is over and where it pays: a few questions within
 * the budget, each for one finding. No verdict is read from them.
 */

import type { Server } from './ask/server.ts'
import { isResolved } from './judge/path.ts'
import { echoState } from './judge/reply.ts'
import { isOver, type Ledger, putAll } from './ledger.ts'
import { hostileQuestions, privateQuestions, signingQuestions } from './plan/extra.ts'
import type { Question, Subnet } from './plan/question.ts'
import type { Controls, Subject } from './plan/rounds.ts'

export type ExtraWish = {
  readonly panel: readonly Subnet[]
  /** Whether queries that compare are sent: without the option, with SOURCE 0, for private subnets. */
  readonly controls?: Controls
  /** Whether malformed options are sent. */
  readonly hostile?: 'sent' | 'unsent'
}

export async function askExtras(
  book: Ledger,
  subject: Subject,
  server: Server,
  wish: ExtraWish,
  round: number,
): Promise<void> {
  const questions = extras(book, subject, wish, round)
  const left = Math.max(0, book.run.budget.queries - book.sequence)
  if (!isOver(book)) await putAll(book, questions.slice(0, left), server)
}

function extras(
  { seen }: Ledger,
  subject: Subject,
  { panel, controls, hostile }: ExtraWish,
  round: number,
): readonly Question[] {
  const echoed = seen.filter(one => one.purpose === 'sample' && echoState(one) === 'exact')
  const scoped = echoed.some(({ echo }) => (echo?.scope ?? 0) > 0)
  // What a resolver makes of such questions says nothing of the authority behind it.
  const compares = controls !== 'unsent' && !isResolved(seen)
  return [
    ...(compares && echoed.length > 0 ? privateQuestions(subject, panel, round) : []),
    // A server that never scopes an address will not scope a signature.
    ...(compares && scoped ? signingQuestions(subject, panel, round) : []),
    ...(hostile === 'sent' ? hostileQuestions(subject, panel, round) : []),
  ]
}
