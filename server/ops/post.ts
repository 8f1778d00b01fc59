/**
 * One POST over HTTP/1.1, with TLS where the URL says so, on a connection of its own: what came of it.
 * Redirects are not followed, and bodies of answers are not read.
 */
import { Client, type Dispatcher } from 'undici'

const MOST_FIELDS = 16 * 1024
/** No connection is waited for any longer, whoever has given up already. */
const CONNECT_MS = 5_000

export type Parcel = {
  readonly url: string
  readonly fields: Readonly<Record<string, string>>
  readonly body: string
}

export type Outcome =
  | { readonly kind: 'taken' }
  /** It may be taken another time, not sooner than in so many milliseconds. */
  | { readonly kind: 'later'; readonly why: string; readonly askedMs?: number | undefined }
  | { readonly kind: 'refused'; readonly why: string }

/** Never rejects; how long it takes is up to the signal. */
export type Post = (parcel: Parcel, signal: AbortSignal) => Promise<Outcome>

export const post: Post = async ({ url, fields, body }, signal) => {
  const { origin, pathname, search } = new URL(url)
  const client = new Client(origin, {
    maxHeaderSize: MOST_FIELDS,
    connectTimeout: CONNECT_MS,
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const path = `${pathname}${search}`
  try {
    const asking = { method: 'POST', path, headers: fields, body, signal, reset: true } as const
    const response = await client.request(asking)
    response.body.on('error', () => undefined)
    return outcomeOf(response)
  } catch (cause) {
    return { kind: 'later', why: whyOf(cause) }
  } finally {
    client.destroy().catch(() => undefined)
  }
}

function outcomeOf({ headers, statusCode }: Dispatcher.ResponseData): Outcome {
  const why = `status ${statusCode}`
  if (statusCode >= 200 && statusCode <= 299) return { kind: 'taken' }
  if (statusCode < 500 && statusCode !== 429) return { kind: 'refused', why }
  const [after] = [headers['retry-after']].flat()
  return { kind: 'later', why, askedMs: after === undefined ? undefined : askedBy(after) }
}

/** RFC 9110 §10.2.3: seconds, or a date. */
function askedBy(after: string): number | undefined {
  const ms = /^\d+$/.test(after) ? 1000 * Number(after) : Date.parse(after) - Date.now()
  return ms > 0 ? ms : undefined // no date is NaN, which is not
}

function whyOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.message || ('code' in cause ? String(cause.code) : cause.name)
}
