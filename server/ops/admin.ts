/**
 * The admin API: a door that opens and closes as the configuration says, and what guards it. Whatever
 * comes of it, answers go on: a port that cannot be had, or a file of tokens that cannot be used, is
 * warned of, and tried again at the next reload. A server without it loads none of its libraries.
 */
import { createServer, type Server, type ServerOptions } from 'node:http'
import type { AdminPlace } from '../config/config.ts'
import { listenKey } from '../config/listen.ts'
import { type Problem, problemAt, wrong } from '../fault.ts'
import type { Behind, Counts } from './admin-routes.ts'
import { type Gate, newGate } from './admit.ts'
import type { Clock } from './clock.ts'
import { type Obey, refused } from './control.ts'
import type { Events } from './events.ts'
import { type StreamCounts, Streams } from './streams.ts'
import { readTokens, sameTokens } from './tokens.ts'

const MOST_CONNECTIONS = 64
/** Of a door that a reload closes: a request may be the very one that asked for the reload. */
const DROPPED_MS = 5_000
const LAST_MS = 1_000

/** How long clients may take, in milliseconds. */
export type Patience = {
  /** For all header fields; and for the whole request. */
  readonly headersMs: number
  readonly requestMs: number
  /** For anything to come or go. A reload may take a while, and nothing is said meanwhile. */
  readonly idleMs: number
  /** How often that is looked at. */
  readonly lookMs: number
}

const PATIENCE: Patience = { headersMs: 5_000, requestMs: 10_000, idleMs: 300_000, lookMs: 1_000 }

export type AdminCounts = Readonly<Counts> & {
  readonly streams: StreamCounts
  readonly connections: {
    /** Now. */
    readonly open: number
    /** There were too many. */
    readonly refused: number
  }
}

/** What the admin API is of. */
export type Ruled = {
  readonly obey: Obey
  readonly events: Events
  readonly clock: Clock
  readonly warn: (warning: Problem) => void
}

type Open = { readonly key: string; readonly server: Server; readonly gate: Gate }

export class Admin {
  readonly #ruled: Ruled
  readonly #patience: Patience
  readonly #streams: Streams
  readonly #counts: Counts = { requests: 0, unauthorized: 0, limited: 0, strange: 0, broken: 0 }
  readonly #connections = { open: 0, refused: 0 }
  readonly #closing = new Set<Server>()
  #open: Open | undefined
  #last: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(ruled: Ruled, patience = PATIENCE) {
    this.#ruled = ruled
    this.#patience = patience
    this.#streams = new Streams(ruled.events, ruled.clock)
  }

  get counts(): AdminCounts {
    const connections = { ...this.#connections }
    return { ...this.#counts, streams: this.#streams.counts, connections }
  }

  /** Where it listens: with port 0, the system chose one. */
  get port(): number | undefined {
    const address = this.#open?.server.address()
    return typeof address === 'object' ? address?.port : undefined
  }

  /**
   * Is there from now on, with the tokens that are in its file now; or not at all. Never rejects.
   *
   * @param place with the path of the file of tokens from where the process runs
   */
  follow(place: AdminPlace | undefined): Promise<void> {
    this.#last = this.#last
      .then(() => this.#change(this.#isClosed ? undefined : place))
      .catch(cause => place && this.#tell(place, cause))
    return this.#last
  }

  /** Gives requests under way a moment, and ends the others. Nothing opens it again. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#last
    await this.#shut(LAST_MS)
    for (const server of this.#closing) server.closeAllConnections()
  }

  async #change(place: AdminPlace | undefined): Promise<void> {
    const tokens = this.#tokensOf(place)
    if (this.#open !== undefined && place !== undefined && this.#open.key === listenKey(place)) {
      const before = this.#open.gate.tokens
      this.#open.gate.tokens = tokens
      if (!sameTokens(before, tokens)) this.#streams.close()
      return
    }
    void this.#shut(DROPPED_MS) // who asked for this reload waits for its end
    if (place !== undefined) this.#open = await this.#opened(place, newGate(tokens))
  }

  #tokensOf(place: AdminPlace | undefined): Gate['tokens'] {
    if (place?.tokenFile === undefined) return undefined
    const { tokens, warnings } = readTokens(place.tokenFile.path)
    for (const warning of warnings) this.#ruled.warn(warning)
    return tokens
  }

  /** Whoever is connected still, may end a request and begin none. */
  async #shut(withinMs: number): Promise<void> {
    if (this.#open === undefined) return
    const { gate, server } = this.#open
    this.#open = undefined
    gate.tokens = []
    this.#streams.close()
    this.#closing.add(server)
    await new Promise<void>(resolve => {
      const enough = this.#ruled.clock.wait(withinMs, () => server.closeAllConnections())
      server.close(() => {
        enough()
        resolve()
      })
    })
    this.#closing.delete(server)
  }

  /** `undefined` where the place cannot be had. */
  async #opened(place: AdminPlace, gate: Gate): Promise<Open | undefined> {
    const { clock, obey } = this.#ruled
    const counts = this.#counts
    const server = await this.#serverOf({ obey, gate, streams: this.#streams, clock, counts })
    const isListening = await new Promise<boolean>(resolve => {
      server.on('error', cause => {
        this.#tell(place, cause)
        resolve(false)
      })
      server.listen(place.port, place.host, () => resolve(true))
    })
    return isListening ? { key: listenKey(place), server, gate } : undefined
  }

  #tell({ at }: AdminPlace, cause: Error): void {
    this.#ruled.warn(problemAt(at, wrong(`the admin API: ${cause.message}`)))
  }

  async #serverOf(behind: Behind): Promise<Server> {
    const { getRequestListener } = await import('@hono/node-server')
    const { routes } = await import('./admin-routes.ts')
    const errorHandler = () => Response.json(refused('usage', 'no request'), { status: 400 })
    const listener = getRequestListener(routes(behind).fetch, { errorHandler })
    const server = createServer(optionsOf(this.#patience), listener)
    server.maxConnections = MOST_CONNECTIONS
    server.timeout = this.#patience.idleMs
    server.on('connection', socket => {
      this.#connections.open += 1
      socket.once('close', () => {
        this.#connections.open -= 1
      })
    })
    server.on('drop', () => {
      this.#connections.refused += 1
    })
    return server
  }
}

function optionsOf({ headersMs, requestMs, lookMs }: Patience): ServerOptions {
  return {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: lookMs,
    maxHeaderSize: 16 * 1024,
    keepAliveTimeout: 5_000,
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
  }
}
