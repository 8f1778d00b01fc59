/**
 * `lbprobe diff`: options read, servers found, measured side by side, told; and the exit code: 0 the
 * same, 1 different, 3 nothing to compare, 9 no reply.
 */

import { type Server, serverText } from '../ask/server.ts'
import { deliver, deliverPlan, INTERRUPTION, type Texts } from '../deliver.ts'
import { type DiffJudgement, judgeDiff } from '../judge/diff.ts'
import type { Observation } from '../judge/observation.ts'
import { type Partial, partialDocument } from '../judge/partial.ts'
import { endOf, type Run, runAlone } from '../ledger.ts'
import { type Lines, linesFor } from '../lines.ts'
import { isDocument, refusedIn, SERVER_FORMATS } from '../options/formats.ts'
import { type Flags, type Options, readOptions } from '../options.ts'
import { panelFor } from '../panel.ts'
import { isLoopback } from '../plan/budget.ts'
import { chanceFrom } from '../plan/chance.ts'
import type { Subnet } from '../plan/question.ts'
import type { Subject } from '../plan/rounds.ts'
import { type Fit, fit } from '../plan/side-by-side.ts'
import { isWrong, type Wrong, wrong } from '../plan/wrong.ts'
import { progressOf } from '../progress.ts'
import { cutLine, lateAt, partialLine, tracesOf } from '../report.ts'
import { measureSideBySide } from '../side-by-side.ts'
import { type Sides, sidesFor } from '../sides.ts'
import { diffShort, diffText } from '../tell/diff-lines.ts'
import { type DiffOutcome, diffDocumentText, diffResult } from '../tell/diff-result.ts'
import { DOCUMENT, toolOf } from '../tell/documents.ts'
import { headLine, lastLine, queryLine, resultLine } from '../tell/json-lines.ts'
import { diffedFigures, diffedRemarks, diffedRulings } from '../tell/reporters/diffed.ts'
import type { Report } from '../tell/reporters/report.ts'
import type { World } from '../world.ts'
import { refuse } from './refuse.ts'

const INTERRUPTED = 130
const SILENCE = { code: 'no-reply', message: 'no reply from any server' }

export async function diffCommand(
  words: readonly string[],
  flags: Flags,
  world: World,
): Promise<number> {
  const began = world.wire.now()
  const options = readOptions(words, flags, [], SERVER_FORMATS)
  const failure = (reason: Wrong): Promise<number> =>
    refuse(reason, DOCUMENT.diff, refusedIn(flags), world)
  if (isWrong(options)) return failure(options)
  const panel = await panelFor(options, world)
  if (isWrong(panel)) return failure(panel)
  const lines = await linesFor(options, world)
  if (isWrong(lines)) return failure(lines)
  const seed = options.seed ?? world.seed()
  const plan = planDocument(options, panel, seed)
  lines?.add(headLine({ schema: DOCUMENT.diff, tool: toolOf(world.version), plan }))
  const until = endOf(began, options)
  const found = await compareAll({ options, world, panel, seed, lines, until })
  if (isWrong(found)) return failure(found)
  const seconds = (world.wire.now() - began) / 1000
  const partial = lateAt(world, until, options)
  return told(options, { ...found, plan, seconds, partial }, world, lines)
}

type Work = {
  readonly options: Options
  readonly world: World
  readonly panel: readonly Subnet[]
  readonly seed: number
  readonly lines: Lines | undefined
  /** When all must have ended. */
  readonly until: number
}

function subjectsOf({ names, types }: Options): readonly Subject[] {
  return names.flatMap(name => types.map(type => ({ name, type })))
}

/** Every name and type in turn, until an interrupt or the end of its time. */
async function compareAll(
  work: Work,
): Promise<Omit<Found, 'plan' | 'seconds' | 'partial'> | Wrong> {
  const { options, world } = work
  const judgements: DiffJudgement[] = []
  const observations: Observation[] = []
  const hosts = new Map<string, string>()
  const missing = new Set<string>()
  for (const subject of subjectsOf(options)) {
    if (world.interrupt.aborted || world.wire.now() >= work.until) break
    const side = await sidesFor(subject.name, options, world)
    if (isWrong(side)) return side
    for (const [server, host] of side.hosts) hosts.set(server, host)
    for (const host of side.missing) missing.add(host)
    const found = await compare(work, subject, side, observations)
    if (isWrong(found)) return found
    if (found !== undefined) judgements.push(found)
  }
  return { judgements, observations, hosts, missing: [...missing] }
}

