/**
 * The routes of the admin API: which request of `request.ts` each of them is, and what becomes of a
 * reply. Everything that is said has the shape of a `Reply`, but for the stream of events. Loaded
 * where there is an admin API, with the libraries that it needs.
 */
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { type Admission, type Asked, admit, type Gate } from './admit.ts'
import type { Clock } from './clock.ts'
import { attend, type Obey, type Reply, refused } from './control.ts'
import type { RequestKind } from './request.ts'
import type { Streams } from './streams.ts'

/** Octets. */
const MOST_BODY = 64 * 1024

// biome-ignore format: table
const ROUTES: Readonly<Record<RequestKind, readonly ['GET' | 'POST' | 'DELETE', string]>> = {
  status:       ['GET',    '/status'],
  states:       ['GET',    '/states'],
  health:       ['GET',    '/health'],
  board:        ['GET',    '/board'],
  dump:         ['GET',    '/dump'],
  overrides:    ['GET',    '/overrides'],
  undo:         ['DELETE', '/overrides/:id'],
  drain:        ['POST',   '/drain'],
  undrain:      ['POST',   '/undrain'],
  force:        ['POST',   '/force'],
  unforce:      ['POST',   '/unforce'],
  ramp:         ['POST',   '/ramp'],
  push:         ['POST',   '/push'],
  reload:       ['POST',   '/reload'],
  'acme set':   ['POST',   '/acme/set'],
  'acme clear': ['POST',   '/acme/clear'],
}

/** What is behind the routes. */
export type Behind = {
  readonly obey: Obey
  readonly gate: Gate
  readonly streams: Streams
  readonly clock: Clock
  readonly counts: Counts
}

/** What came, and what was refused before anybody looked at what it asks for. */
export type Counts = {
  requests: number
  /** Without a right token. */
  unauthorized: number
  /** Of those: more in a second than are told so. */
  limited: number
  /** Of pages, and of who thinks that this is another machine. */
  strange: number
  /** What obeys, broke. */
  broken: number
}

type Types = {
  readonly Bindings: HttpBindings
  /** The name of who has the token. */
  readonly Variables: { readonly name: string | undefined }
}
type Asking = Context<Types>

export function routes(behind: Behind): Hono<Types> {
  const app = new Hono<Types>()
  app.use(async (c, next) => {
    c.header('cache-control', 'no-store')
    c.header('x-content-type-options', 'nosniff')
    behind.counts.requests += 1
    const admission = admit(askedOf(c), behind.gate, behind.clock.now())
    if (admission.kind !== 'admitted') return turnedAway(c, admission, behind.counts)
    c.set('name', admission.name)
    return next()
  })
  app.use(methodNotAllowed({ app, onMethodNotAllowed: notAllowed }))
  for (const [kind, [method, path]] of Object.entries(ROUTES)) {
    if (method === 'POST') app.post(path, json, limited, async c => posted(c, kind, behind.obey))
    else app.on(method, path, async c => answer(c, { ...named(c), kind }, behind.obey))
  }
  app.get('/events', c => streamed(c, behind.streams))
  app.notFound(c => c.json(refused('usage', `nothing is at ${c.req.path}`), 404))
  app.onError((cause, c) => {
    if (!c.env.outgoing.destroyed) behind.counts.broken += 1 // else whoever asked is gone
    return c.json(refused('failed', `this should not happen: ${cause.message}`), 503)
  })
  return app
}

function askedOf(c: Asking): Asked {
  const field = (name: string) => c.req.header(name)
  return {
    authorization: field('authorization'),
    host: field('host'),
    origin: field('origin'),
    site: field('sec-fetch-site'),
  }
}

/** RFC 6750 §3: says how to ask, and whether what was given is wrong. */
function turnedAway(
  c: Asking,
  admission: Exclude<Admission, { kind: 'admitted' }>,
  counts: Counts,
) {
  if (admission.kind === 'strange') {
    counts.strange += 1
    return c.json(refused('usage', admission.why), 403)
  }
  counts.unauthorized += 1
  if (admission.kind === 'too many') {
    counts.limited += 1
    c.header('retry-after', '1')
    return c.json(refused('usage', 'too many wrong tokens'), 429)
  }
  const isWrong = admission.gave === 'something'
  c.header('www-authenticate', `Bearer realm="lbdns"${isWrong ? ', error="invalid_token"' : ''}`)
  const what = isWrong ? 'this token is not one of the token file' : 'a token is needed'
  return c.json(refused('usage', `${what}: send Authorization: Bearer TOKEN`), 401)
}

function notAllowed(c: Context, methods: readonly string[]) {
  const allow = methods.join(', ')
  return c.json(refused('usage', `${c.req.path} takes ${allow}`), 405, { allow })
}

/** What a page can send without being asked first is of other types. */
function json(c: Asking, next: () => Promise<void>) {
  const [type = ''] = (c.req.header('content-type') ?? '').split(';')
  if (type.trim().toLowerCase() === 'application/json') return next()
  return c.json(refused('usage', 'send Content-Type: application/json'), 415)
}

const limited = bodyLimit({
  maxSize: MOST_BODY,
  onError: c => c.json(refused('usage', 'a body of more than 64 KiB'), 413),
})

async function posted(c: Asking, kind: string, obey: Obey) {
  const body = bodyOf(await c.req.text())
  if (typeof body === 'string') return c.json(refused('usage', body), 400)
  return answer(c, { ...body, kind }, obey)
}

/** An empty body is an empty request. */
function bodyOf(text: string): Readonly<Record<string, unknown>> | string {
  const body = text.trim() === '' ? {} : parsed(text)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'send {…}, in JSON'
  return Object.hasOwn(body, 'kind') ? 'kind: the path says it' : { ...body }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What the path itself says of a request. */
function named(c: Asking): { readonly id?: unknown } {
  const id = c.req.param('id')
  if (id === undefined) return {}
  return { id: /^\d{1,15}$/.test(id) ? Number(id) : id }
}

/** Whoever has a token with a name is the author of what is done with it, whatever else they say. */
async function answer(c: Asking, asked: Readonly<Record<string, unknown>>, obey: Obey) {
  const name = c.get('name')
  const written = name === undefined ? asked : { ...asked, author: name }
  const reply = await attend(obey, written, name ?? `http ${addressOf(c)}`)
  return c.json(reply, statusOf(reply))
}

function addressOf(c: Asking): string {
  return c.env.incoming.socket.remoteAddress ?? ''
}

function statusOf(reply: Reply): 200 | 400 | 409 {
  if (reply.ok) return 200
  return reply.code === 'usage' ? 400 : 409
}

function streamed(c: Asking, streams: Streams) {
  const headers = { 'content-type': 'text/event-stream' }
  if (c.req.method === 'HEAD') return c.body('', { headers }) // or it would be open for ever
  const stream = streams.open(c.req.header('last-event-id'), () => c.env.outgoing.destroy())
  if (stream !== undefined) return c.body(stream, { headers })
  return c.json(refused('failed', 'too many streams are open'), 429, { 'retry-after': '10' })
}
