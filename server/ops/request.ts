/**
 * What may be asked of a running server: the requests of `lbdns ctl` and of the admin API, as a strict
 * schema. Whether what they name exists is not known here.
 */
import * as z from 'zod'
import { isWrong, type Wrong, wrongText } from '../fault.ts'
import { LONGEST, spanFrom, tokenFrom, whenFrom, wordFrom } from './written.ts'

export type Request = z.output<ReturnType<typeof requestShape>>
export type RequestKind = Request['kind']
/** As it comes: what may be left out is left out, and moments and spans are text. */
export type WrittenRequest = z.input<ReturnType<typeof requestShape>>

type Read =
  | { readonly ok: true; readonly request: Request }
  | { readonly ok: false; readonly problems: readonly string[] }

let shape: ReturnType<typeof requestShape> | undefined

/** Reads a request. Every mistake is a sentence. */
export function requestFrom(written: unknown): Read {
  shape ??= requestShape()
  const read = shape.safeParse(written, { error: sentence })
  if (read.success) return { ok: true, request: read.data }
  return { ok: false, problems: read.error.issues.map(placed) }
}

function placed({ message, path }: z.core.$ZodIssue): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`
}

/** Says what is wrong with one value, or leaves it to the schema to say. */
function sentence(issue: z.core.$ZodRawIssue): string | undefined {
  const { code, input } = issue
  if (code === 'invalid_union') return `one of ${KINDS.join(', ')}`
  if (code === 'unrecognized_keys') return `there is no ${issue.keys.join(', ')} in such a request`
  if (input === undefined) return 'is missing'
  if (code === 'invalid_value') return `one of ${issue.values.join(', ')}`
  return code === 'invalid_type' ? (KIND_OF_VALUE[issue.expected] ?? 'an object') : undefined
}

const KIND_OF_VALUE: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
}

const KINDS = [
  ...['status', 'states', 'health', 'board', 'dump', 'reload', 'overrides'],
  ...['drain', 'undrain', 'force', 'unforce', 'ramp', 'undo', 'push', 'acme set', 'acme clear'],
] as const

function requestShape() {
  const bare = (kind: 'status' | 'states' | 'health' | 'board' | 'dump' | 'reload' | 'overrides') =>
    z.strictObject({ kind: z.literal(kind), author })
  const imposed = {
    at: when.optional(),
    for: span.optional(),
    reason,
    author,
    dry_run: z.boolean().prefault(false),
  }
  return z.discriminatedUnion('kind', [
    bare('status'),
    bare('states'),
    bare('health'),
    bare('board'),
    bare('dump'),
    bare('reload'),
    bare('overrides'),
    z.strictObject({ kind: z.literal('drain'), what, percent: percent.prefault(100), ...imposed }),
    z.strictObject({ kind: z.literal('force'), what, to: z.enum(['up', 'down']), ...imposed }),
    z.strictObject({
      kind: z.literal('ramp'),
      name: what,
      from: what,
      to: what,
      over: span,
      ...imposed,
    }),
    z.strictObject({ kind: z.literal('undrain'), what, author }),
    z.strictObject({ kind: z.literal('unforce'), what, author }),
    z.strictObject({ kind: z.literal('undo'), id: z.int().min(1, 'at least 1'), author }),
    z.strictObject({
      kind: z.literal('push'),
      what,
      check: what.optional(),
      now: z.enum(['up', 'down']).prefault('up'),
      load: z.number().min(0, 'at least 0').optional(),
      capacity: z.number().positive('above 0').optional(),
      author,
    }),
    z.strictObject({ kind: z.literal('acme set'), name: what, token, author }),
    z.strictObject({ kind: z.literal('acme clear'), name: what, token: token.optional(), author }),
  ])
}

const what = reading(wordFrom)
const reason = z.string().max(LONGEST, `at most ${LONGEST} characters`).prefault('')
const author = what.optional()
const percent = z.number().gt(0, 'above 0 and at most 100').max(100, 'above 0 and at most 100')
const token = reading(tokenFrom)
const span = reading(spanFrom)
const when = reading(whenFrom)

function reading<To>(read: (text: string) => To | Wrong) {
  return z.string().transform((text, context): To => {
    const value = read(text)
    if (!isWrong(value)) return value
    context.addIssue({ code: 'custom', message: wrongText(value) })
    return z.NEVER
  })
}
