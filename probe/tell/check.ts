/** The result document of `check`, `lbprobe.check/1`: one outcome for each assertion. */

import { z } from 'zod'
import type { Judgement } from '../judge/judgement.ts'
import { DOCUMENT } from './documents.ts'
import type { Report } from './reporters/report.ts'
import { resultSchema } from './schema.ts'
import { sentenceOf } from './sentence.ts'

const place = z.int().min(1).optional()

export const checkSchema = z.object({
  schema: z.literal(DOCUMENT.check),
  tool: z.object({ name: z.string(), version: z.string() }),
  exit: z.int().min(0).max(255),
  seconds: z.number().min(0),
  outcomes: z.array(
    z.object({
      check: z.object({ name: z.string(), type: z.string() }),
      assertion: z.string().describe('its keys in the file: by_country.DE.within'),
      file: z.string().optional(),
      line: place,
      column: place,
      outcome: z.enum(['pass', 'fail', 'inconclusive']),
      expected: z.string(),
      seen: z.string(),
    }),
  ),
  results: resultSchema.shape.results.describe('each measurement, as in lbprobe.result/1'),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
})

/** The published form, two spaces deep, with a line end. */
export function checkSchemaText(): string {
  const schema = z.toJSONSchema(checkSchema, { target: 'draft-2020-12' })
  const described = { title: DOCUMENT.check, description: 'What check --json prints', ...schema }
  return `${JSON.stringify(described, undefined, 2)}\n`
}

type Tool = { readonly name: string; readonly version: string }

type Failure = { readonly code: string; readonly message: string }

/** The document as one line, with a line end. */
export function checkText(
  report: Report,
  judgements: readonly Judgement[],
  tool: Tool,
  error: Failure | undefined,
): string {
  const { rulings, exit, seconds } = report
  const document = {
    schema: DOCUMENT.check,
    tool,
    exit,
    seconds,
    outcomes: rulings.map(({ name, type, assertion, at, state, expected, seen }) => ({
      check: { name, type },
      assertion,
      ...at,
      outcome: state,
      expected,
      seen,
    })),
    results: judgements.map(one => ({ ...one, sentence: sentenceOf(one) })),
    error,
  }
  return `${JSON.stringify(document)}\n`
}
