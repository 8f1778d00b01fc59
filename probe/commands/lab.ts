/** `lbprobe lab`: opens the lab, prints its names and what each must give, and waits for the end. */

import { readServer } from '../ask/server.ts'
import { LAB_NAMES, LAB_ZONE, type Lab, labOf } from '../lab/lab.ts'
import { type LabPlace, openLab } from '../lab/listen.ts'
import type { Identity, SecureOpen, SecurePlaces } from '../lab/listen-secure.ts'
import { atlasOf } from '../lab/map.ts'
import { reasonOf } from '../panel.ts'
import { readTable } from '../plan/panel.ts'
import { readAddress } from '../plan/subnet.ts'
import { isWrong, type Wrong, wrong, wrongText } from '../plan/wrong.ts'
import type { World } from '../world.ts'

export type LabFlags = {
  readonly listen?: readonly string[]
  readonly tls?: readonly string[]
  readonly https?: readonly string[]
  readonly cert?: string
  readonly key?: string
  readonly seed?: string
}

/** Two addresses: the zone of `partial-ecs` has two name servers. */
const DEFAULT_PLACES = ['127.0.0.1:5300', '127.0.0.2:5300']
const DEFAULT_PORT = 5300

export async function labCommand(flags: LabFlags, world: World): Promise<number> {
  const places = readPlaces('--listen', flags.listen ?? DEFAULT_PLACES)
  if (isWrong(places)) return refused(world, places)
  const encrypted = await readEncrypted(flags, world)
  if (isWrong(encrypted)) return refused(world, encrypted)
  const seed = flags.seed === undefined ? world.seed() : Number(flags.seed)
  if (!Number.isSafeInteger(seed)) return refused(world, wrong('--seed: not a whole number'))
  const lab = labOf(atlasOf(readTable(await world.table())), seed)
  try {
    await listened(lab, places, encrypted, seed, world)
    return 0
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    if (!CANNOT.test(code)) throw cause
    world.err.write(`lbprobe: cannot listen: ${(cause as Error).message}\n`)
    return 1
  }
}

/** A place that cannot be had, or a certificate that is none. */
const CANNOT = /^(EADDRINUSE|EADDRNOTAVAIL|EACCES|ERR_OSSL_)/

async function listened(
  lab: Lab,
  places: readonly LabPlace[],
  encrypted: Encrypted | undefined,
  seed: number,
  world: World,
): Promise<void> {
  const open = await openLab(lab, places)
  try {
    const more = encrypted && (await openEncrypted(lab, encrypted))
    world.out.write(listing(open.places, more, seed))
    await interrupted(world.interrupt)
    await more?.close()
  } finally {
    await open.close()
  }
}

type Encrypted = { readonly places: SecurePlaces; readonly identity: Identity }

async function openEncrypted(lab: Lab, { places, identity }: Encrypted): Promise<SecureOpen> {
  const { openSecureLab } = await import('../lab/listen-secure.ts')
  return openSecureLab(lab, places, identity)
}

async function readEncrypted(
  flags: LabFlags,
  world: World,
): Promise<Encrypted | undefined | Wrong> {
  if (flags.tls === undefined && flags.https === undefined) return undefined
  const tls = readPlaces('--tls', flags.tls ?? [])
  const https = readPlaces('--https', flags.https ?? [])
  if (isWrong(tls)) return tls
  if (isWrong(https)) return https
  const { cert, key } = flags
  if (cert === undefined || key === undefined) {
    return wrong('--tls and --https need a certificate', 'add --cert FILE and --key FILE')
  }
  try {
    const identity = { cert: await world.readText(cert), key: await world.readText(key) }
    return { places: { tls, https }, identity }
  } catch (cause) {
    return wrong(`--cert ${cert}, --key ${key}: ${reasonOf(cause)}`, 'name two PEM files')
  }
}

function readPlaces(flag: string, texts: readonly string[]): readonly LabPlace[] | Wrong {
  const places: LabPlace[] = []
  for (const text of texts) {
    const word = readServer(text.replace(/:0$/, ''))
    if (isWrong(word) || word.kind !== 'host' || readAddress(word.host) === undefined) {
      return wrong(`${flag} ${text}: not an address with a port`, 'such as 127.0.0.1:5300')
    }
    places.push({ address: word.host, port: text.endsWith(':0') ? 0 : (word.port ?? DEFAULT_PORT) })
  }
  return places
}

function refused(world: World, reason: Wrong): number {
  world.err.write(`lbprobe: ${wrongText(reason)}\n`)
  return 2
}

function listing(
  places: readonly LabPlace[],
  more: SecurePlaces | undefined,
  seed: number,
): string {
  const at = [
    ...places.map(({ address, port }) => `@${address}#${port}`),
    ...(more?.tls ?? []).map(({ address, port }) => `@tls://${address}#${port}`),
    ...(more?.https ?? []).map(({ address, port }) => `@https://${address}:${port}/dns-query`),
    ...(more?.https ?? []).map(({ address, port }) => `@json://${address}:${port}/resolve`),
  ]
  const rows = LAB_NAMES.map(({ label, dns2, ecs, does }) => [
    `${label}.${LAB_ZONE}`, dns2 ?? '-', ecs ?? '-', does,
  ]) // biome-ignore format: one line
  const table = [['name', 'dns2 says', 'ecs says', 'what it does'], ...rows]
  const widths = [0, 1, 2].map(column => Math.max(...table.map(row => row[column]?.length ?? 0)))
  const lines = table.map(row =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '),
  )
  const [first = ''] = at
  const named = places.map(({ address, port }) => `@${address}#${port}`)
  return `listening on ${at.join(' and ')}, seed ${seed}

${lines.join('\n')}

try: lbprobe dns2 ${first} A shuffled-list.${LAB_ZONE} rotating-one.${LAB_ZONE}
     lbprobe ecs ${first} A geo.${LAB_ZONE} scope-theatre.${LAB_ZONE} rotating-one.${LAB_ZONE}
     lbprobe ecs ${named.join(' ')} A partial-ecs.${LAB_ZONE}
`
}

function interrupted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
