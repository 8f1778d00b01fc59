/**
 * One query and its reply: a fresh socket, ID and case each time; what is not the reply is ignored
 * and noted while waiting goes on (RFC 5452 §9.1); TC is followed over TCP. No second try: that is
 * `ask`.
 */

import { below, type Chance, draw } from '../plan/chance.ts'
import type { Subnet } from '../plan/question.ts'
import { typeNumber } from './codec.ts'
import { jsonQuery, readJson } from './json.ts'
import { FLAGS, readHead } from './message.ts'
import { mixedCase } from './name.ts'
import { encodeQuery, type Query } from './query.ts'
import { failed, type Reply, readReply } from './reply.ts'
import type { Server, Transport } from './server.ts'
import { carried, type Ending, isDenied, type Judged, type Wire } from './wire.ts'

/** What one exchange needs to know. */
export type Errand = {
  readonly name: string
  readonly type: string
  readonly subnet: Subnet | undefined
  readonly server: Server
  /** UDP payload size offered; absent: without EDNS. */
  readonly size: number | undefined
  readonly timeoutMs: number
  readonly openness: 'connected' | 'open'
  /** Whether to send an unknown option too. */
  readonly unknown?: 'sent'
}

export type Exchanged = { readonly reply: Reply; readonly transport: Transport }

export async function exchange(errand: Errand, wire: Wire, chance: Chance): Promise<Exchanged> {
  if (errand.server.transport === 'json') return overJson(errand, wire)
  const query = encodeQuery(queryOf(errand, chance))
  if (errand.server.transport !== 'udp') return overStream(errand, wire, query, [])
  const heard = await overUdp(errand, wire, query)
  if (!heard.reply.flags.tc) return { reply: heard.reply, transport: 'udp' }
  const whole = await overStream(errand, wire, query, [...heard.reply.oddities, 'tcp-retry'])
  const slip = isEmpty(heard.reply) && whole.length <= (errand.size ?? PLAIN_SIZE)
  return slip && whole.reply.error === undefined ? slipped(whole) : whole
}

/** What UDP carries without EDNS. RFC 1035 §4.2.1. */
const PLAIN_SIZE = 512

function isEmpty({ answers, chain }: Reply): boolean {
  return answers.length === 0 && chain.length === 0
}

/** TC and nothing else, though the whole reply would have fitted: a rate limit that lets one slip. */
function slipped({ reply, transport }: Exchanged): Exchanged {
  return { reply: noted(reply, ['rate-slip']), transport }
}

/** RFC 8484 §4.1: over HTTPS the same question is the same octets; RFC 8467 §4.1: padded. */
function queryOf(errand: Errand, chance: Chance): Query {
  const { name, type, size, subnet, unknown, server } = errand
  const http = server.transport === 'https'
  const guarded = { id: below(chance, 0x10000), name: mixedCase(name, () => draw(chance) & 1) }
  return {
    ...(http ? { id: 0, name } : guarded),
    type,
    recursion: server.recursion,
    size,
    subnet,
    ...(unknown !== undefined && { unknown }),
    ...(server.secure !== undefined && { padding: 'blocks' as const }),
  }
}

async function overUdp(errand: Errand, wire: Wire, query: Uint8Array): Promise<Exchanged> {
  const oddities = new Set<string>()
  let mine: Uint8Array | undefined
  const judge = (octets: Uint8Array, source: 'server' | 'other'): Judged => {
    const fault = source === 'other' ? 'wrong-source' : faultOf(octets, query)
    if (fault === undefined) mine = octets
    else oddities.add(fault)
    return fault === undefined ? 'mine' : 'not-mine'
  }
  const { server, timeoutMs, openness } = errand
  const ending = await wire.datagram(server, query, timeoutMs, openness, judge)
  const reply = mine === undefined ? noReply(ending, oddities) : read(errand, mine)
  return { reply: noted(reply, [...oddities, ...caseOddity(mine, query)]), transport: 'udp' }
}

