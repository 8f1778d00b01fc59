/** gdnsd, whose geoip plug-in tailors by lists of networks. */
import { linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { STRICTNESS } from '../load/check.ts'
import { SITES } from '../site/networks.ts'
import { addressesOf, networkLists, poolRow, ZONE } from '../site/site.ts'
import type { Contender } from './contender.ts'

/** The most it can be told: what the system gives by itself holds some 280 queries. */
const RECEIVE_BUFFER = 1 << 20

export const gdnsd: Contender = {
  name: 'gdnsd',
  program: 'gdnsd',
  serves: ['steered', 'large', 'huge'],
  tailors: true,
  tcp: true,
  // Its scopes are true, but not always as wide as they could be.
  strictness: { plain: STRICTNESS.addresses, steered: STRICTNESS.addresses },
  prepare: async (site, folder, port) => {
    for (const name of ['zones', 'run', 'state']) mkdirSync(join(folder, name))
    const zone = join(folder, 'zones', ZONE)
    const isSteered = site.kind === 'steered'
    if (isSteered) writeFileSync(zone, `${readFileSync(site.zone)}www 60 DYNA geoip!www\n`)
    else linkSync(site.zone, zone)
    writeFileSync(
      join(folder, 'config'),
      `options => { listen => 127.0.0.1:${port}, udp_threads => 1, tcp_threads => 1, run_dir => ${folder}/run, state_dir => ${folder}/state, edns_client_subnet => true, udp_rcvbuf => ${RECEIVE_BUFFER} }
${isSteered ? writeSteering(folder) : ''}`,
    )
    return ['-c', folder, 'start']
  },
}

function writeSteering(folder: string): string {
  const lines = networkLists().flatMap(([site, networks]) =>
    networks.map(network => `${network} => ${site}`),
  )
  writeFileSync(join(folder, 'nets'), `${lines.join('\n')}\n`)
  const sites = SITES.map((site, number) => {
    const addresses = addressesOf(poolRow(number)).map((address, i) => `a${i} => ${address}`)
    return `${site} => { ${addresses.join(', ')} }`
  })
  const map = `datacenters => [${SITES.join(', ')}], nets => ${folder}/nets`
  const www = `map => m, service_types => up, dcmap => { ${sites.join('\n')} }`
  return `plugins => { geoip => { maps => { m => { ${map} } }, resources => { www => { ${www} } } } }\n`
}
