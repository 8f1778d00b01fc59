/**
 * A wrong word of the user's: the sentence on stderr, and where JSON is wanted one document that says
 * so on stdout. The exit code is 2.
 */

import { type Wrong, wrongText } from '../plan/wrong.ts'
import { toolOf } from '../tell/documents.ts'
import { printable } from '../tell/number.ts'
import type { World } from '../world.ts'

const USAGE = 2

/** @param schema of the document that the command prints */
export function refuse(reason: Wrong, schema: string, format: string, world: World): number {
  const message = printable(wrongText(reason))
  world.err.write(`lbprobe: ${message}\n`)
  if (format !== 'json') return USAGE
  const tool = toolOf(world.version)
  const document = { schema, tool, results: [], queries: [], error: { code: 'usage', message } }
  world.out.write(`${JSON.stringify(document)}\n`)
  return USAGE
}
