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
import { isOverride, type Override } from './steer/override.ts'

const SCHEMA = 'lbdns.state/1'
/** How often it is looked whether there is something to write, and how old it may get. */
const LOOK_MS = 2_000
const STALE_MS = 60_000
/** How long anybody waits for one to be written. */
const LAST_MS = 1_000

export type State = {
  readonly health: ReadonlyMap<string, Kept>
  readonly overrides: readonly Override[]
}

/** What was found, how many milliseconds ago it was written, and what is wrong with it. */
export type Found = State & { readonly goneMs: number; readonly warnings: readonly Problem[] }

/** @param maxAge seconds; health that is older is not used. Overrides have ends of their own. */
export function readState(file: string, maxAge: number, now = Date.now()): Found {
  const text = textOf(file)
  if (text === undefined) return nothing()
  if (text instanceof Error) return nothing(told(file, `cannot be read: ${text.message}`))
  const state = stateIn(text)
  if (state === undefined) return nothing(movedAside(file))
  const { health, overrides, written } = state
  const goneMs = Math.max(0, now - written)
  if (goneMs <= 1000 * maxAge) return { health, overrides, goneMs, warnings: [] }
  const warning = told(file, `is older than ${maxAge} s`, 'what was known of health is not used')
  return { health: new Map(), overrides, goneMs, warnings: [warning] }
}

function nothing(...warnings: readonly Problem[]): Found {
  return { health: new Map(), overrides: [], goneMs: 0, warnings }
}

function told(file: string, what: string, so = 'what it kept is not used'): Problem {
  return problemAt({ file, line: 0, column: 0 }, wrong(`${what}: ${so}`))
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
    const { health, overrides } = JSON.parse(body)
    const entries = Object.entries(health as object).filter(isEntry)
    return { written, health: new Map(entries), overrides: overrides.filter(isOverride) }
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
  /** There was something to keep: that there is nothing any more is kept, too. */
  #isThere: boolean
  /** That it cannot be written has been said. */
  #isTold = false

  /**
   * @param take what is to be kept, of that moment
   * @param warn hears once of each time that it cannot be written any more
   */
  constructor(file: string, take: () => State, warn: (problem: Problem) => void) {
    this.#file = file
    this.#take = take
    this.#isThere = take().overrides.length > 0
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

  /** Writes what there is now, and tells whether it is kept. A disk that hangs is not waited for. */
  async keep(): Promise<'kept' | 'lost'> {
    this.#write()
    const isOver = await this.#settled()
    return isOver && !this.#isTold ? 'kept' : 'lost'
  }

  /** Writes what there is, and no more afterwards. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#write()
    await this.#settled()
  }

  /** Waits for what is being written. False: it was given up. */
  #settled(): Promise<boolean> {
    const enough = new Promise<false>(resolve => setTimeout(resolve, LAST_MS, false).unref())
    return Promise.race([this.#last.then(() => true), enough])
  }

  #look(): void {
    if (this.#isDue || performance.now() - this.#written > STALE_MS) this.#write()
  }

  /** One after the other: none overtakes the one before. */
  #write(): void {
    this.#isDue = false
    this.#written = performance.now()
    const state = this.#take()
    const isEmpty = state.health.size === 0 && state.overrides.length === 0
    if (isEmpty && !this.#isThere) return
    this.#isThere = true
    const file = this.#file
    const text = textWith(state)
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
    const fix = 'what is known and imposed now would be forgotten by a restart'
    this.#warn(problemAt({ file, line: 0, column: 0 }, wrong(what, fix)))
  }
}

function textWith({ health, overrides }: State): string {
  const body = JSON.stringify({ health: Object.fromEntries(health), overrides })
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
