/**
 * The query log: takes what serving threads have put into their rings, and adds a line of each to the
 * file. Numbers in records are of the World that was served when they were written; what they mean is
 * known until no thread serves it and every ring was empty since. Threads that answer never wait for it.
 */
import { setImmediate } from 'node:timers/promises'
import { type Sampling, samplingRing } from '../answer/sample.ts'
import { MOST_WORDS, readSampled } from '../answer/sampled.ts'
import type { Problem } from '../fault.ts'
import { droppedOf, type Ring, take } from '../guard/ring.ts'
import type { Steering } from '../steer/steering.ts'
import { type LineCounts, LogFile, type LogFileOptions } from './log-file.ts'
import { type Meaning, queryLine } from './query-line.ts'

/** How often rings are emptied. */
const EVERY_MS = 250
/** Records taken each time: what is beyond waits in its ring, so that no more than a tenth of a core
 *  goes into lines. */
const MOST = 10_000
/** Records taken between two looks at what else there is to do: TCP is answered on this thread. */
const SLICE = 400

export type QueryLogOptions = LogFileOptions & {
  /** The chance of each query to be in it, above 0, up to 1. */
  readonly sample: number
}

const NO_LINES: LineCounts = { written: 0, dropped: 0 }

export class QueryLog {
  readonly #rings: Ring[] = []
  readonly #warn: (problem: Problem) => void
  readonly #record = new Int32Array(MOST_WORDS)
  /** By ring: how many of its drops are counted. */
  readonly #dropped: number[] = []
  /** By generation: the last one, and those before it that records may still be of. */
  readonly #meanings = new Map<number, Meaning>()
  #generation = 0
  /** No thread writes records of an earlier one. */
  #settled = 0
  /** Made when it is first wanted. */
  #file: LogFile | undefined
  #isWanted = false
  #timer: NodeJS.Timeout | undefined
  #draining: Promise<void> | undefined

  /** @param warn hears once of each time that lines are lost */
  constructor(warn: (problem: Problem) => void) {
    this.#warn = warn
  }

  /** Makes a ring for one more thread that serves, and for whoever takes its place. */
  ring(): Ring {
    const made = samplingRing()
    this.#rings.push(made)
    return made
  }

  /** Lines since the start. */
  get counts(): Readonly<LineCounts> {
    return this.#file?.counts ?? NO_LINES
  }

  /**
   * Follows a World that will be served: threads that serve it are to sample as is returned. The file
   * is opened anew.
   *
   * @param options `undefined`: the log is off
   */
  follow(options: QueryLogOptions | undefined, { owners, poolNames }: Steering): Sampling {
    const share = options?.sample ?? 0
    this.#generation += 1
    this.#isWanted = options !== undefined
    this.#meanings.set(this.#generation, { share, owners, poolNames })
    if (options !== undefined) this.#open(options)
    return { generation: this.#generation, share }
  }

  /** All threads serve the World that was followed last, and none before it. */
  settle(): void {
    this.#settled = this.#generation
    if (this.#timer === undefined) this.#forget(this.#settled) // nothing was sampled
  }

  /** Writes what there is. No thread serves any more. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#draining
    await this.#drain(Number.POSITIVE_INFINITY)
    await this.#file?.stop()
  }

  #open(options: QueryLogOptions): void {
    this.#file ??= new LogFile(options, this.#warn)
    this.#file.reopen(options)
    this.#timer ??= setInterval(() => this.#look(), EVERY_MS).unref()
  }

  #look(): void {
    this.#draining ??= this.#drain(MOST).finally(() => {
      this.#draining = undefined
    })
  }

  async #drain(most: number): Promise<void> {
    const settled = this.#settled
    const time = new Date().toISOString()
    for (let left = most; left > 0; ) {
      const taken = this.#takeSome(time)
      if (taken === 0) {
        this.#forget(settled)
        break
      }
      left -= taken
      await setImmediate()
    }
    this.#countDrops()
  }

  /** Of each ring as many: none is left out because another is full. */
  #takeSome(time: string): number {
    const each = Math.ceil(SLICE / this.#rings.length)
    let taken = 0
    for (const ring of this.#rings) {
      for (let left = each; left > 0; left -= 1) {
        const length = take(ring, this.#record)
        if (length === 0) break
        this.#write(length, time)
        taken += 1
      }
    }
    return taken
  }

  #write(length: number, time: string): void {
    const file = this.#file
    const sampled = file?.hasRoom ? readSampled(this.#record, length) : undefined
    const meaning = this.#meanings.get(sampled?.generation ?? 0)
    if (sampled === undefined || meaning === undefined) file?.drop(1)
    else file?.add(queryLine(sampled, meaning, time))
  }

  #countDrops(): void {
    for (const [i, ring] of this.#rings.entries()) {
      const dropped = droppedOf(ring)
      const more = (dropped - (this.#dropped[i] ?? 0)) >>> 0
      this.#dropped[i] = dropped
      if (more > 0) this.#file?.drop(more)
    }
  }

  /** Every ring was empty since no thread served a World before this one. */
  #forget(settled: number): void {
    for (const generation of this.#meanings.keys()) {
      if (generation < settled) this.#meanings.delete(generation)
    }
    if (this.#isWanted || settled < this.#generation) return
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#file?.release()
  }
}
