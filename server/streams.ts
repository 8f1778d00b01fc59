/**
 * What the configuration says of connections, as the transports want it: who may speak for others, what
 * TLS is served with, and how much connections may take.
 */

import type { Config, Listen, TlsFiles } from './config/config.ts'
import { holdsAddress, packPrefixes } from './dns/prefixes.ts'
import { Fault } from './fault.ts'
import type { Certificates } from './transport/certificates.ts'
import { type Manner, PROTOCOLS } from './transport/connection.ts'
import type { Allowance } from './transport/connections.ts'
import { affordableConnections, mostConnections } from './transport/limit.ts'
import type { Stream } from './transport/spread.ts'
import { PLAIN } from './transport/tcp.ts'

/** `undefined` where there is nothing to say: UDP and TCP, and nobody speaks for others. */
export function streamOf({ over, path, proxy, tls }: Listen): Stream | undefined {
  return over === 'dns' && proxy.length === 0 ? undefined : { over, path, proxy, tls }
}

/** Throws a `Fault` where certificate or key are no use. */
export function mannerOf(stream: Stream | undefined, certificates: Certificates): Manner {
  if (stream === undefined) return PLAIN
  const { over, path, proxy, tls } = stream
  const balancers = packPrefixes(proxy)
  const handshakes =
    tls === undefined || over === 'dns' ? undefined : certificates.hold(tls, PROTOCOLS[over])
  return { over, path, handshakes, isBalancer: address => holdsAddress(balancers, address) }
}

export function pairsOf({ listen }: Pick<Config, 'listen'>): TlsFiles[] {
  return listen.flatMap(({ tls }) => tls ?? [])
}

/** Throws a `Fault` where more connections are asked for than files can be opened. */
export function allowanceOf({ tcp }: Pick<Config, 'tcp'>): Allowance {
  const { connections, idleMs, perSource } = tcp
  if (connections === undefined) {
    return { idleMs, limits: { all: affordableConnections(), perSource } }
  }
  const { at, count } = connections
  const most = mostConnections()
  if (count <= most) return { idleMs, limits: { all: count, perSource } }
  const what = `${count} connections need more files than this process may open`
  const fix = `at most ${most}, or raise the limit (ulimit -n; LimitNOFILE= of systemd)`
  const place = `${at.file}:${at.line}:${at.column}`
  throw new Fault('NOT_PERMITTED', `${place}: ${what} · ${fix}`)
}