async function compare(
  work: Work,
  subject: Subject,
  side: Sides,
  observations: Observation[],
): Promise<DiffJudgement | undefined | Wrong> {
  const { options, world, seed } = work
  const { servers } = side
  const plan = fit(work.panel, servers.length, options.queries, options.count)
  if (plan.rounds < 2) {
    return wrong(
      `--max-queries ${options.queries}: too few to ask ${servers.length} servers twice`,
      'raise it, or name fewer subnets',
    )
  }
  const line = planLine(subject, servers, plan, seed, options)
  if (options.action === 'plan-only') {
    if (!isDocument(options.format)) world.out.write(`${line}\n`)
    return undefined
  }
  if (options.loudness !== 'quiet') world.err.write(`${line}\n`)
  const { zone, seen } = await measureSideBySide(runFor(work, subject), subject, servers, {
    ...plan,
    zone: side.zone,
  })
  observations.push(...seen)
  const names = servers.map(serverText)
  return judgeDiff(seen, { ...subject, zone, servers: names, seed, alpha: options.alpha })
}

function runFor({ options, world, seed, lines, until }: Work, subject: Subject): Run {
  const progress = progressOf(options, world)
  const show = (asked: number): void => progress.show(subject, asked, options.queries)
  const run = runAlone(options, chanceFrom(seed), world, show, until)
  return { ...run, record: seen => lines?.add(queryLine(seen)) }
}

function planLine(
  { name, type }: Subject,
  servers: readonly Server[],
  { panel, rounds }: Fit,
  seed: number,
  { queries, rate }: Options,
): string {
  const most = Math.min(queries, servers.length * (rounds * (panel.length + 1) + 4))
  const pace = servers.every(({ address }) => isLoopback(address)) ? '' : ` · ${rate} a second each`
  const whom = servers.map(serverText).join(', ')
  return (
    `plan: ${name} ${type} · ${panel.length} subnets and none, up to ${rounds} rounds at ` +
    `${servers.length} servers, ${most} queries at most · to ${whom}${pace} · seed ${seed}`
  )
}

function planDocument(
  options: Options,
  panel: readonly Subnet[],
  seed: number,
): NonNullable<DiffOutcome['plan']> {
  const { names, types, queries, rate, timeoutMs, tries, alpha } = options
  const subnets = panel.map(({ text, region }) => ({ subnet: text, region }))
  const limits = { maxQueries: queries, rate, timeoutMs, tries, alpha }
  return { command: 'diff', names, types, seed, subnets, ...limits }
}

type Found = Omit<DiffOutcome, 'tool' | 'error' | 'partial'> & {
  readonly seconds: number
  readonly partial: Partial | undefined
}

async function told(
  options: Options,
  found: Found,
  world: World,
  lines: Lines | undefined,
): Promise<number> {
  const { judgements, observations, seconds, partial } = found
  const isPlan = options.action === 'plan-only'
  const interrupted = world.interrupt.aborted
  const exit = isPlan ? 0 : exitOf(judgements)
  const error = interrupted ? INTERRUPTION : exit === 9 ? SILENCE : undefined
  if (options.loudness === 'verbose') world.err.write(tracesOf(observations))
  const report: Report = {
    version: world.version,
    command: 'diff',
    rulings: diffedRulings(judgements),
    remarks: diffedRemarks(judgements),
    figures: diffedFigures(judgements, observations),
    exit: interrupted ? INTERRUPTED : exit,
    failed: [...cutLine(partial, options), ...(error === undefined ? [] : [error.message])],
    seconds,
  }
  const texts = diffTexts(found, world.version)
  const delivery = { options, world, error, texts, ...(lines && { lines }) }
  return isPlan ? deliverPlan(report, delivery) : deliver(report, delivery)
}

function diffTexts(found: Omit<Found, 'seconds'>, version: string): Texts {
  const { judgements, hosts, plan, observations, missing } = found
  const partial = partialDocument(found.partial)
  const document = {
    partial,
    tool: toolOf(version),
    plan,
    judgements,
    observations,
    hosts,
    missing,
  }
  return {
    page: page => diffText(found, page) + partialLine(found.partial),
    short: () => diffShort(judgements),
    json: error => diffDocumentText({ ...document, error }),
    jsonl: error =>
      judgements.map(one => resultLine(diffResult(one, hosts))).join('') +
      lastLine({ partial: found.partial }, error),
    csv: async () => (await import('../tell/diff-csv.ts')).diffCsv(judgements, hosts),
  }
}

/** Silence of all beats a difference, that beats having nothing to compare. */
function exitOf(judgements: readonly DiffJudgement[]): number {
  const replies = judgements.flatMap(({ servers }) => servers.map(view => view.replies))
  if (replies.every(count => count === 0)) return 9
  if (judgements.some(({ verdict }) => verdict === 'different')) return 1
  return judgements.some(({ verdict }) => verdict === 'unclear') ? 3 : 0
}
