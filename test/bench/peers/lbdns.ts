/** Our server, with one worker or more. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { STRICTNESS } from '../load/check.ts'
import { SITES } from '../site/networks.ts'
import { addressesOf, networkLists, poolRow, STEERED } from '../site/site.ts'
import type { Contender } from './contender.ts'

const PROGRAM = fileURLToPath(new URL('../../../../dist/server/main.js', import.meta.url))

/** @param workers threads that serve UDP */
export function lbdns(workers: number): Contender {
  return {
    name: workers === 1 ? 'lbdns' : `lbdns, ${workers} workers`,
    program: process.execPath,
    serves: ['steered', 'large', 'huge'],
    tailors: true,
    tcp: true,
    strictness: { plain: STRICTNESS.addresses, steered: STRICTNESS.scope },
    prepare: async (site, folder, port) => {
      const file = join(folder, 'lbdns.yaml')
      const steering = site.kind === 'steered' ? writeSteering(folder) : ''
      const zone = JSON.stringify(site.zone)
      writeFileSync(
        file,
        `listen: [127.0.0.1:${port}]\nworkers: ${workers}\nzones: [${zone}]\n${steering}`,
      )
      return commandFor(file)
    },
  }
}

/** What serves a configuration, without the program. */
export function commandFor(file: string): readonly string[] {
  return [PROGRAM, 'run', '-c', file]
}

/** The lists of networks as files, and the rule over them. */
function writeSteering(folder: string): string {
  const networks = networkLists().map(([site, list]) => {
    writeFileSync(join(folder, `${site}.txt`), `${list.join('\n')}\n`)
    return `  ${site}: {file: ${site}.txt}`
  })
  const pools = SITES.map(
    (site, number) => `  ${site}: {targets: [${addressesOf(poolRow(number)).join(', ')}]}`,
  )
  const by = SITES.map(site => `${site}: [${site}]`).join(', ')
  const rule = `{ttl: 60s, pick: shuffle, by: {networks: {${by}}, default: [${SITES[0]}]}}`
  return `networks:\n${networks.join('\n')}\npools:\n${pools.join('\n')}\nsteer:\n  ${STEERED}: ${rule}\n`
}
