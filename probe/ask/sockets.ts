/**
 * The wire of the program: `node:dgram`, `node:net`, the monotonic clock, and for encrypted servers
 * the lines that are kept. Knows nothing of DNS.
 */

import { type BindOptions, createSocket } from 'node:dgram'
import { connect, isIPv6 } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { framed, unframed } from './frame.ts'
import type { KeptLines } from './kept.ts'
import { familyOf, leavingFrom, type Origin } from './server.ts'
import { type Ending, type Streamed, unreachable, type Wire } from './wire.ts'

export function sockets(): Wire {
  let kept: KeptLines | undefined
  return {
    now: () => performance.now(),
    sleep: async ms => void (await pause(ms)),
    datagram,
    stream: async (server, request, forMs) => {
      const clear = server.transport === 'udp' || server.transport === 'tcp'
      if (clear) return stream(server, request, forMs)
      // TLS and HTTP are opened when used: most runs need neither
      const { KeptLines } = await import('./kept.ts')
      kept ??= new KeptLines()
      return kept.ask(server, request, forMs)
    },
    denial,
    close: () => kept?.close(),
  }
}

const datagram: Wire['datagram'] = (server, query, forMs, openness, judge) =>
  new Promise<Ending>(resolve => {
    const socket = createSocket(isIPv6(server.address) ? 'udp6' : 'udp4')
    let over = false
    const end = (ending: Ending): void => {
      if (over) return
      over = true
      clearTimeout(timer)
      socket.close()
      resolve(ending)
    }
    const timer = setTimeout(() => end('timeout'), forMs)
    socket.on('error', cause => end(unreachable(cause)))
    socket.on('message', (octets, from) => {
      if (over) return
      const known = from.port === server.port && sameAddress(from.address, server.address)
      if (judge(octets, known ? 'server' : 'other') === 'mine') end('accepted')
    })
    const start = (): void => {
      if (openness === 'connected') socket.connect(server.port, server.address)
      else socket.send(query, server.port, server.address)
    }
    // a callback of `connect` would be called where that fails, too
    socket.on('connect', () => socket.send(query))
    if (server.origin === undefined) start()
    else socket.bind(bindingOf(server.origin), start)
  })

const denial: NonNullable<Wire['denial']> = origin =>
  new Promise(resolve => {
    const socket = createSocket(familyOf(origin.address) === 6 ? 'udp6' : 'udp4')
    socket.on('error', cause => resolve('code' in cause ? String(cause.code) : cause.name))
    socket.bind(bindingOf(origin), () => socket.close(() => resolve(undefined)))
  })

function bindingOf({ address, port = 0 }: Origin): BindOptions {
  return { address, port, exclusive: true }
}

const stream: Wire['stream'] = (server, query, forMs) =>
  new Promise(resolve => {
    const { address, port, origin } = server
    const socket = connect({ host: address, port, ...leavingFrom(origin) })
    const chunks: Uint8Array[] = []
    const end = (ending: Streamed): void => {
      clearTimeout(timer)
      socket.removeAllListeners('close')
      socket.destroy()
      resolve(ending)
    }
    const timer = setTimeout(() => end('timeout'), forMs)
    let open = false
    socket.on('error', cause => end(open ? 'closed' : unreachable(cause)))
    socket.on('close', () => end('closed'))
    socket.on('connect', () => {
      open = true
      socket.write(framed(query))
    })
    socket.on('data', chunk => {
      chunks.push(chunk)
      const message = unframed(chunks)
      if (message !== undefined) end(message)
    })
  })

/** A zone after `%` and the way of writing IPv6 may differ between what was given and what is seen. */
function sameAddress(one: string, other: string): boolean {
  if (!isIPv6(one)) return one === other
  const host = (text: string): string => new URL(`http://[${text.replace(/%.*$/, '')}]`).hostname
  return isIPv6(other) && host(one) === host(other)
}
