/**
 * One map, served by several programs: which network gets which address, written down in each one's own
 * way, and the program started with it on loopback. Knows how they are configured, not what is right.
 */
import { join } from 'node:path'
import { answers, type Place } from '../kit/ask.ts'
import { startLbdns } from '../kit/lbdns.ts'
import { writeDatabase } from '../kit/mmdb.ts'
import { type Files, folder, freePort, putFiles, startReady } from '../kit/process.ts'

export type GeoMap = {
  /** Network → IPv4 address. */
  readonly networks: readonly (readonly [prefix: string, address: string])[]
  /** For every other client. */
  readonly otherwise: string
}

/** What all serve: the map at www.geo.test, and these names, alike for every client. */
export const ZONE = 'geo.test'
const LISTS = {
  static: ['192.0.2.99'],
  list: ['192.0.2.91', '192.0.2.92', '192.0.2.93', '192.0.2.94'],
} as const

export type Kind = 'lbdns' | 'gdnsd' | 'knot' | 'knot, rotating' | 'pdns' | 'bind'

/** The programs and plug-ins that each needs. */
export const NEEDS: Readonly<Record<Kind, readonly string[]>> = {
  lbdns: [],
  gdnsd: ['gdnsd'],
  knot: ['knotd', 'geoip.so'],
  'knot, rotating': ['knotd', 'geoip.so'],
  pdns: ['pdns_server', 'libgeoipbackend.so'],
  bind: ['named'],
}

type Setup = { readonly files: Files; readonly command: readonly [string, ...string[]] }

/** Starts one of them; ready once it answers. */
export async function startGeo(kind: Kind, map: GeoMap): Promise<Place> {
  if (kind === 'lbdns') return { host: '127.0.0.1', port: await startOurs(map) }
  const place = { host: '127.0.0.1', port: await freePort() }
  const where = folder()
  const { files, command } = SETUP[kind](map, where, place.port)
  putFiles(where, files)
  const [program, ...args] = command
  await startReady(program, args, () => answers(place, ZONE))
  return place
}

const SETUP = { gdnsd, knot, 'knot, rotating': rotatingKnot, pdns, bind } as const

/** The map with a short name for each address. */
function named({ networks, otherwise }: GeoMap): {
  sites: [string, string][]
  nets: [string, string][]
} {
  const addresses = [...new Set([otherwise, ...networks.map(([, address]) => address)])]
  const site = (address: string) => `site${addresses.indexOf(address)}`
  return {
    sites: addresses.map(address => [site(address), address]),
    nets: networks.map(([prefix, address]) => [prefix, site(address)]),
  }
}

/** The names that are alike for everybody, and what a zone owes. */
function zoneFile(more: readonly string[]): string {
  const lists = Object.entries(LISTS).flatMap(([name, addresses]) =>
    addresses.map(address => `${name} A ${address}`),
  )
  const apex = [
    '$ORIGIN geo.test.',
    '$TTL 300',
    '@ SOA ns1 admin 1 7200 1800 259200 60',
    '@ NS ns1',
  ]
  return [...apex, 'ns1 A 127.0.0.1', ...lists, ...more, ''].join('\n')
}

async function startOurs(map: GeoMap): Promise<number> {
  const { sites, nets } = named(map)
  const networks = nets.map(([prefix], at) => [`net${at}`, [prefix]])
  const rankings = nets.map(([, site], at) => [`net${at}`, [site]])
  const www = {
    ttl: '300s',
    by: { networks: Object.fromEntries(rankings), default: ['site0'] },
  }
  const config = {
    zones: ['geo.zone'],
    networks: Object.fromEntries(networks),
    pools: Object.fromEntries(sites.map(([site, address]) => [site, { targets: [address] }])),
    steer: { 'www.geo.test': www },
  }
  const text = Object.entries(config).map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
  const { port } = await startLbdns(text.join('\n'), { 'geo.zone': zoneFile([]) })
  return port
}

function gdnsd(map: GeoMap, where: string, port: number): Setup {
  const { sites, nets } = named(map)
  const all = [['0.0.0.0/0', 'site0'], ['::/0', 'site0'], ...nets]
  const config = `
options => { listen => 127.0.0.1:${port}, run_dir => ${where}/run, state_dir => ${where}/state }
plugins => {
  geoip => {
    maps => { m => {
      datacenters => [ ${sites.map(([site]) => site).join(', ')} ]
      nets => { ${all.map(([prefix, site]) => `${prefix} => [ ${site} ]`).join(', ')} }
    } }
    resources => { r => {
      map => m, service_types => up
      dcmap => { ${sites.map(pair => pair.join(' => ')).join(', ')} }
    } }
  }
  weighted => { one => {
    multi => false, service_types => up
    ${LISTS.list.map((address, at) => `a${at} => [ ${address}, 1 ]`).join(', ')}
  } }
}`
  return {
    files: {
      'etc/config': config,
      'etc/zones/geo.test': zoneFile(['www DYNA geoip!r', 'one DYNA weighted!one']),
    },
    command: ['gdnsd', '-Dc', join(where, 'etc'), 'start'],
  }
}

