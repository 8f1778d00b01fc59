/**
 * All threads that serve: the crew of UDP workers, and this one, at whose desk TCP is served. What they
 * serve, whose turn it is and what they count lies in memory that they share; each has a page to count
 * in and a ring for the query log.
 */
import type { Challenge } from './answer/challenge.ts'
import { type Desk, openDesk, PRESENT } from './answer/desk.ts'
import { resample, type Sampler, type Sampling, sampler } from './answer/sample.ts'
import { Counters, type Page } from './counters.ts'
import type { Crew } from './crew.ts'
import { watchLimits } from './limited.ts'
import { log, warn } from './log.ts'
import { QueryLog } from './ops/query-log.ts'
import { publishedOf } from './orders.ts'
import { freshSeed } from './seed.ts'
import type { Served } from './served.ts'
import { type CountedDoors, crewFor, openDoors, type Start } from './sockets.ts'
import { chance } from './steer/chance.ts'
import { figuresOf } from './transport/engine.ts'

export class Threads {
  /** Of this thread: of TCP. */
  readonly desk: Desk
  readonly #page: Page
  readonly #sampler: Sampler
  readonly counters = new Counters()
  readonly queryLog = new QueryLog(warn)
  #sampling: Sampling
  readonly crew: Crew
  readonly doors: CountedDoors
  /** Proofs are shown by every desk then. */
  #shown: Promise<void> = Promise.resolve()

  readonly #clock: NodeJS.Timeout

  constructor(start: Start, served: Served) {
    const desk = openDesk(served.world, chance(...freshSeed()))
    this.desk = desk
    this.#clock = keepTime(desk.present)
    this.#page = this.counters.open(served.world.steering)
    this.#sampler = sampler(this.queryLog.ring())
    this.#sampling = this.#sample(served)
    const first = publishedOf(desk, this.#sampling)
    const { counters, queryLog } = this
    this.crew = crewFor(start, served.config, first, { counters, queryLog })
    watchLimits(desk.guard.limits.accounts, () => desk.world.guard.rrl)
    this.doors = openDoors({ desk, page: this.#page, sampler: this.#sampler }, this.crew, start)
  }

  /** This thread serves another World. Resolves when all others do, and nobody one before it. */
  async follow(served: Served): Promise<void> {
    this.#page.settle(this.#page.turn(served.world.steering))
    this.#sampling = this.#sample(served)
    await this.#publish()
    this.queryLog.settle()
  }

  /** Resolves when every desk answers with these proofs and no others. */
  show(challenges: readonly Challenge[]): Promise<void> {
    if (challenges.length === 0 && this.desk.challenges.length === 0) return this.#shown
    this.desk.challenges = challenges
    this.#shown = this.#publish()
    return this.#shown
  }

  /** Ends all but this thread, and says what they have done. */
  async leave(): Promise<void> {
    await this.crew.leave()
    await this.queryLog.stop()
    clearInterval(this.#clock)
    const { counts, restarts } = this.crew.told()
    const { counts: lines } = this.queryLog
    const querylog = lines.written + lines.dropped === 0 ? undefined : lines
    log.info({ udp: figuresOf(counts), restarts, querylog }, 'left')
  }

  #publish(): Promise<void> {
    return this.crew.publish(publishedOf(this.desk, this.#sampling))
  }

  /** Samples as this wants, now over TCP, and soon in all threads. */
  #sample({ config, world }: Served): Sampling {
    const sampling = this.queryLog.follow(config.querylog, world.steering)
    resample(this.#sampler, sampling, this.desk.chance)
    return sampling
  }
}

/** How often all desks are told the time: cookies want minutes. */
const TICK_MS = 1_000

/** Writes what time it is for all desks, so that none has to ask the system. */
function keepTime(present: Int32Array): NodeJS.Timeout {
  const tell = () => {
    Atomics.store(present, PRESENT.SECONDS, Math.floor(Date.now() / 1_000) | 0)
  }
  tell()
  return setInterval(tell, TICK_MS).unref()
}
