/**
 * The encrypted lines of one run, by server: opened when first needed, used again, closed together.
 */

import { httpRequest, streamedOf } from './doh.ts'
import { HttpsLine } from './https-line.ts'
import type { Server } from './server.ts'
import { TlsLine } from './tls-line.ts'
import type { Streamed } from './wire.ts'

export class KeptLines {
  readonly #tls = new Map<string, TlsLine>()
  readonly #https = new Map<string, HttpsLine>()

  async ask(server: Server, sent: Uint8Array, forMs: number): Promise<Streamed> {
    const key = keyOf(server)
    if (server.transport === 'tls') {
      return held(this.#tls, key, () => new TlsLine(server)).ask(sent, forMs)
    }
    const line = held(this.#https, key, () => new HttpsLine(server))
    return streamedOf(server, await line.ask(httpRequest(server, sent), forMs))
  }

  close(): void {
    for (const line of this.#tls.values()) line.close()
    for (const line of this.#https.values()) line.close()
  }
}

/** One line for all that is the same connection: paths and methods may share it. */
function keyOf({ address, port, secure }: Server): string {
  return JSON.stringify([address, port, secure?.name, secure?.pins, secure?.ca?.path])
}

function held<T>(lines: Map<string, T>, key: string, make: () => T): T {
  const line = lines.get(key) ?? make()
  lines.set(key, line)
  return line
}
