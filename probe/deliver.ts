/**
 * The end of a run: its text to stdout or a file, reporters beside it, sentences to stderr, and the
 * exit code as whoever reads it knows it.
 */

import type { Options } from './options.ts'
import { pageFor } from './page.ts'
import { reasonOf } from './panel.ts'
import { type Wrong, wrong, wrongText } from './plan/wrong.ts'
import { exitFor, takesStdout, tellAll } from './reporters.ts'
import { printable } from './tell/number.ts'
import type { PersonOptions as Page } from './tell/person.ts'
import type { Report } from './tell/reporters/report.ts'
import type { World } from './world.ts'

export type Failure = { readonly code: string; readonly message: string }

export const INTERRUPTION: Failure = {
  code: 'interrupted',
  message: 'interrupted: this is what was seen until then',
}

const USAGE = 2
const FINDINGS: ReadonlySet<number> = new Set([1, 3, 4])

export type Delivery = {
  readonly options: Options
  readonly world: World
  readonly error: Failure | undefined
  /** For a person; it may be empty. */
  readonly text: (page: Page) => string
  /** The document of the run, or of what became of it. */
  readonly json: (error: Failure | undefined) => string
}

/** Writes everything and says what the exit code is. */
export async function deliver(report: Report, delivery: Delivery): Promise<number> {
  const { options, world, text } = delivery
  const page = pageFor(options, world)
  const failed = await tellAll(options.reporters, report, text, page, world)
  failed.push(...(await main(delivery, page)))
  for (const sentence of report.failed) world.err.write(`lbprobe: ${printable(sentence)}\n`)
  for (const reason of failed) world.err.write(`lbprobe: ${printable(wrongText(reason))}\n`)
  const exit = failed.length > 0 ? USAGE : report.exit
  const forgiven = FINDINGS.has(exit) && options.findings === 'exit-zero'
  return forgiven ? 0 : exitFor(options.reporters, exit)
}

/** What is written where no reporter has taken its place. */
async function main(delivery: Delivery, page: Page): Promise<readonly Wrong[]> {
  const { options, world, error, text, json } = delivery
  const { format, output, reporters } = options
  if (format !== 'json' && output === undefined && takesStdout(reporters)) return []
  const unwritten = await put(format === 'json' ? json(error) : text(page), output, world)
  if (unwritten === undefined) return []
  if (format === 'json') world.out.write(json({ code: 'usage', message: unwritten.wrong }))
  return [unwritten]
}

/** Writes a report to its file, or to stdout where there is none. */
export async function put(
  text: string,
  output: string | undefined,
  world: World,
): Promise<Wrong | undefined> {
  if (output === undefined) {
    world.out.write(text)
    return undefined
  }
  try {
    await world.writeText(output, text)
    return undefined
  } catch (cause) {
    return wrong(`--output ${output}: ${reasonOf(cause)}`, 'name a file that can be written')
  }
}
