/**
 * The schema of `listen`, of what TLS is served with, and of what connections may take: where we serve,
 * over what, and for whom a balancer may speak.
 */
import * as z from 'zod'
import { type At, wrong } from '../fault.ts'
import { ANY_LIST, ANY_MAPPING, distinct, keyed, reading, refuse } from './brick.ts'
import type { Config, Listen, Over, TlsFiles } from './config.ts'
import { type ListenAddress, listenFrom, listenKey } from './listen.ts'
import { onOff, path, prefix, span } from './shape-scalar.ts'

/** Ports where none is written: RFC 1035 §4.2, RFC 7858 §3.1, RFC 8484 §8.1. */
const PORTS = { dns: 53, tls: 853, https: 443 } as const
/** Stands for none until it is known what is spoken. */
const UNSAID = 0

export function listenShape() {
  const address = reading(z.string(), text => listenFrom(text, UNSAID))
  const withOptions = keyed({
    address: address.describe('The address, with or without a port.'),
    over: z
      .enum(['dns', 'tls', 'https'])
      .prefault('dns')
      .describe(
        'dns: UDP and TCP, port 53 where none is written. tls: DNS over TLS (RFC 7858), port 853. ' +
          'https: DNS over HTTPS (RFC 8484), HTTP/2 and HTTP/1.1, port 443.',
      ),
    tls: tlsShape().optional().describe('The certificate here. Default: tls of the whole file.'),
    path: reading(z.string(), targetFrom)
      .optional()
      .describe('Of https: where queries are taken. Default: /dns-query.'),
    proxy: z
      .array(prefix)
      .prefault([])
      .describe(
        'Balancers: each TCP connection from there must begin with a header of the PROXY protocol, ' +
          'version 2, and whom it names is who asks. From all others none is taken. UDP has none.',
      ),
    ecs: onOff.prefault(true).describe('off: EDNS Client Subnet is neither read nor sent here.'),
  })
    .superRefine(optionsFit, ANY_MAPPING)
    .transform(({ address: { host, port }, ecs, over, path: target, proxy, tls }) => ({
      ...{ host, port: port === UNSAID ? PORTS[over] : port },
      ...{ ecs, over, path: target, proxy, tls },
    }))
  const bare = address.transform(({ host, port }) => ({
    ...{ host, port: port === UNSAID ? PORTS.dns : port },
    ...{ over: 'dns' as Over, ecs: true, tls: undefined, path: undefined, proxy: [] },
  }))
  const item = z.union([bare, withOptions], {
    error: 'an address, or a mapping with address and what is spoken there',
  })
  const keyOf = (listen: Partial<ListenAddress>) =>
    listen.host === undefined || listen.port === undefined
      ? undefined
      : listenKey({ host: listen.host, port: listen.port })
  const twice = () => wrong('this address stands in listen twice', 'keep one of them')
  return z.array(item).min(1).superRefine(distinct(keyOf, twice), ANY_LIST)
}

/** RFC 3986 §3.3: what may stand in a path, which ends where `?` begins. */
function targetFrom(text: string) {
  const isPath = /^\/[\w\-.~!$&'()*+,;=:@%/]*$/.test(text)
  return isPath ? text : wrong(`${text} is no path`, 'write one like /dns-query')
}

export function tlsShape() {
  return keyed({
    cert: path.describe('A file of certificates, PEM: its own first, then those above it.'),
    key: path.describe('The file of its key, PEM, without a passphrase.'),
  })
}

/** Most of what RFC 7828 §3.1 can say is 6553 s; a minute is much already. */
const LONGEST_IDLE = 3600

export function tcpShape() {
  const idle = reading(span, seconds =>
    seconds >= 1 && seconds <= LONGEST_IDLE
      ? seconds
      : wrong('an idle time is 1s to 1h', 'write one like 10s'),
  )
  return keyed({
    idle: idle
      .prefault('10s')
      .describe(
        'A connection is closed when no whole message has come for so long; sooner, down to a tenth, ' +
          'where more than half of all places are taken.',
      ),
    connections: z
      .int()
      .min(50)
      .optional()
      .describe('Connections at once, TLS and HTTPS too. Default: what the limit of files allows.'),
    per_source: z
      .int()
      .min(1)
      .prefault(100)
      .describe('Connections at once from one IPv4 address or IPv6 /64.'),
  })
}

type Fitting = {
  readonly over?: Over
  readonly tls?: unknown
  readonly path?: unknown
}

function optionsFit(
  { over = 'dns', path: at, tls }: Fitting,
  context: z.core.$RefinementCtx,
): void {
  if (tls !== undefined && over === 'dns') {
    const reason = wrong('over: dns is not encrypted', 'take tls out, or write over: tls')
    refuse(context, ['tls'], { reason, spot: 'key' })
  }
  if (at !== undefined && over !== 'https') {
    const reason = wrong('only https has a path', 'take path out, or write over: https')
    refuse(context, ['path'], { reason, spot: 'key' })
  }
}

type Whole = { readonly listen: readonly Fitting[]; readonly tls?: unknown }

/** What is encrypted needs a certificate. */
export function tlsThere({ listen, tls }: Whole, context: z.core.$RefinementCtx): void {
  if (tls !== undefined || !Array.isArray(listen)) return
  for (const [index, one] of listen.entries()) {
    if (one?.over === undefined || one.over === 'dns' || one.tls !== undefined) continue
    const fix = 'add tls: {cert: …, key: …}, here or for the whole file'
    const reason = wrong(`over: ${one.over} has no certificate`, fix)
    refuse(context, ['listen', index], { reason, spot: 'value', needs: ['tls'] })
  }
}

type Written = {
  readonly listen: z.output<ReturnType<typeof listenShape>>
  readonly tcp: z.output<ReturnType<typeof tcpShape>>
  readonly tls?: z.output<ReturnType<typeof tlsShape>> | undefined
}
type Where = (...path: readonly (string | number)[]) => At

/** @param at where the value at a path stands */
export function listenOf(written: Written, at: Where): Pick<Config, 'listen' | 'tcp'> {
  const { connections, idle, per_source: perSource } = written.tcp
  const common = filesOf(written.tls, at, 'tls')
  const listen = written.listen.map((entry, index): Listen => {
    const { path: target = '/dns-query', tls, ...rest } = entry
    const own = filesOf(tls, at, 'listen', index, 'tls')
    const files = entry.over === 'dns' ? undefined : (own ?? common)
    return { ...rest, path: target, tls: files, at: at('listen', index) }
  })
  const count = connections && { count: connections, at: at('tcp', 'connections') }
  return { listen, tcp: { idleMs: 1000 * idle, connections: count || undefined, perSource } }
}

function filesOf(
  tls: { readonly cert: string; readonly key: string } | undefined,
  at: Where,
  ...where: readonly (string | number)[]
): TlsFiles | undefined {
  if (tls === undefined) return undefined
  const { cert, key } = tls
  return {
    cert: { path: cert, at: at(...where, 'cert') },
    key: { path: key, at: at(...where, 'key') },
  }
}
