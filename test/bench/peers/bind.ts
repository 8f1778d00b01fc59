/** BIND. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { STRICTNESS } from '../load/check.ts'
import { ZONE } from '../site/site.ts'
import type { Contender } from './contender.ts'

export const bind: Contender = {
  name: 'bind',
  program: 'named',
  serves: ['steered', 'large'],
  tailors: false,
  tcp: true,
  strictness: { plain: STRICTNESS.addresses, steered: STRICTNESS.addresses },
  prepare: async (site, folder, port) => {
    const file = join(folder, 'named.conf')
    writeFileSync(
      file,
      `options { directory "${folder}"; listen-on port ${port} {127.0.0.1;}; listen-on-v6 {none;}; recursion no; pid-file "${folder}/named.pid"; session-keyfile "${folder}/session.key"; rrset-order { order cyclic; }; };
controls {};
zone "${ZONE}" { type primary; file "${site.zone}"; };
`,
    )
    return ['-g', '-n', '1', '-c', file]
  },
}
