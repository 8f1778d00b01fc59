/**
 * `dns2` and `ecs` from options to what was found: panel, servers, measurement, judgement. Names in
 * the order given, each type in turn; an interrupt ends the measuring, not the reporting.
 */

import { type Asker, asker } from './ask/ask.ts'
import { type Server, serverText } from './ask/server.ts'
import { dryRunText } from './dry-run.ts'
import { leadsTo, MOST_LINKS } from './judge/follow.ts'
import { lastRound } from './judge/look.ts'
import type { Observation } from './judge/observation.ts'
import type { Partial } from './judge/partial.ts'
import type { Trust } from './judge/trust.ts'
import type { Unit } from './judge/units.ts'
import type { Cut, Run } from './ledger.ts'
import { measureEcs, measureRotation } from './measure.ts'
import { headOf, type Measured, measuredFrom, unitOptions } from './measured.ts'
import { isDocument } from './options/formats.ts'
import type { Options } from './options.ts'
import { type Outline, outlineDocument, outlineText } from './outline.ts'
import { clientFor, ordinaryNetworks, panelFor } from './panel.ts'
import { type Chance, chanceFrom } from './plan/chance.ts'
import type { Subnet } from './plan/question.ts'
import { controlsOf, inARow, roundOf, type Subject } from './plan/rounds.ts'
import { SCOPE_SAMPLES } from './plan/scope.ts'
import { isWrong, type Wrong, wrong } from './plan/wrong.ts'
import { type Progress, progressOf } from './progress.ts'
import { besides, linesTo, type Recorder, recorderFor } from './recorder.ts'
import { instead, type Targets, targetsFor, wordsFor } from './targets.ts'
import { headLine } from './tell/recording.ts'
import { type Trusted, trustIn } from './trust.ts'
import type { World } from './world.ts'

export type Command = 'dns2' | 'ecs'

/** What stays the same over all names of one command. */
type Work = {
  readonly command: Command
  readonly options: Options
  readonly world: World
  readonly outline: Outline
  readonly asker: Asker
  readonly chance: Chance
  readonly progress: Progress
  readonly recorder: Recorder
  readonly units: Unit[]
  /** What cut single measurements short, in order. */
  readonly cuts: Partial[]
  /** Resolvers that were tried, once for all names. */
  readonly trusted: Trusted
}

const ROTATION_COUNT = 20

/** @param told each line of the recording as it comes, but its end */
export async function measure(
  command: Command,
  options: Options,
  world: World,
  told: (line: string) => void = () => undefined,
): Promise<Measured | Wrong> {
  const seed = options.seed ?? world.seed()
  const panel = await (command === 'ecs' ? panelFor : clientFor)(options, world, seed)
  if (isWrong(panel)) return panel
  const chance = chanceFrom(seed)
  const { tries, timeoutMs, size } = options
  const outline = outlineOf(command, options, panel, seed)
  const head = headOf(unitOptions(outline, options), outlineDocument(outline, options), world)
  const file = await recorderFor(options.record, head, world)
  if (isWrong(file)) return file
  told(headLine(head))
  const work: Work = {
    command,
    options,
    world,
    outline,
    asker: asker(world.wire, chance, { tries, timeoutMs, size }),
    chance,
    progress: progressOf(options, world),
    recorder: besides(file, linesTo(told)),
    units: [],
    cuts: [],
    trusted: new Map(),
  }
  if (options.deadlineMs !== undefined) work.asker.until = world.wire.now() + options.deadlineMs
  if (options.action === 'plan-only' && options.dig !== 'shown') {
    if (!isDocument(options.format)) {
      world.out.write(dryRunText(outline, { ...options, servers: wordsFor(options, world) }))
    }
    return measuredFrom([], head, undefined)
  }
  for (const { name, type } of subjectsOf(options)) {
    if (isOver(work)) break
    const reason = await measureSubject(work, { name, type, chain: [] })
    if (isWrong(reason)) return reason
  }
  const partial = partialOf(work)
  await file.close(partial)
  return measuredFrom(work.units, head, partial)
}

function isOver({ world, asker }: Work): boolean {
  return world.interrupt.aborted || world.wire.now() >= asker.until
}

/** The interrupt and the deadline end everything; other cuts one measurement, and the first is told. */
function partialOf(work: Work): Partial | undefined {
  const { options, world, cuts } = work
  if (world.interrupt.aborted) return { reason: 'interrupted' }
  const isLate = options.deadlineMs !== undefined && isOver(work)
  if (isLate) return { reason: 'deadline', seconds: (options.deadlineMs ?? 0) / 1000 }
  return cuts.find(({ reason }) => reason === 'refused') ?? cuts[0]
}

function partialBy(cut: Cut, { name, type }: Subject, { queries }: Options): Partial {
  if (cut.kind === 'budget') return { reason: 'budget', queries, name: `${name} ${type}` }
  return { reason: 'refused', server: cut.server, replies: cut.replies }
}

/** Names in the order given, and for each the types in theirs. */
function subjectsOf(options: Options): readonly Subject[] {
  return options.names.flatMap(name => options.types.map(type => ({ name, type })))
}

function outlineOf(
  command: Command,
  options: Options,
  subnets: readonly Subnet[],
  seed: number,
): Outline {
  const rounds = options.count ?? lastRound(subnets.length)
  return {
    command,
    seed,
    count: command === 'dns2' ? (options.count ?? ROTATION_COUNT) : rounds,
    subnets,
    controls: controlsOf(options.controls).length,
    samplesABlock: SCOPE_SAMPLES[options.samples],
    queries: options.queries,
    rate: options.rate,
  }
}

