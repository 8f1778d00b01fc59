/**
 * Where an alias leads out of the zone: the authority gives the CNAME only, and what becomes of the
 * name is decided by the name servers of another zone. Only a target that is the same for everybody
 * can be followed; one that differs is itself the steering.
 */

import type { Judgement } from './judgement.ts'
import type { Observation } from './observation.ts'

/** As many links as resolvers follow. */
export const MOST_LINKS = 8

/** The one name that every reply leads to without saying more; `undefined` where there is none. */
export function leadsTo(seen: readonly Observation[]): string | undefined {
  const replies = seen.filter(({ error, rcode }) => error === undefined && rcode === 'NOERROR')
  const ends = replies.map(({ answers, chain }) =>
    answers.length === 0 ? chain.at(-1) : undefined,
  )
  const [target] = ends
  return ends.every(end => end === target) ? target : undefined
}

/** What was found of the target, said of the name that leads there. */
export function asOf(name: string, target: string, found: Judgement): Judgement {
  const { verdict } = found
  const link = `cname-to:${target}`
  const modifiers = [link, ...verdict.modifiers.filter(modifier => modifier !== link)]
  return { ...found, name, verdict: { ...verdict, modifiers } }
}