function knot(map: GeoMap, where: string, port: number): Setup {
  return knotWith('off', map, where, port)
}

/** Begins each list at another place. */
function rotatingKnot(map: GeoMap, where: string, port: number): Setup {
  return knotWith('on', map, where, port)
}

/** Knot reads a small part of YAML: no braces. */
function knotWith(
  rotation: 'on' | 'off',
  { networks, otherwise }: GeoMap,
  where: string,
  port: number,
): Setup {
  const views = networks.map(([prefix, address]) => `  - net: ${prefix}\n    A: ${address}`)
  const config = `
server:
  listen: 127.0.0.1@${port}
  rundir: ${where}
  edns-client-subnet: on
  answer-rotation: ${rotation}
database:
  storage: ${where}/db
log:
- target: stderr
  any: info
mod-geoip:
- id: g
  config-file: ${where}/geo.conf
  mode: subnet
  ttl: 300
zone:
- domain: geo.test
  file: ${where}/geo.zone
  module: mod-geoip/g
`
  return {
    files: {
      'knot.conf': config,
      'geo.conf': ['www.geo.test:', ...views, ''].join('\n'),
      'geo.zone': zoneFile([`www A ${otherwise}`]),
    },
    command: ['knotd', '-c', join(where, 'knot.conf')],
  }
}

function pdns(map: GeoMap, where: string, port: number): Setup {
  const { sites, nets } = named(map)
  const lists = { ...LISTS, ...Object.fromEntries(sites.map(([site, one]) => [site, [one]])) }
  const records = Object.entries(lists).map(([name, addresses]) => [
    `${name}.geo.test`,
    addresses.map(a => ({ a })),
  ])
  const services = nets.map(([prefix, site]) => [prefix, `${site}.geo.test`])
  const apex = [
    { soa: 'ns1.geo.test admin.geo.test 1 7200 1800 259200 60' },
    { ns: 'ns1.geo.test' },
  ]
  const domain = {
    domain: 'geo.test',
    ttl: 300,
    records: { 'geo.test': apex, ...Object.fromEntries(records) },
    services: {
      'www.geo.test': { default: 'site0.geo.test', ...Object.fromEntries(services) },
    },
  }
  const config = `
launch=geoip
geoip-zones-file=${where}/geo.yaml
geoip-database-files=
edns-subnet-processing=yes
local-address=127.0.0.1
local-port=${port}
socket-dir=${where}
cache-ttl=0
query-cache-ttl=0
negquery-cache-ttl=0
zone-cache-refresh-interval=0
security-poll-suffix=
`
  return {
    files: { 'pdns.conf': config, 'geo.yaml': JSON.stringify({ domains: [domain] }) },
    command: ['pdns_server', `--config-dir=${where}`],
  }
}

/** A view for each site, chosen by the country that a database has for whoever asks. */
function bind(map: GeoMap, where: string, port: number): Setup {
  const { sites, nets } = named(map)
  const countryOf = (site: string): string => `Q${String.fromCharCode(65 + Number(site.slice(4)))}`
  const records = nets.map(
    ([prefix, site]) => [prefix, { country: { iso_code: countryOf(site) } }] as const,
  )
  const view = (name: string, clients: string, file: string): string =>
    `view ${name} { match-clients { ${clients}; }; zone "${ZONE}" { type primary; file "${file}"; }; };`
  const views = sites.map(([site]) =>
    view(site, `geoip country ${countryOf(site)}`, `${site}.zone`),
  )
  const config = `
options {
  directory "${where}";
  geoip-directory "${where}";
  pid-file none;
  session-keyfile "${where}/session.key";
  listen-on port ${port} { 127.0.0.1; };
  listen-on-v6 { none; };
  recursion no;
};
controls { };
${views.join('\n')}
${view('others', 'any', 'site0.zone')}
`
  const zones = sites.map(([site, address]) => [`${site}.zone`, zoneFile([`www A ${address}`])])
  const database = { networks: records, metadata: { database_type: 'GeoLite2-Country' } }
  const files = {
    'named.conf': config,
    'GeoLite2-Country.mmdb': writeDatabase(database),
    ...Object.fromEntries(zones),
  }
  return { files, command: ['named', '-g', '-c', join(where, 'named.conf')] }
}
