/**
 * What outlives the process: a file with a head line that says what the line after it is, when it was
 * written, and its checksum. It is replaced as a whole, so whenever the process ends there is a
 * consistent one; where it cannot be written, that is said once, and the process goes on.
 */
import { createHash } from 'node:crypto'
import { readFileSync, renameSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { type Problem, problemAt, wrong } from './fault.ts'
import { isKept, type Kept } from './health/kept.ts'

const SCHEMA = 'lbdns.state/1'
/** How often it is looked whether there is something to write, and how old it may get. */
const LOOK_MS = 2_000
const STALE_MS = 60_000
/** How long leaving waits for the last one. */
const LAST_MS = 1_000

export type State = { readonly health: ReadonlyMap<string, Kept> }

/** What was found, how many milliseconds ago it was written, and what is wrong with it. */
export type Found = State & { readonly goneMs: number; readonly warnings: readonly Problem[] }

/** @param maxAge seconds; what is older is not used */
export function readState(file: string, maxAge: number, now = Date.now()): Found {
  const text = textOf(file)
  if (text === undefined) return nothing()
  if (text instanceof Error) return nothing(told(file, `cannot be read: ${text.message}`))
  const state = stateIn(text)
  if (state === undefined) return nothing(movedAside(file))
  const goneMs = Math.max(0, now - state.written)
  if (goneMs > 1000 * maxAge) return nothing(told(file, `is older than ${maxAge} s`))
  return { health: state.health, goneMs, warnings: [] }
}

function nothing(...warnings: readonly Problem[]): Found {
  return { health: new Map(), goneMs: 0, warnings }
}

function told(file: string, what: string): Problem {
  return problemAt({ file, line: 0, column: 0 }, wrong(`${what}: what was known is not used`))
}

/** `undefined` where there is none. */
function textOf(file: string): string | Error | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const isAbsent = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
    return isAbsent ? undefined : (cause as Error)
  }
}

/** `undefined` where it is not as it was written. */
function stateIn(text: string): (State & { readonly written: number }) | undefined {
  const [head = '', body = ''] = text.split('\n')
  try {
    const { schema, sha256, written } = JSON.parse(head)
    if (schema !== SCHEMA || sha256 !== sum(written, body)) return undefined
    const entries = Object.entries(JSON.parse(body).health as object)
    return { written, health: new Map(entries.filter(isEntry)) }
  } catch {
    return undefined
  }
}

function isEntry(entry: [string, unknown]): entry is [string, Kept] {
  return isKept(entry[1])
}

function sum(written: number, body: string): string {
  return createHash('sha256').update(`${written}\n${body}`).digest('hex')
}

/** It may be of use to whoever looks for what happened. */
function movedAside(file: string): Problem {
  try {
    renameSync(file, `${file}.bad`)
    return told(file, `is damaged, and is ${file}.bad now`)
  } catch {
    return told(file, 'is damaged')
  }
}

/** Keeps a state in its file. */
export class StateFile {
  readonly #take: () => State
  readonly #warn: (problem: Problem) => void
  #file: string
  readonly #timer: NodeJS.Timeout
  #isDue = false
  #written = 0
  #last: Promise<void> = Promise.resolve()
  /** That it cannot be written has been said. */
  #isTold = false

  /** @param warn hears once of each time that it cannot be written any more */
  constructor(file: string, take: () => State, warn: (problem: Problem) => void) {
    this.#file = file
    this.#take = take
    this.#warn = warn
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref()
  }

  /** Keeps it there from now on. */
  follow(file: string): void {
    this.#file = file
    this.#isDue = true
  }

  /** Something has changed, and is written soon. */
  touch(): void {
    this.#isDue = true
  }

  /** Writes what there is, and no more afterwards. A disk that hangs is not waited for. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#write()
    const enough = new Promise<void>(resolve => setTimeout(resolve, LAST_MS).unref())
    await Promise.race([this.#last, enough])
  }

  #look(): void {
    if (this.#isDue || performance.now() - this.#written > STALE_MS) this.#write()
  }

  /** One after the other: none overtakes the one before. */
  #write(): void {
    this.#isDue = false
    this.#written = performance.now()
    const { health } = this.#take()
    if (health.size === 0) return
    const file = this.#file
    const text = textWith(health)
    this.#last = this.#last
      .then(() => replace(file, text))
      .then(() => {
        this.#isTold = false
      })
      .catch(cause => this.#tell(file, cause))
  }

  #tell(file: string, cause: Error): void {
    if (this.#isTold) return
    this.#isTold = true
    const what = `cannot be written: ${cause.message}`
    const fix = 'after a restart nothing is known of health'
    this.#warn(problemAt({ file, line: 0, column: 0 }, wrong(what, fix)))
  }
}

function textWith(health: State['health']): string {
  const body = JSON.stringify({ health: Object.fromEntries(health) })
  const written = Date.now()
  const head = { schema: SCHEMA, written, sha256: sum(written, body) }
  return `${JSON.stringify(head)}\n${body}\n`
}

/** All of it or nothing: a reader, or a process that dies meanwhile, finds the old one or the new one. */
async function replace(file: string, text: string): Promise<void> {
  const beside = `${file}.new`
  const made = await open(beside, 'w', 0o600)
  try {
    await made.writeFile(text)
    await made.sync()
  } finally {
    await made.close()
  }
  await rename(beside, file)
}
