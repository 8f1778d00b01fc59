/**
 * Whom to ask: the `@server` words of the command line, and one server with everything needed to
 * send to it. Resolves nothing.
 */

import { readAddress } from '../plan/subnet.ts'
import { type Wrong, wrong } from '../plan/wrong.ts'

/** `json`: a service that answers in JSON over HTTPS, such as dns.google/resolve. */
export type Transport = 'udp' | 'tcp' | 'tls' | 'https' | 'json'

/** What an encrypted server needs beside its address. */
export type Secure = {
  /** Name its certificate must be for; absent: none is known, and `tls` takes any. RFC 8310 §5. */
  readonly name: string | undefined
  /** SHA-256 of a public key, base64: one of them must be in the chain. RFC 7858 §4.2. */
  readonly pins: readonly string[]
  /** Certificates to trust instead of the system's. */
  readonly ca: { readonly path: string; readonly pem: string } | undefined
  /** Path of the URL; empty for `tls`. */
  readonly path: string
  readonly method: 'post' | 'get'
}

/** An address of this machine that queries leave from. */
export type Origin = {
  readonly address: string
  /** For UDP; absent: a random one each time. RFC 5452 §9.2. */
  readonly port: number | undefined
}

/** One address to ask. */
export type Server = {
  readonly address: string
  readonly port: number
  readonly transport: Transport
  readonly recursion: 'desired' | 'not-desired'
  /** Where it is asked from; absent: wherever the system likes. */
  readonly origin?: Origin
  /** Absent for `udp` and `tcp`. */
  readonly secure?: Secure
}

export type ServerWord =
  /** The name servers of the zone asked about, themselves. */
  | { readonly kind: 'auth' }
  /** The resolver of the operating system. */
  | { readonly kind: 'system' }
  | {
      readonly kind: 'host'
      /** Address or host name. */
      readonly host: string
      readonly port: number | undefined
      readonly transport: Transport | undefined
      /** Name its certificate is for, where that is not `host`. */
      readonly name?: string
      /** Of the URL, with its `/`. */
      readonly path?: string
    }

/** Resolvers with a word of their own: address, name of the certificate, path of the JSON service. */
// biome-ignore format: table
const KNOWN_RESOLVERS = new Map([
  ['google',     { host: '8.8.8.8',  name: 'dns.google',         json: '/resolve' }],
  ['quad9-ecs',  { host: '9.9.9.11', name: 'dns11.quad9.net',    json: '/dns-query' }],
  ['cloudflare', { host: '1.1.1.1',  name: 'cloudflare-dns.com', json: '/dns-query' }],
])

/** RFC 1035 §4.2, RFC 7858 §3.1, RFC 8484. */
export const PORTS: Readonly<Record<Transport, number>> = {
  udp: 53, tcp: 53, tls: 853, https: 443, json: 443,
} // biome-ignore format: one line

/** The path where the word names none: RFC 8484's custom, and Google's. */
export const PATHS = { https: '/dns-query', json: '/resolve' } as const

/**
 * How a server is named in output: `192.0.2.1#53`, `tls://192.0.2.1#853`, and a URL for the rest,
 * `https` or `json` before its host.
 */
export function serverText(server: Server): string {
  const { address, port, transport, secure } = server
  if (transport === 'udp' || transport === 'tcp') return `${address}#${port}`
  if (transport === 'tls') return `tls://${secure?.name ?? address}#${port}`
  return `${transport}://${authorityOf(server)}${secure?.path ?? ''}`
}

/** A server that is only spoken of, by what `serverText` calls it. */
export function serverNamed(text: string): Server {
  const word = readServer(text)
  const {
    host,
    port,
    transport = 'udp',
    path = '',
  } = 'kind' in word && word.kind === 'host' ? word : { host: text, port: undefined }
  const place = { address: host, port: port ?? PORTS[transport], transport } as const
  if (transport === 'udp' || transport === 'tcp') return { ...place, recursion: 'not-desired' }
  const secure = { name: undefined, pins: [], ca: undefined, path, method: 'post' } as const
  return { ...place, recursion: 'not-desired', secure }
}

/** What a server must show: a certificate for its name, a pinned key, or (RFC 8310 §5) nothing. */
export function demandOf({ transport, secure }: Server): 'name' | 'pin' | 'nothing' {
  if (secure?.name !== undefined || secure?.ca !== undefined) return 'name'
  if (secure !== undefined && secure.pins.length > 0) return 'pin'
  return transport === 'tls' ? 'nothing' : 'name'
}

