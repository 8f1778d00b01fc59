/**
 * One UDP worker as the process sees it: a thread that is kept alive. Where one dies, another takes
 * its place: it serves the same World and takes over the sockets, so that what waits in them is
 * answered. Orders that were not answered yet are given again. Opens no socket itself.
 */
import { Worker } from 'node:worker_threads'
import type { Counters, Page } from './counters.ts'
import { Fault } from './fault.ts'
import type { Ring } from './guard/ring.ts'
import type { QueryLog } from './ops/query-log.ts'
import type { Done, OpenOrder, Order, Published, Seat, Word } from './orders.ts'
import type { OnFault } from './transport/complaint.ts'
import type { EngineName } from './transport/engine.ts'

/** One that lived shorter is not replaced at once: it would die again. */
const LIVED_MS = 1_000

export type HandOptions = {
  readonly engine: EngineName
  /** The compiled file that the thread runs. */
  readonly script: URL
  /** Where it gets a page of its own. */
  readonly counters: Counters
  /** Where it gets a ring of its own. */
  readonly queryLog: Pick<QueryLog, 'ring'>
  /** `Serve` threw in the thread. */
  readonly onFault: OnFault
  /** The thread died, and is replaced. */
  readonly onDeath: (cause: unknown) => void
}

type Asked = {
  readonly order: Order
  /** Since when, on a clock that never steps. */
  readonly at: number
  readonly resolve: (done: Done) => void
  readonly reject: (cause: unknown) => void
}

export class Hand {
  readonly #options: HandOptions
  readonly #sent = new Int32Array(new SharedArrayBuffer(4))
  /** Doors that are open, as another thread would have to open them. */
  readonly #open = new Map<number, OpenOrder>()
  /** What the thread counts outlives it. */
  readonly #page: Page
  /** What it has put there does too. */
  readonly #ring: Ring
  #published: Published
  #asked: Asked[] = []
  #thread: Worker
  #startedAt = 0
  #hasAnswered = false
  #isLeaving = false
  #restart: NodeJS.Timeout | undefined
  /** How many threads died. */
  deaths = 0

  constructor(first: Published, options: HandOptions) {
    this.#options = options
    this.#published = first
    this.#page = options.counters.open(first.world.steering)
    this.#ring = options.queryLog.ring()
    this.#thread = this.#start('rehearsed')
  }

  /** Resolves once the thread serves this and nothing older. */
  async serve(published: Published): Promise<void> {
    this.#published = published
    const tallies = this.#page.turn(published.world.steering)
    await this.#ask({ kind: 'serve', handed: { ...published, tallies, ring: this.#ring } })
    this.#page.settle(tallies)
  }

  /** Rejects with a `Fault` where the address cannot be had. */
  async open(order: OpenOrder): Promise<Done> {
    const done = await this.#ask(order)
    this.#open.set(order.door, { ...order, port: done.port, fd: done.fd < 0 ? undefined : done.fd })
    return done
  }

  heedEcs(door: number, ecs: boolean): void {
    const open = this.#open.get(door)
    if (open !== undefined) this.#open.set(door, { ...open, ecs })
    this.#ask({ kind: 'heed ecs', door, ecs }).catch(this.#options.onDeath)
  }

  /** What has come is answered first. */
  async close(door: number): Promise<void> {
    await this.#ask({ kind: 'close', door })
    this.#open.delete(door)
  }

  /** Resolves when the thread has looked at its orders. */
  async answer(): Promise<void> {
    await this.#ask({ kind: 'answer' })
  }

  /** Has it give a sign of life, unless it owes one. */
  call(): void {
    if (this.#asked.length === 0) this.answer().catch(this.#options.onDeath)
  }

  /** For how many milliseconds it has owed an answer; 0: it owes none. */
  owesMs(): number {
    const [oldest] = this.#asked
    return oldest === undefined ? 0 : performance.now() - oldest.at
  }

  /** Closes what is open and ends the thread. */
  async leave(): Promise<void> {
    await this.#ask({ kind: 'leave' })
  }

  #start(begins: Seat['begins']): Worker {
    this.#startedAt = performance.now()
    Atomics.store(this.#sent, 0, 0)
    const { engine, script } = this.#options
    const handed = { ...this.#published, tallies: this.#page.tallies, ring: this.#ring }
    const seat: Seat = { kind: 'udp worker', engine, handed, sent: this.#sent, begins }
    const thread = new Worker(script, { workerData: seat })
    let cause: unknown
    thread.on('message', (word: Word) => this.#hear(word))
    thread.on('error', error => (cause = error))
    thread.on('exit', code => {
      if (!this.#isLeaving) this.#bury(cause ?? new Error(`a UDP worker left with ${code}`))
    })
    return thread
  }

  #ask(order: Order): Promise<Done> {
    return new Promise((resolve, reject) => {
      this.#asked.push({ order, at: performance.now(), resolve, reject })
      this.#send(order)
    })
  }

  #send(order: Order): void {
    this.#thread.postMessage(order)
    Atomics.add(this.#sent, 0, 1)
    Atomics.notify(this.#sent, 0)
  }

  #hear(word: Word): void {
    if (word.kind === 'fault') {
      this.#options.onFault(word.text, word.times)
      return
    }
    this.#hasAnswered = true
    const asked = this.#asked.shift()
    if (asked === undefined) return
    if (asked.order.kind === 'leave') this.#isLeaving = true
    if (word.kind === 'done') asked.resolve(word)
    else asked.reject(new Fault(word.code, word.message))
  }

  /** A first thread that dies before it does anything would do so for ever. */
  #bury(cause: unknown): void {
    if (!this.#hasAnswered) {
      this.#isLeaving = true
      const fault = new Fault('IMPOSSIBLE', `no UDP worker can be started: ${cause}`, { cause })
      for (const { reject } of this.#asked.splice(0)) reject(fault)
      return
    }
    this.deaths += 1
    this.#options.onDeath(cause)
    const lived = performance.now() - this.#startedAt
    if (lived >= LIVED_MS) this.#replace()
    else this.#restart = setTimeout(() => this.#replace(), LIVED_MS)
  }

  #replace(): void {
    clearTimeout(this.#restart)
    const unanswered = this.#asked
    this.#asked = []
    this.#thread = this.#start('at once')
    for (const order of this.#open.values()) this.#ask(order).catch(this.#options.onDeath)
    this.#asked.push(...unanswered)
    for (const { order } of unanswered) this.#send(order)
  }
}
