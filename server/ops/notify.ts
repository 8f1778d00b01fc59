/**
 * What the service manager that started us is told: sd_notify(3). Where nobody wants to be told,
 * nothing is said; how a message gets there is an argument. Knows nothing of what is served.
 */

/** What the service manager has asked for in the environment. */
export type Wish = {
  /** The path of a datagram socket, or the name of an abstract one after `@`. */
  readonly socket: string
  /** How often it wants to hear that all is well; absent: never. */
  readonly withinMs: number | undefined
}

/** Sends one message, lines of `NAME=value`. Rejects where it cannot be sent. */
export type Send = (lines: readonly string[]) => Promise<void>

/**
 * Finds what is wished for, and takes it out of the environment: our children have nothing to tell. A
 * watchdog may be meant for another process.
 */
export function wishIn(environment: NodeJS.ProcessEnv): Wish | undefined {
  const { NOTIFY_SOCKET: socket = '', WATCHDOG_PID: pid, WATCHDOG_USEC: every = '' } = environment
  for (const name of ['NOTIFY_SOCKET', 'WATCHDOG_PID', 'WATCHDOG_USEC']) delete environment[name]
  if (!/^[/@]./.test(socket)) return undefined
  const isOurs = pid === undefined || pid === `${process.pid}`
  const isWished = isOurs && /^[1-9]\d{0,15}$/.test(every)
  return { socket, withinMs: isWished ? Number(every) / 1000 : undefined }
}

/** A timer holds no more: 24 days. */
const LONGEST_MS = 0x7fff_ffff

export class ServiceManager {
  readonly #send: Send | undefined
  readonly #withinMs: number | undefined
  readonly #warn: (what: string) => void
  /** Messages arrive in order. */
  #last = Promise.resolve()
  #isReady = false
  #isWarned = false

  /**
   * @param send absent: nobody wants to be told
   * @param warn hears once that nothing can be told, and of each time that nobody answers
   */
  constructor(send: Send | undefined, withinMs: number | undefined, warn: (what: string) => void) {
    this.#send = send
    this.#withinMs = withinMs
    this.#warn = warn
  }

  /**
   * It serves from now on.
   *
   * @param isWell resolves where all that serve answer: only then it is said that all is well
   */
  ready(status: string, isWell: () => Promise<unknown>): void {
    this.#isReady = true
    this.#say('READY=1', `STATUS=${status}`)
    if (this.#send !== undefined && this.#withinMs !== undefined)
      this.#watch(this.#withinMs, isWell)
  }

  /** What people read who ask how it is. */
  status(text: string): void {
    if (this.#isReady) this.#say(`STATUS=${text}`)
  }

  /** Reloads while the service manager knows of it. */
  async reloading<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#isReady) return work()
    const now = process.hrtime.bigint() / 1000n // of CLOCK_MONOTONIC
    this.#say('RELOADING=1', `MONOTONIC_USEC=${now}`)
    try {
      return await work()
    } finally {
      if (this.#isReady) this.#say('READY=1')
    }
  }

  /** It serves no longer than it takes to say goodbye. */
  leaving(): void {
    this.#isReady = false
    this.#say('STOPPING=1')
  }

  /** Asks twice within the time given. Whoever does not answer is not asked again until it has. */
  #watch(withinMs: number, isWell: () => Promise<unknown>): void {
    let isAsked = false
    const answered = (): void => {
      isAsked = false
      this.#say('WATCHDOG=1')
    }
    const ask = (): void => {
      if (isAsked) {
        this.#warn('a UDP worker does not answer: the watchdog is left waiting')
        return
      }
      isAsked = true
      isWell().then(answered, () => {})
    }
    setInterval(ask, Math.min(withinMs / 2, LONGEST_MS)).unref()
    ask()
  }

  #say(...lines: readonly string[]): void {
    const send = this.#send
    if (send === undefined) return
    const tell = (cause: unknown): void => {
      if (!this.#isWarned) this.#warn(`the service manager cannot be told: ${cause}`)
      this.#isWarned = true
    }
    const safe = lines.map(line => line.replace(/\s+/g, ' ')) // a line of its own means something
    this.#last = this.#last.then(() => send(safe)).catch(tell)
  }
}
