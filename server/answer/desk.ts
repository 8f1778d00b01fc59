/**
 * What one serving thread needs: the World, the turns of rotation, chance, and scratch for every
 * stage of the line. UDP and TCP differ in nothing else than whose desk they sit at.
 */
import { type Compressor, compressor } from '../dns/compress.ts'
import { type NameBuffer, nameBuffer } from '../dns/name.ts'
import { type ClientSubnet, clientSubnet } from '../dns/subnet.ts'
import type { Chance } from '../steer/chance.ts'
import { type Decision, decision } from '../steer/decision.ts'
import { carryTurns, startTurns } from '../steer/turns.ts'
import { type Finding, finding } from '../zone/finding.ts'
import { type Query, query } from './query.ts'
import { type Reply, reply } from './reply.ts'
import type { World } from './world.ts'

/** Most aliases followed in one answer. */
export const CHAIN = 8

export type Desk = {
  world: World
  /** Whose turn it is, per steered name, pool and family. */
  turns: Uint32Array
  readonly chance: Chance
  readonly query: Query
  /** The names asked one after the other: QNAME, then each alias's target. */
  readonly chain: readonly NameBuffer[]
  readonly finding: Finding
  readonly decision: Decision
  readonly reply: Reply
  readonly compressor: Compressor
  /** Records written, by section. */
  readonly counts: Uint16Array
  /** Stands for the subnet of a query that has none, or whose source is not believed. */
  readonly nobody: ClientSubnet
}

/** @param chance a seeded generator, this desk's own */
export function openDesk(world: World, chance: Chance): Desk {
  const asked = query()
  const targets = Array.from({ length: CHAIN }, nameBuffer)
  return {
    world,
    turns: startTurns(world.steering, chance),
    chance,
    query: asked,
    chain: [asked.name, ...targets],
    finding: finding(),
    decision: decision(),
    reply: reply(),
    compressor: compressor(),
    counts: new Uint16Array(3),
    nobody: clientSubnet(),
  }
}

/** Goes on with a new World. Rotation keeps its turn wherever name and pool are still there. */
export function changeWorld(desk: Desk, world: World): void {
  desk.turns = carryTurns(desk.world.steering, desk.turns, world.steering, desk.chance)
  desk.world = world
}
