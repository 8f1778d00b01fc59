/**
 * A question becomes replies: tries with full-jitter pauses within a budget for the whole process,
 * and a second question without ECS or EDNS where a server refuses them, shown as what it is.
 */

import { type Chance, draw } from '../plan/chance.ts'
import type { Question, Subnet } from '../plan/question.ts'
import { type Exchanged, exchange } from './exchange.ts'
import { type Lanes, laneTo } from './lane.ts'
import { PAYLOAD } from './query.ts'
import { type Server, serverText } from './server.ts'
import type { Wire } from './wire.ts'

export type Manner = {
  /** Times a query is sent at most, from 1. */
  readonly tries: number
  readonly timeoutMs: number
  /** UDP payload size offered. */
  readonly size: number
}

export const DEFAULT_MANNER: Manner = { tries: 2, timeoutMs: 3000, size: PAYLOAD }

/** Who asks: what it has, and what it has learned about servers. */
export type Asker = {
  readonly wire: Wire
  readonly chance: Chance
  readonly manner: Manner
  /** Second tries the process may still make: each success earns a tenth of one. */
  retries: number
  /** Servers that answer FORMERR to any EDNS. */
  readonly withoutEdns: Set<string>
  /** Server, name and type already asked again without the client subnet. */
  readonly askedAgain: Set<string>
  /** Pace and crowd, by server. */
  readonly lanes: Lanes
  /** When the whole run must have ended, on the wire's clock; Infinity: no such time. */
  until: number
}

/** One exchange in the end, and what was really sent. */
export type Asked = Exchanged & {
  readonly server: Server
  readonly subnet: Subnet | undefined
  readonly purpose: Question['purpose']
  readonly at: number
  readonly milliseconds: number
}

const FIRST_RETRIES = 20
const EARNED = 0.1

export function asker(wire: Wire, chance: Chance, manner: Manner): Asker {
  const learned = {
    withoutEdns: new Set<string>(),
    askedAgain: new Set<string>(),
    lanes: new Map(),
  }
  return {
    wire,
    chance,
    manner,
    retries: FIRST_RETRIES,
    until: Number.POSITIVE_INFINITY,
    ...learned,
  }
}

/**
 * Asks one question. The first of the results is for the question as planned; where the client
 * subnet was refused, the same question without it follows, once for each server, name and type.
 */
export async function ask(
  who: Asker,
  question: Question,
  server: Server,
): Promise<readonly Asked[]> {
  const first = await tried(who, question, server)
  // A malformed option should be refused: that needs no second question.
  if (question.subnet?.malformed !== undefined) return [first]
  if (question.subnet === undefined || !refused(first)) return [first]
  const key = `${serverText(server)} ${question.name} ${question.type}`
  if (who.askedAgain.has(key)) return [first]
  who.askedAgain.add(key)
  return [first, await tried(who, { ...question, subnet: undefined, purpose: 'again' }, server)]
}

const BASE_MS = 100
const CAP_MS = 2000

/** Full jitter: uniform in 0 … min(cap, base · 2^(k−1)). The model: `shared` background, retrying. */
export function pauseMs(failures: number, chance: Chance): number {
  const limit = Math.min(CAP_MS, BASE_MS * 2 ** (failures - 1))
  return (limit * draw(chance)) / 2 ** 32
}

async function tried(who: Asker, question: Question, server: Server): Promise<Asked> {
  const began = who.wire.now()
  let result = await once(who, question, server, 0)
  const earlier: string[] = []
  for (let failures = 1; failures < who.manner.tries; failures += 1) {
    if (!worthATry(result) || who.retries < 1 || who.wire.now() >= who.until) break
    who.retries -= 1
    earlier.push(...result.reply.oddities)
    await who.wire.sleep(pauseMs(failures, who.chance))
    result = await once(who, question, server, failures)
  }
  if (isDropped(who, result, server)) result = await overTcp(who, question, server, result)
  if (result.reply.error === undefined) who.retries += EARNED
  const { subnet, purpose } = question
  const milliseconds = who.wire.now() - began
  const oddities = [...new Set([...earlier, ...result.reply.oddities])]
  const reply = { ...result.reply, oddities }
  return { ...result, reply, server, subnet, purpose, at: began, milliseconds }
}

/** Whether a server that answers over UDP did not this time: it may be dropping on purpose. */
function isDropped(who: Asker, { reply, transport }: Exchanged, server: Server): boolean {
  const lane = laneTo(who.lanes, serverText(server))
  if (reply.error === undefined && transport === 'udp') lane.heard = true
  return reply.error === 'timeout' && server.transport === 'udp' && lane.heard && who.retries >= 1
}

/** Response rate limits spare TCP: what comes over it now was dropped before, not lost. */
async function overTcp(
  who: Asker,
  question: Question,
  server: Server,
  before: Exchanged,
): Promise<Exchanged> {
  if (who.wire.now() >= who.until) return before
  who.retries -= 1
  const result = await once(who, question, { ...server, transport: 'tcp' }, 1)
  if (result.reply.error === undefined) return noted(result, 'tcp-after-drop')
  laneTo(who.lanes, serverText(server)).heard = false
  return before
}

/** Beside SOURCE 0 only: no sample depends on how a server takes an unknown option. */
const TRAP = { unknown: 'sent' } as const

/** One exchange; without EDNS where the server takes none and no client subnet needs it. */
async function once(
  who: Asker,
  question: Question,
  server: Server,
  failures: number,
): Promise<Exchanged> {
  const key = serverText(server)
  const bare = question.subnet === undefined && who.withoutEdns.has(key)
  const errand = {
    name: question.name,
    type: question.type,
    subnet: question.subnet,
    server,
    timeoutMs: Math.max(0, Math.min(who.manner.timeoutMs, who.until - who.wire.now())),
    // a connected socket learns of a closed port at once; an open one sees replies from elsewhere
    openness: failures === 0 ? ('connected' as const) : ('open' as const),
    ...(question.purpose === 'control' && question.subnet?.family === 1 ? TRAP : {}),
  }
  const size = bare ? undefined : who.manner.size
  const result = await exchange({ ...errand, size }, who.wire, who.chance)
  if (bare) return noted(result, 'no-edns-retry')
  if (question.subnet !== undefined || !refusesEdns(result)) return result
  // RFC 6891 §7: the server may not know EDNS; ask without, and say so
  const again = await exchange({ ...errand, size: undefined }, who.wire, who.chance)
  if (again.reply.error !== undefined || refusesEdns(again)) return result
  who.withoutEdns.add(key)
  return noted(again, 'no-edns-retry')
}

function noted(result: Exchanged, oddity: string): Exchanged {
  return { ...result, reply: { ...result.reply, oddities: [...result.reply.oddities, oddity] } }
}

/** RFC 7871 §7.3: a server that does not want the option may say so, and may then be asked without. */
function refused(result: Exchanged): boolean {
  return ['REFUSED', 'FORMERR', 'NOTIMP'].includes(result.reply.rcode ?? '')
}

function refusesEdns(result: Exchanged): boolean {
  return ['FORMERR', 'NOTIMP', 'BADVERS'].includes(result.reply.rcode ?? '')
}

/** What a second try would only find again: the system or a certificate has said it. */
const SETTLED: ReadonlySet<string> = new Set(['truncated', 'certificate', 'unreachable'])

function worthATry({ reply: { error } }: Exchanged): boolean {
  return error !== undefined && !SETTLED.has(error)
}
