/**
 * HTTP for DNS over HTTPS (RFC 8484): HTTP/2, or HTTP/1.1 where the client has no other, over
 * connections that whoever calls has accepted and encrypted. Both go through one handler. What a
 * client may have under way is bounded in number and octets; for how long, its connection is told.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http'
import {
  createServer as createServer2,
  type Http2Server,
  type ServerHttp2Session,
} from 'node:http2'
import type { Readable } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { HEADER } from '../dns/message.ts'
import type { Answer, Talk } from './conversation.ts'
import { askingOf, DNS_MESSAGE, lifetime, METHODS, MOST_BODY } from './doh.ts'

/** Whose requests come over a connection. */
export type Visitor = {
  /** Where queries are taken. */
  readonly path: string
  readonly answer: (message: Uint8Array) => Answer
  /** So many octets of bodies are held for it now. */
  readonly weigh: (octets: number) => void
}

/** Octets of all headers of a request. */
const MOST_HEADERS = 16 << 10
/** Streams at once, RFC 9113 §5.1.2: as much as it recommends at least. */
const MOST_STREAMS = 100

/**
 * Beyond what Node and nghttp2 bound by themselves: streams that are opened and reset at once (33 a
 * second after a burst of 1,000), CONTINUATION frames (8 a header), pings and settings not acknowledged.
 */
const HTTP2 = {
  maxSessionMemory: 1, // MiB
  maxHeaderListPairs: 64,
  maxSessionInvalidFrames: 100,
  maxSessionRejectedStreams: 100,
  settings: {
    enablePush: false,
    maxConcurrentStreams: MOST_STREAMS,
    maxHeaderListSize: MOST_HEADERS,
  },
}

/** A request, of either version. */
type Asked = Readable & Pick<IncomingMessage, 'aborted' | 'headers' | 'method' | 'url'>

/** A response, of either version. */
type Response = {
  statusCode: number
  readonly headersSent: boolean
  setHeader: (name: string, value: string | number) => unknown
  end: { (): unknown; (body: Uint8Array): unknown }
  on: (event: 'close' | 'error', heed: () => void) => unknown
}

type Known = {
  readonly visitor: Visitor
  /** Octets of bodies and replies under way. */
  held: number
  underWay: number
  /** HTTP/1.1: no request is taken after those that are under way. */
  isLast: boolean
  readonly leave: () => void
}

export class Web {
  readonly #one: Server
  readonly #two: Http2Server
  /** By socket or HTTP/2 session. */
  readonly #known = new WeakMap<object, Known>()

  constructor() {
    // Times are kept by whoever has the connections.
    const patient = { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 }
    this.#one = createServer({ ...patient, maxHeaderSize: MOST_HEADERS }, (request, response) => {
      this.#heed(this.#known.get(request.socket), request, response)
    })
    this.#two = createServer2(HTTP2, (request, response) => {
      const { session } = request.stream
      this.#heed(session && this.#known.get(session), request, response)
    })
  }

  /** Speaks HTTP over a connection, as its handshake has agreed (ALPN). */
  serve(socket: TLSSocket, visitor: Visitor): Talk {
    return socket.alpnProtocol === 'h2'
      ? this.#serveTwo(socket, visitor)
      : this.#serveOne(socket, visitor)
  }

  #serveOne(socket: TLSSocket, visitor: Visitor): Talk {
    const known = knownOf(visitor, () => socket.end())
    this.#known.set(socket, known)
    this.#one.emit('connection', socket)
    const finish = () => {
      known.isLast = true
      if (known.underWay === 0) known.leave()
    }
    return { finish }
  }

  #serveTwo(socket: TLSSocket, visitor: Visitor): Talk {
    let session: ServerHttp2Session | undefined
    const note = (opened: ServerHttp2Session) => {
      session = opened
      this.#known.set(
        opened,
        knownOf(visitor, () => undefined),
      )
    }
    this.#two.on('session', note)
    this.#two.emit('connection', socket)
    this.#two.off('session', note)
    socket.once('end', () => socket.end())
    return { finish: () => session?.close() }
  }

  #heed(known: Known | undefined, request: Asked, response: Response): void {
    request.on('error', () => undefined) // its connection tells
    response.on('error', () => undefined)
    if (known === undefined) return
    known.underWay += 1
    response.on('close', () => {
      known.underWay -= 1
      if (known.isLast && known.underWay === 0) known.leave()
    })
    const { headers, method = '', url: target = '' } = request
    const { 'content-type': type, 'content-length': length } = headers
    const asking = askingOf({ method, target, type, length }, known.visitor.path)
    if (asking.kind === 'body') {
      this.#gather(known, request, response)
      return
    }
    request.resume()
    if (asking.kind === 'refused') refuse(response, asking.status)
    else answer(known, asking.message, response, method)
  }

  #gather(known: Known, request: Asked, response: Response): void {
    const chunks: Uint8Array[] = []
    let size = 0
    request.on('data', (chunk: Uint8Array) => {
      if (response.headersSent) return
      if (size + chunk.length > MOST_BODY) {
        refuse(response, 413)
        return
      }
      size += chunk.length
      chunks.push(chunk)
      hold(known, chunk.length)
    })
    request.on('end', () => {
      if (response.headersSent || request.aborted) return
      if (size < HEADER) refuse(response, 400)
      else answer(known, Buffer.concat(chunks), response, 'POST')
    })
    response.on('close', () => hold(known, -size))
  }
}

function knownOf(visitor: Visitor, leave: () => void): Known {
  return { visitor, held: 0, underWay: 0, isLast: false, leave }
}

function hold(known: Known, octets: number): void {
  known.held += octets
  known.visitor.weigh(known.held)
}

function answer(known: Known, message: Uint8Array, response: Response, method: string): void {
  const reply = known.visitor.answer(message)
  if (reply === 'fault') refuse(response, 500)
  else if (reply === 'silent')
    refuse(response, 400) // it is no query
  else {
    const body = Buffer.from(reply)
    response.statusCode = 200 // RFC 8484 §4.2.1: whatever the RCODE
    response.setHeader('content-type', DNS_MESSAGE)
    response.setHeader('content-length', body.length)
    response.setHeader('cache-control', freshness(reply))
    hold(known, body.length)
    response.on('close', () => hold(known, -body.length))
    if (method === 'HEAD') response.end()
    else response.end(body)
  }
}

/** Private (RFC 9111 §5.2.2.7): who asks may decide what is answered. */
function freshness(reply: Uint8Array): string {
  const seconds = lifetime(reply)
  return seconds > 0 ? `private, max-age=${seconds}` : 'no-store'
}

function refuse(response: Response, status: number): void {
  response.statusCode = status
  response.setHeader('content-length', 0)
  response.setHeader('cache-control', 'no-store')
  if (status === 405) response.setHeader('allow', METHODS) // RFC 9110 §15.5.6
  if (status === 415) response.setHeader('accept', DNS_MESSAGE) // RFC 9110 §15.5.16
  response.end()
}
