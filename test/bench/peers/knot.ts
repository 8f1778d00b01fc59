/** Knot DNS: plain, and with its geoip module, which tailors by lists of networks. */
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { STRICTNESS } from '../load/check.ts'
import { addressesOf, networkLists, poolRow, type Site, STEERED, ZONE } from '../site/site.ts'
import type { Contender } from './contender.ts'

export const knot: Contender = {
  name: 'knot',
  program: 'knotd',
  serves: ['steered', 'large', 'huge'],
  tailors: false,
  tcp: true,
  strictness: { plain: STRICTNESS.addresses, steered: STRICTNESS.addresses },
  prepare: async (site, folder, port) => write(site, folder, port, '', ''),
}

/** In the tables it is Knot: it takes its place where clients are told apart. */
export const knotGeoip: Contender = {
  ...knot,
  tailors: true,
  // Its scopes are those of the network that matched, not of what is right.
  prepare: async (site, folder, port) => {
    const module = `mod-geoip:\n  - id: g\n    config-file: ${folder}/geo.conf\n    mode: subnet\n    ttl: 60\n`
    writeFileSync(join(folder, 'geo.conf'), geoConfig())
    return write(site, folder, port, module, '    module: mod-geoip/g\n')
  },
}

function write(
  site: Site,
  folder: string,
  port: number,
  module: string,
  zoneLine: string,
): readonly string[] {
  const file = join(folder, 'knot.conf')
  writeFileSync(
    file,
    `server:
  listen: 127.0.0.1@${port}
  rundir: ${folder}
  udp-workers: 1
  tcp-workers: 1
  background-workers: 1
  answer-rotation: on
  edns-client-subnet: on
database:
  storage: ${folder}
log:
  - target: stderr
    any: warning
${module}template:
  - id: default
    storage: ${dirname(site.zone)}
    file: ${site.zone}
zone:
  - domain: ${ZONE}
${zoneLine}`,
  )
  return ['-c', file]
}

function geoConfig(): string {
  const lists = networkLists().flatMap(([, networks], site) =>
    networks.map(network => branch(network, site)),
  )
  return `${STEERED}:\n${[branch('0.0.0.0/0', 0), ...lists].join('')}`
}

function branch(network: string, site: number): string {
  return `  - net: ${network}\n    A: [${addressesOf(poolRow(site)).join(', ')}]\n`
}
