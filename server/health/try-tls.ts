/**
 * Opens a TLS connection on an operator's terms: whose certificate it must be, who must have signed
 * it, and for how many days it must still be good. And the try that wants no more than that.
 */
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import type { TlsTerms, Trial } from '../steer/trial.ts'
import { Failure, type Limit } from './try-limit.ts'
import { NAMES, only } from './try-name.ts'
import { reached } from './try-tcp.ts'
import { passed, type Told } from './try-told.ts'

/** What to open, besides the terms. */
export type Opening = {
  readonly port: number
  readonly place: string
  /** A protocol without which the connection is of no use. */
  readonly protocol?: 'h2'
}

const DAY_MS = 86_400_000

export async function tryTls(
  trial: Extract<Trial, { kind: 'tls' }>,
  place: string,
  limit: Limit,
): Promise<Told> {
  const socket = await secured(trial.tls, { port: trial.port, place }, limit)
  const protocol = socket.getProtocol() ?? 'TLS'
  socket.destroy()
  return passed(`handshake of ${protocol}`)
}

/** A connection of its own; whoever asked for it destroys it. */
export async function secured(terms: TlsTerms, opening: Opening, limit: Limit): Promise<TLSSocket> {
  const lookup = only(await NAMES.addresses(opening.place, limit))
  const socket = connect({ ...optionsOf(terms, opening), lookup })
  await reached(socket, 'connect', limit, 'connection')
  await reached(socket, 'secureConnect', limit, 'TLS handshake')
  const flaw = flawOf(socket, terms, opening)
  if (flaw === undefined) return socket
  socket.destroy()
  throw new Failure(flaw)
}

function optionsOf({ ca, name, verify }: TlsTerms, opening: Opening): ConnectionOptions {
  const { port, place, protocol } = opening
  return {
    port,
    host: place,
    rejectUnauthorized: verify === 'on',
    ...(ca === undefined ? {} : { ca: ca.pem }),
    ...(protocol === undefined ? {} : { ALPNProtocols: [protocol] }),
    ...(name === undefined ? { checkServerIdentity: () => undefined } : { servername: name }),
  }
}

function flawOf(socket: TLSSocket, { days }: TlsTerms, { protocol }: Opening): string | undefined {
  if (protocol !== undefined && socket.alpnProtocol !== protocol) {
    return 'the server does not offer HTTP/2'
  }
  if (days === 0) return undefined
  const end = Date.parse(socket.getPeerCertificate().valid_to ?? '')
  if (Number.isNaN(end)) return 'the certificate has no date that can be read'
  if (end - Date.now() >= days * DAY_MS) return undefined
  const date = new Date(end).toISOString().slice(0, 10)
  return `the certificate ends on ${date}, and must be good for ${days} days`
}
