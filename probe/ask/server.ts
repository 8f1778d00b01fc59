/**
 * Whom to ask: the `@server` words of the command line, and one server with everything needed to
 * send to it. Resolves nothing.
 */

import { readAddress } from '../plan/subnet.ts'
import { type Wrong, wrong } from '../plan/wrong.ts'

export type Transport = 'udp' | 'tcp'

/** One address to ask. */
export type Server = {
  readonly address: string
  readonly port: number
  readonly transport: Transport
  readonly recursion: 'desired' | 'not-desired'
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
    }

const ALIASES = new Map([
  ['google', '8.8.8.8'],
  ['quad9-ecs', '9.9.9.11'],
  ['cloudflare', '1.1.1.1'],
])

/** How a server is named in output: `192.0.2.1#53`. */
export function serverText(server: Server): string {
  return `${server.address}#${server.port}`
}

/**
 * Reads `auth`, `system`, an alias, or `[udp://|tcp://]host[#port|:port]` with IPv6 in brackets
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
  const rest = (scheme?.[2] ?? word).replace(/\/$/, '')
  const { host, port } = hostAndPort(rest)
  const number = port === undefined ? undefined : readPort(port)
  if (port !== undefined && number === undefined) {
    return wrong(`@${word}: "${port}" is not a port`, 'write 1 to 65535')
  }
  if (!/^[0-9a-z._:%-]+$/i.test(host)) {
    return wrong(
      `@${word}: not an address or a host name`,
      'write @192.0.2.1, @192.0.2.1:5353 or @[2001:db8::1]:5353',
    )
  }
  return { kind: 'host', host: ALIASES.get(host) ?? host, port: number, transport }
}

/** 1 to 65535, or `undefined`. */
export function readPort(text: string): number | undefined {
  if (!/^[0-9]{1,5}$/.test(text)) return undefined
  const port = Number(text)
  return port >= 1 && port <= 65535 ? port : undefined
}

function transportOf(scheme: string | undefined, word: string): Transport | undefined | Wrong {
  if (scheme === undefined) return undefined
  if (scheme === 'udp' || scheme === 'tcp') return scheme
  return wrong(`@${word}: ${scheme}:// is not supported yet`, 'use udp:// or tcp://')
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
