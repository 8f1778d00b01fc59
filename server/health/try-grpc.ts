/**
 * `grpc.health.v1.Health/Check` over HTTP/2: passes where it says SERVING.
 * Speaks HTTP/2 by prior knowledge (RFC 9113 §3.3), or by ALPN within TLS (§3.2).
 */
import {
  type ClientHttp2Stream,
  connect,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
} from 'node:http2'
import type { Socket } from 'node:net'
import type { GrpcTrial } from '../steer/trial.ts'
import { authority } from './try-authority.ts'
import { checkRequest, STATUS, servingStatus } from './try-grpc-message.ts'
import { Failure, inTime, type Limit } from './try-limit.ts'
import { connected } from './try-tcp.ts'
import { secured } from './try-tls.ts'
import { failed, passed, type Told } from './try-told.ts'

/** A reply has a handful of octets. */
const MOST_REPLY = 4096

type Fields = IncomingHttpHeaders & IncomingHttpStatusHeader
type Reply = { readonly fields: Fields; readonly octets: Uint8Array }

export async function tryGrpc(trial: GrpcTrial, place: string, limit: Limit): Promise<Told> {
  const { port, tls } = trial
  const socket =
    tls === undefined
      ? await connected(port, place, limit)
      : await secured(tls, { port, place, protocol: 'h2' }, limit)
  try {
    return toldBy(await inTime(asked(socket, trial, place, limit), limit, 'answer'))
  } finally {
    socket.destroy()
  }
}

/** The session ends with its socket. */
function asked(socket: Socket, trial: GrpcTrial, place: string, limit: Limit): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const session = connect('http://localhost', {
      createConnection: () => socket,
      settings: { enablePush: false, maxHeaderListSize: 16 * 1024 },
      maxSessionMemory: 1,
      maxHeaderListPairs: 100,
    })
    session.on('error', reject)
    session.once('close', () => reject(new Failure('connection closed before a whole answer')))
    const stream = session.request(requestOf(trial, place, limit))
    stream.end(checkRequest(trial.service))
    collect(stream, resolve, reject)
  })
}

function requestOf({ port, tls }: GrpcTrial, place: string, { ms }: Limit): Record<string, string> {
  return {
    ':method': 'POST',
    ':scheme': tls === undefined ? 'http' : 'https',
    ':path': '/grpc.health.v1.Health/Check',
    ':authority': authority(tls?.name ?? place, port, tls === undefined ? 80 : 443),
    'content-type': 'application/grpc',
    te: 'trailers',
    'grpc-timeout': `${Math.ceil(ms)}m`,
  }
}

function collect(
  stream: ClientHttp2Stream,
  resolve: (reply: Reply) => void,
  reject: (reason: Error) => void,
): void {
  const fields: Fields = {}
  const pieces: Uint8Array[] = []
  let length = 0
  stream.on('response', more => Object.assign(fields, more))
  stream.on('trailers', more => Object.assign(fields, more))
  stream.on('data', (piece: Uint8Array) => {
    pieces.push(piece)
    length += piece.length
    if (length > MOST_REPLY) reject(new Failure('an answer of more than 4 KiB'))
  })
  stream.on('error', reject)
  stream.on('close', () => resolve({ fields, octets: Buffer.concat(pieces) }))
}

// biome-ignore format: table
const CODES = [
  'OK', 'CANCELLED', 'UNKNOWN', 'INVALID_ARGUMENT', 'DEADLINE_EXCEEDED', 'NOT_FOUND',
  'ALREADY_EXISTS', 'PERMISSION_DENIED', 'RESOURCE_EXHAUSTED', 'FAILED_PRECONDITION', 'ABORTED',
  'OUT_OF_RANGE', 'UNIMPLEMENTED', 'INTERNAL', 'UNAVAILABLE', 'DATA_LOSS', 'UNAUTHENTICATED',
] as const

function toldBy({ fields, octets }: Reply): Told {
  const http = fields[':status']
  if (http === undefined) return failed('connection closed before a whole answer')
  if (http !== 200) return failed(`status ${http}`)
  const text = fields['grpc-status']
  if (typeof text !== 'string' || !/^\d{1,3}$/.test(text)) return failed('no grpc-status')
  if (Number(text) !== 0) return failed(`grpc-status ${text} ${CODES[Number(text)] ?? ''}`.trim())
  const serving = servingStatus(octets)
  if (serving === undefined) return failed('the answer is no HealthCheckResponse')
  const word = STATUS[serving] ?? `status ${serving}`
  return word === 'SERVING' ? passed(word) : failed(word)
}
