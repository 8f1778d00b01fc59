/**
 * What may be asked of a running server: the requests of `lbdns ctl` and of the admin API, as a strict
 * schema. Whether what they name exists is not known here.
 */
import * as z from 'zod'
import { secondsFrom } from '../config/duration.ts'
import { instantFrom } from '../config/instant.ts'
import { isWrong, type Wrong, wrong, wrongText } from '../fault.ts'

/** No text of a request is longer. */
const LONGEST = 255
/** Seconds: no override is planned or lasts longer. A year. */
const FARTHEST = 366 * 86_400

export type Request = z.output<ReturnType<typeof requestShape>>
export type RequestKind = Request['kind']
/** When something begins: so many seconds from now, or at a moment in milliseconds. */
export type When = { readonly inSeconds: number } | { readonly atMs: number }

type Read =
  | { readonly ok: true; readonly request: Request }
  | { readonly ok: false; readonly problems: readonly string[] }

let shape: ReturnType<typeof requestShape> | undefined

/** Reads a request. Every mistake is a sentence. */
export function requestFrom(written: unknown): Read {
  shape ??= requestShape()
  const read = shape.safeParse(written)
  if (read.success) return { ok: true, request: read.data }
  return { ok: false, problems: read.error.issues.map(sentence) }
}

function sentence({ code, message, path }: z.core.$ZodIssue): string {
  const place = path.join('.')
  if (code === 'invalid_union' && place === 'kind') return `kind: one of ${KINDS.join(', ')}`
  return place === '' ? message : `${place}: ${message}`
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
    z.strictObject({ kind: z.literal('undo'), id: z.int().min(1), author }),
    z.strictObject({
      kind: z.literal('push'),
      what,
      check: what.optional(),
      now: z.enum(['up', 'down']).prefault('up'),
      load: z.number().min(0).optional(),
      capacity: z.number().positive().optional(),
      author,
    }),
    z.strictObject({ kind: z.literal('acme set'), name: what, token, author }),
    z.strictObject({ kind: z.literal('acme clear'), name: what, token: token.optional(), author }),
  ])
}

const what = z.string().min(1, 'must not be empty').max(LONGEST)
const reason = z.string().max(LONGEST).prefault('')
const author = z.string().min(1).max(LONGEST).optional()
const percent = z.number().gt(0, 'above 0 and at most 100').max(100, 'above 0 and at most 100')
/** A digest in base64url. RFC 8555 §8.4. */
const token = z.string().regex(/^[\w-]{1,255}$/, 'letters, digits, - and _ only')
const span = reading(text => within(secondsFrom(text)))
const when = reading(whenFrom)

function reading<To>(read: (text: string) => To | Wrong) {
  return z.string().transform((text, context): To => {
    const value = read(text)
    if (!isWrong(value)) return value
    context.addIssue({ code: 'custom', message: wrongText(value) })
    return z.NEVER
  })
}

function whenFrom(text: string): When | Wrong {
  if (!text.startsWith('+')) {
    const atMs = instantFrom(text)
    return isWrong(atMs)
      ? wrong(atMs.wrong, 'write +10m, or a moment like 2026-12-24T06:00:00Z')
      : { atMs }
  }
  const inSeconds = within(secondsFrom(text.slice(1)))
  return isWrong(inSeconds) ? inSeconds : { inSeconds }
}

function within(seconds: number | Wrong): number | Wrong {
  if (isWrong(seconds) || seconds <= FARTHEST) return seconds
  return wrong('longer than a year', 'write at most 366d')
}
