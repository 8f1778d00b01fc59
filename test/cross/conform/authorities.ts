/** NSD, Knot, BIND and lbdns, each serving the same zones, on loopback. Knows how they are configured. */
import { join } from 'node:path'
import { answers, type Place } from '../../kit/ask.ts'
import { startLbdns } from '../../kit/lbdns.ts'
import { type Files, folder, freePort, putFiles, startReady } from '../../kit/process.ts'
import type { ZoneText } from './zone-texts.ts'

export const PEERS = ['nsd', 'knot', 'bind'] as const
export type Peer = (typeof PEERS)[number]
export type Server = Peer | 'lbdns'
export const SERVERS: readonly Server[] = [...PEERS, 'lbdns']
/** What has to be installed. */
export const PROGRAMS = ['nsd', 'knotd', 'named'] as const

export type Authorities = Readonly<Record<Server, Place>>

/** Starts all four; resolves once each answers for the last of its zones. */
export async function startAuthorities(zones: readonly ZoneText[]): Promise<Authorities> {
  const [nsd, knot, bind, lbdns] = await Promise.all([
    startPeer('nsd', zones),
    startPeer('knot', zones),
    startPeer('bind', zones),
    startOurs(zones),
  ])
  return { nsd, knot, bind, lbdns }
}

async function startPeer(peer: Peer, all: readonly ZoneText[]): Promise<Place> {
  const zones = all.filter(({ without = [] }) => !without.includes(peer))
  const port = await freePort()
  const where = folder(filesOf(zones))
  const { program, config, args } = PEER[peer]
  const file = join(where, 'server.conf')
  putFiles(where, { 'server.conf': config(where, port, zones) })
  const place = { host: '127.0.0.1', port }
  const names = zones.map(({ origin }) => origin.replace(/\.$/, ''))
  await startReady(program, [...args, '-c', file], async () => {
    const ready = await Promise.all(names.map(name => answers(place, name)))
    return ready.every(Boolean)
  })
  return place
}

async function startOurs(zones: readonly ZoneText[]): Promise<Place> {
  const files = Object.keys(filesOf(zones))
  const { port } = await startLbdns(`workers: 1\nzones: ${JSON.stringify(files)}`, filesOf(zones))
  return { host: '127.0.0.1', port }
}

const fileOf = (origin: string): string => `${origin === '.' ? 'root.' : origin}zone`

function filesOf(zones: readonly ZoneText[]): Files {
  return Object.fromEntries(zones.map(({ origin, text }) => [fileOf(origin), text]))
}

type Setup = {
  readonly program: string
  readonly args: readonly string[]
  readonly config: (where: string, port: number, zones: readonly ZoneText[]) => string
}

const PEER: Readonly<Record<Peer, Setup>> = {
  nsd: {
    program: 'nsd',
    args: ['-d'],
    config: (where, port, zones) => `server:
  ip-address: 127.0.0.1@${port}
  server-count: 1
  username: ""
  zonesdir: ${where}
  database: ""
  pidfile: ${where}/nsd.pid
  xfrdfile: ${where}/xfrd.state
  zonelistfile: ${where}/zone.list
  xfrdir: ${where}
  minimal-responses: yes
  confine-to-zone: yes
  ipv4-edns-size: 1232
  rrl-ratelimit: 0
  rrl-whitelist-ratelimit: 0
remote-control:
  control-enable: no
${zones.map(({ origin }) => `zone:\n  name: "${origin}"\n  zonefile: ${fileOf(origin)}\n`).join('')}`,
  },
  knot: {
    program: 'knotd',
    args: [],
    config: (where, port, zones) => `server:
  listen: 127.0.0.1@${port}
  rundir: ${where}
  udp-max-payload: 1232
  udp-workers: 1
  tcp-workers: 1
  background-workers: 1
database:
  storage: ${where}
log:
  - target: stderr
    any: error
template:
  - id: default
    storage: ${where}
    zonefile-sync: -1
    zonefile-load: whole
    journal-content: none
zone:
${zones.map(({ origin }) => `  - domain: "${origin}"\n    file: ${fileOf(origin)}\n`).join('')}`,
  },
  bind: {
    program: 'named',
    args: ['-g', '-n', '1'],
    config: (where, port, zones) => `options {
  directory "${where}"; pid-file none; session-keyfile none; managed-keys-directory "${where}";
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
  recursion no; minimal-responses yes; minimal-any yes; answer-cookie no; notify no;
  edns-udp-size 1232; max-udp-size 1232; empty-zones-enable no; dnssec-validation no;
  check-integrity no; check-names primary ignore; check-mx ignore; check-sibling no;
  zero-no-soa-ttl no; rrset-order { order none; }; max-records-per-type 0; allow-transfer { none; };
};
controls {};
${zones.map(({ origin }) => `zone "${origin}" { type primary; file "${fileOf(origin)}"; };\n`).join('')}`,
  },
}
