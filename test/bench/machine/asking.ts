/** A question now and then from the bench itself: whether a server is there, and what it serves. */
import { createSocket, type Socket } from 'node:dgram'
import { createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { LONGEST, putQuery } from '../load/message.ts'

const EVERY_MS = 10

/** A reply, as far as it matters: `undefined` when there is none. */
export type Short = { readonly rcode: number; readonly answers: number; readonly octets: Buffer }

/**
 * Asks for A again and again until a reply is as wanted.
 *
 * @returns milliseconds it took, or `undefined` where that was not within `withinMs`, or `isAlive` not
 */
export async function waitFor(
  port: number,
  name: string,
  isWanted: (reply: Short) => boolean,
  withinMs: number,
  isAlive: () => boolean = () => true,
): Promise<number | undefined> {
  const began = performance.now()
  const socket = createSocket('udp4')
  let met = false
  socket.on('error', () => undefined) // refused: it does not listen yet
  socket.on('message', octets => {
    met ||= isWanted({ rcode: (octets[3] ?? 0) & 15, answers: octets.readUInt16BE(6), octets })
  })
  const query = new Uint8Array(LONGEST)
  const length = putQuery(query, 0, name)
  while (!met && performance.now() - began < withinMs && isAlive()) {
    socket.send(query.subarray(0, length), port, '127.0.0.1', () => undefined)
    await setTimeout(EVERY_MS)
  }
  socket.close()
  return met ? performance.now() - began : undefined
}

/** A port of 127.0.0.1 that is free for UDP and TCP, below those that the system hands to clients. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    if ((await isFreeUdp(port)) && (await isFreeTcp(port))) return port
  }
}

function isFreeUdp(port: number): Promise<boolean> {
  const socket: Socket = createSocket('udp4')
  return new Promise(resolve => {
    socket.once('error', () => resolve(false))
    socket.bind({ port, address: '127.0.0.1' }, () => socket.close(() => resolve(true)))
  })
}

function isFreeTcp(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise(resolve => {
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1' }, () => server.close(() => resolve(true)))
  })
}
