/**
 * `lbprobe exporter`: measures when Prometheus asks. Reads its flags and the file of modules, opens the
 * listener, and goes on until it is told to stop; SIGHUP reads the file again.
 */

import { readServer } from '../ask/server.ts'
import type { Mistake } from '../checks/source.ts'
import { BUILT_IN, type Modules, readModules } from '../export-modules.ts'
import { type Exporter, openExporter, type Place } from '../export-server.ts'
import { mistakeLines } from '../mistakes.ts'
import type { ExporterFlags } from '../options/exporter.ts'
import { reasonOf } from '../panel.ts'
import { isLoopback } from '../plan/budget.ts'
import { readAddress } from '../plan/subnet.ts'
import { isWrong, type Wrong, wrong, wrongText } from '../plan/wrong.ts'
import { printable } from '../tell/number.ts'
import { vocabulary } from '../vocabulary.ts'
import { readName } from '../words.ts'
import type { World } from '../world.ts'

const DEFAULT_PLACE = '127.0.0.1:9876'
const DEFAULT_CONCURRENT = 4
const USAGE = 2
const CANNOT_LISTEN = 1

export async function exporterCommand(flags: ExporterFlags, world: World): Promise<number> {
  const place = readPlace(flags)
  const modules = await modulesFrom(flags.modules, world)
  const targets = readTargets(flags.target)
  const concurrent = readConcurrent(flags.concurrent)
  for (const read of [place, targets, concurrent]) if (isWrong(read)) tell(read, world)
  if (isMistaken(modules)) tellMistakes(modules, world)
  if (isWrong(place) || isMistaken(modules) || isWrong(targets) || isWrong(concurrent)) return USAGE
  const now = { modules }
  const exporter = await opened(place, { world, targets, concurrent, modules: () => now.modules })
  if (isWrong(exporter)) {
    tell(exporter, world)
    return CANNOT_LISTEN
  }
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
    return wrong(`cannot listen: ${(cause as Error).message}`, 'name another with --listen')
  }
}

/** A file that cannot be used leaves the modules as they are, and that is said. */
async function reload(
  path: string | undefined,
  world: World,
  now: { modules: Modules },
): Promise<void> {
  const read = await modulesFrom(path, world)
  if (isMistaken(read)) {
    tellMistakes(read, world)
    world.err.write('lbprobe: the modules stay as they were\n')
    return
  }
  now.modules = read
  world.err.write(`lbprobe: modules read: ${Object.keys(read).join(', ')}\n`)
}

async function modulesFrom(
  path: string | undefined,
  world: World,
): Promise<Modules | readonly Mistake[]> {
  if (path === undefined) return BUILT_IN
  try {
    return await readModules(await world.readText(path), path, await vocabulary(world))
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause)) throw cause
    const reason = wrong(reasonOf(cause), 'name a YAML file with modules')
    return [{ at: { file: path, line: 1, column: 1 }, reason }]
  }
}

function isMistaken(read: Modules | readonly Mistake[]): read is readonly Mistake[] {
  return Array.isArray(read)
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
  return count >= 1 ? count : wrong(`--concurrent ${text}: not a number from 1 to 999`, 'such as 4')
}

function interrupted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function tell(reason: Wrong, world: World): void {
  world.err.write(`lbprobe: ${printable(wrongText(reason))}\n`)
}

function tellMistakes(mistakes: readonly Mistake[], world: World): void {
  for (const line of mistakeLines(mistakes)) world.err.write(`${line}\n`)
}
