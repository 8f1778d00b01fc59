/**
 * What checks find: one listener at every address of loopback, which answers HTTP, and knows when each
 * connection began.
 */
import { createServer } from 'node:http'

export type Listener = {
  readonly port: number
  /** When connections came, in milliseconds of the clock that never steps, in their order. */
  readonly begun: readonly number[]
  readonly close: () => void
}

export async function listen(): Promise<Listener> {
  const begun: number[] = []
  const server = createServer((_, response) => response.end('fine'))
  server.on('connection', () => begun.push(performance.now()))
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '0.0.0.0', () => {
      const place = server.address()
      resolve(typeof place === 'object' && place !== null ? place.port : 0)
    })
  })
  const close = (): void => {
    server.close()
    server.closeAllConnections()
  }
  return { port, begun, close }
}
