/**
 * What the process and its UDP workers say to each other. Orders are done one after the other, each
 * with one answer; what is served lies in memory that both see, so a message is small whatever the
 * size of the zones. Does nothing.
 */
import type { Challenge } from './answer/challenge.ts'
import type { Desk } from './answer/desk.ts'
import type { Sampling } from './answer/sample.ts'
import type { World } from './answer/world.ts'
import type { FaultCode } from './fault.ts'
import type { Tallies } from './guard/answers.ts'
import type { Limits } from './guard/guard.ts'
import type { Ring } from './guard/ring.ts'
import type { Board } from './steer/board.ts'
import type { EngineName, UdpCounts } from './transport/engine.ts'

/** All that desks share: what they serve, what changes while they do, whose turn it is. */
export type Published = {
  readonly world: World
  readonly board: Board
  readonly next: Uint32Array
  readonly challenges: readonly Challenge[]
  /** By `PRESENT`: what time it is. */
  readonly present: Int32Array
  readonly sampling: Sampling
  readonly limits: Limits
}

/** What one worker serves, where it alone counts, and where it puts what is sampled. */
export type Handed = Published & { readonly tallies: Tallies; readonly ring: Ring }

/** Handed to a worker when it starts. */
export type Seat = {
  readonly kind: 'udp worker'
  readonly engine: EngineName
  /** Served first. Whoever takes it clears it: a thread keeps what it was handed as long as it lives. */
  handed: Handed | undefined
  /** One word: how many orders were sent. Who has seen fewer looks for more. */
  readonly sent: Int32Array
  /** Whether it rehearses first. One that takes over sockets does not: in them clients wait. */
  readonly begins: 'rehearsed' | 'at once'
}

/** Doors are numbered; a number is not used again. */
export type Order =
  | { readonly kind: 'serve'; readonly handed: Handed }
  | OpenOrder
  | { readonly kind: 'heed ecs'; readonly door: number; readonly ecs: boolean }
  | { readonly kind: 'close'; readonly door: number }
  /** Does nothing: whoever answers is alive. */
  | { readonly kind: 'answer' }
  | { readonly kind: 'leave' }

export type OpenOrder = {
  readonly kind: 'open'
  readonly door: number
  readonly address: string
  readonly port: number
  readonly ecs: boolean
  readonly sharing: 'alone' | 'shared'
  /** The socket of a worker that died, to be taken over with what waits in it. */
  readonly fd: number | undefined
  /** Where datagrams are counted: memory that the process reads. */
  readonly counts: UdpCounts
}

/** The answers come in the order of the orders; a fault of `Serve` may be told of in between. */
export type Word =
  | Done
  | { readonly kind: 'refused'; readonly code: FaultCode; readonly message: string }
  | { readonly kind: 'fault'; readonly text: string; readonly times: number }

export type Done = {
  readonly kind: 'done'
  /** Of the door that was opened. */
  readonly address: string
  readonly port: number
  readonly fd: number
}

/** What others are to serve who serve the same as this desk. */
export function publishedOf(
  { board, challenges, guard, present, turns, world }: Desk,
  sampling: Sampling,
): Published {
  const { limits } = guard
  return { world, board, next: turns.next, challenges, present, sampling, limits }
}
