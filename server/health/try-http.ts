/**
 * A request over HTTP/1.1, with TLS or without, on a connection of its own, and whether the response
 * is as the operator wants it. Redirects are not followed.
 */
import { type IncomingMessage, type RequestOptions, request } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpTrial, Pattern } from '../steer/trial.ts'
import { authority } from './try-authority.ts'
import { Failure, inTime, type Limit } from './try-limit.ts'
import { fits, patternText } from './try-pattern.ts'
import { connected } from './try-tcp.ts'
import { numberAt, type Response, valuesOf } from './try-telling.ts'
import { secured } from './try-tls.ts'
import { failed, passed, type Told } from './try-told.ts'

const MOST_FIELDS = 16 * 1024
const MOST_BODY = 64 * 1024

export async function tryHttp(trial: HttpTrial, place: string, limit: Limit): Promise<Told> {
  const { port, tls } = trial
  const socket =
    tls === undefined
      ? await connected(port, place, limit)
      : await secured(tls, { port, place }, limit)
  try {
    const response = await inTime(answered(socket, requestOf(trial, place)), limit, 'answer')
    return await judged(trial, response, limit)
  } catch (error) {
    throw isCutShort(error) ? new Failure('connection closed before a whole answer') : error
  } finally {
    socket.destroy()
  }
}

/** Asks over a connection that is open already, and ends with it. */
function answered(socket: Socket, options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = request({ ...options, createConnection: () => socket })
    asked.once('response', response => {
      // What is wrong with a body is heard of here, and by whoever reads it.
      asked.on('error', error => response.destroy(error))
      response.on('error', () => undefined)
      resolve(response)
    })
    // RFC 9110 §15.2.2: nobody asked for another protocol.
    asked.once('upgrade', ({ statusCode }) => reject(new Failure(`status ${statusCode}`)))
    asked.on('error', reject)
    asked.end()
  })
}

function requestOf(trial: HttpTrial, place: string): RequestOptions {
  const { method, path, headers, host } = trial
  const own = ['host', host ?? authority(place, trial.port, trial.tls === undefined ? 80 : 443)]
  const none = method === 'POST' ? ['content-length', '0'] : [] // RFC 9110 §8.6
  const fields = [own, none, ...headers].flat()
  return { method, path, headers: fields, maxHeaderSize: MOST_FIELDS }
}

/** Node calls a connection that has ended too soon reset, as it calls one that was. */
function isCutShort(error: unknown): boolean {
  const isReset = error instanceof Error && 'code' in error && error.code === 'ECONNRESET'
  return isReset && !('syscall' in error)
}

async function judged(trial: HttpTrial, response: IncomingMessage, limit: Limit): Promise<Told> {
  const { statusCode = 0, headersDistinct: fields } = response
  const status = `status ${statusCode}`
  if (!trial.status.some(([from, to]) => from <= statusCode && statusCode <= to)) {
    return failed(status)
  }
  const wanting = wantingField(trial, { fields, body: '' })
  if (wanting !== undefined) return failed(wanting)
  const body = wantsBody(trial) ? await inTime(headOf(response), limit, 'whole body') : ''
  const lack = trial.body && lackIn([body], trial.body, 'in the body')
  if (lack !== undefined) return failed(lack)
  const capacity = numberAt(trial.capacity, { fields, body })
  return passed(status, {
    load: numberAt(trial.load, { fields, body }),
    capacity: capacity === 0 ? undefined : capacity,
  })
}

/** Only what is looked at is read. */
function wantsBody({ body, load, capacity }: HttpTrial): boolean {
  return body !== undefined || load?.kind === 'json' || capacity?.kind === 'json'
}

/** The beginning of a body; the rest never arrives, as the connection ends here. */
async function headOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body) {
    pieces.push(piece)
    length += piece.length
    if (length >= MOST_BODY) break
  }
  return Buffer.concat(pieces).toString('utf8', 0, MOST_BODY)
}

function wantingField(trial: HttpTrial, response: Response): string | undefined {
  for (const [name, pattern] of trial.fields) {
    const lack = lackIn(valuesOf(response, name), pattern, `in the field ${name}`)
    if (lack !== undefined) return lack
  }
  return undefined
}

/** Says what is missing where none of the texts fits. */
function lackIn(texts: readonly string[], pattern: Pattern, where: string): string | undefined {
  const found = texts.map(text => fits(pattern, text))
  if (found.includes(true)) return undefined
  const what = patternText(pattern)
  return found.includes(undefined)
    ? `looking for a ${what} ${where} takes too long`
    : `no ${what} ${where}`
}
