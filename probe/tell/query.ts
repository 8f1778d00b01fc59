/** One query and its reply as every document of lbprobe holds it. Shape: `query` in `schema.ts`. */
import type { Observation } from '../judge/observation.ts'
import type { ResultDocument } from './schema.ts'

export type Query = ResultDocument['queries'][number]

export function queryOf(seen: Observation): Query {
  const { sent, echo } = seen
  return {
    seq: seen.sequence,
    t: seen.at,
    name: seen.name,
    type: seen.type,
    server: seen.server,
    transport: seen.transport,
    round: seen.round,
    purpose: seen.purpose,
    nsid: seen.instance,
    subnet: sent?.text,
    sent: sent && sentOf(sent),
    got: echo,
    rcode: seen.rcode,
    flags: seen.flags,
    ttl: seen.ttl,
    answers: seen.answers,
    chain: seen.chain,
    referral: seen.referral,
    rtt_ms: seen.milliseconds,
    error: seen.error,
    oddities: seen.oddities,
  }
}

function sentOf(sent: NonNullable<Observation['sent']>): NonNullable<Query['sent']> {
  const { family, source, address, malformed } = sent
  return { family, source, address, malformed }
}
