/** Lets so many things happen at once; others wait their turn, within the time that they have. */
import { inTime, type Limit } from './try-limit.ts'

export class Gate {
  readonly #width: number
  #inside = 0
  /** In the order they came. */
  readonly #waiting = new Set<() => void>()

  constructor(width: number) {
    this.#width = width
  }

  /** Comes back when it is one's turn; whoever has been let in must `leave` once. */
  async enter(limit: Limit): Promise<void> {
    if (this.#inside < this.#width) {
      this.#inside += 1
      return
    }
    let go = (): void => undefined
    const turn = new Promise<void>(resolve => {
      go = resolve
    })
    this.#waiting.add(go)
    try {
      await inTime(turn, limit, `turn among ${this.#width} programs`)
    } catch (error) {
      // It may have been let in at the very moment it gave up: then it passes that on.
      if (!this.#waiting.delete(go)) this.leave()
      throw error
    }
  }

  leave(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#inside -= 1
      return
    }
    this.#waiting.delete(next)
    next()
  }
}
