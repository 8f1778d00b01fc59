/** `lbprobe map`: the address space gone through by the scopes that come back, judged, and told. */

import { appender } from '../append.ts'
import { type Server, serverText } from '../ask/server.ts'
import { put } from '../deliver.ts'
import { judgeMap, type MapJudgement } from '../judge/map.ts'
import type { Sighting } from '../judge/sighting.ts'
import { piecesOf, type Special, sourcesOf } from '../judge/sweep.ts'
import { type Run, runAlone } from '../ledger.ts'
import { measureMap } from '../map-measure.ts'
import { type MapPlan, type MapPlanned, mapPlan, mapPlanText } from '../map-plan.ts'
import { headLine, readRecord, sightingLine } from '../map-record.ts'
import { spaceFor } from '../map-space.ts'
import { MAP_QUERIES, type MapFlags, type MapOptions, readMapOptions } from '../options/map.ts'
import { pageFor } from '../page.ts'
import { reasonOf } from '../panel.ts'
import { isLoopback } from '../plan/budget.ts'
import { chanceFrom } from '../plan/chance.ts'
import { isWrong, type Wrong, wrong, wrongText } from '../plan/wrong.ts'
import { progressOf } from '../progress.ts'
import { targetsFor } from '../targets.ts'
import { toolOf } from '../tell/documents.ts'
import { mapJson } from '../tell/map-json.ts'
import { mapReport } from '../tell/map-report.ts'
import { printable } from '../tell/number.ts'
import type { World } from '../world.ts'

const MIS_SCOPED = 1
const USAGE = 2
const PARTIAL = 4
const NO_REPLY = 9
const INTERRUPTED = 130

export async function mapCommand(
  words: readonly string[],
  flags: MapFlags,
  world: World,
): Promise<number> {
  const options = readMapOptions(words, flags)
  if (isWrong(options)) return refused(options, flags, world)
  const work = await prepared(options, world)
  if (isWrong(work)) return refused(work, flags, world)
  for (const warning of work.warnings) world.err.write(`lbprobe: warning: ${warning}\n`)
  const plan = mapPlanText(work.plan)
  if (options.action === 'plan-only') {
    world.out.write(options.mapFormat === 'json' ? document(work, world, undefined) : `${plan}\n`)
    return 0
  }
  if (options.loudness !== 'quiet') world.err.write(`${plan}\n`)
  const judged = await measured(work, world)
  if (isWrong(judged)) return refused(judged, flags, world)
  return told(work, judged, world)
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

async function told(work: Work, judged: MapJudgement, world: World): Promise<number> {
  const { options } = work
  progressOf(options, world).wipe()
  const report =
    options.mapFormat === 'json'
      ? document(work, world, judged)
      : mapReport(judged, options.mapFormat, { ...pageFor(options, world), lines: options.lines })
  const unwritten = await put(report, options.output, world)
  if (unwritten !== undefined) return refused(unwritten, {}, world)
  return exitOf(work, judged, world)
}

function exitOf({ options }: Work, judged: MapJudgement, world: World): number {
  const { swept, kind } = judged
  const say = (text: string): void => world.err.write(`lbprobe: ${text}\n`)
  const file = options.record ?? options.resume
  const partial = swept.stop !== undefined
  if (partial && swept.mode === 'swept' && swept.sightings.length > 0) {
    if (file === undefined) say('partial; with --record FILE it could be gone on with')
    else say(`partial; the same command with --resume ${file} goes on`)
  }
  if (world.interrupt.aborted) return INTERRUPTED
  if (kind === 'unanswered' && swept.stop !== 'refused') return NO_REPLY
  const isMisScoped = kind === 'untrue' || (kind === 'no-ecs' && judged.groups.length > 1)
  if (isMisScoped && options.failOn.includes('mis-scoped')) return MIS_SCOPED
  return partial && options.failOn.includes('partial') ? PARTIAL : 0
}

function document(work: Work, world: World, judgement: MapJudgement | undefined): string {
  const error =
    judgement?.swept.sightings.length === 0
      ? { code: 'no-reply', message: 'no answer from any server' }
      : world.interrupt.aborted
        ? { code: 'interrupted', message: 'interrupted: this is what was seen until then' }
        : undefined
  const tool = toolOf(world.version)
  return mapJson({ tool, plan: work.plan, ...(judgement && { judgement }), error })
}

function refused(reason: Wrong, flags: MapFlags, world: World): number {
  const message = printable(wrongText(reason))
  world.err.write(`lbprobe: ${message}\n`)
  if (flags.json) {
    const tool = toolOf(world.version)
    world.out.write(mapJson({ tool, error: { code: 'usage', message } }))
  }
  return USAGE
}
