/**
 * What the process tells of itself over HTTP, where the configuration says so: gathers the figures of
 * its parts, moves with a reload, says when it is ready. What tells is loaded only where somebody may
 * ask.
 */
import { setTimeout } from 'node:timers/promises'
import type { Desk } from './answer/desk.ts'
import type { Metrics } from './config/config.ts'
import type { Counters } from './counters.ts'
import type { Crew } from './crew.ts'
import { Fault } from './fault.ts'
import type { Flip } from './health/verdicts.ts'
import { log } from './log.ts'
import type { Answers, Endpoint, Readiness } from './ops/endpoint.ts'
import type { Flips, Source } from './ops/source.ts'
import { sparing } from './ops/sparing.ts'
import type { Footing, Served } from './served.ts'
import { poolFacts, worldFacts } from './standing.ts'
import type { TcpCounts } from './transport/connections.ts'
import { figuresOf } from './transport/engine.ts'
import { placeText, refusal } from './transport/refusal.ts'

/** How often workers give a sign of life, and how long they may owe it. */
const CALL_MS = 5_000
const OWED_MS = 10_000
/** Pools whose flips are told apart, of all that there have ever been. */
const MOST_POOLS = 10_000

export type Parts = {
  /** `lbdns 1.2.3` */
  readonly version: string
  readonly desk: Desk
  readonly counters: Counters
  readonly crew: Crew
  readonly tcp: Readonly<TcpCounts>
  /** What went out beside answers. */
  readonly told: Source['told']
}

type Open = { readonly place: string; readonly endpoint: Endpoint }

const PAUSE = {
  now: () => performance.now(),
  wait: (ms: number) => setTimeout(ms),
}

export class Measured {
  readonly #parts: Parts
  /** By pool and what its targets became. */
  readonly #flips = new Map<string, Flips>()
  #served: Pick<Served, 'geo' | 'loaded'>
  #refusals = 0
  #readiness: Readiness = 'starting'
  #open: Open | undefined
  /** Made once: it watches the event loop from then on. */
  #answers: Promise<Answers> | undefined
  #calls: NodeJS.Timeout | undefined

  constructor(parts: Parts, { geo, loaded }: Served) {
    this.#parts = parts
    this.#served = { geo, loaded }
  }

  /** This is served from now on. */
  follow({ geo, loaded }: Served): void {
    this.#served = { geo, loaded }
  }

  flipped({ now, pool }: Flip): void {
    const isKnown = this.#flips.has(`${now} ${pool}`) || this.#flips.size < 2 * MOST_POOLS
    const named = isKnown ? pool : ''
    const key = `${now} ${named}`
    const count = (this.#flips.get(key)?.count ?? 0) + 1
    this.#flips.set(key, { pool: named, now, count })
  }

  /** A reload was refused. */
  refused(): void {
    this.#refusals += 1
  }

  /**
   * Opens what the configuration wants, and tells there once the work is done. Where the address cannot
   * be had, or the work fails, all is as it was before.
   */
  async moving<Done>({ metrics }: Footing, work: () => Promise<Done>): Promise<Done> {
    const before = this.#open
    const place = metrics && placeText(metrics.host, metrics.port)
    const isSame = place === before?.place
    const next = isSame || metrics === undefined ? undefined : await this.#listen(metrics)
    try {
      const done = await work()
      if (!isSame) this.#open = next
      if (this.#readiness === 'starting') this.#readiness = 'ready'
      return done
    } catch (cause) {
      await next?.endpoint.close()
      throw cause
    } finally {
      if (this.#open !== before) await before?.endpoint.close()
    }
  }

  /** Nobody should be sent here any more. */
  drain(): void {
    this.#readiness = 'draining'
    clearInterval(this.#calls)
  }

  async close(): Promise<void> {
    await this.#open?.endpoint.close()
  }

  async #listen({ at, host, port }: Metrics): Promise<Open> {
    const { openEndpoint } = await import('./ops/endpoint.ts')
    this.#answers ??= this.#answering()
    try {
      const endpoint = await openEndpoint(host, port, await this.#answers)
      return { place: placeText(host, port), endpoint }
    } catch (cause) {
      const { code, message } = refusal('TCP', host, port, cause)
      throw new Fault(code, `${at.file}:${at.line}:${at.column}: ${message}`, { cause })
    }
  }

  async #answering(): Promise<Answers> {
    const { openRegistry } = await import('./ops/metrics.ts')
    const { crew } = this.#parts
    const registry = openRegistry(this.#source())
    const text = async () => ({ text: await registry.metrics(), type: registry.contentType })
    this.#calls = setInterval(() => crew.call(), CALL_MS).unref()
    return {
      metrics: sparing(text, PAUSE),
      isWell: () => crew.owesMs() < OWED_MS,
      readiness: () => this.#readiness,
      onFault: cause => log.error({ err: cause }, 'a request for metrics failed'),
    }
  }

  #source(): Source {
    const { counters, crew, desk, tcp, told, version } = this.#parts
    return {
      version: version.replace('lbdns ', ''),
      cells: () => counters.cells(),
      answered: () => counters.answered(),
      udp: () => figuresOf(crew.told().counts),
      tcp: () => tcp,
      workers: () => ({ count: crew.workers, restarts: crew.told().restarts }),
      pools: () => poolFacts(desk.world.steering, desk.board),
      flips: () => this.#flips.values(),
      world: () => worldFacts(desk.world, this.#served),
      refusals: () => this.#refusals,
      told,
    }
  }
}
