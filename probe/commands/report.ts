/** `report`: a recording becomes one HTML file. Sends nothing. */

import { put } from '../deliver.ts'
import { htmlText } from '../html.ts'
import { judgeUnits, type UnitOptions } from '../judge/units.ts'
import { isWrong, type Wrong, wrong, wrongText } from '../plan/wrong.ts'
import { type Recording, readRecording } from '../recording.ts'
import type { Seen } from '../tell/html/baseline.ts'
import { printable } from '../tell/number.ts'
import type { RecordingHead } from '../tell/recording.ts'
import type { World } from '../world.ts'

export type ReportFlags = { readonly output?: string; readonly baseline?: string }

const USAGE = 2

export async function reportCommand(
  words: readonly string[],
  flags: ReportFlags,
  world: World,
): Promise<number> {
  const page = await pageOf(words, flags, world)
  const failed = isWrong(page) ? page : await put(page, flags.output, world)
  if (failed === undefined) return 0
  world.err.write(`lbprobe: ${printable(wrongText(failed))}\n`)
  return USAGE
}

async function pageOf(
  words: readonly string[],
  { baseline }: ReportFlags,
  world: World,
): Promise<string | Wrong> {
  const [path] = words
  if (path === undefined || words.length > 1) {
    return wrong('report takes one recording', 'lbprobe report FILE.jsonl -o report.html')
  }
  const recording = await readUnits(path, world)
  if (isWrong(recording)) return recording
  const old = baseline === undefined ? undefined : await readUnits(baseline, world)
  if (isWrong(old)) return old
  const before = old && { ...seenIn(old), began: old.head.began }
  const { end, head, partial } = recording
  return htmlText({ ...seenIn(recording), head, end, partial }, before)
}

type Units = Pick<Recording, 'units' | 'end' | 'partial'> & {
  readonly head: RecordingHead<UnitOptions>
}

/** A recording of `dns2` or `ecs`. */
async function readUnits(path: string, world: World): Promise<Units | Wrong> {
  const recording = await readRecording(path, world)
  if (isWrong(recording)) return recording
  const { head, units, end, partial } = recording
  const { options } = head
  if (options.command !== 'map') return { head: { ...head, options }, units, end, partial }
  const fix = `lbprobe map --replay ${path}, with -f svg for a picture`
  return wrong(`${path}: a recording of map`, fix)
}

function seenIn({ head, units }: Units): Seen {
  return { units, judgements: judgeUnits(units, head.options) }
}
