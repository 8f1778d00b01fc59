/**
 * Slow TCP clients, in a process of their own: many connections from many addresses, each of which sends
 * a query one octet at a time and never the whole of it, and comes back when it is sent away.
 */
import { connect } from 'node:net'

export type SlowOrder = {
  readonly port: number
  readonly connections: number
  /** How many addresses of 127.0.2.0/24 they come from. */
  readonly sources: number
  /** How long each waits between two octets. */
  readonly everyMs: number
  /** New connections a second, at most. */
  readonly pace: number
}

export type SlowReport = { readonly held: number; readonly made: number; readonly failed: number }

/** A turn of the clock that new connections and octets are counted by. */
const TURN_MS = 20

function hold({ connections, everyMs, pace, port, sources }: SlowOrder): () => SlowReport {
  const held = new Set<ReturnType<typeof connect>>()
  let made = 0
  let failed = 0
  let due = 0

  const open = () => {
    const localAddress = `127.0.2.${1 + (made % sources)}`
    const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true })
    made += 1
    held.add(socket)
    const drip = setInterval(() => socket.write(Uint8Array.of(0)), everyMs)
    socket.on('connect', () => socket.write(Uint8Array.of(0, 200)))
    socket.on('error', () => {
      failed += 1
    })
    socket.on('close', () => {
      clearInterval(drip)
      held.delete(socket)
    })
    socket.resume()
  }
  setInterval(() => {
    due += (pace * TURN_MS) / 1000
    while (due >= 1) {
      due -= 1
      if (held.size < connections) open()
    }
  }, TURN_MS)
  return () => ({ held: held.size, made, failed })
}

const report = hold(JSON.parse(process.argv[2] ?? '{}') as SlowOrder)
process.on('SIGTERM', () => {
  process.stdout.write(JSON.stringify(report()))
  process.exit(0)
})
