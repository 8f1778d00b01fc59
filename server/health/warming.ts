/**
 * Targets that come back and start slowly: from 1 % of their weight to all of it, in a straight line.
 * A reload does not begin it anew.
 */
import type { Steering } from '../steer/steering.ts'
import { poolOf, targetText } from '../steer/targets.ts'
import { type Clock, EVERY_MS } from './clock.ts'

/** Seconds for which targets start slowly, by pool; pools where they do not are not there. */
export type SlowStarts = ReadonlyMap<number, number>

const COLD = 0.01

export class Warming {
  readonly #steering: Steering
  readonly #slow: SlowStarts
  readonly #clock: Clock
  readonly #write: (target: number, share: number) => void
  /** By target: when it came back. */
  readonly #since = new Map<number, number>()
  #cancel: (() => void) | undefined

  /** @param write is told of each new share of a target's weight: above 0, at most 1 */
  constructor(
    steering: Steering,
    slow: SlowStarts,
    clock: Clock,
    write: (target: number, share: number) => void,
  ) {
    this.#steering = steering
    this.#slow = slow
    this.#clock = clock
    this.#write = write
  }

  /** A target came up or went down. */
  turn(target: number, pool: number, up: 0 | 1): void {
    if (up === 0) this.#end(target)
    else if (this.#slow.has(pool)) this.#begin(target, this.#clock.now())
  }

  /** Takes over from the World before, by the names of pools and targets. */
  goOnFrom(before: Warming): void {
    if (before.#since.size === 0) return
    const known = new Map([...before.#since].map(([target, at]) => [before.#key(target), at]))
    for (let target = 0; target < this.#steering.targets; target += 1) {
      const at = known.get(this.#key(target))
      if (at !== undefined && this.#slow.has(poolOf(this.#steering, target)))
        this.#begin(target, at)
    }
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }

  #begin(target: number, at: number): void {
    this.#since.set(target, at)
    this.#write(target, this.#shareOf(target, at))
    this.#cancel ??= this.#clock.wait(EVERY_MS, () => this.#look())
  }

  #end(target: number): void {
    if (this.#since.delete(target)) this.#write(target, 1)
  }

  #look(): void {
    this.#cancel = undefined
    for (const [target, at] of this.#since) {
      const share = this.#shareOf(target, at)
      if (share >= 1) this.#end(target)
      else this.#write(target, share)
    }
    if (this.#since.size > 0) this.#cancel = this.#clock.wait(EVERY_MS, () => this.#look())
  }

  #shareOf(target: number, at: number): number {
    const seconds = this.#slow.get(poolOf(this.#steering, target)) ?? 0
    const gone = (this.#clock.now() - at) / (1000 * seconds)
    return gone >= 1 ? 1 : COLD + (1 - COLD) * gone
  }

  #key(target: number): string {
    const pool = this.#steering.poolNames[poolOf(this.#steering, target)]
    return `${pool} ${targetText(this.#steering, target)}`
  }
}
