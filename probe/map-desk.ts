/** One network asked for, once. Knows when to stop, not where to go. */

import type { Server } from './ask/server.ts'
import { serverText } from './ask/server.ts'
import { setKey } from './judge/reply.ts'
import { type Purpose, type Sighting, sightingOf } from './judge/sighting.ts'
import { blockFrom, type Family, type Span, spanAt, spanText } from './judge/span.ts'
import type { Stop } from './judge/swept.ts'
import { DEAD_AT_START, isEnded, isOver, type Ledger, ledger, put, type Run } from './ledger.ts'
import type { Question, Subnet } from './plan/question.ts'
import type { Subject } from './plan/rounds.ts'

export type MapDesk = {
  readonly book: Ledger
  readonly subject: Subject
  readonly to: Server
  /** `address#port` */
  readonly server: string
  readonly sources: readonly number[]
  readonly sightings: Sighting[]
  /** The first reply of this run for each network. */
  readonly seen: Map<bigint, Sighting>
  /** Equal sets are one. */
  readonly sets: Map<string, readonly string[]>
  /** Observations of the book that stay there: the first reply, which shows that the server lives. */
  proof: number
  asked: number
  lost: number
  refusals: number
  /** Whether any reply carries further than what was asked for. */
  widens: boolean
  stop: Stop | undefined
}

/** @param sources SOURCE lengths, the usual one first */
export function desk(run: Run, subject: Subject, to: Server, sources: readonly number[]): MapDesk {
  return {
    book: ledger(run),
    subject,
    to,
    server: serverText(to),
    sources,
    sightings: [],
    seen: new Map(),
    sets: new Map(),
    proof: 0,
    asked: 0,
    lost: 0,
    refusals: 0,
    widens: false,
    stop: undefined,
  }
}

function keyOf({ at, bits }: Span): bigint {
  return (at << 8n) | BigInt(bits)
}

/**
 * Asks for the network that an address lies in; with a longer SOURCE where the scope wants one.
 *
 * @param source this length alone, or absent: the usual one, then longer ones
 * @returns nothing where there is no answer, or no more may be asked
 */
export async function seek(
  at: MapDesk,
  family: Family,
  address: bigint,
  purpose: Purpose,
  source?: number,
): Promise<Sighting | undefined> {
  let found: Sighting | undefined
  for (const bits of source === undefined ? at.sources : [source]) {
    found = await lookUp(at, spanAt(family, address, bits), purpose)
    if (found === undefined || (found.scope ?? 0) <= bits) return found
  }
  return found
}

async function lookUp(at: MapDesk, network: Span, purpose: Purpose): Promise<Sighting | undefined> {
  const key = keyOf(network)
  const seen = purpose === 'again' ? undefined : at.seen.get(key)
  if (seen !== undefined) return seen
  at.stop ??= stopOf(at)
  if (at.stop !== undefined) return undefined
  const fresh = await asked(at, network, purpose)
  return fresh && taken(at, fresh)
}

function taken(at: MapDesk, seen: Sighting): Sighting {
  const key = setKey(seen.set)
  const set = at.sets.get(key) ?? seen.set
  at.sets.set(key, set)
  const own = { ...seen, set }
  at.sightings.push(own)
  if (!at.seen.has(keyOf(seen.network))) at.seen.set(keyOf(seen.network), own)
  if (seen.claim.bits < seen.network.bits) at.widens = true
  return own
}

/** As sent: a network found by the sweep is a sample of the space, one tried in a block checks its scope. */
const PURPOSE = { leaf: 'sample', sample: 'scope', again: 'again' } as const

async function asked(at: MapDesk, network: Span, purpose: Purpose): Promise<Sighting | undefined> {
  at.asked += 1
  const subnet = subnetOf(network)
  const question: Question = { ...at.subject, subnet, round: 1, purpose: PURPOSE[purpose] }
  await put(at.book, question, at.to)
  return arrived(at, subnet.text, purpose)
}

function subnetOf(network: Span): Subnet {
  const { family, bits } = network
  const octets = blockFrom(network).octets.slice(0, Math.ceil(bits / 8))
  return { text: spanText(network), family, source: bits, octets, region: undefined }
}

/** Takes the reply for a network out of the book, where hundreds of thousands have no room. */
function arrived(at: MapDesk, text: string, purpose: Purpose): Sighting | undefined {
  const { seen: written } = at.book
  const place = written.findIndex(({ sent }, index) => index >= at.proof && sent?.text === text)
  const [own] = place < 0 ? [] : written.splice(place, 1)
  const found = own && sightingOf(own, purpose)
  if (found === undefined) at.lost += 1
  at.refusals = own?.error === undefined && found === undefined ? at.refusals + 1 : 0
  if (own !== undefined && own.error === undefined && at.proof === 0) {
    written.unshift(own)
    at.proof = 1
  }
  return found
}

/** Errors in a row after which a server that answered before is left alone. */
const ENOUGH_ERRORS = 10

/** Why a run is aborted that may ask no more. */
export const BUDGET: Stop = 'budget'
export const DEADLINE: Stop = 'deadline'

function stopOf(at: MapDesk): Stop | undefined {
  const { book, refusals, sightings, asked: count } = at
  const { aborted, reason } = book.run.signal
  if (aborted) return [BUDGET, DEADLINE].find(why => why === reason) ?? 'interrupted'
  if (isEnded(book.run)) return 'deadline'
  if (isOver(book)) return 'silent'
  if (refusals >= (sightings.length === 0 ? DEAD_AT_START : ENOUGH_ERRORS)) return 'refused'
  return count >= book.run.budget.queries ? 'budget' : undefined
}
