/**
 * What one serving thread needs: the World and the board beside it, the turns of rotation, chance,
 * and scratch for every stage of the line. UDP and TCP differ in nothing else than whose desk they
 * sit at.
 */
import { type Compressor, compressor } from '../dns/compress.ts'
import { type NameBuffer, nameBuffer } from '../dns/name.ts'
import { viewOf } from '../dns/octets.ts'
import { type ClientSubnet, clientSubnet } from '../dns/subnet.ts'
import { type Jar, jar } from '../guard/cookies.ts'
import { type Guard, openGuard, openLimits } from '../guard/guard.ts'
import { type Board, openBoard } from '../steer/board.ts'
import type { Chance } from '../steer/chance.ts'
import { type Decision, decision } from '../steer/decision.ts'
import { carryTurns, startTurns, type Turns } from '../steer/turns.ts'
import { type Finding, finding } from '../zone/finding.ts'
import type { Challenge } from './challenge.ts'
import { type Query, query } from './query.ts'
import { type Reply, reply } from './reply.ts'
import { type Told, told } from './whoami.ts'
import type { World } from './world.ts'

/** Most aliases followed in one answer. */
export const CHAIN = 8

/** Cells of what is now: each of 32 bits, written by others, read by every desk. */
export const PRESENT = {
  /** Since 1970, wrapping at 2³²; it need not be exact to more than a minute. */
  SECONDS: 0,
} as const

/** In memory that threads can share. */
export function present(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * Object.keys(PRESENT).length))
}

export type Desk = {
  world: World
  /** Of the World's targets and slots; whoever opened it writes to it. */
  board: Board
  /** The World's records and the octets of its targets, to be copied several at once. */
  records: DataView
  denials: DataView
  targets: DataView
  /** Proofs for certificates that are set right now. */
  challenges: readonly Challenge[]
  /** Whose turn it is, per steered name, pool and family. */
  turns: Turns
  readonly chance: Chance
  /** Who may enter, and how much is told to whom. */
  guard: Guard
  /** By `PRESENT`. */
  present: Int32Array
  readonly query: Query
  /** The names asked one after the other: QNAME, then each alias's target. */
  readonly chain: readonly NameBuffer[]
  readonly finding: Finding
  readonly decision: Decision
  /** The IPv6 hints of a service record, where `decision` is of its IPv4 hints. */
  readonly hint6: Decision
  readonly reply: Reply
  readonly compressor: Compressor
  /** The cookie of the query in hand. */
  readonly jar: Jar
  /** What a name that tells who asks says. */
  readonly told: Told
  /** The buffers that callers have replies written to: there are few, and they come back. */
  readonly buffers: WeakMap<Uint8Array, DataView>
  /** Records written, by section. */
  readonly counts: Uint16Array
  /** Stands for the subnet of a query that has none, or whose source is not believed. */
  readonly nobody: ClientSubnet
}

/**
 * @param chance a seeded generator, this desk's own
 * @param board  of this World; absent: one on which everything is up
 * @param next   `turns.next` of another desk of this World: both take turns in one rotation
 */
export function openDesk(
  world: World,
  chance: Chance,
  board: Board = openBoard(world.steering),
  next?: Uint32Array,
): Desk {
  const asked = query()
  const dice = chance.slice() // who is let in does not change whose turn it is
  const targets = Array.from({ length: CHAIN }, nameBuffer)
  return {
    world,
    board,
    records: viewOf(world.zones.records),
    denials: viewOf(world.zones.denials),
    targets: viewOf(world.steering.octets),
    challenges: [],
    turns: startTurns(world.steering, chance, next),
    chance,
    guard: openGuard(openLimits(dice), dice),
    present: present(),
    query: asked,
    chain: [asked.name, ...targets],
    finding: finding(),
    decision: decision(),
    hint6: decision(),
    reply: reply(),
    compressor: compressor(),
    jar: jar(),
    told: told(),
    buffers: new WeakMap(),
    counts: new Uint16Array(3),
    nobody: clientSubnet(),
  }
}

/**
 * Goes on with a new World. Rotation keeps its turn wherever name and pool are still there.
 *
 * @param board of the new World; absent: one on which everything is up
 * @param next  `turns.next` of another desk that has the new World already, taken as they are
 */
export function changeWorld(
  desk: Desk,
  world: World,
  board: Board = openBoard(world.steering),
  next?: Uint32Array,
): void {
  desk.turns = carryTurns(desk.world.steering, desk.turns, world.steering, desk.chance, next)
  desk.world = world
  desk.records = viewOf(world.zones.records)
  desk.denials = viewOf(world.zones.denials)
  desk.targets = viewOf(world.steering.octets)
  desk.board = board
}

/** A caller's buffer, to be written several octets at once. Hot: a view is made but once for each. */
export function wordsOf({ buffers }: Desk, buffer: Uint8Array): DataView {
  const known = buffers.get(buffer)
  if (known !== undefined) return known
  const view = viewOf(buffer)
  buffers.set(buffer, view)
  return view
}
