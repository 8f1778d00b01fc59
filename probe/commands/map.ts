/** `lbprobe map`: the address space gone through by the scopes that come back, judged, and told. */

import { appender } from '../append.ts'
import { type Server, serverText } from '../ask/server.ts'
import { deliver, deliverPlan, type Failure, INTERRUPTION, type Texts } from '../deliver.ts'
import { judgeMap, type MapJudgement } from '../judge/map.ts'
import type { Sighting } from '../judge/sighting.ts'
import { piecesOf, type Special, sourcesOf } from '../judge/sweep.ts'
import { type Run, runAlone } from '../ledger.ts'
import { measureMap } from '../map-measure.ts'
import { type MapPlan, type MapPlanned, mapPlan, mapPlanText } from '../map-plan.ts'
import { headLine, readRecord, sightingLine } from '../map-record.ts'
import { spaceFor } from '../map-space.ts'
import { isDocument, isPage, refusedIn } from '../options/formats.ts'
import { MAP_QUERIES, type MapFlags, type MapOptions, readMapOptions } from '../options/map.ts'
import { reasonOf } from '../panel.ts'
import { isLoopback } from '../plan/budget.ts'
import { chanceFrom } from '../plan/chance.ts'
import { isWrong, type Wrong, wrong } from '../plan/wrong.ts'
import { progressOf } from '../progress.ts'
import { targetsFor } from '../targets.ts'
import { DOCUMENT, toolOf } from '../tell/documents.ts'
import { mapCsv } from '../tell/map-csv.ts'
import { mapJson } from '../tell/map-json.ts'
import { mapShort, mapText } from '../tell/map-person.ts'
import { partialText } from '../tell/map-words.ts'
import { printable } from '../tell/number.ts'
import {
  isMisScoped,
  mappedFigures,
  mappedRemarks,
  mappedRulings,
} from '../tell/reporters/mapped.ts'
import type { Report } from '../tell/reporters/report.ts'
import type { World } from '../world.ts'
import { refuse } from './refuse.ts'

const MIS_SCOPED = 1
const PARTIAL = 4
const NO_REPLY = 9
const INTERRUPTED = 130

export async function mapCommand(
  words: readonly string[],
  flags: MapFlags,
  world: World,
): Promise<number> {
  const began = world.wire.now()
  const failure = (reason: Wrong): Promise<number> =>
    refuse(reason, DOCUMENT.map, refusedIn(flags), world)
  const options = readMapOptions(words, flags)
  if (isWrong(options)) return failure(options)
  const work = await prepared(options, world)
  if (isWrong(work)) return failure(work)
  for (const warning of work.warnings) world.err.write(`lbprobe: warning: ${warning}\n`)
  const plan = mapPlanText(work.plan)
  if (options.action === 'plan-only') {
    if (!isDocument(options.format)) world.out.write(`${plan}\n`)
    return told(work, undefined, 0, world)
  }
  if (options.loudness !== 'quiet') world.err.write(`${plan}\n`)
  const judged = await measured(work, world)
  if (isWrong(judged)) return failure(judged)
  return told(work, judged, (world.wire.now() - began) / 1000, world)
}

type Work = MapPlanned & {
  /** Of the record, whether its last line was cut. */
  readonly torn: boolean
  readonly warnings: readonly string[]
  readonly plan: MapPlan
}

async function prepared(options: MapOptions, world: World): Promise<Work | Wrong> {
  const space = await spaceFor(options, world)
  if (isWrong(space)) return space
  const resumed = await resumedFrom(options, world)
  if (isWrong(resumed)) return resumed
  const targets = await targetsFor(options.name, options, world, 'one')
  if (isWrong(targets)) return targets
  const servers = (targets.lists[0] ?? []).filter(
    server => resumed.record === undefined || serverText(server) === resumed.record.head.server,
  )
  if (servers.length === 0) {
    const server = resumed.record?.head.server
    return wrong(`--resume: the record is of ${server}`, `ask @${server}`)
  }
  const own = servers.every(server => isLoopback(server.address))
  const special: Special = options.special === 'asked' || own ? 'asked' : 'skipped'
  const length = own ? 'any' : options.prefixes
  const queries = own && options.limit === 'usual' ? MAP_QUERIES.loopback : options.queries
  const seed = resumed.record?.head.seed ?? options.seed ?? world.seed()
  const sources = sourcesOf(options.family, length)
  const settled = { options, servers, space, special, sources, seed, queries, ...resumed }
  const warnings = targets.warning === undefined ? [] : [targets.warning]
  return { ...settled, warnings, plan: mapPlan(settled) }
}

type Resumed = Pick<Work, 'record' | 'torn'>

async function resumedFrom(options: MapOptions, world: World): Promise<Resumed | Wrong> {
  const { resume: path, name, type, samples } = options
  if (path === undefined) return { record: undefined, torn: false }
  try {
    const text = await world.readText(path)
    const record = readRecord(path, text)
    if (isWrong(record)) return record
    const { head } = record
    if (head.name !== name || head.type !== type || head.samples !== samples) {
      const was = `${printable(head.name)} ${printable(head.type)} --samples ${head.samples}`
      return wrong(`--resume ${path}: the record of another map`, `it is of ${was}`)
    }
    return { record, torn: !text.endsWith('\n') }
  } catch (cause) {
    return wrong(`--resume ${path}: ${reasonOf(cause)}`, 'name a file that --record wrote')
  }
}

