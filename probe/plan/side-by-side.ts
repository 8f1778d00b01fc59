/**
 * Servers side by side: each client in turn, in random order, is asked for at every server before the
 * next one is, so that a change over time meets all servers alike. How much of that fits the budget.
 */

import { type Chance, shuffled } from './chance.ts'
import type { Question, Subnet } from './question.ts'
import { type Subject, samplesOf } from './rounds.ts'

/** Rounds: the first look, and the last where answers rotate. */
export const FEW_ROUNDS = 3
export const MANY_ROUNDS = 8

/** Most subnets of one region, and as few as one where there are many servers. */
const MOST_A_REGION = 2

/** Questions for a SOA at each server: a few to find the zone, one after the rounds. */
const SERIALS = 4

export type Fit = {
  readonly panel: readonly Subnet[]
  /** The most rounds; fewer than two compare nothing. */
  readonly rounds: number
}

/**
 * As many subnets of each region as leave room for the first look at all servers.
 *
 * @param queries most questions in all
 * @param wished  rounds that the user asked for, if any
 */
export function fit(
  panel: readonly Subnet[],
  servers: number,
  queries: number,
  wished: number | undefined,
): Fit {
  const most = wished ?? MANY_ROUNDS
  const roundsOf = (subnets: number): number =>
    Math.min(most, Math.floor((queries - SERIALS * servers) / (servers * (subnets + 1))))
  for (let each = MOST_A_REGION; each > 1; each -= 1) {
    const some = perRegion(panel, each)
    if (roundsOf(some.length) >= Math.min(most, FEW_ROUNDS)) {
      return { panel: some, rounds: roundsOf(some.length) }
    }
  }
  const least = perRegion(panel, 1)
  return { panel: least, rounds: roundsOf(least.length) }
}

/** The first few subnets of each region; those of no known region all stay. */
function perRegion(panel: readonly Subnet[], each: number): readonly Subnet[] {
  const counts = new Map<string, number>()
  return panel.filter(({ region }) => {
    if (region === undefined) return true
    const before = counts.get(region) ?? 0
    counts.set(region, before + 1)
    return before < each
  })
}

/** The clients of one round, and nobody in particular, in random order. */
export function clientsOf(
  subject: Subject,
  panel: readonly Subnet[],
  round: number,
  chance: Chance,
): readonly Question[] {
  const bare: Question = { ...subject, subnet: undefined, round, purpose: 'control' }
  return shuffled(chance, [...samplesOf(subject, panel, round), bare])
}
