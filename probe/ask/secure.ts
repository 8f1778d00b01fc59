/**
 * Opens one TLS connection to a server and looks at who is there before anything is sent. Knows
 * neither DNS nor HTTP.
 */

import { isIP } from 'node:net'
import { type ConnectionOptions, checkServerIdentity, connect, type TLSSocket } from 'node:tls'
import { objection } from './certificate.ts'
import { demandOf, leavingFrom, type Server } from './server.ts'
import { type Broken, type Denied, unreachable } from './wire.ts'

export type Opened = { readonly socket: TLSSocket }

export function isOpened(value: Opened | Denied | Broken): value is Opened {
  return typeof value === 'object' && 'socket' in value
}

/**
 * @param protocols offered by ALPN, RFC 7301
 * @param session of an earlier connection to the same server, to be resumed
 */
export function openTls(
  server: Server,
  protocols: readonly string[],
  forMs: number,
  session?: Buffer,
): Promise<Opened | Denied | Broken> {
  return new Promise(resolve => {
    const socket = connect(optionsOf(server, protocols, session))
    let reached = false
    const end = (outcome: Denied | Broken): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(outcome)
    }
    const timer = setTimeout(() => end('timeout'), forMs)
    socket.once('connect', () => {
      reached = true
    })
    // stays: an error after this promise is settled must not end the process
    socket.on('error', cause => end(reached ? noHandshake(cause) : unreachable(cause)))
    const gone = (): void => end(noHandshake(undefined))
    socket.once('close', gone)
    socket.once('secureConnect', () => {
      const why = objection(socket, server)
      if (why !== undefined) return end({ error: 'certificate', why })
      clearTimeout(timer)
      socket.removeListener('close', gone)
      socket.setNoDelay(true)
      resolve({ socket })
    })
  })
}

function optionsOf(
  server: Server,
  protocols: readonly string[],
  session: Buffer | undefined,
): ConnectionOptions {
  const name = server.secure?.name ?? server.address
  return {
    host: server.address,
    port: server.port,
    ...leavingFrom(server.origin),
    // RFC 6066 §3: no address is sent as a name
    servername: isIP(name.replace(/%.*$/, '')) === 0 ? name : '',
    ALPNProtocols: [...protocols],
    minVersion: 'TLSv1.2',
    // `objection` decides, so that it can say why
    rejectUnauthorized: false,
    checkServerIdentity: (_, certificate) =>
      demandOf(server) === 'name' ? checkServerIdentity(name, certificate) : undefined,
    ...(server.secure?.ca === undefined ? {} : { ca: server.secure.ca.pem }),
    ...(session === undefined ? {} : { session }),
  }
}

function noHandshake(cause: Error | undefined): Denied {
  const code = cause !== undefined && 'code' in cause ? String(cause.code) : 'closed'
  const reason = /WRONG_VERSION|PACKET_LENGTH/.test(code) ? 'what is there is no TLS' : code
  return { error: 'handshake', why: `TLS does not come about: ${reason}` }
}
