/**
 * TLS over connections that others have accepted: shakes hands with a certificate that may change
 * meanwhile. Knows neither files nor what is spoken afterwards.
 */
import type { Socket } from 'node:net'
import { createServer, type SecureContextOptions, type Server, type TLSSocket } from 'node:tls'

/** What encrypts. */
export type Secrets = Pick<SecureContextOptions, 'cert' | 'key' | 'ticketKeys'>

/** For how many seconds a session can be resumed: RFC 8446 §4.6.1 allows a week. */
const TICKET_SECONDS = 7200

export class Handshakes {
  readonly #server: Server
  /** Who waits for TLS, by who is at either end: Node tells of it with another socket. */
  readonly #waiting = new Map<string, (socket: TLSSocket) => void>()

  /** @param protocols to be agreed upon inside TLS, best first; who says nothing is served too */
  constructor(protocols: readonly string[], secrets: Secrets) {
    this.#server = createServer({ ...settings(secrets), ALPNProtocols: [...protocols] })
    this.#server.on('secureConnection', socket => {
      socket.disableRenegotiation() // of TLS 1.2: whoever asks has us work for nothing
      const secured = this.#waiting.get(endsOf(socket))
      this.#waiting.delete(endsOf(socket))
      if (secured === undefined) socket.destroy()
      else secured(socket)
    })
  }

  /** From now on; what is open stays as it is, and sessions can still be resumed. */
  use(secrets: Secrets): void {
    this.#server.setSecureContext(settings(secrets))
  }

  /** @param secured is called once TLS is there; where it cannot be, the socket is destroyed */
  begin(socket: Socket, secured: (socket: TLSSocket) => void): void {
    const ends = endsOf(socket)
    this.#waiting.set(ends, secured)
    socket.once('close', () => {
      if (this.#waiting.get(ends) === secured) this.#waiting.delete(ends)
    })
    this.#server.emit('connection', socket)
  }
}

function settings({ cert, key, ticketKeys }: Secrets) {
  return {
    ...{ cert, key, ticketKeys },
    minVersion: 'TLSv1.2', // RFC 9325 §3.1.1
    sessionTimeout: TICKET_SECONDS,
    sessionIdContext: 'lbdns',
  } as const
}

function endsOf({ localAddress, localPort, remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`
}
