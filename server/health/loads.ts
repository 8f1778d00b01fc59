/**
 * Keeps the board's loads, capacities and latencies as the operator's load files have them: looks
 * every second whether a file is new, and forgets what is older than its pool allows.
 */
import { readFileSync, statSync } from 'node:fs'
import { type Problem, problemAt, remarks, wrong } from '../fault.ts'
import type { Board } from '../steer/board.ts'
import type { Steering } from '../steer/steering.ts'
import { targetsOf } from '../steer/targets.ts'
import { type LoadRow, loadRows } from './load-rows.ts'
import { blend, putMeasured } from './measured.ts'

/** A pool's load file. */
export type LoadFile = {
  /** Index of the pool. */
  readonly pool: number
  readonly path: string
  /** Seconds for which what it says holds. */
  readonly maxAge: number
}

/** How often files are looked at. */
const EVERY_MS = 1000

/** Reads load files onto a board, again and again. */
export class Loads {
  readonly #files: readonly LoadFile[]
  readonly #steering: Steering
  readonly #board: Board
  readonly #warn: (warning: Problem) => void
  /** By file: when what is on the board was written, in milliseconds; or FORGOTTEN. */
  readonly #written = new Map<LoadFile, number>()
  #timer: NodeJS.Timeout | undefined

  /** @param warn hears of each new mistake once, not every second */
  constructor(
    files: readonly LoadFile[],
    steering: Steering,
    board: Board,
    warn: (warning: Problem) => void,
  ) {
    this.#files = files
    this.#steering = steering
    this.#board = board
    this.#warn = warn
  }

  start(): void {
    this.look()
    if (this.#files.length > 0) this.#timer = setInterval(() => this.look(), EVERY_MS).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Reads what is new and forgets what is too old. */
  look(now = Date.now()): void {
    for (const file of this.#files) this.#lookAt(file, now)
  }

  #lookAt(file: LoadFile, now: number): void {
    const written = writtenAt(file.path)
    const isOld = written !== undefined && now - written > 1000 * file.maxAge
    if (isOld) this.#forget(file, `is older than ${file.maxAge} s`)
    else if (written === undefined || written !== this.#written.get(file)) this.#read(file, written)
  }

  #read(file: LoadFile, written: number | undefined): void {
    const text = written === undefined ? undefined : textOf(file.path)
    if (written === undefined || text === undefined) this.#forget(file, 'cannot be read')
    else this.#take(file, text, written)
  }

  #forget(file: LoadFile, why: string): void {
    if (this.#written.get(file) === FORGOTTEN) return
    this.#written.set(file, FORGOTTEN)
    const at = { file: file.path, line: 0, column: 0 }
    this.#warn(problemAt(at, wrong(`${why}: the loads in it are unknown`, 'write it anew')))
    for (const [target] of targetsOf(this.#steering, file.pool)) this.#put(target, undefined)
  }

  #take(file: LoadFile, text: string, written: number): void {
    this.#written.set(file, written)
    const found = remarks()
    const rows = loadRows(text, file.path, found)
    for (const warning of found.warnings) this.#warn(warning)
    for (const [target, key] of targetsOf(this.#steering, file.pool))
      this.#put(target, rows.get(key))
  }

  /** Absent values become what the operator fixed, or unknown. */
  #put(target: number, row: LoadRow | undefined): void {
    const { latency } = this.#board
    putMeasured(this.#board, this.#steering, target, row ?? {})
    latency[target] = blend(latency[target], row?.latency) ?? Number.NaN
  }
}

/** In the place of a time: nothing of the file is on the board, and that has been said. */
const FORGOTTEN = -1

/** When a file was written; `undefined` where there is none, or it may not be looked at. */
function writtenAt(path: string): number | undefined {
  try {
    return statSync(path).mtimeMs
  } catch {
    return undefined
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
