/**
 * A kept line to a web server: HTTP/2, or HTTP/1.1 where the server knows no other (ALPN). A request
 * that a closing connection has cut off is put once more.
 */

import { performance } from 'node:perf_hooks'
import type { HttpLine, HttpRequest, Outcome } from './http.ts'
import { http1Line } from './http1-line.ts'
import { http2Line } from './http2-line.ts'
import { isOpened, openTls } from './secure.ts'
import type { Server } from './server.ts'
import type { Broken, Denied } from './wire.ts'

/** So often a request is put anew when a server closes in between. */
const MOST_LINES = 2

export class HttpsLine {
  readonly #server: Server
  #line: Promise<HttpLine | Denied | Broken> | undefined

  constructor(server: Server) {
    this.#server = server
  }

  async ask(request: HttpRequest, forMs: number): Promise<Outcome> {
    const until = performance.now() + forMs
    for (let lines = 1; ; lines += 1) {
      this.#line ??= this.#open(until - performance.now())
      const held = this.#line
      const line = await held
      const got = isLine(line) ? await line.request(request, until - performance.now()) : line
      if (typeof got === 'object' && 'status' in got) return got
      if (got === 'timeout' && isLine(line)) return got
      if (this.#line === held) this.#line = undefined
      if (isLine(line)) line.close()
      if (got !== 'closed' || !isLine(line) || line.replies === 0 || lines === MOST_LINES)
        return got
    }
  }

  close(): void {
    void this.#line?.then(line => {
      if (isLine(line)) line.close()
    })
    this.#line = undefined
  }

  async #open(forMs: number): Promise<HttpLine | Denied | Broken> {
    const opened = await openTls(this.#server, ['h2', 'http/1.1'], forMs)
    if (!isOpened(opened)) return opened
    const { alpnProtocol } = opened.socket
    if (alpnProtocol === 'h2') return http2Line(this.#server, opened.socket)
    return http1Line(this.#server, opened.socket, forMs)
  }
}

function isLine(value: HttpLine | Denied | Broken): value is HttpLine {
  return typeof value === 'object' && 'request' in value
}
