/** NSD. */
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { STRICTNESS } from '../load/check.ts'
import { ZONE } from '../site/site.ts'
import type { Contender } from './contender.ts'

export const nsd: Contender = {
  name: 'nsd',
  program: 'nsd',
  serves: ['steered', 'large', 'huge'],
  tailors: false,
  tcp: true,
  strictness: { plain: STRICTNESS.addresses, steered: STRICTNESS.addresses },
  prepare: async (site, folder, port) => {
    const file = join(folder, 'nsd.conf')
    writeFileSync(
      file,
      `server:
  ip-address: 127.0.0.1@${port}
  server-count: 1
  username: ""
  zonesdir: ${dirname(site.zone)}
  database: ""
  pidfile: ${folder}/nsd.pid
  xfrdfile: ${folder}/xfrd.state
  zonelistfile: ${folder}/zone.list
  xfrdir: ${folder}
  round-robin: yes
  rrl-ratelimit: 0
  rrl-whitelist-ratelimit: 0
remote-control:
  control-enable: no
zone:
  name: ${ZONE}
  zonefile: ${site.zone}
`,
    )
    return ['-d', '-c', file]
  },
}
