/**
 * The life of a running server as its process sees it: what it says when it begins, and the signals it
 * lives by. SIGHUP reloads; SIGTERM and SIGINT drain.
 */
import { log } from './log.ts'
import { isAhead } from './next.ts'
import { Running } from './running.ts'
import type { Served } from './served.ts'
import type { Start } from './sockets.ts'
import { statusText, summary } from './tell/summary.ts'

/** Waits for the signal that ends the server, and ends it. */
export type Farewell = () => Promise<void>

/**
 * Begins to serve. Rejects with a `Fault` where it cannot listen: nothing is open then.
 *
 * @param served what is served first: nothing here keeps it longer than it is served
 */
export async function begin(start: Start, served: Served): Promise<Farewell> {
  const { engine, machine } = start
  const { why } = engine
  if (why !== undefined) log.warn(`UDP goes through node:dgram, on one thread: ${why}`)
  const server = new Running(start, served)
  // Signals are heard before anything is open: one that comes now must not be lost, nor end us.
  process.on('SIGHUP', () => void server.reload())
  const farewell = goodbye()
  const places = await server.places(served.config)
  if (isAhead(served.config)) log.warn('activate_at lies ahead: with nothing else to serve, now')
  const udp = { workers: server.workers, engine: engine.name }
  const about = { version: machine.version, addresses: places, udp }
  process.stdout.write(summary({ ...served, ...about }))
  start.manager.ready(statusText(served.world, places), () => server.answer())
  return async () => {
    await farewell
    await server.leave()
  }
}

/** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. */
function goodbye(): Promise<void> {
  return new Promise(resolve => {
    let asked = 0
    const leave = () => {
      asked += 1
      if (asked === 1) resolve()
      else process.exit(0)
    }
    process.on('SIGTERM', leave)
    process.on('SIGINT', leave)
  })
}
