/** `lbprobe map`: the address space gone through by the scopes that come back, judged, and told. */

import { type Server, serverNamed, serverText } from '../ask/server.ts'
import { deliver, deliverPlan, type Failure, INTERRUPTION, type Texts } from '../deliver.ts'
import { judgeMap, type MapJudgement } from '../judge/map.ts'
import { type Span, spanText } from '../judge/span.ts'
import { piecesOf, sourcesOf } from '../judge/sweep.ts'
import type { Swept } from '../judge/swept.ts'
import { endOf, type Run, runAlone } from '../ledger.ts'
import { BUDGET, DEADLINE } from '../map-desk.ts'
import { type MapWish, measureMap } from '../map-measure.ts'
import { type MapPlan, type MapPlanned, mapPlan, mapPlanText } from '../map-plan.ts'
import {
  endingOf, otherThan, type RecordedMap, recordedMap, serversOf, spansFrom,
} from '../map-recorded.ts' // biome-ignore format: list
import { spaceFor } from '../map-space.ts'
import { mapTrust } from '../map-trust.ts'
import { headOf } from '../measured.ts'
import { isDocument, isPage, refusedIn } from '../options/formats.ts'
import { MAP_QUERIES, type MapFlags, type MapOptions, readMapOptions } from '../options/map.ts'
import { isLoopback } from '../plan/budget.ts'
import { chanceFrom } from '../plan/chance.ts'
import { isWrong, type Wrong, wrong } from '../plan/wrong.ts'
import { remembering } from '../playback.ts'
import { progressOf } from '../progress.ts'
import { type Recorder, recorderAfter, recorderFor } from '../recorder.ts'
import { tracesOf } from '../report.ts'
import { targetsFor } from '../targets.ts'
import { DOCUMENT, toolOf } from '../tell/documents.ts'
import { mapCsv } from '../tell/map-csv.ts'
import { mapJson } from '../tell/map-json.ts'
import { mapShort, mapText } from '../tell/map-person.ts'
import { partialText } from '../tell/map-words.ts'
import type { MapRecorded } from '../tell/recording.ts'
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
  const { replay } = options
  const work = await (replay === undefined
    ? prepared(options, world)
    : replayed(options, replay, world))
  if (isWrong(work)) return failure(work)
  for (const warning of work.warnings) world.err.write(`lbprobe: warning: ${warning}\n`)
  const plan = mapPlanText(work.plan)
  if (options.action === 'plan-only') {
    if (!isDocument(options.format)) world.out.write(`${plan}\n`)
    return told(work, undefined, 0, world)
  }
  if (replay === undefined && options.loudness !== 'quiet') world.err.write(`${plan}\n`)
  const judged = await (replay === undefined ? measured : judgedFrom)(work, world)
  if (isWrong(judged)) return failure(judged)
  return told(work, judged, (world.wire.now() - began) / 1000, world)
}

type Work = MapPlanned & {
  readonly warnings: readonly string[]
  readonly plan: MapPlan
  /** Most queries of all runs. */
  readonly limit: number
  /** What the map goes by beside what it is told. */
  readonly recorded: MapRecorded
  /** Where it goes on, or what is judged again. */
  readonly before: RecordedMap | undefined
}

async function prepared(options: MapOptions, world: World): Promise<Work | Wrong> {
  const space = await spaceFor(options, world)
  if (isWrong(space)) return space
  const before = options.resume && (await recordedMap('--resume', options.resume, world))
  if (isWrong(before)) return before
  const other = before && otherThan(before, options, space)
  if (isWrong(other)) return other
  const targets = await targetsFor(options.name, options, world, 'one')
  if (isWrong(targets)) return targets
  const found = targets.lists[0] ?? []
  const servers = before ? serversOf(before, found) : found
  if (isWrong(servers)) return servers
  const warnings = targets.warning === undefined ? [] : [targets.warning]
  return { ...workOf(options, servers, space, before || undefined, world), warnings }
}

function workOf(
  options: MapOptions,
  servers: readonly Server[],
  space: readonly Span[],
  before: RecordedMap | undefined,
  world: World,
): Work {
  const own = servers.every(server => isLoopback(server.address))
  const queries = own && options.limit === 'usual' ? MAP_QUERIES.loopback : options.queries
  const recorded = before?.options ?? {
    command: 'map',
    seed: options.seed ?? world.seed(),
    samples: options.samples,
    orders: options.orders ?? ORDERS,
    special: options.special === 'asked' || own ? 'asked' : 'skipped',
    sources: sourcesOf(options.family, own ? 'any' : options.prefixes),
    space: space.map(spanText),
    draws: own ? DRAWS.loopback : DRAWS.remote,
    width: world.width,
  }
  const kept = before?.seen.length ?? 0
  const { seed, special, sources } = recorded
  const planned = { options, servers, space, special, sources, seed, queries, kept }
  const limit = kept + queries
  return { ...planned, warnings: [], recorded, before, limit, plan: mapPlan(planned) }
}

