/**
 * The control socket: where it listens, and who is on it. What is asked is obeyed elsewhere. Whatever
 * is wrong with its path is told as a Problem, and the server goes on without it, or where it was: it
 * is never a reason to stop, nor not to start.
 */
import { createServer, type Socket } from 'node:net'
import { resolve } from 'node:path'
import { isWrong, type Problem, problemAt, type Wrong, wrong } from '../fault.ts'
import { type Obey, refused } from './control.ts'
import { claim, isOurs, release, type SocketFile } from './socket-file.ts'
import { farewell, type Subscribe, Visit, type VisitLimits } from './visit.ts'

export type ControlLimits = VisitLimits & {
  /** Connections at one time, and how many of them may be told of events. */
  readonly visits: number
  readonly streams: number
}

export const LIMITS: ControlLimits = {
  line: 65_536,
  idleMs: 30_000,
  unread: 262_144,
  visits: 16,
  streams: 8,
}

export class ControlSocket {
  readonly #obey: Obey
  readonly #subscribe: Subscribe
  readonly #warn: (problem: Problem) => void
  readonly #limits: ControlLimits
  /** Unused longest first. */
  readonly #visits = new Set<Visit>()
  #file: SocketFile | undefined
  /** What is done last of all that was asked for. */
  #last = Promise.resolve()
  #isClosed = false

  /**
   * @param subscribe begins to tell of events, until what it returns is called
   * @param warn      hears why there is no socket, or why it is not where it should be
   */
  constructor(
    obey: Obey,
    subscribe: Subscribe,
    warn: (problem: Problem) => void,
    limits: Partial<ControlLimits> = {},
  ) {
    this.#obey = obey
    this.#subscribe = subscribe
    this.#warn = warn
    this.#limits = { ...LIMITS, ...limits }
  }

  /** Where it listens; absent: nowhere. */
  get path(): string | undefined {
    return this.#file?.path
  }

  /**
   * Listens at a path from now on, for the first time or after a reload. Where the socket is there
   * already and its file too, nothing happens; connections stay in any case. Never rejects.
   */
  follow(path: string): Promise<void> {
    return this.#inTurn(() => this.#follow(path))
  }

  /** Removes the file and ends every connection. Never rejects. */
  close(): Promise<void> {
    return this.#inTurn(async () => {
      this.#isClosed = true
      for (const visit of this.#visits) visit.leave()
      if (this.#file !== undefined) await release(this.#file)
      this.#file = undefined
    })
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(work)
    return this.#last
  }

  async #follow(path: string): Promise<void> {
    const whole = resolve(path)
    const old = this.#file
    if (this.#isClosed || (old?.path === whole && (await isOurs(old)))) return
    const server = createServer({ allowHalfOpen: true }, socket => this.#admit(socket))
    const claimed = await claim(whole, server)
    if (isWrong(claimed)) {
      this.#warn(problemAt({ file: path, line: 0, column: 0 }, without(claimed, old)))
      return
    }
    server.on('error', () => {}) // somebody could not be accepted, and will come again
    this.#file = claimed
    if (old !== undefined) await release(old)
  }

  /** A newcomer gets in: whoever let himself be waited for longest makes room. */
  #admit(socket: Socket): void {
    if (this.#visits.size >= this.#limits.visits) {
      const leaver = [...this.#visits].find(visit => visit.isWaitedFor)
      if (leaver === undefined) {
        turnAway(socket)
        return
      }
      leaver.cut()
    }
    const visit = new Visit(socket, {
      limits: this.#limits,
      obey: this.#obey,
      subscribe: this.#subscribe,
      noStream: () => this.#noStream(),
      used: used => void (this.#visits.delete(used) && this.#visits.add(used)),
      left: gone => void this.#visits.delete(gone),
    })
    this.#visits.add(visit)
  }

  #noStream(): string | undefined {
    const streams = [...this.#visits].filter(visit => visit.streams).length
    if (streams < this.#limits.streams) return undefined
    return `no more than ${streams} can be told of events at one time`
  }
}

function without({ wrong: what, fix }: Wrong, old: SocketFile | undefined): Wrong {
  const left = old === undefined ? 'there is no control socket' : `it stays at ${old.path}`
  return wrong(`${what}: ${left}`, fix)
}

function turnAway(socket: Socket): void {
  socket.on('error', () => {}) // it did not wait for our word
  socket.write(`${JSON.stringify(refused('failed', 'too many are at work: try again later'))}\n`)
  farewell(socket)
}