/** Host and port as they stand in a URL; 443 is left out. */
export function authorityOf({ address, port, secure }: Server): string {
  const host = secure?.name ?? address
  const bracketed = host.includes(':') ? `[${host}]` : host
  return port === PORTS.https ? bracketed : `${bracketed}:${port}`
}

/**
 * Reads `auth`, `system`, a resolver's own word, or `[SCHEME://]host[#port|:port][/path]` with IPv6 in brackets
 * where a `:port` follows.
 *
 * @param word without the `@`
 */
export function readServer(word: string): ServerWord | Wrong {
  if (word === 'auth') return { kind: 'auth' }
  if (word === 'system') return { kind: 'system' }
  const scheme = /^([a-z0-9+.-]+):\/\/(.*)$/i.exec(word)
  const transport = transportOf(scheme?.[1]?.toLowerCase(), word)
  if (typeof transport === 'object') return transport
  const url = transport === 'https' || transport === 'json'
  const { rest, path } = url ? parted(scheme?.[2] ?? '') : { rest: scheme?.[2] ?? word, path: '' }
  const { host, port } = hostAndPort(rest.replace(/\/$/, ''))
  const number = port === undefined ? undefined : readPort(port)
  if (port !== undefined && number === undefined) {
    return wrong(`@${word}: "${port}" is not a port`, 'write 1 to 65535')
  }
  if (!/^[0-9a-z._:%-]+$/i.test(host) || !/^[!-~]*$/.test(path)) {
    return wrong(
      `@${word}: not an address or a host name`,
      'write @192.0.2.1, @192.0.2.1:5353 or @[2001:db8::1]:5353',
    )
  }
  const resolver = KNOWN_RESOLVERS.get(host)
  const known = resolver && {
    name: resolver.name,
    ...(transport === 'json' && { path: resolver.json }),
  }
  const place = { host: resolver?.host ?? host, port: number, transport }
  return { kind: 'host', ...place, ...known, ...(path !== '' && { path }) }
}

/** A URL's authority and path; the template of RFC 8484 §4.1 may end in `{?dns}`. */
function parted(text: string): { rest: string; path: string } {
  const slash = text.indexOf('/')
  const whole = text.replace(/\{\?dns\}$/, '')
  if (slash < 0) return { rest: whole, path: '' }
  const path = whole.slice(slash)
  return { rest: text.slice(0, slash), path: path === '/' ? '' : path }
}

/** Reads `address` or `address#port`; undefined where it is neither. */
export function readOrigin(text: string): Origin | undefined {
  const { host, port } = hostAndPort(text)
  const number = port === undefined ? undefined : readPort(port)
  if (port !== undefined && number === undefined) return undefined
  if (readAddress(host.replace(/%.*$/, '')) === undefined) return undefined
  return { address: host, port: number }
}

/** For a connection: the system gives it a port, as one that was in use rests for minutes. RFC 9293 §3.6. */
export function leavingFrom(origin: Origin | undefined): { readonly localAddress?: string } {
  return origin === undefined ? {} : { localAddress: origin.address }
}

/** @param address with or without a zone after `%` */
export function familyOf(address: string): 4 | 6 {
  return address.includes(':') ? 6 : 4
}

/** 1 to 65535, or `undefined`. */
export function readPort(text: string): number | undefined {
  if (!/^[0-9]{1,5}$/.test(text)) return undefined
  const port = Number(text)
  return port >= 1 && port <= 65535 ? port : undefined
}

const QUIC = new Set(['quic', 'doq', 'h3'])

function isTransport(scheme: string): scheme is Transport {
  return Object.hasOwn(PORTS, scheme)
}

function transportOf(scheme: string | undefined, word: string): Transport | undefined | Wrong {
  if (scheme === undefined || isTransport(scheme)) return scheme
  if (QUIC.has(scheme)) {
    return wrong(
      `@${word}: ${scheme}:// is not supported, as Node.js 20 has no QUIC`,
      'use tls:// or https://, which the same servers offer',
    )
  }
  return wrong(`@${word}: ${scheme}:// is not known`, 'udp, tcp, tls, https or json before ://')
}

function hostAndPort(text: string): { host: string; port: string | undefined } {
  const bracketed = /^\[([^\]]*)\](?:[#:](.*))?$/.exec(text)
  if (bracketed !== null) return { host: bracketed[1] ?? '', port: bracketed[2] }
  const hash = text.lastIndexOf('#')
  if (hash >= 0) return { host: text.slice(0, hash), port: text.slice(hash + 1) }
  const colon = text.indexOf(':')
  const only = colon >= 0 && colon === text.lastIndexOf(':')
  if (only && readAddress(text) === undefined) {
    return { host: text.slice(0, colon), port: text.slice(colon + 1) }
  }
  return { host: text, port: undefined }
}
