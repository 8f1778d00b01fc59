/**
 * DNS messages in HTTP requests, RFC 8484, and the questions of JSON services beside them. Knows what
 * a good HTTP reply is; what stands in it is read elsewhere.
 */

import type { HttpReply, HttpRequest, Outcome } from './http.ts'
import type { Secure, Server } from './server.ts'
import type { Denied, Streamed } from './wire.ts'

const MESSAGE = 'application/dns-message'
const JSON_TYPE = 'application/dns-json'

/** @param sent a DNS message; for `json` the query of its URL */
export function httpRequest(server: Server, sent: Uint8Array): HttpRequest {
  const { path = '/', method = 'post' }: Partial<Secure> = server.secure ?? {}
  if (server.transport === 'json') {
    return got(extended(path, Buffer.from(sent).toString('latin1')), JSON_TYPE)
  }
  if (method === 'get') {
    return got(extended(path, `dns=${Buffer.from(sent).toString('base64url')}`), MESSAGE)
  }
  // BIND 9.18 answers 400 where HTTP/2 leaves the length out, as it may
  const length = String(sent.length)
  const headers = { accept: MESSAGE, 'content-type': MESSAGE, 'content-length': length }
  return { method: 'POST', path, headers, body: sent }
}

/** What an HTTP reply is worth; only 2xx with the right Content-Type holds an answer. §4.2.1 */
export function streamedOf(server: Server, outcome: Outcome): Streamed {
  if (typeof outcome === 'string' || 'why' in outcome) return outcome
  return fault(server, outcome) ?? message(outcome)
}

function got(path: string, accept: string): HttpRequest {
  return { method: 'GET', path, headers: { accept }, body: undefined }
}

function extended(path: string, query: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${query}`
}

function fault({ transport }: Server, { status, type }: HttpReply): Denied | undefined {
  if (status < 200 || status > 299) return { error: 'http', why: `HTTP status ${status}` }
  const good = transport === 'json' ? /[/+.-](json|javascript)$/.test(type) : type === MESSAGE
  if (good) return undefined
  const wanted = transport === 'json' ? JSON_TYPE : MESSAGE
  const shown = /^[a-z0-9/+.-]{1,60}$/.test(type) ? type : 'no usable type'
  return { error: 'http', why: `HTTP content of ${shown} instead of ${wanted}` }
}

function message({ body, ageSeconds }: HttpReply): Streamed {
  return { octets: body, oddities: [], ageSeconds }
}
