/**
 * One HTTP request and what became of it, whichever version carries it. Opens nothing, and what is
 * asked and answered is octets to it.
 */

import type { Readable } from 'node:stream'
import type { Broken, Denied } from './wire.ts'

export type HttpRequest = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | undefined
}

export type HttpReply = {
  readonly status: number
  /** Content-Type without parameters, lower case. */
  readonly type: string
  readonly ageSeconds: number
  readonly body: Uint8Array
}

export type Outcome = HttpReply | Denied | Broken

/** What requests go through, while it lasts. */
export type HttpLine = {
  readonly request: (request: HttpRequest, forMs: number) => Promise<Outcome>
  readonly close: () => void
  /** Replies it has brought. */
  replies: number
}

export type End = (outcome: Outcome) => void

/** One outcome, the first; whatever is still under way is stopped then. */
export function settled(
  forMs: number,
  line: HttpLine,
  start: (end: End) => (() => void) | undefined,
): Promise<Outcome> {
  return new Promise(resolve => {
    let over = false
    let stop: (() => void) | undefined
    const end: End = outcome => {
      if (over) return
      over = true
      clearTimeout(timer)
      if (typeof outcome === 'object' && 'status' in outcome) line.replies += 1
      stop?.()
      resolve(outcome)
    }
    const timer = setTimeout(() => end('timeout'), forMs)
    stop = start(end)
    if (over) stop?.()
  })
}

export function headOf(status: number, type: unknown, age: unknown): Omit<HttpReply, 'body'> {
  const word =
    String(type ?? '')
      .split(';', 1)[0]
      ?.trim()
      .toLowerCase() ?? ''
  const seconds = /^[0-9]{1,9}$/.test(String(age)) ? Number(age) : 0
  return { status, type: word, ageSeconds: seconds }
}

/** A DNS message has 65,535 octets at most; JSON of one is some times longer. */
const MOST_OCTETS = 1 << 20

export function gather(from: Readable, head: Omit<HttpReply, 'body'>, end: End): void {
  const chunks: Uint8Array[] = []
  let length = 0
  from.on('data', (chunk: Uint8Array) => {
    chunks.push(chunk)
    length += chunk.length
    if (length > MOST_OCTETS)
      end({ error: 'http', why: `HTTP reply of more than ${MOST_OCTETS} octets` })
  })
  from.on('error', () => end('closed'))
  from.on('end', () => end({ ...head, body: Buffer.concat(chunks) }))
}
