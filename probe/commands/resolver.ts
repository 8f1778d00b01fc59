/**
 * `lbprobe resolver`: each resolver calibrated in turn and told; and the exit code: 0 measured, 1 or 3
 * where something else was expected, 9 no reply.
 */

import { findServers } from '../ask/find.ts'
import { type Server, serverText } from '../ask/server.ts'
import { calibrate, PUBLIC_MIRRORS } from '../calibrate.ts'
import { INTERRUPTION, put } from '../deliver.ts'
import type { Calibration } from '../judge/calibrate.ts'
import type { Observation } from '../judge/observation.ts'
import { type Run, runAlone } from '../ledger.ts'
import { type ResolverFlags, type ResolverOptions, resolverOptions } from '../options/resolver.ts'
import { pageFor } from '../page.ts'
import { ordinaryNetworks } from '../panel.ts'
import { isLoopback } from '../plan/budget.ts'
import { chanceFrom } from '../plan/chance.ts'
import { isWrong, type Wrong, wrong } from '../plan/wrong.ts'
import { preferenceOf } from '../preference.ts'
import { tracesOf } from '../report.ts'
import { DOCUMENT, toolOf } from '../tell/documents.ts'
import { resolverText } from '../tell/resolver-lines.ts'
import { resolverDocumentText } from '../tell/resolver-result.ts'
import { serversNamed } from '../whom.ts'
import type { World } from '../world.ts'
import { refuse } from './refuse.ts'

const INTERRUPTED = 130
const SILENCE = { code: 'no-reply', message: 'no reply from any resolver' }

export async function resolverCommand(
  words: readonly string[],
  flags: ResolverFlags,
  world: World,
): Promise<number> {
  const format = flags.json ? 'json' : 'person'
  const options = resolverOptions(words, flags)
  if (isWrong(options)) return refuse(options, DOCUMENT.resolver, format, world)
  const servers = await serversFor(options, world)
  if (isWrong(servers)) return refuse(servers, DOCUMENT.resolver, format, world)
  const networks = await ordinaryNetworks(world)
  const zones = options.zone === undefined ? PUBLIC_MIRRORS : [options.zone]
  const seed = options.seed ?? world.seed()
  announce(options, servers, zones, seed, world)
  const calibrations: Calibration[] = []
  const seen: Observation[] = []
  for (const server of options.action === 'plan-only' ? [] : servers) {
    if (world.interrupt.aborted) break
    const wish = { zones, extent: 'whole', length: options.prefixes, networks } as const
    const found = await calibrate(runFor(options, seed, world), server, wish)
    calibrations.push(found.calibration)
    seen.push(...found.seen)
  }
  const plan = planDocument(options, servers, zones, seed)
  return told(options, { plan, calibrations, observations: seen }, world)
}

/** Those named, or the system's; a name server of a zone is no resolver. */
async function serversFor(
  options: ResolverOptions,
  world: World,
): Promise<readonly Server[] | Wrong> {
  const preference = await preferenceOf({ ...options, recursion: 'desired' }, world)
  if (isWrong(preference)) return preference
  const servers: Server[] = []
  const named = serversNamed(options.servers, world)
  const words = named.length === 0 ? [{ kind: 'system' } as const] : named
  for (const word of words) {
    if (word.kind === 'auth') return wrong('@auth is no resolver', 'name one: @192.0.2.53')
    const found = await findServers(word, '.', world.system, preference)
    if (isWrong(found)) return found
    servers.push(...found)
  }
  const local = servers.find(({ address }) => isLoopback(address))
  if (local === undefined || options.zone !== undefined) return servers
  return wrong(
    `${serverText(local)} is on this machine: nothing is sent through it to public zones unasked`,
    `name the zone: --zone whoami.lab.test, or --zone ${PUBLIC_MIRRORS[0]}`,
  )
}

function announce(
  options: ResolverOptions,
  servers: readonly Server[],
  zones: readonly string[],
  seed: number,
  world: World,
): void {
  const whom = servers.map(serverText).join(', ')
  const line = `plan: 15 to 20 queries through each of ${whom} · for ${zones.join(', else ')} · seed ${seed}\n`
  if (options.action === 'plan-only' && options.format !== 'json') world.out.write(line)
  else if (options.loudness !== 'quiet') world.err.write(line)
}

/** One question after the other: what a cache does is seen in their order. */
function runFor(options: ResolverOptions, seed: number, world: World): Run {
  return runAlone(options, chanceFrom(seed), { ...world, width: 1 }, () => undefined)
}

function planDocument(
  { rate, timeoutMs, tries, queries }: ResolverOptions,
  servers: readonly Server[],
  zones: readonly string[],
  seed: number,
): Record<string, unknown> {
  const whom = servers.map(serverText)
  return {
    command: 'resolver',
    servers: whom,
    zones,
    seed,
    maxQueries: queries,
    rate,
    timeoutMs,
    tries,
  }
}

type Found = {
  readonly plan: Record<string, unknown>
  readonly calibrations: readonly Calibration[]
  readonly observations: readonly Observation[]
}

async function told(options: ResolverOptions, found: Found, world: World): Promise<number> {
  const { format } = options
  const isPlan = options.action === 'plan-only'
  if (isPlan && format !== 'json') return 0
  const { exit, failed } = isPlan ? { exit: 0, failed: [] } : settle(options, found)
  const interrupted = world.interrupt.aborted
  const error = interrupted ? INTERRUPTION : exit === 9 ? SILENCE : undefined
  const tool = toolOf(world.version)
  const text =
    format === 'json'
      ? resolverDocumentText({ ...found, tool, error })
      : resolverText(found.calibrations, format, pageFor(options, world))
  const unwritten = await put(text, options.output, world)
  if (isWrong(unwritten)) return refuse(unwritten, DOCUMENT.resolver, format, world)
  if (options.loudness === 'verbose') world.err.write(tracesOf(found.observations))
  for (const sentence of [...failed, ...(error === undefined ? [] : [error.message])]) {
    world.err.write(`lbprobe: ${sentence}\n`)
  }
  return interrupted ? INTERRUPTED : exit
}

type Settled = { readonly exit: 0 | 1 | 3 | 9; readonly failed: readonly string[] }

/** Silence of all beats what does not hold, and that what cannot be said. */
function settle({ expect }: ResolverOptions, { calibrations, observations }: Found): Settled {
  if (observations.every(({ error }) => error !== undefined)) return { exit: 9, failed: [] }
  const wrong = calibrations.filter(({ verdict }) => expect !== undefined && verdict !== expect)
  const failed = wrong.map(
    ({ server, verdict }) => `expected ${expect}, but ${server} is ${verdict}`,
  )
  if (wrong.some(({ verdict }) => verdict !== 'unknown')) return { exit: 1, failed }
  return { exit: wrong.length > 0 ? 3 : 0, failed }
}
