/**
 * `dns2` and `ecs` from options to what was found: panel, servers, measurement, judgement. Names in
 * the order given, each type in turn; an interrupt ends the measuring, not the reporting.
 */

import { type Asker, asker } from './ask/ask.ts'
import type { Server } from './ask/server.ts'
import { asOf, leadsTo, MOST_LINKS } from './follow.ts'
import { judgeEcs } from './judge/ecs.ts'
import type { Judgement } from './judge/judgement.ts'
import { lastRound } from './judge/look.ts'
import type { Observation } from './judge/observation.ts'
import { judgeRotation } from './judge/rotation.ts'
import { compareTwins } from './judge/twins.ts'
import type { Run } from './ledger.ts'
import { measureEcs, measureRotation } from './measure.ts'
import type { Options } from './options.ts'
import { type Outline, outlineText } from './outline.ts'
import { clientFor, panelFor } from './panel.ts'
import { type Chance, chanceFrom } from './plan/chance.ts'
import type { Subnet } from './plan/question.ts'
import type { Subject } from './plan/rounds.ts'
import { SCOPE_SAMPLES } from './plan/scope.ts'
import { isWrong, type Wrong, wrong } from './plan/wrong.ts'
import { type Progress, progressOf } from './progress.ts'
import { instead, type Targets, targetsFor } from './targets.ts'
import type { World } from './world.ts'

export type Command = 'dns2' | 'ecs'

export type Measured = {
  readonly outline: Outline
  readonly judgements: readonly Judgement[]
  readonly observations: readonly Observation[]
}

/** What stays the same over all names of one command. */
type Work = {
  readonly command: Command
  readonly options: Options
  readonly world: World
  readonly outline: Outline
  readonly asker: Asker
  readonly chance: Chance
  readonly progress: Progress
}

const ROTATION_COUNT = 20

export async function measure(
  command: Command,
  options: Options,
  world: World,
): Promise<Measured | Wrong> {
  const panel = await (command === 'ecs' ? panelFor : clientFor)(options, world)
  if (isWrong(panel)) return panel
  const seed = options.seed ?? world.seed()
  const chance = chanceFrom(seed)
  const { tries, timeoutMs, size } = options
  const work: Work = {
    command,
    options,
    world,
    outline: outlineOf(command, options, panel, seed),
    asker: asker(world.wire, chance, { tries, timeoutMs, size }),
    chance,
    progress: progressOf(options, world),
  }
  const judgements: Judgement[] = []
  const observations: Observation[] = []
  for (const subject of subjectsOf(options)) {
    if (world.interrupt.aborted) break
    const found = await measureSubject(work, subject, observations)
    if (isWrong(found)) return found
    judgements.push(...found)
  }
  return { outline: work.outline, judgements: compareTwins(judgements), observations }
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
    samplesABlock: SCOPE_SAMPLES[options.samples],
    queries: options.queries,
    rate: options.rate,
  }
}

/** Of one name and type; at an authority along its aliases, from zone to zone. */
async function measureSubject(
  work: Work,
  subject: Subject,
  observations: Observation[],
  links: number = MOST_LINKS,
): Promise<readonly Judgement[] | Wrong> {
  const { command, options, world } = work
  const grouping = command === 'dns2' ? 'each' : 'one'
  const targets = await targetsFor(subject.name, options, world, grouping)
  if (isWrong(targets)) return targets
  const first = await measureLists(work, subject, targets)
  observations.push(...first.seen)
  if (targets.fallback === 'none' || world.interrupt.aborted) return first.judgements
  const target = leadsTo(first.seen)
  if (target !== undefined && links > 0) {
    const found = await measureSubject(work, { ...subject, name: target }, observations, links - 1)
    return isWrong(found) ? found : found.map(one => asOf(subject.name, target, one))
  }
  if (!isSilent(first.judgements)) return first.judgements
  const silent = wrong(`the name servers for ${subject.name} do not answer`)
  const others = await instead(subject.name, options, world, silent)
  if (isWrong(others)) return first.judgements
  const second = await measureLists(work, subject, others)
  observations.push(...second.seen)
  return second.judgements
}

type Listed = {
  readonly judgements: readonly Judgement[]
  readonly seen: readonly Observation[]
}

async function measureLists(work: Work, subject: Subject, targets: Targets): Promise<Listed> {
  const { options, world, outline } = work
  if (targets.warning !== undefined) world.err.write(`lbprobe: warning: ${targets.warning}\n`)
  const judgements: Judgement[] = []
  const all: Observation[] = []
  for (const servers of targets.lists) {
    const line = outlineText(outline, subject, servers)
    if (options.action === 'plan-only' && options.format !== 'json') world.out.write(`${line}\n`)
    else if (options.loudness !== 'quiet') world.err.write(`${line}\n`)
    if (options.action === 'plan-only' || world.interrupt.aborted) continue
    const seen = await observe(work, subject, servers)
    work.progress.wipe()
    all.push(...seen.toSorted((one, other) => one.sequence - other.sequence))
    judgements.push(judged(work, subject, seen))
  }
  return { judgements, seen: all }
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
  }
}

function judged(work: Work, subject: Subject, seen: readonly Observation[]): Judgement {
  const { outline, options, command } = work
  const { seed, samplesABlock, subnets } = outline
  if (command === 'dns2') return judgeRotation(seen, { ...subject, seed, alpha: options.alpha })
  const ordered = inPanelOrder(seen, subnets)
  return judgeEcs(ordered, { ...subject, seed, alpha: options.alpha, samples: samplesABlock })
}

/** By the panel, not by when they were asked: the rows of a report then stand region by region. */
function inPanelOrder(
  seen: readonly Observation[],
  panel: readonly Subnet[],
): readonly Observation[] {
  const places = new Map(panel.map(({ text }, index) => [text, index]))
  const placeOf = ({ sent }: Observation): number => places.get(sent?.text ?? '') ?? panel.length
  return seen.toSorted((one, other) => placeOf(one) - placeOf(other))
}

function isSilent(judgements: readonly Judgement[]): boolean {
  return judgements.length > 0 && judgements.every(({ tally }) => tally.replies === 0)
}
