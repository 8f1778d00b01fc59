/**
 * The straight line and what is wrapped around it: every message that a transport shows is answered
 * here, and counted. What is counted is read off the desk afterwards; the line itself knows nothing
 * of it.
 */
import { FLAG, HEADER } from '../dns/message.ts'
import { CLASS } from '../dns/rrtype.ts'
import { countAnswer, type Tallies } from '../guard/answers.ts'
import {
  countDnssecOk,
  countDrop,
  countRequest,
  countResponse,
  countScope,
  DROP,
  OTHERS,
  OVER,
  TYPES,
} from '../guard/tally.ts'
import type { Desk } from './desk.ts'
import type { Peer } from './peer.ts'
import type { Query } from './query.ts'
import { isSteered } from './reply.ts'
import { serve } from './serve.ts'

/** Answers one message, and counts it. Hot. See `serve`. */
export function attend(
  desk: Desk,
  tallies: Tallies,
  octets: Uint8Array,
  length: number,
  out: Uint8Array,
  peer: Peer,
): number {
  const written = serve(desk, octets, length, out, peer)
  if (written === 0) countDrop(tallies.cells, length < HEADER ? DROP.short : DROP.response)
  else count(desk, tallies, length, out, written, peer)
  return written
}

/** Hot: once per message that is answered. */
function count(
  { decision, query, reply }: Desk,
  tallies: Tallies,
  length: number,
  out: Uint8Array,
  written: number,
  peer: Peer,
): void {
  const { cells } = tallies
  const over = peer.transport === 'udp' ? OVER.udp : OVER.tcp
  countRequest(cells, over, peer.family, typeOf(query), length)
  if (query.edns.present && query.edns.flagDo) countDnssecOk(cells)
  countResponse(cells, over, reply.rcode, written)
  const { family } = query.subnet
  if (family !== 0) countScope(cells, family, reply.scope)
  if (!isSteered(reply) || decision.pool < 0 || (out[2]! & TRUNCATED) !== 0) return
  countAnswer(tallies, decision.slot, decision.pool)
}

/** Of the third octet: what did not fit is no answer yet. */
const TRUNCATED = FLAG.TC >> 8

/** A type, or one of `OTHERS`. Hot. */
function typeOf({ class: asked, questionEnd, type }: Query): number {
  if (questionEnd === HEADER) return OTHERS.none
  if (asked !== CLASS.IN) return OTHERS.notIn
  return type < TYPES ? type : OTHERS.other
}
