/**
 * A desk served on loopback by the test itself, so that its board is at hand: targets can be down, and
 * replies can be made wrong on purpose. Over UDP alone.
 */
import type { Desk } from '../../server/answer/desk.ts'
import type { Serve } from '../../server/answer/peer.ts'
import { serve } from '../../server/answer/serve.ts'
import { dgramEngine } from '../../server/transport/dgram.ts'
import type { Place } from '../kit/ask.ts'

const closers: (() => Promise<void>)[] = []

/** For `afterAll`. */
export async function closeAll(): Promise<void> {
  for (const close of closers.splice(0)) await close()
}

/** Serves on a free port. A fault of the server's fails the test run. */
export async function openAt(answer: Serve): Promise<Place> {
  const onFault = (cause: unknown) => {
    throw cause
  }
  const socket = await dgramEngine.open('127.0.0.1', 0, answer, { ecs: true, onFault })
  closers.push(() => socket.close())
  return { host: socket.address, port: socket.port }
}

export function truthful(desk: Desk): Serve {
  return (query, length, reply, peer) => serve(desk, query, length, reply, peer)
}

/** The same answers, with every scope so many bits shorter than it is. */
export function hasty(desk: Desk, bits: number): Serve {
  return (query, length, reply, peer) => {
    const written = serve(desk, query, length, reply, peer)
    const at = scopeAt(reply, written)
    if (at > 0) reply[at] = Math.max(0, (reply[at] ?? 0) - bits)
    return written
  }
}

/** Where SCOPE stands, in an option that is the last of the message; 0 where there is none. */
function scopeAt(reply: Uint8Array, length: number): number {
  for (let octets = 0; octets <= 16; octets += 1) {
    const at = length - octets - 8
    if (reply.subarray(at, at + 4).join() === `0,8,0,${4 + octets}`) return at + 7
  }
  return 0
}
