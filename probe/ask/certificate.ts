/**
 * Whether the one at the other end of a TLS connection is who it should be, and if not, why, in plain
 * words. RFC 8310 §8, RFC 7858 §4.2. Opens nothing.
 */

import { createHash, X509Certificate } from 'node:crypto'
import type { DetailedPeerCertificate, PeerCertificate, TLSSocket } from 'node:tls'
import { shownText } from './name.ts'
import { demandOf, type Server } from './server.ts'

/** What speaks against the other end; `undefined`: nothing. */
export function objection(socket: TLSSocket, server: Server): string | undefined {
  // who resumes has been looked at before, and his chain does not come again
  if (socket.isSessionReused()) return undefined
  const pins = server.secure?.pins ?? []
  const keys = pins.length === 0 ? [] : keysOf(socket.getPeerCertificate(true))
  if (pins.length > 0 && !keys.some(key => pins.includes(key))) {
    return `no key of its certificates is pinned; its own is ${keys[0] ?? 'missing'}`
  }
  if (demandOf(server) !== 'name' || socket.authorized) return undefined
  return refusal(String(socket.authorizationError), socket.getPeerCertificate(), server)
}

// biome-ignore format: table
const REASONS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT:       'the certificate is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN:         'the certificate is signed by nobody who is trusted',
  UNABLE_TO_GET_ISSUER_CERT:         'the certificate is signed by nobody who is trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is signed by nobody who is trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:   'the certificate is signed by nobody who is trusted',
  CERT_REVOKED:                      'the certificate was revoked',
}

/** @param code of OpenSSL, or of Node.js where the name is wrong */
function refusal(code: string, certificate: PeerCertificate, server: Server): string {
  if (code === 'CERT_HAS_EXPIRED') {
    return `the certificate ended on ${dayOf(certificate.valid_to)}`
  }
  if (code === 'CERT_NOT_YET_VALID') {
    return `the certificate begins only on ${dayOf(certificate.valid_from)}`
  }
  if (code !== 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return REASONS[code] ?? `the certificate is not accepted (${code})`
  }
  const wanted = server.secure?.name ?? server.address
  return `the certificate is for ${namesOf(certificate)}, not for ${wanted}`
}

const MOST_NAMES = 4

function namesOf(certificate: PeerCertificate): string {
  const listed = (certificate.subjectaltname ?? '').split(', ').filter(name => name !== '')
  const names = listed.map(name => name.replace(/^(DNS|IP Address):/, ''))
  if (names.length === 0) return 'no name'
  const more = names.length > MOST_NAMES ? ' …' : ''
  return shown(names.slice(0, MOST_NAMES).join(', ')) + more
}

/** Certificates are written by strangers. */
function shown(text: string): string {
  return shownText(Buffer.from(text.slice(0, 300)))
}

/** `2026-11-30` of OpenSSL's `Nov 30 12:00:00 2026 GMT`. */
function dayOf(text: string): string {
  const date = new Date(text)
  return Number.isNaN(date.valueOf()) ? shown(text) : date.toISOString().slice(0, 10)
}

const DEEPEST = 10

/**
 * The keys of the chain, the server's own first, as RFC 7858 §4.2 pins them. Only as far as each
 * certificate is really signed by the next: anybody can send one that is not his.
 */
function keysOf(first: DetailedPeerCertificate): readonly string[] {
  const keys: string[] = []
  let at: DetailedPeerCertificate | undefined = first
  let below: X509Certificate | undefined
  while (at?.raw !== undefined && keys.length < DEEPEST) {
    const certificate = new X509Certificate(at.raw)
    if (below !== undefined && !below.verify(certificate.publicKey)) break
    keys.push(pinOf(certificate))
    below = certificate
    at = at.issuerCertificate === at ? undefined : at.issuerCertificate
  }
  return keys
}

/** SHA-256 over SubjectPublicKeyInfo, base64. */
export function pinOf(certificate: X509Certificate): string {
  const key = certificate.publicKey.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(key).digest('base64')
}
