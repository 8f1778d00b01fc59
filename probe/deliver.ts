/**
 * The end of a run: told in the format asked for, to stdout or a file, reporters beside it, sentences
 * to stderr, and the exit code as whoever reads it knows it. What a command found, only it knows.
 */

import type { Lines } from './lines.ts'
import { type Format, isDocument, isPage } from './options/formats.ts'
import type { OutputOptions } from './options/output.ts'
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

type Text = string | Promise<string>

/**
 * A run in each format that its command has; made only where it is asked for. YAML is the JSON
 * document, and Markdown the reporter's.
 */
export type Texts = {
  /** For a person; it may be empty. */
  readonly page: (page: Page) => string
  readonly json: (error: Failure | undefined) => Text
  /** The end of the lines that were written while it ran. */
  readonly jsonl?: (error: Failure | undefined) => string
  readonly short?: () => string
  readonly csv?: () => Text
  readonly html?: () => Text
  readonly svg?: () => Text
}

export type Delivery = {
  readonly options: OutputOptions & { readonly findings?: 'count' | 'exit-zero' }
  readonly world: World
  readonly error: Failure | undefined
  readonly texts: Texts
  /** Where JSON lines went while it ran. */
  readonly lines?: Lines
}

/** Writes everything and says what the exit code is. */
export async function deliver(report: Report, delivery: Delivery): Promise<number> {
  const { options, world, texts } = delivery
  const page = pageFor(options, world)
  const failed = await tellAll(options.reporters, report, texts.page, page, world)
  failed.push(...(await main(report, delivery)))
  for (const sentence of report.failed) world.err.write(`lbprobe: ${printable(sentence)}\n`)
  for (const reason of failed) world.err.write(`lbprobe: ${printable(wrongText(reason))}\n`)
  const exit = failed.length > 0 ? USAGE : report.exit
  const forgiven = FINDINGS.has(exit) && options.findings === 'exit-zero'
  return forgiven ? 0 : exitFor(options.reporters, exit)
}

/** Writes the document of a run that was planned only; for a person the plan was printed before. */
export async function deliverPlan(report: Report, delivery: Delivery): Promise<number> {
  if (!isDocument(delivery.options.format)) return 0
  return deliver(report, { ...delivery, options: { ...delivery.options, reporters: [] } })
}

/** What is written where no reporter has taken its place. */
async function main(report: Report, delivery: Delivery): Promise<readonly Wrong[]> {
  const { options, world, error, lines } = delivery
  const { format, output, reporters } = options
  if (isPage(format) && output === undefined && takesStdout(reporters)) return []
  const text = await textIn(format, report, delivery, error)
  const unwritten = await (lines === undefined ? put(text, output, world) : lines.end(text))
  if (unwritten === undefined) return []
  if (isDocument(format) && output !== undefined) {
    const usage = { code: 'usage', message: unwritten.wrong }
    world.out.write(await textIn(format, report, delivery, usage))
  }
  return [unwritten]
}

async function textIn(
  format: Format,
  report: Report,
  { options, world, texts }: Delivery,
  error: Failure | undefined,
): Promise<string> {
  switch (format) {
    case 'auto':
    case 'pretty':
    case 'plain':
      return texts.page(pageFor(options, world))
    case 'yaml':
      return (await import('./tell/yaml.ts')).yamlText(await texts.json(error))
    case 'md':
      return (await import('./tell/reporters/markdown.ts')).markdownText(report)
    default:
      return texts[format]?.(error) ?? ''
  }
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