/** A recording, with the options of its run. */
async function replayed(options: MapOptions, path: string, world: World): Promise<Work | Wrong> {
  const before = await recordedMap('--replay', path, world)
  if (isWrong(before)) return before
  const { name, type, options: recorded, limit, recording } = before
  const space = spansFrom(recorded.space)
  if (isWrong(space)) return wrong(`--replay ${path}: not a space that can be mapped`)
  const own = { ...options, name, type, samples: recorded.samples }
  const earlier = recording.units.slice(0, -1).flatMap(({ observations }) => observations).length
  const plan = { ...recording.head.plan, kept: earlier, maxQueries: limit - earlier } as MapPlan
  const cut = `${path}: the run was cut off, or is not over yet`
  return {
    ...workOf(own, before.servers.map(serverNamed), space, before, world),
    ...{ limit, plan },
    warnings: recording.end === 'cut' ? [cut] : [],
  }
}

async function measured(work: Work, world: World): Promise<MapJudgement | Wrong> {
  const { options, servers, before, limit } = work
  const { name, type } = options
  const recorder = await recorderOf(work, world)
  if (isWrong(recorder)) return recorder
  const over = new AbortController()
  const trust = before?.trust ?? (await mapTrust(options, servers, work.recorded.seed, world))
  const about = { name, type, chain: [], servers: servers.map(serverText), limit, trust }
  recorder.begin({ ...about, after: 'nothing' })
  const run: Run = {
    ...runOf(work, world, over.signal),
    record: seen => {
      recorder.write(seen)
      if (options.loudness === 'verbose') world.err.write(tracesOf([seen]))
    },
    ...(before && { remembered: remembering(before.seen, work.queries, () => over.abort(BUDGET)) }),
  }
  const swept = await measureMap(run, { name, type }, servers, wishOf(work))
  await recorder.close(swept && endingOf(swept, work.options))
  return judged(swept, work, trust)
}

/** What a recording shows, by the judge of today. */
async function judgedFrom(work: Work, world: World): Promise<MapJudgement | Wrong> {
  const { options, servers, before } = work
  const { seen = [], recording } = before ?? {}
  const over = new AbortController()
  const { reason } = recording?.partial ?? {}
  const why = [BUDGET, DEADLINE].find(stop => stop === reason) ?? 'interrupted'
  const run: Run = {
    ...runOf(work, world, over.signal),
    remembered: remembering(seen, 0, () => over.abort(why)),
  }
  const swept = await measureMap(run, options, servers, wishOf(work))
  return judged(swept, work, before?.trust)
}

function recorderOf(
  { options, before, recorded, plan }: Work,
  world: World,
): Promise<Recorder | Wrong> | Recorder {
  const { record, resume } = options
  if (before !== undefined && resume !== undefined) {
    return recorderAfter(resume, before.recording, world)
  }
  return recorderFor(record, headOf(recorded, plan, world), world)
}

function wishOf({ space, recorded }: Work): MapWish {
  return { pieces: piecesOf(space), ...recorded }
}

function judged(
  swept: Swept | undefined,
  { options, recorded }: Work,
  trust: MapJudgement['calibration'],
): MapJudgement | Wrong {
  if (swept === undefined) return wrong('nobody to ask', 'name a server: @192.0.2.53')
  const { name, type, orders = recorded.orders } = options
  const { seed, sources } = recorded
  return judgeMap(swept, { name, type, seed, orders, sources, trust })
}

/** Random orders of clients where no flag says how many. */
const ORDERS = 3

/** Networks drawn where scopes never widen: 3,000 miss a thousandth once in twenty. */
const DRAWS = { remote: 3_000, loopback: 20_000 } as const

/** How often progress is shown, in queries: a map has too many to show each. */
const EVERY = 20

function runOf(work: Work, world: World, over: AbortSignal): Run {
  const { options, recorded, limit } = work
  const { name, type } = options
  const progress = progressOf(options, world)
  const interrupt = AbortSignal.any([world.interrupt, over])
  const own = { ...world, width: recorded.width, interrupt }
  const show = (asked: number): void => {
    if (asked % EVERY === 0) progress.show({ name, type }, asked, limit)
  }
  const until = endOf(world.wire.now(), options)
  return runAlone({ ...options, queries: limit }, chanceFrom(recorded.seed), own, show, until)
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
  const isGoneOn = options.replay === undefined && swept.mode === 'swept'
  if (!isGoneOn || swept.sightings.length === 0) return
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
