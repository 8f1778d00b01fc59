/**
 * One use of `dns2` or `ecs`: options read, measured, told, and the exit code that follows. With
 * `--json` there is one document on stdout whatever happens; sentences go to stderr.
 */

import { type Command, type Measured, measure, measuredFrom } from '../command.ts'
import { settle } from '../judge/expect.ts'
import { type Flags, type Options, readOptions } from '../options.ts'
import { pageFor } from '../page.ts'
import { reasonOf } from '../panel.ts'
import { isWrong, type Wrong, wrong, wrongText } from '../plan/wrong.ts'
import { failureText, reportText, tracesOf } from '../report.ts'
import { printable } from '../tell/number.ts'
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
  const options = readOptions(words, flags)
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
  return told(options, measured, world)
}

const CUT = {
  cut: 'the run was cut off, or is not over yet',
  interrupted: 'the run was interrupted',
} as const

/** What a recording shows, by the judge of today. */
async function replayed(command: Command, path: string, world: World): Promise<Measured | Wrong> {
  const { readRecording } = await import('../recording.ts')
  const recording = await readRecording(path, world)
  if (isWrong(recording)) return wrong(`--replay ${recording.wrong}`, recording.fix)
  const { head, units, end } = recording
  if (head.options.command !== command) {
    const other = head.options.command
    return wrong(`--replay ${path}: a recording of ${other}`, `lbprobe ${other} --replay ${path}`)
  }
  if (end !== 'done') world.err.write(`lbprobe: warning: ${path}: ${CUT[end]}\n`)
  return measuredFrom(units, head.options, head.plan)
}

async function told(options: Options, measured: Measured, world: World): Promise<number> {
  const { exit, failed } = settle(measured.judgements, {
    expect: options.expect,
    failOn: options.failOn,
    inconclusive: options.inconclusive,
  })
  const interrupted = world.interrupt.aborted
  const why = denialsIn(measured)
  const error = interrupted ? INTERRUPTION : exit === NO_REPLY ? silence(why) : undefined
  const report = reportText(options, measured, pageFor(options, world), world.version, error)
  const unwritten = await deliver(report, options, world)
  if (isWrong(unwritten)) return refused(unwritten, options.format, world)
  if (options.loudness === 'verbose') world.err.write(tracesOf(measured.observations))
  const sentences = new Set([...failed, ...(interrupted ? [INTERRUPTION.message] : []), ...why])
  for (const sentence of sentences) world.err.write(`lbprobe: ${sentence}\n`)
  if (interrupted) return INTERRUPTED
  const isFinding = exit !== 0 && exit !== NO_REPLY
  return isFinding && options.findings === 'exit-zero' ? 0 : exit
}

const INTERRUPTION = {
  code: 'interrupted',
  message: 'interrupted: this is what was seen until then',
}
function silence(why: readonly string[]): { code: string; message: string } {
  return { code: 'no-reply', message: ['no reply from any server', ...why].join('; ') }
}

const DENIALS = new Set(['certificate', 'handshake', 'http'])

/** Where encryption or HTTP stood in between, what it says: once for each server. */
function denialsIn({ observations }: Measured): readonly string[] {
  const denied = observations.filter(({ error }) => DENIALS.has(error ?? ''))
  return [...new Set(denied.map(({ server, oddities }) => `${server}: ${oddities.at(-1)}`))]
}

/** Writes a report where it is wanted. */
export async function deliver(
  report: string,
  options: Options,
  world: World,
): Promise<undefined | Wrong> {
  if (options.output === undefined) {
    world.out.write(report)
    return undefined
  }
  try {
    await world.writeText(options.output, report)
    return undefined
  } catch (cause) {
    return wrong(
      `--output ${options.output}: ${reasonOf(cause)}`,
      'name a file that can be written',
    )
  }
}

function refused(reason: Wrong, format: Options['format'], world: World): number {
  const message = printable(wrongText(reason))
  world.err.write(`lbprobe: ${message}\n`)
  if (format === 'json') world.out.write(failureText({ code: 'usage', message }, world.version))
  return USAGE
}
