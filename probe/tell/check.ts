/** The result document of `check`, `lbprobe.check/1`: one outcome for each assertion. */
import type { Report } from './reporters/report.ts'
import { sentenceOf } from './sentence.ts'

export const CHECK_SCHEMA_NAME = 'lbprobe.check/1'

type Tool = { readonly name: string; readonly version: string }

type Failure = { readonly code: string; readonly message: string }

/** The document as one line, with a line end. */
export function checkText(report: Report, tool: Tool, error: Failure | undefined): string {
  const { rulings, judgements, exit, seconds } = report
  const document = {
    schema: CHECK_SCHEMA_NAME,
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
