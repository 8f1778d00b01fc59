/**
 * `lbprobe exporter`: measures when Prometheus asks. Reads its flags and the file of modules, opens the
 * listener, and goes on until it is told to stop; SIGHUP reads the file again.
 */

import { readServer } from '../ask/server.ts'
import { BUILT_IN, type Modules, readModules } from '../export-modules.ts'
import { type Exporter, openExporter, type Place } from '../export-server.ts'
import type { ExporterFlags } from '../options/exporter.ts'
import { reasonOf } from '../panel.ts'
import { isLoopback } from '../plan/budget.ts'
import { readAddress } from '../plan/subnet.ts'
import { isWrong, type Wrong, wrong, wrongText } from '../plan/wrong.ts'
import { printable } from '../tell/number.ts'
import { readName } from '../words.ts'
import type { World } from '../world.ts'

const DEFAULT_PLACE = '127.0.0.1:9876'
const DEFAULT_CONCURRENT = 4
const USAGE = 2

export async function exporterCommand(flags: ExporterFlags, world: World): Promise<number> {
  const place = readPlace(flags)
  const modules = await modulesFrom(flags.modules, world)
  const targets = readTargets(flags.target)
  const concurrent = readConcurrent(flags.concurrent)
  for (const read of [place, modules, targets, concurrent])
    if (isWrong(read)) return refused(read, world)
  if (isWrong(place) || isWrong(modules) || isWrong(targets) || isWrong(concurrent)) return USAGE
  const now = { modules }
  const exporter = await opened(place, { world, targets, concurrent, modules: () => now.modules })
  if (isWrong(exporter)) return failed(exporter, world)
  world.out.write(`listening on http://${exporter.place}/\n`)
  const live = await world.live?.()
  live?.onHangup(() => void reload(flags.modules, world, now))
  await interrupted(world.interrupt)
  await exporter.close()
  return 0
}

type Settings = Parameters<typeof openExporter>[1]

async function opened(place: Place, settings: Settings): Promise<Exporter | Wrong> {
  try {
    return await openExporter(place, settings)
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    if (!['EADDRINUSE', 'EADDRNOTAVAIL', 'EACCES'].includes(code)) throw cause
    return wrong(`cannot listen: ${(cause as Error).message}`)
  }
}

/** A file that cannot be used leaves the modules as they are, and that is said. */
async function reload(
  path: string | undefined,
  world: World,
  now: { modules: Modules },
): Promise<void> {
  const read = await modulesFrom(path, world)
  if (!isWrong(read)) now.modules = read
  const what = isWrong(read)
    ? `${printable(wrongText(read))}\nlbprobe: the modules stay as they were`
    : `modules read: ${Object.keys(read).join(', ')}`
  world.err.write(`lbprobe: ${what}\n`)
}

async function modulesFrom(path: string | undefined, world: World): Promise<Modules | Wrong> {
  if (path === undefined) return BUILT_IN
  try {
    return await readModules(await world.readText(path), path)
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause)) throw cause
    return wrong(`--modules ${path}: ${reasonOf(cause)}`, 'name a YAML file with modules')
  }
}

function readPlace(flags: ExporterFlags): Place | Wrong {
  const text = flags.listen ?? DEFAULT_PLACE
  const word = readServer(text.replace(/:0$/, ''))
  const isAddress = !isWrong(word) && word.kind === 'host' && readAddress(word.host) !== undefined
  if (!isAddress || word.transport !== undefined) {
    return wrong(`--listen ${text}: not an address with a port`, 'such as 127.0.0.1:9876')
  }
  if (!isLoopback(word.host) && flags.allowRemote !== true) {
    const fix = 'listen on 127.0.0.1 or ::1, or add --allow-remote'
    return wrong(`--listen ${text}: whoever reaches it can make this machine send queries`, fix)
  }
  return { address: word.host, port: text.endsWith(':0') ? 0 : (word.port ?? 9876) }
}

function readTargets(
  texts: readonly string[] | undefined,
): ReadonlySet<string> | undefined | Wrong {
  const names: string[] = []
  for (const text of texts ?? []) {
    const name = readName(text)
    if (isWrong(name)) return name
    names.push(name)
  }
  return texts === undefined ? undefined : new Set(names)
}

function readConcurrent(text: string | undefined): number | Wrong {
  if (text === undefined) return DEFAULT_CONCURRENT
  const count = /^[0-9]{1,3}$/.test(text) ? Number(text) : 0
  return count >= 1 ? count : wrong(`--concurrent ${text}: not a number from 1 to 999`)
}

function interrupted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function refused(reason: Wrong, world: World): number {
  world.err.write(`lbprobe: ${printable(wrongText(reason))}\n`)
  return USAGE
}

function failed(reason: Wrong, world: World): number {
  world.err.write(`lbprobe: ${printable(wrongText(reason))}\n`)
  return 1
}
