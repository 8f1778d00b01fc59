/**
 * The UDP workers together: a door is open when each of them has a socket of it, and a World is
 * published when all of them serve it. The kernel shares clients out among the sockets of one door.
 */
import { Hand, type HandOptions } from './hand.ts'
import type { Published } from './orders.ts'
import { COUNTS, type UdpCounts, udpCounts } from './transport/engine.ts'
import type { Door } from './transport/listen.ts'

export class Crew {
  readonly #hands: readonly Hand[]
  /** By door, a worker each. */
  readonly #counts = new Map<number, readonly UdpCounts[]>()
  /** Of doors that are closed. */
  readonly #past = udpCounts()
  #doors = 0

  /** @param workers at least 1; the dgram engine can do with one only */
  constructor(workers: number, first: Published, options: HandOptions) {
    this.#hands = Array.from({ length: workers }, () => new Hand(first, options))
  }

  get workers(): number {
    return this.#hands.length
  }

  /** All workers serve this, and nothing older, once it resolves. */
  async publish(published: Published): Promise<void> {
    await Promise.all(this.#hands.map(hand => hand.serve(published)))
  }

  /**
   * Opens an address in every worker. Rejects with a `Fault`, and nothing is open then.
   *
   * @param port 0: any free one
   * @param fds  a socket for each worker that is bound there already
   */
  async open(
    address: string,
    port: number,
    { ecs, fds }: { readonly ecs: boolean; readonly fds?: readonly number[] | undefined },
  ): Promise<Door> {
    const door = this.#doors
    this.#doors += 1
    const [first, ...others] = this.#hands
    if (first === undefined) throw new RangeError('a crew of nobody')
    const sharing = others.length > 0 ? 'shared' : 'alone'
    const opening = { kind: 'open', door, address, ecs, sharing } as const
    const counts = this.#hands.map(udpCounts)
    const open = (hand: Hand, i: number, at: number) =>
      hand.open({ ...opening, port: at, fd: fds?.[i], counts: counts[i] ?? udpCounts() })
    const done = await open(first, 0, port)
    this.#counts.set(door, counts)
    const rest = await Promise.allSettled(others.map((hand, i) => open(hand, i + 1, done.port)))
    const failed = rest.find(result => result.status === 'rejected')
    if (failed !== undefined) {
      await this.#close(door)
      throw failed.reason
    }
    return this.#door(door, done.address, done.port, ecs)
  }

  /** What was counted since the start, all workers together, and how many of them were replaced. */
  told(): { readonly counts: UdpCounts; readonly restarts: number } {
    const counts = this.#past.slice()
    for (const own of this.#counts.values()) addCounts(counts, own)
    return { counts, restarts: this.#hands.reduce((sum, { deaths }) => sum + deaths, 0) }
  }

  /** Resolves when all workers have answered: none of them hangs. */
  async answer(): Promise<void> {
    await Promise.all(this.#hands.map(hand => hand.answer()))
  }

  /** Has everybody give a sign of life. */
  call(): void {
    for (const hand of this.#hands) hand.call()
  }

  /** For how many milliseconds the slowest has owed an answer; 0: nobody owes one. */
  owesMs(): number {
    return Math.max(...this.#hands.map(hand => hand.owesMs()))
  }

  async leave(): Promise<void> {
    await Promise.all(this.#hands.map(hand => hand.leave()))
  }

  #door(door: number, address: string, port: number, ecs: boolean): Door {
    const hands = this.#hands
    let heeded = ecs
    let closed: Promise<void> | undefined
    return {
      address,
      port,
      get ecs() {
        return heeded
      },
      set ecs(wanted) {
        if (wanted === heeded) return
        heeded = wanted
        for (const hand of hands) hand.heedEcs(door, wanted)
      },
      close: () => {
        closed ??= this.#close(door)
        return closed
      },
    }
  }

  async #close(door: number): Promise<void> {
    await Promise.all(this.#hands.map(hand => hand.close(door)))
    addCounts(this.#past, this.#counts.get(door) ?? [])
    this.#counts.delete(door)
  }
}

function addCounts(to: UdpCounts, from: readonly UdpCounts[]): void {
  for (const counts of from) {
    for (let at = 0; at < COUNTS; at += 1) to[at] = (to[at] ?? 0) + (counts[at] ?? 0)
  }
}
