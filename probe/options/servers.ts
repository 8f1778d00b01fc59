/** Whom to ask and how: the flags of every command that asks a server. */

import { DEFAULT_MANNER } from '../ask/ask.ts'
import type { Security } from '../ask/find.ts'
import type { Families } from '../ask/nameservers.ts'
import { familyOf, type Origin, readOrigin, type Server, type Transport } from '../ask/server.ts'
import { wrong } from '../plan/wrong.ts'
import type { Aliases } from '../words.ts'
import { collected, type FlagRow, listed, Misuse, portOf, whole } from './read.ts'

export type ServerFlags = {
  readonly type?: readonly string[]
  readonly server?: readonly string[]
  readonly auth?: true
  readonly resolver?: true
  readonly port?: string
  readonly bind?: readonly string[]
  readonly ipv4?: true
  readonly ipv6?: true
  readonly tlsHost?: string
  readonly tlsPin?: readonly string[]
  readonly tlsCa?: string
  readonly httpsGet?: true
}

export type ServerOptions = {
  readonly port: number | undefined
  readonly families: Families
  /** One a family at most. */
  readonly origins: readonly Origin[]
  readonly transport: Transport | undefined
  readonly recursion: Server['recursion']
  readonly size: number
  readonly secure: SecureOptions
}

/** How encrypted servers are to prove who they are; the authorities' file is not read yet. */
export type SecureOptions = Omit<Security, 'ca'> & { readonly caFile: string | undefined }

// biome-ignore format: table
export const SERVER_FLAGS: readonly FlagRow[] = [
  ['-t, --type <type>', 'record type; may repeat (default: A,AAAA)', listed],
  ['-s, --server <server>', 'whom to ask, as @server; may repeat', collected],
  ['-A, --auth', 'ask the zone\'s own name servers (the default): @auth'],
  ['--resolver', 'ask the system\'s resolver: @system'],
  ['-p, --port <number>', 'port of the servers (default: 53)'],
  ['-b, --bind <address>', 'ask from this address (#port: UDP only); once a family', collected],
  ['-4, --ipv4', 'ask over IPv4 only'],
  ['-6, --ipv6', 'ask over IPv6 only'],
  ['--tls-host <name>', 'tls, https: the certificate must be for this name'],
  ['--tls-pin <base64>', 'tls, https: … and have a key of this SHA-256; may repeat', collected],
  ['--tls-ca <file>', 'tls, https: … and be signed by one of these, not the system\'s (PEM)'],
  ['--https-get', 'https: GET instead of POST'],
  ['--debug', 'every message, sent and received, as octets on stderr'],
]

export function serverOptions(flags: ServerFlags, aliases: Aliases): ServerOptions {
  return {
    port: flags.port === undefined ? undefined : portOf(flags.port),
    ...leaving(flags),
    transport: aliases.transport,
    recursion: aliases.recursion ?? 'desired',
    secure: secureOptions(flags, aliases),
    size: whole('+bufsize', aliases.size ?? String(DEFAULT_MANNER.size), 512, 65_535),
  }
}

function secureOptions(flags: ServerFlags, aliases: Aliases): SecureOptions {
  const name = flags.tlsHost ?? aliases.tlsHost
  if (name !== undefined && !/^[0-9a-z._:-]{1,253}$/i.test(name)) {
    throw new Misuse(wrong(`--tls-host ${name}: not a host name`, 'such as dns.example.com'))
  }
  const path = aliases.https?.path
  if (path !== undefined && !/^\/[!-~]*$/.test(path)) {
    throw new Misuse(wrong(`+https=${path}: not the path of a URL`, 'such as /dns-query'))
  }
  return {
    name,
    pins: [...(flags.tlsPin ?? []), ...(aliases.tlsPins ?? [])].map(pinOf),
    caFile: flags.tlsCa ?? aliases.tlsCa,
    method: flags.httpsGet ? 'get' : (aliases.https?.method ?? 'post'),
    path: path?.replace(/\{\?dns\}$/, ''),
  }
}

/** 32 octets in base64, as RFC 7858 §4.2 and kdig write them. */
function pinOf(text: string): string {
  if (/^[A-Za-z0-9+/]{43}=$/.test(text)) return text
  throw new Misuse(
    wrong(
      `--tls-pin ${text}: not a SHA-256 in base64`,
      'openssl x509 -in cert.pem -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64',
    ),
  )
}

/** The families follow from where queries leave. */
function leaving(flags: ServerFlags): Pick<ServerOptions, 'families' | 'origins'> {
  const origins = (flags.bind ?? []).map(originOf)
  const [first, second, third] = origins.map(({ address }) => familyOf(address))
  if (third !== undefined || (first !== undefined && first === second)) {
    throw new Misuse(wrong('--bind: one address a family', 'leave out the others'))
  }
  const wished = familiesOf(flags)
  if (first === undefined || second !== undefined) return { families: wished, origins }
  if (wished === 'both' || wished === first) return { families: first, origins }
  throw new Misuse(
    wrong(`--bind ${flags.bind?.[0]}: not an IPv${wished} address`, `-${first} fits`),
  )
}

function originOf(text: string): Origin {
  const origin = readOrigin(text)
  if (origin !== undefined) return origin
  throw new Misuse(
    wrong(`--bind ${text}: not an address`, 'such as 192.0.2.1, 192.0.2.1#5353 or 2001:db8::1'),
  )
}

function familiesOf(flags: ServerFlags): Families {
  if (flags.ipv4 === true && flags.ipv6 === true) return 'both'
  if (flags.ipv4 === true) return 4
  return flags.ipv6 === true ? 6 : 'both'
}
