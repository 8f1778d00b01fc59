/**
 * One use of `dns2` or `ecs`: options read, measured, told, and the exit code that follows. With
 * `--json` there is one document on stdout whatever happens; sentences go to stderr.
 */

import { type Command, measure } from '../command.ts'
import { deliver } from '../deliver.ts'
import { settle } from '../judge/expect.ts'
import { partialText } from '../judge/partial.ts'
import { listedNames } from '../list.ts'
import { type Measured, measuredFrom } from '../measured.ts'
import { type Flags, type Options, readOptions } from '../options.ts'
import { pageFor } from '../page.ts'
import { isWrong, type Wrong, wrong, wrongText } from '../plan/wrong.ts'
import { type Failure, failureText, reportText, tracesOf } from '../report.ts'
import { printable } from '../tell/number.ts'
import { judgedRemarks, judgedRulings } from '../tell/reporters/judged.ts'
import type { Report } from '../tell/reporters/report.ts'
import { PLAIN } from '../tell/style.ts'
import type { World } from '../world.ts'

const USAGE = 2
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
  if (isWrong(options)) return refused(options, flags.json ? 'json' : 'person', world)
  const { replay } = options
  const measured = await (replay === undefined
    ? measure(command, options, world)
    : replayed(command, replay, world))
  if (isWrong(measured)) return refused(measured, options.format, world)
  if (options.action === 'plan-only') {
    const page = pageFor(options, world)
    if (options.format === 'json') {
      world.out.write(reportText(options, measured, page, world.version, undefined))
    }
    return 0
  }
  return told(command, options, measured, (world.wire.now() - began) / 1000, world)
}

/** What a recording shows, by the judge of today. */
async function replayed(command: Command, path: string, world: World): Promise<Measured | Wrong> {
  const { readRecording } = await import('../recording.ts')
  const recording = await readRecording(path, world)
  if (isWrong(recording)) return wrong(`--replay ${recording.wrong}`, recording.fix)
  const { head, units, end, partial } = recording
  if (head.options.command !== command) {
    const other = head.options.command
    return wrong(`--replay ${path}: a recording of ${other}`, `lbprobe ${other} --replay ${path}`)
  }
  if (end === 'cut') {
    world.err.write(`lbprobe: warning: ${path}: the run was cut off, or is not over yet\n`)
  }
  return measuredFrom(units, head.options, head.plan, partial)
}

async function told(
  command: Command,
  options: Options,
  measured: Measured,
  seconds: number,
  world: World,
): Promise<number> {
  const { judgements, observations } = measured
  const cut = measured.partial && partialText(measured.partial)
  const { exit, failed } = settle(judgements, { ...options, cut })
  const interrupted = world.interrupt.aborted
  const why = denialsIn(measured)
  const error = errorOf(measured, exit, why)
  const isSaid = options.format === 'person' && measured.partial !== undefined
  const ending = interrupted || error?.code === 'deadline' ? [error?.message ?? ''] : []
  if (options.loudness === 'verbose') world.err.write(tracesOf(observations))
  const report: Report = {
    version: world.version,
    command,
    rulings: judgedRulings(judgements, options),
    remarks: judgedRemarks(judgements),
    judgements,
    exit: interrupted ? INTERRUPTED : exit,
    failed: [...new Set([...failed, ...(isSaid ? [] : ending), ...why])],
    seconds,
  }
  return deliver(report, {
    options,
    world,
    error,
    text: page => reportText(options, measured, page, world.version, error),
    json: failure => reportText(options, measured, PAGE, world.version, failure),
  })
}

/** A document has none. */
const PAGE = { style: PLAIN, width: undefined }

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

function refused(reason: Wrong, format: Options['format'], world: World): number {
  const message = printable(wrongText(reason))
  world.err.write(`lbprobe: ${message}\n`)
  if (format === 'json') world.out.write(failureText({ code: 'usage', message }, world.version))
  return USAGE
}
