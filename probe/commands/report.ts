/** `report`: a recording becomes one HTML file. Sends nothing. */

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { put } from '../deliver.ts'
import { judgeUnits } from '../judge/units.ts'
import { isWrong, type Wrong, wrong, wrongText } from '../plan/wrong.ts'
import { type Recording, readRecording } from '../recording.ts'
import type { Seen } from '../tell/html/baseline.ts'
import type { Places } from '../tell/html/map.ts'
import { reportPage } from '../tell/html/page.ts'
import { printable } from '../tell/number.ts'
import { worldMap } from '../tell/world.ts'
import type { World } from '../world.ts'

export type ReportFlags = { readonly output?: string; readonly baseline?: string }

const USAGE = 2
const MAP_WIDTH = 960
const require = createRequire(import.meta.url)

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
  const recording = await readRecording(path, world)
  if (isWrong(recording)) return recording
  const old = baseline === undefined ? undefined : await readRecording(baseline, world)
  if (isWrong(old)) return old
  return reportPage({
    ...seenIn(recording),
    head: recording.head,
    baseline: old && { ...seenIn(old), began: old.head.began },
    world: worldMap(await atlas(), MAP_WIDTH),
    places: await places(),
  })
}

function seenIn({ head, units }: Recording): Seen {
  return { units, judgements: judgeUnits(units, head.options) }
}

async function atlas(): Promise<Parameters<typeof worldMap>[0]> {
  return JSON.parse(await readFile(require.resolve('world-atlas/countries-110m.json'), 'utf8'))
}

async function places(): Promise<Places> {
  const text = await readFile(require.resolve('#data/geo/countries.csv'), 'utf8')
  const rows = text.trim().split('\n').slice(1)
  return new Map(
    rows.map(row => {
      const [code = '', , name = code, numeric = '', lat, lon] = row.split(',')
      return [code, { numeric, name, lat: Number(lat), lon: Number(lon) }]
    }),
  )
}
