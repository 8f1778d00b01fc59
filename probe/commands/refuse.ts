/**
 * A wrong word of the user's: the sentence on stderr, and where a document is wanted one that says so
 * on stdout. The exit code is 2.
 */

import type { Failure } from '../deliver.ts'
import { type Format, isDocument } from '../options/formats.ts'
import { type Wrong, wrongText } from '../plan/wrong.ts'
import { DOCUMENT, toolOf } from '../tell/documents.ts'
import { failedLine } from '../tell/json-lines.ts'
import { printable } from '../tell/number.ts'
import type { World } from '../world.ts'

const USAGE = 2

/** @param schema of the document that the command prints */
export async function refuse(
  reason: Wrong,
  schema: string,
  format: Format,
  world: World,
): Promise<number> {
  const message = printable(wrongText(reason))
  world.err.write(`lbprobe: ${message}\n`)
  world.out.write(await failureText({ code: 'usage', message }, schema, format, world.version))
  return USAGE
}

/** Documents that hold other lists than most. */
const EMPTY: Readonly<Record<string, object>> = {
  [DOCUMENT.map]: { leaves: [] },
  [DOCUMENT.subnets]: { subnets: [] },
  [DOCUMENT.check]: { exit: USAGE, seconds: 0, outcomes: [], results: [] },
}

/** The document of a run that never began; nothing where none is wanted. */
export async function failureText(
  error: Failure,
  schema: string,
  format: Format,
  version: string,
): Promise<string> {
  if (!isDocument(format)) return ''
  if (format === 'jsonl') return failedLine(error)
  const lists = EMPTY[schema] ?? { results: [], queries: [] }
  const json = `${JSON.stringify({ schema, tool: toolOf(version), ...lists, error })}\n`
  return format === 'yaml' ? (await import('../tell/yaml.ts')).yamlText(json) : json
}
