/**
 * One connection to the control socket: a request a line, a reply a line, in order, or a stream of
 * events. While a request is obeyed, or its reply is not read, nothing more is read, so a client
 * holds at most a chunk, a line and a reply. Whatever comes, nothing is thrown.
 */
import type { Socket } from 'node:net'
import { attend, type Obey, type Reply, refused } from './control.ts'
import { addOctets, lines, takeLine } from './lines.ts'

/** @returns ends it */
export type Subscribe = (listener: (event: object) => void) => () => void

export type VisitLimits = {
  /** Of a request, in octets. */
  readonly line: number
  /** How long a client may ask nothing, or not read its reply. */
  readonly idleMs: number
  /** Events that a client has not read yet, in octets: past that they are lost to it. */
  readonly unread: number
}

/** What a visit asks of whoever holds it. */
export type Host = {
  readonly limits: VisitLimits
  readonly obey: Obey
  readonly subscribe: Subscribe
  /** Why it may not be told of events. */
  readonly noStream: () => string | undefined
  /** It asked for something whole. */
  readonly used: (visit: Visit) => void
  readonly left: (visit: Visit) => void
}

/** `leaves`: what was written is still read; nothing more is heard. */
type State = 'waits' | 'works' | 'replies' | 'streams' | 'leaves'

/** Who asks, where the client does not say. */
const NOBODY = 'control socket'

export class Visit {
  readonly #socket: Socket
  readonly #host: Host
  readonly #lines
  readonly #timer: NodeJS.Timeout
  #state: State = 'waits'
  #isLast = false
  #unsubscribe: (() => void) | undefined
  #lost = 0

  constructor(socket: Socket, host: Host) {
    this.#socket = socket
    this.#host = host
    this.#lines = lines(host.limits.line)
    this.#timer = setTimeout(() => this.#late(), host.limits.idleMs).unref()
    socket.on('data', chunk => this.#hear(chunk))
    socket.on('end', () => this.#hearLast())
    socket.on('drain', () => this.#tellLost())
    socket.on('error', () => {}) // `close` follows
    socket.on('close', () => this.#gone())
  }

  /** A client that is waited for may have to make room; one that waits for us may not. */
  get isWaitedFor(): boolean {
    return this.#state !== 'works' && this.#state !== 'streams'
  }

  get streams(): boolean {
    return this.#state === 'streams'
  }

  /** Ends it at once. */
  cut(): void {
    this.#socket.destroy()
    this.#gone()
  }

  /** Says goodbye. */
  leave(): void {
    this.#state = 'leaves'
    this.#stopTelling()
    farewell(this.#socket)
  }

  #hear(chunk: Uint8Array): void {
    if (this.#state === 'streams' || this.#state === 'leaves') return
    addOctets(this.#lines, chunk)
    this.#next()
  }

  /** Half-closed: replies that are due are still read. Whoever is told of events has left. */
  #hearLast(): void {
    this.#isLast = true
    if (this.#state === 'streams') this.leave()
    else this.#next()
  }

  #next(): void {
    if (this.#state !== 'waits') return
    const line = takeLine(this.#lines)
    if (line === 'long') {
      this.#reply(refused('usage', `a request has at most ${this.#lines.longest} octets`))
      this.leave()
    } else if (line !== 'wait') {
      this.#take(Buffer.from(line).toString())
    } else if (this.#isLast) {
      this.leave() // what there is of a line was not meant whole
    } else {
      this.#socket.resume()
    }
  }

  #take(line: string): void {
    this.#host.used(this)
    this.#timer.refresh()
    this.#state = 'works'
    this.#socket.pause()
    const written = valueIn(line)
    if (isForEvents(written)) this.#stream(written)
    else void this.#obey(written)
  }

  async #obey(written: unknown): Promise<void> {
    const reply = await attended(this.#host.obey, written)
    this.#timer.refresh()
    if (this.#state === 'works') this.#reply(reply)
  }

  #reply(reply: Reply): void {
    this.#state = 'replies'
    // Others get their turn first: a chunk may hold thousands of requests.
    this.#socket.write(lineOf(reply), () => setImmediate(() => this.#replied()))
  }

  #replied(): void {
    if (this.#state !== 'replies' || this.#socket.destroyed) return
    this.#state = 'waits'
    this.#timer.refresh()
    this.#next()
  }

  #stream(written: object): void {
    const strange = Object.keys(written).filter(key => key !== 'kind' && key !== 'author')
    const flaw = strange.length > 0 ? `there is no ${strange.join(', ')} in such a request` : ''
    const why = flaw || this.#host.noStream()
    if (why) {
      this.#reply(refused(flaw ? 'usage' : 'failed', why))
      return
    }
    this.#state = 'streams'
    this.#socket.write(lineOf({ ok: true, value: {} }))
    this.#socket.resume() // its goodbye is still to be heard
    this.#unsubscribe = this.#host.subscribe(event => this.#tell(event))
  }

  #tell(event: object): void {
    if (this.#state !== 'streams') return
    if (this.#socket.writableLength > this.#host.limits.unread) {
      this.#lost += 1
      return
    }
    this.#tellLost()
    this.#socket.write(`${JSON.stringify(event)}\n`)
  }

  #tellLost(): void {
    if (this.#lost === 0 || this.#state !== 'streams') return
    this.#socket.write(`${JSON.stringify({ lost: this.#lost })}\n`)
    this.#lost = 0
  }

  /** Who is told of events has no more to say, and who waits for a reply is not late himself. */
  #late(): void {
    if (this.#state === 'works' || this.#state === 'streams') this.#timer.refresh()
    else this.cut()
  }

  #stopTelling(): void {
    this.#unsubscribe?.()
    this.#unsubscribe = undefined
  }

  /** May be called again. */
  #gone(): void {
    this.#state = 'leaves'
    this.#stopTelling()
    clearTimeout(this.#timer)
    this.#host.left(this)
  }
}

/** How long a client may take to read its last reply, and to say goodbye. */
const FAREWELL_MS = 1_000

/**
 * Ends a connection once what was written has been read. What still comes is thrown away: if it were
 * left unread, the client would see a reset, and perhaps not its reply.
 */
export function farewell(socket: Socket): void {
  const late = setTimeout(() => socket.destroy(), FAREWELL_MS).unref()
  socket.once('close', () => clearTimeout(late))
  socket.end()
  socket.resume()
}

/** A line as JSON; `undefined` where it is none, which no request is. */
function valueIn(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function isForEvents(written: unknown): written is object {
  return (
    typeof written === 'object' &&
    written !== null &&
    'kind' in written &&
    written.kind === 'events'
  )
}

/** What obeys never fails; should it, only this request does. */
async function attended(obey: Obey, written: unknown): Promise<Reply> {
  if (written === undefined) return refused('usage', 'a request is a line of JSON')
  try {
    return await attend(obey, written, NOBODY)
  } catch (cause) {
    return refused('failed', `it went wrong: ${cause instanceof Error ? cause.message : cause}`)
  }
}

function lineOf(reply: Reply): string {
  try {
    return `${JSON.stringify(reply)}\n`
  } catch {
    return `${JSON.stringify(refused('failed', 'the reply cannot be written as JSON'))}\n`
  }
}
