/** A clock that tests move by hand. */
import type { Clock } from '../../server/health/clock.ts'

/** A clock that only `run` moves. Between two things that wait, whatever was promised happens. */
export class HandClock {
  #now = 1e6
  #waiting = new Set<{ at: number; call: () => void }>()
  date = 1.8e12
  readonly clock: Clock = {
    now: () => this.#now,
    date: () => this.date + this.#now,
    wait: (ms, call) => {
      const one = { at: this.#now + Math.ceil(ms), call }
      this.#waiting.add(one)
      return () => this.#waiting.delete(one)
    },
  }

  get waiting(): number {
    return this.#waiting.size
  }

  async run(seconds: number): Promise<void> {
    const end = this.#now + 1000 * seconds
    for (;;) {
      await new Promise(setImmediate)
      const soonest = [...this.#waiting].reduce<{ at: number; call: () => void } | undefined>(
        (least, one) => (least === undefined || one.at < least.at ? one : least),
        undefined,
      )
      if (soonest === undefined || soonest.at > end) break
      this.#waiting.delete(soonest)
      this.#now = Math.max(this.#now, soonest.at)
      soonest.call()
    }
    this.#now = end
  }

  /** The process stands still: nothing is called meanwhile. */
  holdUp(seconds: number): void {
    this.#now += 1000 * seconds
  }

  after(ms: number): Promise<void> {
    return new Promise(resolve => this.clock.wait(ms, resolve))
  }
}
