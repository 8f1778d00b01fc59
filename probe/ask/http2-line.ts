/** Requests over one HTTP/2 connection, side by side. RFC 9113. */

import { type ClientHttp2Session, connect, constants } from 'node:http2'
import type { Duplex } from 'node:stream'
import { type End, gather, type HttpLine, type HttpRequest, headOf, settled } from './http.ts'
import { authorityOf, type Server } from './server.ts'

/** @param socket encrypted, with the server at its other end */
export function http2Line(server: Server, socket: Duplex): HttpLine {
  const authority = authorityOf(server)
  const session = connect(`https://${authority}`, { createConnection: () => socket })
  // what breaks the session breaks its streams, and these tell
  session.on('error', () => undefined)
  const line: HttpLine = {
    replies: 0,
    close: () => session.destroy(),
    request: (request, forMs) =>
      settled(forMs, line, end => {
        if (session.closed || session.destroyed) {
          end('closed')
          return undefined
        }
        session.ref()
        const stop = streamed(session, request, end)
        return () => {
          stop()
          // nobody waits: the line alone keeps no process alive
          if (!session.destroyed) session.unref()
        }
      }),
  }
  session.unref()
  return line
}

function streamed(session: ClientHttp2Session, request: HttpRequest, end: End): () => void {
  const stream = session.request({
    ':method': request.method, ':path': request.path, ...request.headers,
  }) // biome-ignore format: one line
  stream.on('error', () => end('closed'))
  stream.on('close', () => end('closed'))
  stream.on('response', headers => {
    const head = headOf(Number(headers[':status']), headers['content-type'], headers.age)
    gather(stream, head, end)
  })
  stream.end(request.body)
  return () => stream.close(constants.NGHTTP2_CANCEL)
}