async function measured(work: Work, world: World): Promise<MapJudgement | Wrong> {
  const { options, servers, seed, sources, special, space, record, torn } = work
  const path = options.record ?? options.resume
  const keeper = appender(path, world.appendText)
  const { name, type } = options
  if (record === undefined && path !== undefined) {
    const server = serverText(servers[0] as Server)
    keeper.add(headLine({ name, type, server, seed, samples: options.samples }))
  } else if (torn) keeper.add('\n')
  const swept = await measureMap(runOf(work, world), { name, type }, servers, {
    pieces: piecesOf(space),
    sources,
    samples: options.samples,
    special,
    seed,
    draws: servers.every(server => isLoopback(server.address)) ? DRAWS.loopback : DRAWS.remote,
    known: record?.sightings ?? [],
    note: (seen: Sighting) => {
      keeper.add(sightingLine(seen))
      if (options.loudness === 'verbose') world.err.write(sightingLine(seen))
    },
  })
  const failed = await keeper.end()
  if (failed !== undefined) {
    return wrong(`--record ${path}: ${reasonOf(failed)}`, 'name a file that can be written')
  }
  if (swept === undefined) return wrong('nobody to ask', 'name a server: @192.0.2.53')
  return judgeMap(swept, { name, type, seed, orders: options.orders, sources })
}

/** Networks drawn where scopes never widen: 3,000 miss a thousandth once in twenty. */
const DRAWS = { remote: 3_000, loopback: 20_000 } as const

/** How often progress is shown, in queries: a map has too many to show each. */
const EVERY = 20

function runOf({ options, seed, queries }: Work, world: World): Run {
  const { name, type } = options
  const progress = progressOf(options, world)
  return runAlone({ ...options, queries }, chanceFrom(seed), world, asked => {
    if (asked % EVERY === 0) progress.show({ name, type }, asked, queries)
  })
}

/** @param one absent where it was only planned */
async function told(
  work: Work,
  one: MapJudgement | undefined,
  seconds: number,
  world: World,
): Promise<number> {
  const { options } = work
  progressOf(options, world).wipe()
  const error = one && errorOf(one, world)
  const partial = one && partialText(one)
  const isSaid = isPage(options.format) || partial === undefined
  const report: Report = {
    version: world.version,
    command: 'map',
    rulings: one === undefined ? [] : mappedRulings(one, options.failOn),
    remarks: one === undefined ? [] : mappedRemarks(one),
    figures: one === undefined ? [] : [mappedFigures(one)],
    exit: one === undefined ? 0 : exitOf(work, one, world),
    failed: [...(isSaid ? [] : [partial]), ...(error?.code === 'no-reply' ? [error.message] : [])],
    seconds,
  }
  const delivery = { options, world, error, texts: textsOf(work, one, world) }
  if (one === undefined) return deliverPlan(report, delivery)
  const exit = await deliver(report, delivery)
  if (one.swept.stop !== undefined) tellHow(work, one, world)
  return exit
}

function textsOf({ options, plan }: Work, one: MapJudgement | undefined, world: World): Texts {
  const tool = toolOf(world.version)
  return {
    page: page => (one === undefined ? '' : mapText(one, { ...page, lines: options.lines })),
    short: () => (one === undefined ? '' : mapShort(one)),
    json: error => mapJson({ tool, plan, ...(one && { judgement: one }), error }),
    csv: () => (one === undefined ? '' : mapCsv(one)),
    svg: async () => (one === undefined ? '' : (await import('../tell/map-svg.ts')).mapSvg(one)),
  }
}

/** How to go on with what was cut short. */
function tellHow({ options }: Work, { swept }: MapJudgement, { err }: World): void {
  if (swept.mode !== 'swept' || swept.sightings.length === 0) return
  const file = options.record ?? options.resume
  const how =
    file === undefined
      ? 'with --record FILE it could be gone on with'
      : `the same command with --resume ${file} goes on`
  err.write(`lbprobe: ${how}\n`)
}

function exitOf({ options }: Work, one: MapJudgement, world: World): number {
  const { swept, kind } = one
  if (world.interrupt.aborted) return INTERRUPTED
  if (kind === 'unanswered' && swept.stop !== 'refused') return NO_REPLY
  if (isMisScoped(one) && options.failOn.includes('mis-scoped')) return MIS_SCOPED
  const isPartial = swept.stop !== undefined
  return isPartial && options.failOn.includes('partial') ? PARTIAL : 0
}

function errorOf({ swept }: MapJudgement, world: World): Failure | undefined {
  if (swept.sightings.length === 0) {
    return { code: 'no-reply', message: 'no answer from any server' }
  }
  return world.interrupt.aborted ? INTERRUPTION : undefined
}
