/** What the tests of the admin API share: one that obeys what is recorded, and clients of all sorts. */
import { chmodSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import type { AdminPlace } from '../../server/config/config.ts'
import { type Problem, problemText } from '../../server/fault.ts'
import { MACHINE } from '../../server/health/clock.ts'
import { Admin, type Patience } from '../../server/ops/admin.ts'
import type { Reply } from '../../server/ops/control.ts'
import { Events } from '../../server/ops/events.ts'
import type { Request } from '../../server/ops/request.ts'
import { closing } from './health.ts'
import { folder } from './process.ts'

export const TOKEN = 'correct-horse-battery-staple'

export type Asked = { readonly request: Request; readonly author: string }

export type Stage = {
  readonly admin: Admin
  readonly events: Events
  readonly place: AdminPlace
  readonly port: number
  /** What was obeyed. */
  readonly obeyed: Asked[]
  readonly warned: string[]
  /** What comes of the next requests. */
  reply: () => Promise<Reply>
}

export const AT = { file: 'lbdns.yaml', line: 1, column: 8 }

/**
 * An admin API on loopback, closed after the test.
 *
 * @param tokens the text of its file of tokens; absent: it asks for none
 */
export async function opened(tokens?: string, patience?: Patience): Promise<Stage> {
  const obeyed: Asked[] = []
  const warned: string[] = []
  const events = new Events(MACHINE.date)
  const obey = (request: Request, author: string): Promise<Reply> => {
    obeyed.push({ request, author })
    return stage.reply()
  }
  const warn = (problem: Problem) => warned.push(problemText(problem))
  const admin = new Admin({ obey, events, clock: MACHINE, warn }, patience)
  closing(() => void admin.close())
  const path = tokens === undefined ? undefined : secretFile(tokens)
  const tokenFile = path === undefined ? undefined : { path, at: AT }
  const place = { host: '127.0.0.1', port: 0, tokenFile, at: AT }
  await admin.follow(place)
  const port = admin.port ?? 0
  const reply = async (): Promise<Reply> => ({ ok: true, value: { done: true } })
  const stage: Stage = { admin, events, place, port, obeyed, warned, reply }
  return stage
}

/** A file that only its owner may read, in a folder of its own. */
export function secretFile(text: string, mode = 0o600): string {
  const file = join(folder(), 'a.token')
  writeFileSync(file, text)
  chmodSync(file, mode)
  return file
}

export type Ask = {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

export type Answer = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** `undefined` where the text is no JSON. */
  readonly body: unknown
}

/** Asks once, on a connection of its own. */
export async function ask(port: number, what: Ask = {}): Promise<Answer> {
  const response = await begun(port, what)
  const pieces: Uint8Array[] = []
  for await (const piece of response) pieces.push(piece)
  const text = Buffer.concat(pieces).toString()
  return { status: response.statusCode ?? 0, headers: response.headers, text, body: json(text) }
}

/** Asks, and does not wait for the end of the answer. */
export function begun(port: number, what: Ask = {}): Promise<IncomingMessage> {
  const { method = 'GET', path = '/status', headers = {}, body } = what
  return new Promise((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port, method, path, headers, agent: false })
    asking.on('response', resolve).on('error', reject)
    asking.end(body)
  })
}

/** Asks with a body of JSON. */
export function post(port: number, path: string, body: unknown, headers = {}): Promise<Answer> {
  const type = { 'content-type': 'application/json' }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return ask(port, { method: 'POST', path, headers: { ...type, ...headers }, body: text })
}

export const bearer = (token = TOKEN) => ({ authorization: `Bearer ${token}` })

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
