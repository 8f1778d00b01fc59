/** Resolvers that cache by scope, started on loopback in front of one server. */
import { join } from 'node:path'
import { answers, type Place } from '../kit/ask.ts'
import { folder, freePort, putFiles, startReady } from '../kit/process.ts'

export type Unbound = {
  /** max-ecs-tree-size for both families; without it Unbound's default, which is 100. */
  readonly tree?: number
  /** The server that is told of client subnets, where that is another one. */
  readonly subnetsTo?: string
}

export async function startUnbound(
  zone: string,
  server: Place,
  { tree, subnetsTo = server.host }: Unbound = {},
): Promise<Place> {
  const port = await freePort()
  const where = folder()
  const top = zone.split('.').at(-1)
  const config = `
${unboundServer(where, port)}
  root-hints: ""
  qname-minimisation: no
  local-zone: "${top}." nodefault
  module-config: "subnetcache validator iterator"
  send-client-subnet: ${subnetsTo}
  client-subnet-always-forward: no
  ${tree === undefined ? '' : `max-ecs-tree-size-ipv4: ${tree}`}
  ${tree === undefined ? '' : `max-ecs-tree-size-ipv6: ${tree}`}
stub-zone:
  name: "${zone}"
  stub-addr: ${server.host}@${server.port}
stub-zone:
  name: "."
  stub-addr: ${server.host}@${server.port}
remote-control:
  control-enable: no
`
  putFiles(where, { 'unbound.conf': config })
  const place = { host: '127.0.0.1', port }
  await startReady('unbound', ['-d', '-c', join(where, 'unbound.conf')], () => answers(place, zone))
  return place
}

/** What any Unbound of a test is: on loopback, asking loopback, with nothing of the machine's. */
export function unboundServer(where: string, port: number): string {
  return `server:
  interface: 127.0.0.1@${port}
  port: ${port}
  access-control: 127.0.0.0/8 allow
  do-not-query-localhost: no
  do-ip6: no
  username: ""
  chroot: ""
  directory: "${where}"
  pidfile: ""
  use-syslog: no
  num-threads: 1`
}

/** @param allowed the zone that client subnets are told of for, where that is another one */
export async function startRecursor(
  zone: string,
  server: Place,
  { allowed = zone }: { readonly allowed?: string } = {},
): Promise<Place> {
  const port = await freePort()
  const where = folder()
  const config = `
local-address=127.0.0.1
local-port=${port}
allow-from=127.0.0.0/8
dont-query=
forward-zones=${zone}=${server.host}:${server.port}
edns-subnet-allow-list=${allowed}
use-incoming-edns-subnet=yes
ecs-scope-zero-address=127.0.0.1
qname-minimization=no
dnssec=off
packetcache-ttl=0
packetcache-servfail-ttl=0
threads=1
pdns-distributes-queries=no
hint-file=no
security-poll-suffix=
socket-dir=${where}
loglevel=4
`
  putFiles(where, { 'recursor.conf': config })
  const place = { host: '127.0.0.1', port }
  await startReady('pdns_recursor', [`--config-dir=${where}`], () => answers(place, zone))
  return place
}

/** A balancer in front: it passes on what it gets, as it is, and keeps nothing. */
export async function startDnsdist(zone: string, server: Place): Promise<Place> {
  const port = await freePort()
  const config = `
setLocal("127.0.0.1:${port}")
setSecurityPollSuffix("")
newServer({address="${server.host}:${server.port}", checkName="${zone}.", checkType="SOA", mustResolve=true})
`
  const where = folder({ 'dnsdist.conf': config })
  const place = { host: '127.0.0.1', port }
  const args = ['--supervised', '--disable-syslog', '-C', join(where, 'dnsdist.conf')]
  await startReady('dnsdist', args, () => answers(place, zone))
  return place
}