async function overStream(
  errand: Errand,
  wire: Wire,
  query: Uint8Array,
  before: readonly string[],
): Promise<Exchanged & { readonly length: number }> {
  const { server, timeoutMs } = errand
  const transport = server.transport === 'udp' ? 'tcp' : server.transport
  const got = await wire.stream(server, query, timeoutMs)
  if (typeof got === 'string') return { reply: failed(got, before), transport, length: 0 }
  if (isDenied(got)) {
    return { reply: failed(got.error, [...before, got.why]), transport, length: 0 }
  }
  const { octets, oddities, ageSeconds } = carried(got)
  const fault = faultOf(octets, query)
  const reply = fault === undefined ? read(errand, octets) : failed('malformed', [fault])
  const cut = reply.flags.tc ? failed('truncated', reply.oddities) : aged(reply, ageSeconds)
  const odd = [...before, ...oddities, ...caseOddity(octets, query)]
  return { reply: noted(cut, odd), transport, length: octets.length }
}

/** A service that answers in JSON: no ID, and no case to repeat. */
async function overJson(
  { name, type, subnet, server, timeoutMs }: Errand,
  wire: Wire,
): Promise<Exchanged> {
  const transport = server.transport
  const request = Buffer.from(jsonQuery(name, type, subnet), 'latin1')
  const got = await wire.stream(server, request, timeoutMs)
  if (typeof got === 'string') return { reply: failed(got), transport }
  if (isDenied(got)) return { reply: failed(got.error, [got.why]), transport }
  const { octets, ageSeconds } = carried(got)
  const reply = readJson(octets, name, type, subnet)
  return { reply: aged(reply, ageSeconds), transport }
}

/** RFC 8484 §5.1: what an HTTP cache has held is so much older. */
function aged(reply: Reply, seconds: number): Reply {
  if (seconds === 0 || reply.ttl === undefined) return reply
  const ttl = Math.max(0, reply.ttl - seconds)
  return { ...reply, ttl, oddities: [...reply.oddities, 'http-cached'] }
}

/** Why octets are not the reply to a query; `undefined` when they are. */
export function faultOf(octets: Uint8Array, query: Uint8Array): string | undefined {
  const head = readHead(octets)
  const asked = readHead(query)
  if (octets.length < 12) return 'garbage'
  if (head.id !== asked.id) return 'wrong-id'
  if ((head.flags & FLAGS.response) === 0) return 'not-a-reply'
  // RFC 2308 and old servers: an error may come back without the question
  if (head.questions === 0) return (head.flags & 15) === 0 ? 'wrong-question' : undefined
  return sameQuestion(octets, query, 'blind') ? undefined : 'wrong-question'
}

function read(errand: Errand, octets: Uint8Array): Reply {
  return readReply(octets, errand.name, typeNumber(errand.type) ?? 0)
}

function noReply(ending: Ending, oddities: ReadonlySet<string>): Reply {
  if (typeof ending === 'object') return failed(ending.error, [ending.why])
  return failed(oddities.has('garbage') ? 'malformed' : 'timeout')
}

/** "0x20": a reply that does not repeat the case still counts, as some servers write names anew. */
function caseOddity(octets: Uint8Array | undefined, query: Uint8Array): readonly string[] {
  if (octets === undefined || readHead(octets).questions === 0) return []
  const blind = sameQuestion(octets, query, 'blind')
  return blind && !sameQuestion(octets, query, 'exact') ? ['case-changed'] : []
}

/** The question section is never compressed: nothing stands before it to point to. */
function sameQuestion(octets: Uint8Array, query: Uint8Array, by: 'blind' | 'exact'): boolean {
  const end = endOfQuestion(query)
  if (octets.length < end) return false
  for (let at = 12; at < end; at += 1) {
    const one = octets[at] ?? 0
    const other = query[at] ?? 0
    if (one !== other && (by === 'exact' || lower(one) !== lower(other))) return false
  }
  return true
}

function endOfQuestion(query: Uint8Array): number {
  let at = 12
  while (at < query.length && query[at] !== 0) at += (query[at] ?? 0) + 1
  return at + 5
}

function lower(octet: number): number {
  return octet >= 0x41 && octet <= 0x5a ? octet | 0x20 : octet
}

function noted(reply: Reply, oddities: readonly string[]): Reply {
  return oddities.length === 0 ? reply : { ...reply, oddities: [...oddities, ...reply.oddities] }
}
