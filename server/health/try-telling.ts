/** Numbers that a target tells of itself: bare, in a header field, or in a JSON body. Pure. */
import type { Telling } from '../steer/trial.ts'

/** Of a response: fields by name in lower case, and as much of the body as was read. */
export type Response = {
  readonly fields: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
}

/** A bare number ≥ 0, blanks around it left out; `undefined` where the text is anything else. */
export function numberIn(text: string): number | undefined {
  const bare = text.trim()
  if (!/^(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(bare)) return undefined
  const value = Number(bare)
  return value < Number.POSITIVE_INFINITY ? value : undefined
}

/** The number where it should stand; `undefined` where there is none that can be read. */
export function numberAt(telling: Telling | undefined, response: Response): number | undefined {
  if (telling === undefined) return undefined
  if (telling.kind === 'json') return numberOf(valueAt(telling.path, response.body))
  const [text] = valuesOf(response, telling.name)
  return text === undefined ? undefined : numberIn(text)
}

/** All values of a field, in their order. */
export function valuesOf({ fields }: Response, name: string): readonly string[] {
  return [Object.hasOwn(fields, name.toLowerCase()) ? fields[name.toLowerCase()] : undefined]
    .flat()
    .filter(value => value !== undefined)
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'string') return numberIn(value)
  return typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY
    ? value
    : undefined
}

function valueAt(path: readonly string[], body: string): unknown {
  let value = parsed(body)
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[key]
  }
  return value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