/** A name and type that were wished for, and how far along its aliases. */
type Place = Pick<Unit, 'name' | 'type' | 'chain'>

/** Of one name and type; at an authority along its aliases, from zone to zone. */
async function measureSubject(work: Work, place: Place): Promise<Wrong | undefined> {
  const { command, options, world } = work
  const name = place.chain.at(-1) ?? place.name
  const grouping = command === 'dns2' ? 'each' : 'one'
  const targets = await targetsFor(name, options, world, grouping)
  if (isWrong(targets)) return targets
  const seen = await measureLists(work, { ...place, after: 'nothing' }, targets)
  if (targets.who === 'resolvers' || isOver(work)) return undefined
  const target = leadsTo(seen)
  if (target !== undefined && place.chain.length < MOST_LINKS) {
    return measureSubject(work, { ...place, chain: [...place.chain, target] })
  }
  if (targets.fallback === 'none' || !isSilent(seen)) return undefined
  const silent = wrong(`the name servers for ${name} do not answer`)
  const others = await instead(name, options, world, silent)
  if (!isWrong(others)) await measureLists(work, { ...place, after: 'silence' }, others)
  return undefined
}

/** Of each list of servers, which becomes a unit. Returns what was seen of all. */
async function measureLists(
  work: Work,
  place: Place & Pick<Unit, 'after'>,
  targets: Targets,
): Promise<readonly Observation[]> {
  const { options, world, outline } = work
  const subject = { name: place.chain.at(-1) ?? place.name, type: place.type }
  if (targets.warning !== undefined) world.err.write(`lbprobe: warning: ${targets.warning}\n`)
  const all: Observation[] = []
  for (const servers of targets.lists) {
    const host = hostOf(servers, targets)
    const line = outlineText(outline, subject, servers, host)
    const isPlan = options.action === 'plan-only'
    if (options.loudness !== 'quiet') world.err.write(`${line}\n`)
    if (isPlan) await tellPlanned(work, subject, servers)
    if (isPlan || isOver(work)) continue
    const trust = await trustFor(work, subject, servers)
    const unit = { ...place, servers: servers.map(serverText), trust, ...host }
    work.recorder.begin(unit)
    const seen = await observe(work, subject, servers)
    work.progress.wipe()
    const observations = seen.toSorted((one, other) => one.sequence - other.sequence)
    work.units.push({ ...unit, observations })
    all.push(...observations)
  }
  return all
}

/** Host names: of the one that is measured for itself, and of all. */
function hostOf(
  [server]: readonly Server[],
  { hosts, nameServers }: Targets,
): Pick<Unit, 'host' | 'nameServers'> {
  const host = server === undefined ? undefined : hosts?.get(serverText(server))
  return { ...(host && { host }), ...(nameServers && { nameServers }) }
}

/** The queries of the first round, or the one that is repeated, and where else one goes. */
async function tellPlanned(
  { command, outline, options, asker, chance, world }: Work,
  subject: Subject,
  servers: readonly Server[],
): Promise<void> {
  const { plannedAsDig } = await import('./dig.ts')
  const round =
    command === 'dns2'
      ? inARow(subject, 1, outline.subnets[0])
      : roundOf(subject, outline.subnets, 1, chance, options.controls)
  const out = isDocument(options.format) ? world.err : world.out
  for (const [index, server] of servers.entries()) {
    const questions = index === 0 ? round : round.slice(0, 1)
    out.write(await plannedAsDig(questions, server, asker.manner))
  }
}

async function observe(
  work: Work,
  subject: Subject,
  servers: readonly Server[],
): Promise<readonly Observation[]> {
  const { command, outline, options } = work
  const run = runOf(work, subject)
  if (command === 'dns2') {
    const wish = { count: outline.count, subnet: outline.subnets[0] }
    return measureRotation(run, subject, servers, wish)
  }
  return measureEcs(run, subject, servers, {
    panel: outline.subnets,
    controls: options.controls,
    hostile: options.hostile,
    rounds: options.count,
    samples: outline.samplesABlock,
    alpha: options.alpha,
    seed: outline.seed,
  })
}

function runOf(work: Work, subject: Subject): Run {
  const { asker, chance, options, outline, world, progress } = work
  const most = work.command === 'dns2' ? outline.count : outline.queries
  return {
    asker,
    chance,
    budget: { queries: options.queries, rate: options.rate },
    width: world.width,
    intervalMs: options.intervalMs,
    signal: world.interrupt,
    progress: asked => progress.show(subject, asked, most),
    record: work.recorder.write,
    cut: why => void work.cuts.push(partialBy(why, subject, options)),
  }
}

/** Tries a resolver before what comes through it is believed. */
async function trustFor(
  work: Work,
  subject: Subject,
  servers: readonly Server[],
): Promise<Trust | undefined> {
  const { command, options, world, trusted } = work
  if (command === 'dns2') return undefined
  const { cut: _, record: __, ...run } = runOf(work, subject)
  const quiet = { ...run, progress: () => undefined }
  const trust = await trustIn(trusted, quiet, subject, servers, options, () =>
    ordinaryNetworks(world),
  )
  if (trust !== undefined && options.loudness !== 'quiet') {
    world.err.write(`calibration: ${trust.server} ${trust.reason}\n`)
  }
  return trust
}

function isSilent(seen: readonly Observation[]): boolean {
  return seen.length > 0 && seen.every(({ rcode }) => rcode === undefined)
}
