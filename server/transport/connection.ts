/**
 * The life of one TCP connection, from when it is accepted: a balancer says whose it is (PROXY), TLS
 * shakes hands, then DNS is spoken over it, or HTTP. Until the first whole message no part of that may
 * take longer than a connection may be idle. Knows neither the other connections nor the time: its
 * house tells it when to go.
 */
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Peer } from '../answer/peer.ts'
import type { Address } from '../dns/address.ts'
import { type Answer, Conversation, type Host, type Talk } from './conversation.ts'
import type { Guest } from './crowd.ts'
import type { Handshakes } from './handshakes.ts'
import { NO_HEADER, readProxyHeader, WAIT } from './proxy.ts'
import type { Visitor } from './web.ts'

/** What is spoken: messages behind their lengths, the same inside TLS (RFC 7858), or HTTPS (RFC 8484). */
export type Over = 'dns' | 'tls' | 'https'

/** How a listener takes connections. */
export type Manner = {
  readonly over: Over
  /** From whom a header of the PROXY protocol is required; from all others it is refused. */
  readonly isBalancer: (address: Address) => boolean
  /** Of what is over TLS. */
  readonly handshakes?: Handshakes | undefined
  /** Of HTTPS: where queries are taken. */
  readonly path: string
}

/** Protocols inside TLS, best first. RFC 7301; a client that says nothing of it is served too. */
export const PROTOCOLS = { tls: ['dot'], https: ['h2', 'http/1.1'] } as const

/** Octets that TLS, and HTTP inside it, take up for each connection, as far as is known: more than was seen. */
const OWN_WEIGHT = { dns: 0, tls: 48 << 10, https: 96 << 10 } as const

/** What a connection asks of whoever has them all. */
export type House = {
  readonly answer: (connection: Connection, message: Uint8Array) => Answer
  /** It has told whose it is. */
  readonly introduced: (connection: Connection) => void
  /** Has it shake hands when it is its turn. */
  readonly inTurn: (work: () => void) => void
  /** Speaks HTTP over it. */
  readonly serveWeb: (socket: TLSSocket, visitor: Visitor) => Talk
  readonly weigh: (connection: Connection, octets: number) => void
  readonly counted: (what: Happened) => void
  readonly left: (connection: Connection) => void
}

/**
 * `broken` framing; `errors` a reset, for example; `unproxied` no header where one is required;
 * `handshakes` TLS is established; `unsecured` it could not be.
 */
export type Happened = 'broken' | 'errors' | 'unproxied' | 'handshakes' | 'unsecured'

/** What comes of waiting for a header. */
type Header = { readonly taken: () => void; readonly refused: (held: Uint8Array) => void }

/** How a connection begins over which TLS is spoken: RFC 8446 §5.1. */
const TLS_HANDSHAKE = 0x16

export class Connection implements Guest, Host {
  readonly peer: Peer
  source: string
  usedAt: number
  /** Octets that it takes up. */
  weight = 0
  readonly #socket: Socket
  readonly #house: House
  #ownWeight = 0
  /** Absent before DNS or HTTP is spoken. */
  #talk: Talk | undefined
  readonly #giveUp = () => this.cut()

  constructor(socket: Socket, peer: Peer, guest: Guest, house: House) {
    this.peer = peer
    this.source = guest.source
    this.usedAt = guest.usedAt
    this.#socket = socket
    this.#house = house
    socket.on('end', this.#giveUp)
    socket.on('error', () => house.counted('errors'))
    socket.on('close', () => house.left(this))
  }

  /** @param proxied `yes`: a header comes before all else, or before all that is inside TLS */
  begin(manner: Manner, proxied: 'yes' | 'no'): void {
    if (proxied === 'no') {
      this.#enter(manner, tls => this.#talkOver(tls, manner))
      return
    }
    this.#takeHeader(this.#socket, {
      taken: () => this.#enter(manner, tls => this.#talkOver(tls, manner)),
      refused: held => {
        // haproxy says it before TLS, dnsdist inside.
        const isInside = manner.over !== 'dns' && held[0] === TLS_HANDSHAKE
        if (!isInside) return this.#refuse()
        this.#socket.unshift(held)
        this.#enter(manner, tls =>
          this.#takeHeader(tls, {
            taken: () => this.#talkOver(tls, manner),
            refused: () => this.#refuse(),
          }),
        )
      },
    })
  }

  #refuse(): void {
    this.#house.counted('unproxied')
    this.cut()
  }

  #takeHeader(socket: Socket, then: Header): void {
    let held: Uint8Array = new Uint8Array(0)
    const hear = () => {
      const chunk: Uint8Array | undefined = socket.read() ?? undefined
      if (chunk === undefined) return
      held = Buffer.concat([held, chunk])
      const size = readProxyHeader(held, this.peer)
      if (size === WAIT) return
      socket.off('readable', hear)
      if (size === NO_HEADER) {
        then.refused(held)
        return
      }
      if (size < held.length) socket.unshift(held.subarray(size))
      this.#house.introduced(this)
      if (!socket.destroyed) then.taken()
    }
    socket.on('readable', hear)
  }

  answer(message: Uint8Array): Answer {
    return this.#house.answer(this, message)
  }

  broke(): void {
    this.#house.counted('broken')
  }

  weigh(octets: number): void {
    this.#house.weigh(this, this.#ownWeight + octets)
  }

  /** Answers what has come whole; whoever has not got so far is sent away. */
  finish(): void {
    if (this.#talk === undefined) this.cut()
    else this.#talk.finish()
  }

  /** Ends it at once, replies not yet sent included. */
  cut(): void {
    this.#socket.destroy()
  }

  /** Waits until nothing is left of it. */
  ended(): Promise<void> {
    const socket = this.#socket
    return socket.closed ? Promise.resolve() : new Promise(gone => socket.once('close', gone))
  }

  /** @param secured is called once there is TLS; of plain DNS there is none */
  #enter(manner: Manner, secured: (tls: TLSSocket) => void): void {
    const { handshakes, over } = manner
    if (over === 'dns' || handshakes === undefined) {
      this.#socket.off('end', this.#giveUp)
      this.#talk = new Conversation(this.#socket, this)
      return
    }
    this.peer.transport = over
    this.#house.inTurn(() => {
      if (this.#socket.destroyed) return
      this.#ownWeight = OWN_WEIGHT[over]
      this.weigh(0)
      this.#shakeHands(handshakes, secured)
    })
  }

  #shakeHands(handshakes: Handshakes, secured: (tls: TLSSocket) => void): void {
    let isSecure = false
    this.#socket.once('close', () => {
      if (!isSecure) this.#house.counted('unsecured')
    })
    handshakes.begin(this.#socket, tls => {
      isSecure = true
      this.#house.counted('handshakes')
      tls.on('error', () => this.#house.counted('errors'))
      secured(tls)
    })
  }

  #talkOver(tls: TLSSocket, { over, path }: Manner): void {
    if (over !== 'https') {
      this.#talk = new Conversation(tls, this)
      return
    }
    this.#talk = this.#house.serveWeb(tls, {
      path,
      answer: message => this.answer(message),
      weigh: octets => this.weigh(octets),
    })
  }
}
