/** `lbprobe lab`: opens the lab, prints its names and what each must give, and waits for the end. */

import { readServer } from '../ask/server.ts'
import { LAB_NAMES, LAB_ZONE, labOf } from '../lab/lab.ts'
import { type LabPlace, openLab } from '../lab/listen.ts'
import { atlasOf } from '../lab/map.ts'
import { readTable } from '../plan/panel.ts'
import { readAddress } from '../plan/subnet.ts'
import { isWrong, type Wrong, wrong, wrongText } from '../plan/wrong.ts'
import type { World } from '../world.ts'

export type LabFlags = { readonly listen?: readonly string[]; readonly seed?: string }

/** Two addresses: the zone of `partial-ecs` has two name servers. */
const DEFAULT_PLACES = ['127.0.0.1:5300', '127.0.0.2:5300']
const DEFAULT_PORT = 5300

export async function labCommand(flags: LabFlags, world: World): Promise<number> {
  const places = readPlaces(flags.listen ?? DEFAULT_PLACES)
  const seed = flags.seed === undefined ? world.seed() : Number(flags.seed)
  if (isWrong(places)) return refused(world, places)
  if (!Number.isSafeInteger(seed)) return refused(world, wrong('--seed: not a whole number'))
  const lab = labOf(atlasOf(readTable(await world.table())), seed)
  try {
    const open = await openLab(lab, places)
    world.out.write(listing(open.places, seed))
    await interrupted(world.interrupt)
    await open.close()
    return 0
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    if (code !== 'EADDRINUSE' && code !== 'EADDRNOTAVAIL' && code !== 'EACCES') throw cause
    world.err.write(`lbprobe: cannot listen: ${(cause as Error).message}\n`)
    return 1
  }
}

function readPlaces(texts: readonly string[]): readonly LabPlace[] | Wrong {
  const places: LabPlace[] = []
  for (const text of texts) {
    const word = readServer(text.replace(/:0$/, ''))
    if (isWrong(word) || word.kind !== 'host' || readAddress(word.host) === undefined) {
      return wrong(`--listen ${text}: not an address with a port`, 'such as 127.0.0.1:5300')
    }
    places.push({ address: word.host, port: text.endsWith(':0') ? 0 : (word.port ?? DEFAULT_PORT) })
  }
  return places
}

function refused(world: World, reason: Wrong): number {
  world.err.write(`lbprobe: ${wrongText(reason)}\n`)
  return 2
}

function listing(places: readonly LabPlace[], seed: number): string {
  const at = places.map(({ address, port }) => `@${address}#${port}`)
  const rows = LAB_NAMES.map(({ label, dns2, ecs, does }) => [
    `${label}.${LAB_ZONE}`, dns2 ?? '-', ecs ?? '-', does,
  ]) // biome-ignore format: one line
  const table = [['name', 'dns2 says', 'ecs says', 'what it does'], ...rows]
  const widths = [0, 1, 2].map(column => Math.max(...table.map(row => row[column]?.length ?? 0)))
  const lines = table.map(row =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '),
  )
  const [first = ''] = at
  return `listening on ${at.join(' and ')}, seed ${seed}

${lines.join('\n')}

try: lbprobe dns2 ${first} A shuffled-list.${LAB_ZONE} rotating-one.${LAB_ZONE}
     lbprobe ecs ${first} A geo.${LAB_ZONE} scope-theatre.${LAB_ZONE} rotating-one.${LAB_ZONE}
     lbprobe ecs ${at.join(' ')} A partial-ecs.${LAB_ZONE}
`
}

function interrupted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
