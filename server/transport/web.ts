/**
 * HTTP for DNS over HTTPS (RFC 8484): HTTP/2, or HTTP/1.1 where the client has no other, over
 * connections that whoever calls has accepted and encrypted. Both go through one handler. What a
 * client may have under way is bounded in number and octets; for how long, its connection is told.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import {
  createServer as createServer2,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { Readable, Writable } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { HEADER } from '../dns/message.ts'
import type { Answer, Talk } from './conversation.ts'
import { askingOf, DNS_MESSAGE, lifetime, METHODS, MOST_BODY, type Request } from './doh.ts'

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

/** A request and what is replied to it, in either version. */
type Exchange = {
  readonly request: Request
  readonly body: Readable
  /** What closes when all is over. */
  readonly end: Writable
  readonly isAborted: () => boolean
  readonly isAnswered: () => boolean
  readonly reply: (status: number, headers: Headers, body: Uint8Array | undefined) => void
}

type Headers = Readonly<Record<string, string | number>>

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
      this.#heed(this.#known.get(request.socket), ofOne(request, response))
    })
    this.#two = createServer2(HTTP2)
    this.#two.on('stream', (stream, headers) => {
      const { session } = stream
      this.#heed(session && this.#known.get(session), ofTwo(stream, headers))
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

  #heed(known: Known | undefined, exchange: Exchange): void {
    const { body, end, request } = exchange
    body.on('error', () => undefined) // its connection tells
    end.on('error', () => undefined)
    if (known === undefined) return
    known.underWay += 1
    end.on('close', () => {
      known.underWay -= 1
      if (known.isLast && known.underWay === 0) known.leave()
    })
    const asking = askingOf(request, known.visitor.path)
    if (asking.kind === 'body') {
      gather(known, exchange)
      return
    }
    body.resume()
    if (asking.kind === 'refused') refuse(exchange, asking.status)
    else answer(known, asking.message, exchange)
  }
}

/** Why not the classes that Node has for both: of HTTP/2 they end with a frame of no octets. */
function ofTwo(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Exchange {
  const { ':method': method = '', ':path': target = '' } = headers
  const { 'content-length': length, 'content-type': type } = headers
  return {
    request: { method, target, type, length },
    body: stream,
    end: stream,
    isAborted: () => stream.aborted,
    isAnswered: () => stream.headersSent,
    reply(status, more, body) {
      if (stream.destroyed || stream.closed) return
      stream.respond({ ':status': status, ...more }, { endStream: body === undefined })
      if (body !== undefined) stream.end(body)
    },
  }
}

function ofOne(request: IncomingMessage, response: ServerResponse): Exchange {
  const { headers, method = '', url: target = '' } = request
  const { 'content-length': length, 'content-type': type } = headers
  return {
    request: { method, target, type, length },
    body: request,
    end: response,
    isAborted: () => request.aborted,
    isAnswered: () => response.headersSent,
    reply: (status, more, body) => void response.writeHead(status, more).end(body),
  }
}

function gather(known: Known, exchange: Exchange): void {
  const chunks: Uint8Array[] = []
  let size = 0
  exchange.body.on('data', (chunk: Uint8Array) => {
    if (exchange.isAnswered()) return
    if (size + chunk.length > MOST_BODY) {
      refuse(exchange, 413)
      return
    }
    size += chunk.length
    chunks.push(chunk)
    hold(known, chunk.length)
  })
  exchange.body.on('end', () => {
    if (exchange.isAnswered() || exchange.isAborted()) return
    if (size < HEADER) refuse(exchange, 400)
    else answer(known, Buffer.concat(chunks), exchange)
  })
  exchange.end.on('close', () => hold(known, -size))
}

function knownOf(visitor: Visitor, leave: () => void): Known {
  return { visitor, held: 0, underWay: 0, isLast: false, leave }
}

function hold(known: Known, octets: number): void {
  known.held += octets
  known.visitor.weigh(known.held)
}

function answer(known: Known, message: Uint8Array, exchange: Exchange): void {
  const reply = known.visitor.answer(message)
  if (reply === 'fault') refuse(exchange, 500)
  else if (reply === 'silent')
    refuse(exchange, 400) // it is no query
  else {
    const body = Buffer.from(reply)
    const headers = {
      'content-type': DNS_MESSAGE,
      'content-length': body.length,
      'cache-control': freshness(body),
    }
    hold(known, body.length)
    exchange.end.on('close', () => hold(known, -body.length))
    const isAsked = exchange.request.method !== 'HEAD'
    exchange.reply(200, headers, isAsked ? body : undefined) // RFC 8484 §4.2.1: whatever the RCODE
  }
}

/** Private (RFC 9111 §5.2.2.7): who asks may decide what is answered. */
function freshness(reply: Uint8Array): string {
  const seconds = lifetime(reply)
  return seconds > 0 ? `private, max-age=${seconds}` : 'no-store'
}

function refuse({ reply }: Exchange, status: number): void {
  const headers = { 'content-length': 0, 'cache-control': 'no-store' }
  reply(status, { ...headers, ...(MORE[status] ?? {}) }, undefined)
}

/** What a refusal says besides: RFC 9110 §15.5.6, §15.5.16. */
const MORE: Readonly<Record<number, Headers>> = {
  405: { allow: METHODS },
  415: { accept: DNS_MESSAGE },
}
