/**
 * What connections are encrypted with: certificates and keys in files, read when they are asked for
 * and again when the files change. A pair that is no use leaves the one before it in place, and is
 * told. Open connections are not touched, and sessions are resumed across a change: the key of tickets
 * is our own, one for all pairs, and changes twice a day.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type At, Fault, type Problem, problemAt, problemText, wrong } from '../fault.ts'
import { Handshakes, type Secrets } from './handshakes.ts'
import { flawOfPair } from './pair.ts'

/** A certificate with those above it, and its key: paths of PEM files, and where each is named. */
export type PairFiles = { readonly cert: NamedFile; readonly key: NamedFile }
type NamedFile = { readonly path: string; readonly at: At }

type Pair = { readonly cert: Buffer; readonly key: Buffer }

type Held = {
  files: PairFiles
  pair: Pair
  /** By the protocols that they agree upon. */
  readonly handshakes: Map<string, Handshakes>
  /** Read at the last look, and not in use: half written perhaps, or no use, which is told once. */
  seen: Pair | undefined
  isTold: boolean
}

/** How often files are looked at. A pair that changed is taken when it is the same a second time. */
const LOOK_MS = 5_000
const TICKET_KEYS_MS = 12 * 3600_000
/** Octets, as OpenSSL wants them: a name and two keys. */
const TICKET_KEYS = 48

export class Certificates {
  readonly #warn: (problem: Problem) => void
  readonly #held = new Map<string, Held>()
  #ticketKeys = randomBytes(TICKET_KEYS)
  #timers: readonly NodeJS.Timeout[] = []

  constructor(warn: (problem: Problem) => void) {
    this.#warn = warn
  }

  /**
   * Reads a pair.
   *
   * @param protocols to be agreed upon inside TLS, best first
   * @returns throws a `Fault` where the pair is no use
   */
  hold(files: PairFiles, protocols: readonly string[]): Handshakes {
    const pair = readNow(files)
    const problem = problemOf(files, pair)
    if (problem !== undefined) throw new Fault('NOT_PERMITTED', problemText(problem))
    const key = keyOf(files)
    const held = this.#held.get(key) ?? newlyHeld(files, pair)
    if (!isSame(held.pair, pair)) this.#use(held, pair)
    held.files = files
    this.#held.set(key, held)
    this.#watch()
    const named = protocols.join(' ')
    const known = held.handshakes.get(named) ?? new Handshakes(protocols, this.#secretsOf(pair))
    held.handshakes.set(named, known)
    return known
  }

  /** Others are forgotten. */
  keep(wanted: readonly PairFiles[]): void {
    const keys = new Set(wanted.map(keyOf))
    for (const key of [...this.#held.keys()]) if (!keys.has(key)) this.#held.delete(key)
    if (this.#held.size === 0) this.stop()
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer)
    this.#timers = []
  }

  /** Looks whether files have changed. */
  async look(): Promise<void> {
    for (const held of [...this.#held.values()]) {
      const pair = await readSoon(held.files)
      if (pair !== undefined) this.#follow(held, pair) // else: being replaced, or gone
    }
  }

  #follow(held: Held, pair: Pair): void {
    const isSettled = held.seen !== undefined && isSame(held.seen, pair)
    held.seen = isSame(held.pair, pair) ? undefined : pair
    if (held.seen === undefined || !isSettled) {
      held.isTold = false
      return
    }
    const problem = problemOf(held.files, pair)
    if (problem === undefined) this.#use(held, pair)
    else if (!held.isTold) this.#warn({ ...problem, what: `${problem.what}: the one before stays` })
    held.isTold = problem !== undefined
  }

  #use(held: Held, pair: Pair): void {
    held.pair = pair
    held.seen = undefined
    for (const handshakes of held.handshakes.values()) handshakes.use(this.#secretsOf(pair))
  }

  #secretsOf(pair: Pair): Secrets {
    return { ...pair, ticketKeys: this.#ticketKeys }
  }

  #watch(): void {
    if (this.#timers.length > 0) return
    const looking = setInterval(() => void this.look(), LOOK_MS).unref()
    const turning = setInterval(() => this.#turnKeys(), TICKET_KEYS_MS).unref()
    this.#timers = [looking, turning]
  }

  /** What was encrypted with old keys is not worth more than the day it was. RFC 9325 §7.4. */
  #turnKeys(): void {
    this.#ticketKeys = randomBytes(TICKET_KEYS)
    for (const held of this.#held.values()) this.#use(held, held.pair)
  }
}

function newlyHeld(files: PairFiles, pair: Pair): Held {
  return { files, pair, handshakes: new Map(), seen: undefined, isTold: false }
}

function keyOf({ cert, key }: PairFiles): string {
  return `${cert.path}\0${key.path}`
}

function isSame(one: Pair, other: Pair): boolean {
  return one.cert.equals(other.cert) && one.key.equals(other.key)
}

function problemOf(files: PairFiles, { cert, key }: Pair): Problem | undefined {
  const flaw = flawOfPair(cert, key)
  if (flaw === undefined) return undefined
  const { at, path } = files[flaw.of]
  return problemAt(at, wrong(`${path} ${flaw.reason.wrong}`, flaw.reason.fix))
}

/** Throws a `Fault` where it cannot be read. */
function readNow({ cert, key }: PairFiles): Pair {
  return { cert: readOne(cert), key: readOne(key) }
}

function readOne({ at, path }: NamedFile): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    const reason = wrong(`${path} cannot be read: ${why}`, 'correct the path, or its mode')
    throw new Fault('NOT_PERMITTED', problemText(problemAt(at, reason)), { cause })
  }
}

async function readSoon({ cert, key }: PairFiles): Promise<Pair | undefined> {
  try {
    return { cert: await readFile(cert.path), key: await readFile(key.path) }
  } catch {
    return undefined
  }
}
