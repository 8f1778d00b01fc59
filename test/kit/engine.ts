/**
 * What the tests that each UDP engine has to pass stand on: the list of engines, and a fresh socket
 * for each row. No row knows which engine it runs on.
 */
import { afterEach, expect } from 'vitest'
import type { Serve } from '../../server/answer/peer.ts'
import { chooseEngine, engineNamed } from '../../server/transport/batching.ts'
import { dgramEngine } from '../../server/transport/dgram.ts'
import {
  figuresOf,
  type UdpEngine,
  type UdpFigures,
  type UdpOptions,
  type UdpSocket,
} from '../../server/transport/engine.ts'
import { echo, query, type UdpClient, udpClient } from './transport.ts'

const chosen = await chooseEngine()

/** Why the batched engine is not among `ENGINES`. */
export const { why: withoutBatches } = chosen

/** The batched one, as it is; for what is asked of no other. */
export const batched = chosen.name === 'batched' ? engineNamed('batched') : undefined

/** Each serves by the event loop, as a test has nothing else. */
export const ENGINES: readonly UdpEngine[] =
  batched === undefined ? [dgramEngine] : [dgramEngine, driven(batched)]

/** Gives an engine its turns, by turns with the event loop, while it has a socket. */
export function driven({ turn, ...engine }: UdpEngine): UdpEngine {
  const sockets = new Set<UdpSocket>()
  const drive = () => {
    turn?.(0)
    if (sockets.size > 0) setImmediate(drive)
  }
  const open: UdpEngine['open'] = async (...opening) => {
    const socket = await engine.open(...opening)
    const close = socket.close.bind(socket)
    const leave = () => {
      sockets.delete(socket)
      return close()
    }
    if (sockets.size === 0) setImmediate(drive)
    sockets.add(socket)
    return Object.assign(socket, { close: leave })
  }
  return { ...engine, open }
}

export type Row = readonly [rule: string, check: (engine: UdpEngine) => Promise<void>]

export const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

export type Opening = Partial<UdpOptions> & { readonly serve?: Serve; readonly address?: string }

export async function open(engine: UdpEngine, opening: Opening = {}): Promise<UdpSocket> {
  const { serve = echo, address = '127.0.0.1', ...options } = opening
  const full = { ecs: true, onFault: () => undefined, ...options }
  const socket = await engine.open(address, 0, serve, full)
  closers.push(() => socket.close())
  return socket
}

export async function client(address?: string): Promise<UdpClient> {
  const made = await udpClient(address)
  closers.push(made.close)
  return made
}

/** The socket still serves. */
export async function expectAlive(socket: UdpSocket, withinMs = 1000): Promise<void> {
  const asker = await client(socket.address.includes(':') ? '::1' : '127.0.0.1')
  const question = query(0xa11e)
  expect((await asker.ask(question, socket, withinMs))?.octets).toEqual(question)
}

/** As `toEqual`, which is slow on long ones. */
export function isSame(octets: Uint8Array | undefined, expected: Uint8Array): boolean {
  return octets !== undefined && Buffer.compare(octets, expected) === 0
}

export function figures({ counts }: UdpSocket): UdpFigures {
  return figuresOf(counts)
}

/** Nothing is lost from the books. */
export function expectAccounted(socket: UdpSocket): void {
  const { received, receiveErrors: _, ...outcomes } = figures(socket)
  expect(Object.values(outcomes).reduce((sum, count) => sum + count, 0)).toBe(received)
}

/** Says nothing to what is too short or itself a reply, as the straight line does; else echoes. */
export const discerning: Serve = (octets, length, reply, peer) =>
  length < 12 || ((octets[2] ?? 0) & 0x80) !== 0 ? 0 : echo(octets, length, reply, peer)
