/**
 * The HTTP side of operations: /metrics for Prometheus, /healthz and /readyz for whoever restarts and
 * routes. The latter two look at flags only. Strangers may come by: requests are small, a connection
 * does not live long, and of too many the oldest goes, so that a newcomer is always heard.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'

const OK = 200
const FAILED = 500
const UNAVAILABLE = 503
const IDLE_MS = 5_000
/** Octets. */
const HEADERS = 8_192

export type Limits = {
  /** Connections at once. */
  readonly most: number
  /** How long a connection lives: a scraper that reads slowly is cut off. */
  readonly lifeMs: number
  /** How long a request may take to come. */
  readonly requestMs: number
}

const LIMITS: Limits = { most: 16, lifeMs: 30_000, requestMs: 5_000 }

/** What is answered. */
export type Answers = {
  readonly metrics: () => Promise<{ readonly text: string; readonly type: string }>
  /** The process works, and so do its threads. */
  readonly isWell: () => boolean
  readonly readiness: () => Readiness
  /** Metrics could not be made, or nobody can be accepted. */
  readonly onFault: (cause: unknown) => void
}

export type Readiness = 'ready' | 'starting' | 'draining'

export type Endpoint = {
  readonly port: number
  /** Ends all connections, and frees the address. */
  readonly close: () => Promise<void>
}

/**
 * Listens.
 *
 * @param port 0: any free one
 * @returns rejects with the system's error where the address cannot be had
 */
export async function openEndpoint(
  host: string,
  port: number,
  answers: Answers,
  limits: Limits = LIMITS,
): Promise<Endpoint> {
  const server = createAdaptorServer({
    fetch: appOf(answers).fetch,
    overrideGlobalObjects: false,
    createServer,
    serverOptions: {
      maxHeaderSize: HEADERS,
      headersTimeout: limits.requestMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: IDLE_MS,
      connectionsCheckingInterval: limits.requestMs / 5,
    },
  }) as Server
  limit(server, limits)
  await listening(server, host, port)
  server.on('error', answers.onFault)
  return { port: (server.address() as AddressInfo).port, close: () => closed(server) }
}

function appOf({ metrics, isWell, readiness, onFault }: Answers): Hono {
  const app = new Hono()
  app.get('/metrics', async context => {
    const { text, type } = await metrics()
    return context.body(text, OK, { 'content-type': type })
  })
  app.get('/healthz', context => {
    return isWell() ? context.text('ok') : context.text('a worker does not answer', UNAVAILABLE)
  })
  app.get('/readyz', context => {
    const state = readiness()
    return context.text(state, state === 'ready' ? OK : UNAVAILABLE)
  })
  app.onError((cause, context) => {
    onFault(cause)
    return context.text('it failed, and the log says why', FAILED)
  })
  return app
}

function limit(server: Server, { lifeMs, most }: Limits): void {
  const guests = new Set<Socket>()
  server.on('connection', socket => {
    const late = setTimeout(() => socket.destroy(), lifeMs).unref()
    guests.add(socket)
    socket.once('close', () => {
      clearTimeout(late)
      guests.delete(socket)
    })
    const [oldest] = guests
    if (guests.size > most) oldest?.destroy()
  })
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function closed(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
