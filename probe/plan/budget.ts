/**
 * How many questions a run may cost, said before the first is sent. Budgets count for each name and
 * type; a server on this machine is nobody's to be polite to, so it gets no rate cap.
 */

import { CONTROLS, LAST_ROUND } from './rounds.ts'

export type Budget = {
  /** Most questions for one name and type. */
  readonly queries: number
  /** Questions a second to one server; Infinity: no cap. */
  readonly rate: number
}

/** What is going to be asked, in numbers. */
export type Outline = {
  readonly subjects: number
  readonly subnets: number
  readonly rounds: number
  readonly samplesABlock: number
  readonly servers: readonly string[]
}

export const DEFAULT_QUERIES = 500
export const DEFAULT_RATE = 20

/** The most questions `ecs` asks of one name and type before scope checks. */
export function questionsInRounds(subnets: number, rounds: number, servers: number): number {
  return rounds * (subnets + CONTROLS.length + Math.max(0, servers - 1) * SUPPORT_QUESTIONS)
}

/** What each further name server of a zone is asked in a round: does it answer by ECS too? */
export const SUPPORT_QUESTIONS = 1

/** Rounds that fit into the budget, at most all of them. */
export function affordableRounds(subnets: number, servers: number, queries: number): number {
  const one = questionsInRounds(subnets, 1, servers)
  return Math.min(LAST_ROUND, Math.floor(queries / one))
}

/** Whether an address is this machine's own. */
export function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}

/** Seconds that so many questions take at a rate, without waiting for slow replies. */
export function secondsFor(queries: number, rate: number): number {
  return rate === Number.POSITIVE_INFINITY ? 0 : queries / rate
}
