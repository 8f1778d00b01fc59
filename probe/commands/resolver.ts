/**
 * `lbprobe resolver`: each resolver calibrated in turn and told; and the exit code: 0 measured, 1 or 3
 * where something else was expected, 9 no reply.
 */

import { findServers } from '../ask/find.ts'
import { type Server, serverText } from '../ask/server.ts'
import { calibrate, PUBLIC_MIRRORS } from '../calibrate.ts'
import { deliver, deliverPlan, INTERRUPTION, type Texts } from '../deliver.ts'
import type { Calibration } from '../judge/calibrate.ts'
import type { Observation } from '../judge/observation.ts'
import { type Partial, partialDocument } from '../judge/partial.ts'
import { endOf, type Run, runAlone } from '../ledger.ts'
import { type Lines, linesFor } from '../lines.ts'
import { isDocument, refusedIn } from '../options/formats.ts'
import { type ResolverFlags, type ResolverOptions, resolverOptions } from '../options/resolver.ts'
import { ordinaryNetworks } from '../panel.ts'
import { isLoopback } from '../plan/budget.ts'
import { chanceFrom } from '../plan/chance.ts'
import { isWrong, type Wrong, wrong } from '../plan/wrong.ts'
import { preferenceOf } from '../preference.ts'
import { cutLine, lateAt, partialLine, tracesOf } from '../report.ts'
import { DOCUMENT, toolOf } from '../tell/documents.ts'
import { headLine, lastLine, queryLine, resultLine } from '../tell/json-lines.ts'
import { calibratedFigures, calibratedRulings } from '../tell/reporters/calibrated.ts'
import type { Report } from '../tell/reporters/report.ts'
import { resolverShort, resolverText } from '../tell/resolver-lines.ts'
import { resolverDocumentText, resolverResult } from '../tell/resolver-result.ts'
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
  const began = world.wire.now()
  const failure = (reason: Wrong): Promise<number> =>
    refuse(reason, DOCUMENT.resolver, refusedIn(flags), world)
  const options = resolverOptions(words, flags)
  if (isWrong(options)) return failure(options)
  const servers = await serversFor(options, world)
  if (isWrong(servers)) return failure(servers)
  const lines = await linesFor(options, world)
  if (isWrong(lines)) return failure(lines)
  const networks = await ordinaryNetworks(world)
  const zones = options.zone === undefined ? PUBLIC_MIRRORS : [options.zone]
  const seed = options.seed ?? world.seed()
  const plan = planDocument(options, servers, zones, seed)
  announce(options, servers, zones, seed, world)
  lines?.add(headLine({ schema: DOCUMENT.resolver, tool: toolOf(world.version), plan }))
  const until = endOf(began, options)
  const calibrations: Calibration[] = []
  const seen: Observation[] = []
  for (const server of options.action === 'plan-only' ? [] : servers) {
    if (world.interrupt.aborted || world.wire.now() >= until) break
    const wish = { zones, extent: 'whole', length: options.prefixes, networks } as const
    const found = await calibrate(runFor(options, seed, world, lines, until), server, wish)
    calibrations.push(found.calibration)
    seen.push(...found.seen)
  }
  const seconds = (world.wire.now() - began) / 1000
  const partial = lateAt(world, until, options)
  const found = { plan, calibrations, observations: seen, seconds, partial }
  return told(options, found, world, lines)
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
  if (options.action === 'plan-only' && !isDocument(options.format)) world.out.write(line)
  else if (options.loudness !== 'quiet') world.err.write(line)
}

/** One question after the other: what a cache does is seen in their order. */
function runFor(
  options: ResolverOptions,
  seed: number,
  world: World,
  lines: Lines | undefined,
  until: number,
): Run {
  const run = runAlone(options, chanceFrom(seed), { ...world, width: 1 }, () => undefined, until)
  return { ...run, record: seen => lines?.add(queryLine(seen)) }
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
  readonly seconds: number
  readonly partial: Partial | undefined
}

async function told(
  options: ResolverOptions,
  found: Found,
  world: World,
  lines: Lines | undefined,
): Promise<number> {
  const { calibrations, observations, seconds } = found
  const isPlan = options.action === 'plan-only'
  const { exit, failed } = isPlan ? { exit: 0, failed: [] } : settle(options, found)
  const interrupted = world.interrupt.aborted
  const error = interrupted ? INTERRUPTION : exit === 9 ? SILENCE : undefined
  if (options.loudness === 'verbose') world.err.write(tracesOf(observations))
  const report: Report = {
    version: world.version,
    command: 'resolver',
    rulings: calibratedRulings(calibrations, options.expect),
    remarks: [],
    figures: calibratedFigures(calibrations, observations),
    exit: interrupted ? INTERRUPTED : exit,
    failed: [
      ...cutLine(found.partial, options),
      ...failed,
      ...(error === undefined ? [] : [error.message]),
    ],
    seconds,
  }
  const texts = resolverTexts(found, world.version)
  const delivery = { options, world, error, texts, ...(lines && { lines }) }
  return isPlan ? deliverPlan(report, delivery) : deliver(report, delivery)
}

function resolverTexts(
  { plan, calibrations, observations, partial }: Found,
  version: string,
): Texts {
  const cut = partialDocument(partial)
  const document = { partial: cut, tool: toolOf(version), plan, calibrations, observations }
  return {
    page: page => resolverText(calibrations, page) + partialLine(partial),
    short: () => resolverShort(calibrations),
    json: error => resolverDocumentText({ ...document, error }),
    jsonl: error =>
      calibrations.map(one => resultLine(resolverResult(one))).join('') +
      lastLine({ partial }, error),
    csv: async () => (await import('../tell/resolver-csv.ts')).resolverCsv(calibrations),
  }
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
