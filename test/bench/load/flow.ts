/**
 * What is under way on one socket, and what came of it. A query takes a slot, and its id tells the
 * slot and how often that was used: a reply that comes too late finds nothing and is counted as other.
 */
import { count, type Histogram, histogram } from '../statistics.ts'
import { check, OTHER, RIGHT, type Strictness } from './check.ts'
import type { Questions } from './questions.ts'

/** One counter for all sockets of a generator. */
export type Tally = {
  sent: number
  answered: number
  wrong: number
  other: number
  lost: number
  /** Microseconds from sending to receiving. */
  readonly latency: Histogram
  /** What was sent before is not timed. */
  readonly timedFrom: number
}

export type Flow = {
  readonly set: Questions
  readonly tally: Tally
  readonly strictness: Strictness
  /** Slots, a power of two; ids are a slot plus a multiple of it. */
  readonly size: number
  /** By slot: the id in use, −1 for none; the query; when it was sent, in milliseconds. */
  readonly id: Int32Array
  readonly number: Int32Array
  readonly sentAt: Float64Array
  readonly uses: Int32Array
  /** Slots that are free: a queue, so that an id comes back as late as can be. */
  readonly free: Int32Array
  head: number
  freeCount: number
  /** The next query of the set. */
  next: number
}

/** @param timedFrom by `performance.now()`; default: all is timed */
export function tally(timedFrom = 0): Tally {
  const latency = histogram()
  return { sent: 0, answered: 0, wrong: 0, other: 0, lost: 0, latency, timedFrom }
}

/**
 * @param size  most queries under way: a power of two, at most 32,768
 * @param first which query of the set comes first
 */
export function openFlow(
  set: Questions,
  tally: Tally,
  strictness: Strictness,
  size: number,
  first: number,
): Flow {
  return {
    set,
    tally,
    strictness,
    size,
    id: new Int32Array(size).fill(-1),
    number: new Int32Array(size),
    sentAt: new Float64Array(size),
    uses: new Int32Array(size),
    free: Int32Array.from({ length: size }, (_, slot) => slot),
    head: 0,
    freeCount: size,
    next: first % set.start.length,
  }
}

/**
 * Takes the next query and puts an id into its octets. Hot.
 *
 * @returns its number, or −1 where no slot is free
 */
export function ask(flow: Flow, now: number): number {
  if (flow.freeCount === 0) return -1
  const { set, size } = flow
  const slot = flow.free[flow.head]!
  flow.head = (flow.head + 1) & (size - 1)
  flow.freeCount -= 1
  flow.uses[slot]! += 1
  const id = (slot + flow.uses[slot]! * size) & 0xffff
  const number = flow.next
  flow.next = number + 1 === set.start.length ? 0 : number + 1
  flow.id[slot] = id
  flow.number[slot] = number
  flow.sentAt[slot] = now
  flow.tally.sent += 1
  const start = set.start[number]!
  set.octets[start] = id >> 8
  set.octets[start + 1] = id & 0xff
  return number
}

/** Takes back a query that the kernel did not take: it counts as lost. Hot. */
export function drop(flow: Flow, number: number): void {
  const start = flow.set.start[number]!
  const id = (flow.set.octets[start]! << 8) | flow.set.octets[start + 1]!
  release(flow, id & (flow.size - 1))
  flow.tally.lost += 1
}

/** Takes a reply: finds its query and judges it. Hot. */
export function hear(flow: Flow, octets: Uint8Array, from: number, end: number, now: number): void {
  const { tally } = flow
  const id = end - from < 2 ? -1 : (octets[from]! << 8) | octets[from + 1]!
  const slot = id & (flow.size - 1)
  if (id < 0 || flow.id[slot] !== id) {
    tally.other += 1
    return
  }
  const outcome = check(flow.set, flow.number[slot]!, octets, from, end, flow.strictness)
  tally.answered += 1
  if (outcome === OTHER) tally.other += 1
  else if (outcome !== RIGHT) tally.wrong += 1
  const sentAt = flow.sentAt[slot]!
  if (sentAt >= tally.timedFrom) count(tally.latency, (now - sentAt) * 1000)
  release(flow, slot)
}

/** Hot. */
function release(flow: Flow, slot: number): void {
  flow.id[slot] = -1
  flow.free[(flow.head + flow.freeCount) & (flow.size - 1)] = slot
  flow.freeCount += 1
}

/** Gives up on what was sent before `then`: it is lost. Hot. */
export function expire(flow: Flow, then: number): void {
  if (flow.freeCount === flow.size) return
  for (let slot = 0; slot < flow.size; slot += 1) {
    if (flow.id[slot]! < 0 || flow.sentAt[slot]! >= then) continue
    release(flow, slot)
    flow.tally.lost += 1
  }
}
