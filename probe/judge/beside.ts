/**
 * Findings from what was asked beside the measurement: malformed options, which a server should refuse,
 * and what validators ask for, which is the same for everybody.
 */
import { type Finding, finding, many } from './finding.ts'
import type { Observation } from './observation.ts'
import { echoState, holdsAnswer } from './reply.ts'

export function besideFindings(beside: readonly Observation[]): readonly Finding[] {
  return [...lenient(beside), ...signing(beside)]
}

const FAULTS: Readonly<Record<string, string>> = {
  'host-bits': 'bits set past SOURCE',
  'too-few-octets': 'too few octets of ADDRESS',
  'too-many-octets': 'too many octets of ADDRESS',
  'source-too-long': 'a SOURCE longer than an address',
  'unknown-family': 'an unknown FAMILY',
  'scope-set': 'a SCOPE that is not 0',
}

/** RFC 7871 §6, §7.2.1: FORMERR to an option that is not well formed. */
function lenient(beside: readonly Observation[]): readonly Finding[] {
  const sent = beside.filter(({ purpose }) => purpose === 'hostile')
  const accepted = sent.filter(holdsAnswer)
  if (accepted.length === 0) return []
  const kinds = [...new Set(accepted.map(seen => seen.sent?.malformed ?? ''))]
  const what = kinds.map(kind => FAULTS[kind] ?? kind).join(', ')
  return [finding('ECS011', `answers options that deserve FORMERR: ${what}`, accepted[0]?.server)]
}

/** RFC 7871 §7.3.1: keys and proofs are not tailored. */
function signing(beside: readonly Observation[]): readonly Finding[] {
  const asked = beside.filter(seen => seen.purpose === 'signing' && holdsAnswer(seen))
  const scoped = asked.filter(
    seen =>
      echoState(seen) === 'exact' && seen.referral === undefined && (seen.echo?.scope ?? 0) > 0,
  )
  const types = [...new Set(scoped.map(({ type }) => type))]
  if (types.length === 0) return []
  const what = `${many(types.length, 'type', 'types')} of DNSSEC answered with a scope above 0`
  return [finding('ECS015', what, types.join(', '))]
}
