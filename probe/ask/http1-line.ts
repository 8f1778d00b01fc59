/** Requests over a few connections of HTTP/1.1, each carrying one at a time. RFC 9112. */

import { Agent, type IncomingMessage, request as requestOnce } from 'node:http'
import { performance } from 'node:perf_hooks'
import type { Duplex } from 'node:stream'
import { type End, gather, type HttpLine, type HttpRequest, headOf, settled } from './http.ts'
import { isOpened, openTls } from './secure.ts'
import { authorityOf, type Server } from './server.ts'

const MOST_SOCKETS = 4

/**
 * @param first a connection that is open already
 * @param forMs how long a further one may take
 */
export function http1Line(server: Server, first: Duplex, forMs: number): HttpLine {
  let spare: Duplex | undefined = first
  // the agent counts a connection only when it is open: it alone would open one for each request
  const lanes: Promise<unknown>[] = Array.from({ length: MOST_SOCKETS }, () => Promise.resolve())
  const agent = new Agent({ keepAlive: true, maxSockets: MOST_SOCKETS })
  agent.createConnection = (_, done) => {
    const held = spare
    spare = undefined
    if (held !== undefined && !held.destroyed) return held
    void openTls(server, ['http/1.1'], forMs).then(opened => {
      if (isOpened(opened)) done?.(null, opened.socket)
      else done?.(new Error('no further connection'), first)
    })
    return undefined
  }
  const line: HttpLine = {
    replies: 0,
    close: () => {
      agent.destroy()
      spare?.destroy()
    },
    request: async (request, ms) => {
      const began = performance.now()
      const lane = lanes.shift() ?? Promise.resolve()
      const sent = lane.then(() => {
        const left = ms - (performance.now() - began)
        return settled(left, line, end => sentOnce(server, agent, request, end))
      })
      lanes.push(sent)
      return sent
    },
  }
  return line
}

function sentOnce(server: Server, agent: Agent, request: HttpRequest, end: End): () => void {
  const { method, path, headers, body } = request
  const all = { ...headers, host: authorityOf(server) }
  const sent = requestOnce({ agent, method, path, headers: all })
  let whole = false
  sent.on('error', () => end('closed'))
  sent.on('response', (reply: IncomingMessage) => {
    reply.on('end', () => {
      whole = reply.complete
    })
    const { statusCode = 0, headers } = reply
    gather(reply, headOf(statusCode, headers['content-type'], headers.age), end)
  })
  sent.end(body)
  return () => {
    if (!whole) sent.destroy()
  }
}
