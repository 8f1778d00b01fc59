/**
 * The query log's end of a serving thread: of the messages that were answered some are taken by
 * chance, and what is on the desk of each goes into a ring as one record. Never waits, and keeps no
 * address: of a client there is left a /24 or a /48.
 */
import { HEADER } from '../dns/message.ts'
import { LOWER } from '../dns/name.ts'
import { put, type Ring, ring } from '../guard/ring.ts'
import { type Chance, drawBits } from '../steer/chance.ts'
import { embeddedBits } from '../steer/special.ts'
import type { Desk } from './desk.ts'
import { believes } from './ecs.ts'
import type { Peer } from './peer.ts'
import { isSteered } from './reply.ts'
import { ADDRESS_OCTETS, MOST_WORDS, TRANSPORT, WORD } from './sampled.ts'

/** Words of a thread's ring: 1 MiB, some ten thousand records. */
const RING_WORDS = 1 << 18

/** How much of a client's address is kept, as RFC 7871 §11.1 asks of resolvers; of IPv6, less. */
const KEPT_BITS4 = 24
const KEPT_BITS6 = 48

/** Which messages are taken, and what the numbers in their records are of. */
export type Sampling = {
  /** Told in each record: a new one for each World that is served. */
  readonly generation: number
  /** The chance of each message to be taken, 0 … 1; 0: the log is off. */
  readonly share: number
}

export const NO_SAMPLING: Sampling = { generation: 0, share: 0 }

/** One thread's: scratch, and the ring that it puts into. */
export type Sampler = {
  /** The message that is so many from now is taken; 1: the next one. */
  left: number
  sampling: Sampling
  readonly ring: Ring
  readonly record: Int32Array
  /** The same memory. */
  readonly octets: Uint8Array
}

/** Memory that is not touched costs nothing: every thread has a ring, whether or not there is a log. */
export function samplingRing(): Ring {
  return ring(RING_WORDS)
}

/**
 * Takes nothing until it is told to.
 *
 * @param ring of this thread alone
 */
export function sampler({ ends, words }: Ring): Sampler {
  const record = new Int32Array(MOST_WORDS)
  const octets = new Uint8Array(record.buffer)
  const ring = { ends, words } // of one shape, wherever it comes from
  return { left: NEVER, sampling: NO_SAMPLING, ring, record, octets }
}

/** Samples like this from now on. */
export function resample(sampler: Sampler, { generation, share }: Sampling, chance: Chance): void {
  sampler.sampling = { generation, share }
  sampler.left = gap(sampler, chance)
}

/**
 * Takes the message that was just served, or not. Hot: once per message; one that is not taken costs
 * a count and a comparison.
 *
 * @param size octets of the reply; 0: nothing was said, and nothing is told of it
 */
export function sample(sampler: Sampler, desk: Desk, peer: Peer, size: number): void {
  sampler.left -= 1
  if (sampler.left > 0) return
  const { record, sampling } = sampler
  sampler.left = gap(sampler, desk.chance)
  if (size > 0 && sampling.share > 0) put(sampler.ring, record, note(sampler, desk, peer, size))
}

/** More messages than come between two reloads, or so many again. */
const NEVER = 0x7fff_ffff
/** How many draws there are. */
const DRAWS = 2 ** 32

/**
 * Draws when the next message is taken. Hot: once per message taken.
 *
 * The gaps of drawing for each message anew, drawn at once: no question that comes at a steady pace
 * falls into step with it, as it would with every hundredth.
 */
function gap({ sampling: { share } }: Sampler, chance: Chance): number {
  if (share >= 1) return 1
  if (share <= 0) return NEVER
  const drawn = ((drawBits(chance) >>> 0) + 1) / DRAWS // above 0, up to 1
  return Math.min(1 + Math.floor(Math.log(drawn) / Math.log1p(-share)), NEVER)
}

/** Writes the record. Hot: once per message taken. Returns its words. */
function note(sampler: Sampler, desk: Desk, peer: Peer, size: number): number {
  const { octets, record, sampling } = sampler
  const { query, reply, world } = desk
  const { subnet } = query
  const isTold = subnet.family !== 0 && believes(world.ecs, peer)
  const address = isTold ? subnet.address : peer.octets
  const family = isTold ? subnet.family : peer.family
  const kept = keptBits(family, address)
  const bits = isTold ? Math.min(subnet.source, kept) : kept
  const isAsked = query.questionEnd > HEADER
  const length = isAsked ? query.name.length : 0
  const isChosen = isSteered(reply)
  record[WORD.GENERATION] = sampling.generation
  record[WORD.HOW] = (reply.rcode << 16) | ((isTold ? 1 : 0) << 8) | TRANSPORT[peer.transport]
  record[WORD.SIZE] = ((isAsked ? query.type : 0) << 16) | size
  record[WORD.CLIENT] = (reply.scope << 24) | (bits << 16) | (family << 8) | length
  record[WORD.SLOT] = isChosen ? desk.decision.slot : -1
  record[WORD.POOL] = isChosen ? desk.decision.pool : -1
  putPrefix(octets, 4 * WORD.ADDRESS, address, bits)
  putLower(octets, 4 * WORD.NAME, query.name.octets, length)
  return WORD.NAME + ((length + 3) >> 2)
}

/** An IPv4 address that lies in an IPv6 one is no more told than by itself: of 6to4, a /40. Hot. */
function keptBits(family: number, address: Uint8Array): number {
  if (family === 4) return KEPT_BITS4
  const embedded = embeddedBits(address)
  return embedded === 0 ? KEPT_BITS6 : Math.min(embedded + KEPT_BITS4, KEPT_BITS6)
}

/** Hot. Zero past `bits`. */
function putPrefix(out: Uint8Array, at: number, address: Uint8Array, bits: number): void {
  for (let i = 0; i < ADDRESS_OCTETS; i += 1) {
    const kept = Math.min(Math.max(bits - 8 * i, 0), 8)
    out[at + i] = address[i]! & (0xff00 >> kept)
  }
}

/** Hot. */
function putLower(out: Uint8Array, at: number, name: Uint8Array, length: number): void {
  for (let i = 0; i < length; i += 1) out[at + i] = LOWER[name[i]!]!
}
