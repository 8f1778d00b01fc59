/**
 * One use of `dns2` or `ecs`: options read, measured, told, and the exit code that follows. A
 * document is one on stdout whatever happens; sentences go to stderr.
 */

import { type Command, measure } from '../command.ts'
import { type Delivery, deliver, deliverPlan, type Failure } from '../deliver.ts'
import { settle } from '../judge/expect.ts'
import { partialText } from '../judge/partial.ts'
import { linesFor } from '../lines.ts'
import { listedNames } from '../list.ts'
import { type Measured, measuredFrom } from '../measured.ts'
import { type Format, isDocument, isPage, refusedIn } from '../options/formats.ts'
import { type Flags, type Options, readOptions } from '../options.ts'
import { isWrong, type Wrong, wrong } from '../plan/wrong.ts'
import { linesTo } from '../recorder.ts'
import { measuredTexts, tracesOf } from '../report.ts'
import { DOCUMENT } from '../tell/documents.ts'
import { headLine } from '../tell/recording.ts'
import { judgedFigures, judgedRemarks, judgedRulings } from '../tell/reporters/judged.ts'
import type { Report } from '../tell/reporters/report.ts'
import type { World } from '../world.ts'
import { refuse } from './refuse.ts'

const NO_REPLY = 9
const INTERRUPTED = 130

export async function runMeasurement(
  command: Command,
  words: readonly string[],
  flags: Flags,
  world: World,
): Promise<number> {
  const began = world.wire.now()
  const listed = await listedNames(flags.list ?? [], world)
  const options = isWrong(listed) ? listed : readOptions(words, flags, listed)
  const failure = (reason: Wrong, format: Format): Promise<number> =>
    refuse(reason, DOCUMENT.result, format, world)
  if (isWrong(options)) return failure(options, refusedIn(flags))
  const lines = await linesFor(options, world)
  if (isWrong(lines)) return failure(lines, options.format)
  const { replay } = options
  const measured = await (replay === undefined
    ? measure(command, options, world, lines?.add)
    : replayed(command, replay, world, lines?.add))
  if (isWrong(measured)) return failure(measured, options.format)
  const seconds = (world.wire.now() - began) / 1000
  return told({ command, options, measured, seconds, world, ...(lines && { lines }) })
}

/** What a recording shows, by the judge of today. */
async function replayed(
  command: Command,
  path: string,
  world: World,
  told: (line: string) => void = () => undefined,
): Promise<Measured | Wrong> {
  const { readRecording } = await import('../recording.ts')
  const recording = await readRecording(path, world)
  if (isWrong(recording)) return wrong(`--replay ${recording.wrong}`, recording.fix)
  const { head, units, end, partial } = recording
  const judging = head.options
  const other = judging.command
  if (other === 'map' || judging.command !== command) {
    return wrong(`--replay ${path}: a recording of ${other}`, `lbprobe ${other} --replay ${path}`)
  }
  if (end === 'cut') {
    world.err.write(`lbprobe: warning: ${path}: the run was cut off, or is not over yet\n`)
  }
  told(headLine(head))
  const again = linesTo(told)
  for (const { observations, ...unit } of units) {
    again.begin(unit)
    observations.forEach(again.write)
  }
  return measuredFrom(units, { ...head, options: judging }, partial)
}

type Told = Pick<Delivery, 'world' | 'lines'> & {
  readonly command: Command
  readonly options: Options
  readonly measured: Measured
  readonly seconds: number
}

async function told(run: Told): Promise<number> {
  const { command, options, measured, seconds, world, lines } = run
  const { judgements, observations } = measured
  const isPlan = options.action === 'plan-only'
  const cut = measured.partial && partialText(measured.partial)
  const { exit, failed } = isPlan ? PLANNED : settle(judgements, { ...options, cut })
  const interrupted = world.interrupt.aborted
  const why = denialsIn(measured)
  const error = errorOf(measured, exit, why)
  const isSaid = cut === undefined || isPage(options.format)
  const isEnded = interrupted || error?.code === 'deadline' || !isDocument(options.format)
  if (options.loudness === 'verbose') world.err.write(tracesOf(observations))
  const report: Report = {
    version: world.version,
    command,
    rulings: judgedRulings(judgements, options),
    remarks: judgedRemarks(judgements),
    figures: judgedFigures(judgements),
    exit: interrupted && !isPlan ? INTERRUPTED : exit,
    failed: [...new Set([...failed, ...(!isSaid && isEnded ? [cut] : []), ...why])],
    seconds,
  }
  const texts = measuredTexts(measured, world.version)
  const delivery = { options, world, error, texts, ...(lines && { lines }) }
  return isPlan ? deliverPlan(report, delivery) : deliver(report, delivery)
}

const PLANNED = { exit: 0, failed: [] } as const

/** What ended the run against its will; a budget that was kept is no error. */
function errorOf({ partial }: Measured, exit: number, why: readonly string[]): Failure | undefined {
  if (partial?.reason === 'interrupted' || partial?.reason === 'deadline') {
    return { code: partial.reason, message: partialText(partial) }
  }
  return exit === NO_REPLY ? silence(why) : undefined
}

function silence(why: readonly string[]): { code: string; message: string } {
  return { code: 'no-reply', message: ['no reply from any server', ...why].join('; ') }
}

const DENIALS = new Set(['unreachable', 'certificate', 'handshake', 'http'])

/** Where the system, encryption or HTTP stood in between, what it says: once for each server. */
function denialsIn({ observations }: Measured): readonly string[] {
  const denied = observations.filter(({ error }) => DENIALS.has(error ?? ''))
  return [...new Set(denied.map(({ server, oddities }) => `${server}: ${oddities.at(-1)}`))]
}
