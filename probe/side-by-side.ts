/**
 * One comparison: every server is asked the same at nearly the same time, first for its zone's SOA,
 * then round by round for clients, until nothing can still be rotating. A server that does not answer
 * is left out from then on, so that it does not hold up the others.
 */

import { zonesAbove } from './ask/nameservers.ts'
import { type Server, serverText } from './ask/server.ts'
import { rotates, viewOf } from './judge/diff-view.ts'
import type { Observation } from './judge/observation.ts'
import { isEnded, type Ledger, ledger, put, type Run } from './ledger.ts'
import { shuffled } from './plan/chance.ts'
import type { Question } from './plan/question.ts'
import type { Subject } from './plan/rounds.ts'
import { clientsOf, FEW_ROUNDS, type Fit } from './plan/side-by-side.ts'

export type Compared = {
  readonly zone: string | undefined
  readonly seen: readonly Observation[]
}

/** Failures in a row after which a server is left out: at the start, and once it has answered. */
const DEAD_AT_START = 2
const DEAD = 5

/** @param zone where it is known; else it is found by its SOA */
export async function measureSideBySide(
  run: Run,
  subject: Subject,
  servers: readonly Server[],
  wish: Fit & { readonly zone: string | undefined },
): Promise<Compared> {
  const book = ledger(run)
  const zone = await zoneOf(book, subject, servers, wish.zone)
  for (let round = 1; round <= wish.rounds; round += 1) {
    for (const question of clientsOf(subject, wish.panel, round, run.chance)) {
      await askAll(book, question, servers)
    }
    const isLast = round >= FEW_ROUNDS && !isMoving(book, servers, subject.type)
    if (isLast || isEnded(run)) break
  }
  if (zone !== undefined) await askAll(book, serialQuestion(zone), servers)
  return { zone, seen: book.seen.toSorted((one, other) => one.sequence - other.sequence) }
}

/** The nearest zone above the name whose SOA some server has. */
async function zoneOf(
  book: Ledger,
  { name }: Subject,
  servers: readonly Server[],
  known: string | undefined,
): Promise<string | undefined> {
  for (const zone of known === undefined ? zonesAbove(name) : [known]) {
    await askAll(book, serialQuestion(zone), servers)
    if (book.seen.some(seen => seen.name === zone && seen.answers.length > 0)) return zone
    if (!servers.some(server => isAlive(book, server))) break
  }
  return undefined
}

/** Round 0: before and beside the rounds of clients. */
function serialQuestion(zone: string): Question {
  return { name: zone, type: 'SOA', subnet: undefined, round: 0, purpose: 'control' }
}

/** One question at all servers that still answer, in random order, all under way together. */
async function askAll(book: Ledger, question: Question, servers: readonly Server[]): Promise<void> {
  const alive = servers.filter(server => isAlive(book, server))
  const { chance, width, budget } = book.run
  const queue = [...shuffled(chance, alive)]
  const walk = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if (isEnded(book.run) || book.sequence >= budget.queries) return
      await put(book, question, next)
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, queue.length) }, walk))
}

function isAlive(book: Ledger, server: Server): boolean {
  const mine = book.seen.filter(seen => seen.server === serverText(server))
  const last = mine.findLastIndex(({ error }) => error === undefined)
  return mine.length - 1 - last < (last < 0 ? DEAD_AT_START : DEAD)
}

function isMoving(book: Ledger, servers: readonly Server[], type: string): boolean {
  return servers.some(server => {
    const mine = book.seen.filter(seen => seen.server === serverText(server))
    return viewOf(serverText(server), mine, type).clients.some(rotates)
  })
}
