/** PowerDNS with its bind backend. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { STRICTNESS } from '../load/check.ts'
import { ZONE } from '../site/site.ts'
import type { Contender } from './contender.ts'

export const pdns: Contender = {
  name: 'pdns',
  program: 'pdns_server',
  serves: ['steered', 'large'],
  tailors: false,
  tcp: true,
  strictness: { plain: STRICTNESS.addresses, steered: STRICTNESS.addresses },
  prepare: async (site, folder, port) => {
    writeFileSync(
      join(folder, 'named.conf'),
      `zone "${ZONE}" { type native; file "${site.zone}"; };\n`,
    )
    writeFileSync(
      join(folder, 'pdns.conf'),
      `launch=bind
bind-config=${folder}/named.conf
local-address=127.0.0.1
local-port=${port}
socket-dir=${folder}
receiver-threads=1
distributor-threads=1
max-tcp-connections=200
guardian=no
daemon=no
`,
    )
    return [`--config-dir=${folder}`]
  },
}
