/**
 * The client of a control socket: one request goes out, replies come back, a line each. Whatever keeps
 * it from being answered is a sentence that ends the command. Never waits without end for a reply.
 */
import { connect } from 'node:net'
import { userInfo } from 'node:os'
import { type Wrong, wrong, wrongText } from './fault.ts'
import type { Reply } from './ops/control.ts'
import { addOctets, lines, takeLine } from './ops/lines.ts'
import type { WrittenRequest } from './ops/request.ts'
import { LONGEST_PATH } from './ops/socket-file.ts'
import { Refused } from './output.ts'

/** Octets: a board of a million targets has room. */
const LONGEST_REPLY = 1 << 28

const REPLY_MS = 5_000
/** A reload is answered when it is done. */
const RELOAD_MS = 300_000

export type Asked = WrittenRequest | { readonly kind: 'events'; readonly author: string }

/** Asks one thing. Rejects with `Refused` where nobody answers. */
export async function ask(
  path: string,
  request: WrittenRequest,
  signal?: AbortSignal,
): Promise<Reply> {
  const withinMs = request.kind === 'reload' ? RELOAD_MS : REPLY_MS
  for await (const line of answers(path, request, { withinMs, signal })) return replyIn(line, path)
  throw new Refused(`the server at ${path} left without an answer`)
}

export type Patience = {
  /** In which the first line must have come. */
  readonly withinMs?: number
  /** Ends it early. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Asks, and hears what is answered: lines of JSON, until whoever hears them has enough, the server
 * leaves, or the signal is given.
 */
export async function* answers(
  path: string,
  request: Asked,
  { withinMs = REPLY_MS, signal }: Patience = {},
): AsyncGenerator<unknown> {
  if (Buffer.byteLength(path) > LONGEST_PATH) throw new Refused(`${path} is no path of a socket`)
  const socket = connect(signal === undefined ? { path } : { path, signal })
  const late = setTimeout(() => socket.destroy(new Late()), withinMs)
  const heard = lines(LONGEST_REPLY)
  try {
    socket.write(`${JSON.stringify(request)}\n`)
    for await (const chunk of socket) {
      addOctets(heard, chunk)
      for (let line = takeLine(heard); line !== 'wait'; line = takeLine(heard)) {
        clearTimeout(late)
        yield line === 'long' ? undefined : valueIn(line)
      }
    }
  } catch (cause) {
    if (signal?.aborted !== true) throw new Refused(wrongText(trouble(path, withinMs, cause)))
  } finally {
    clearTimeout(late)
    socket.destroy()
  }
}

class Late extends Error {}

/** Holds an answer to be a reply, or ends the command. */
export function replyIn(line: unknown, path: string): Reply {
  if (isReply(line)) return line
  throw new Refused(`what answers at ${path} is no lbdns`)
}

function isReply(line: unknown): line is Reply {
  if (typeof line !== 'object' || line === null || !('ok' in line)) return false
  if (line.ok === true) return true
  return 'code' in line && 'problems' in line && Array.isArray(line.problems)
}

function valueIn(line: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(line).toString())
  } catch {
    return undefined
  }
}

const NAME_IT = 'start lbdns run, or name what it runs with -c FILE or --socket PATH'

function trouble(path: string, withinMs: number, cause: unknown): Wrong {
  if (cause instanceof Late) {
    const what = `the server at ${path} did not answer within ${withinMs / 1000} s`
    return wrong(what, 'look whether it is at work, and at its log')
  }
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return wrong(`no server at ${path}: there is no such socket`, NAME_IT)
    case 'ECONNREFUSED':
      return wrong(`no server at ${path}: nobody listens there`, NAME_IT)
    case 'EACCES':
      return wrong(
        `${path} is not for ${login()}`,
        'ask as the user that lbdns runs as, or as root',
      )
    case 'EPIPE':
    case 'ECONNRESET':
      return wrong(`the server at ${path} left without an answer`)
    default:
      return wrong(`${path}: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

/** Who asks. In a container there may be no name for it. */
export function login(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
