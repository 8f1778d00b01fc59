/**
 * A file that lines are added to: full, it becomes `FILE.1`, what that was `FILE.2`, and so on. Nobody
 * who adds a line waits: lines queue up to a bound, and what is beyond, or cannot be written, is
 * dropped and counted. That is said once each time. A file that somebody else renames is made anew.
 */
import { type FileHandle, open, rename, stat } from 'node:fs/promises'
import { type Problem, problemAt, wrong } from '../fault.ts'

export type LogFileOptions = {
  readonly path: string
  /** Octets, beyond which a file does not grow. One line may be longer than that. */
  readonly maxSize: number
  /** How many full files are kept, at least 1. */
  readonly keep: number
}

/** Octets of lines that wait. */
const MOST_QUEUED = 4 << 20
/** Octets written at once, one longer line aside. */
const CHUNK = 256 << 10
/** How long leaving waits for a disk. */
const LAST_MS = 1_000
/** What was told is not told again within this time, however often it comes right meanwhile. */
const QUIET_MS = 60_000

/** What every line ends with. */
const END = 0x0a
const NOTHING = { buffer: Buffer.alloc(0) }

/** Lines: those in the file, and those that are lost. */
export type LineCounts = { written: number; dropped: number }

export class LogFile {
  readonly counts: LineCounts = { written: 0, dropped: 0 }
  readonly #warn: (problem: Problem) => void
  #options: LogFileOptions
  #lines: string[] = []
  #queued = 0
  #last: Promise<void> | undefined
  #file: FileHandle | undefined
  /** Of the open file. */
  #inode = 0
  #device = 0
  /** What is to be open when lines that came before are in the file that is. */
  #next: 'same' | 'none' | 'anew' = 'same'
  /** What is in the open file ends within a line: whoever wrote it could not go on. */
  #isTorn = false
  #toldAt: number | undefined

  /** @param warn hears once of each time that lines are dropped */
  constructor(options: LogFileOptions, warn: (problem: Problem) => void) {
    this.#options = options
    this.#warn = warn
  }

  /** False while the next line would be dropped. */
  get hasRoom(): boolean {
    return this.#queued < MOST_QUEUED
  }

  /** Never waits, never throws. */
  add(line: string): void {
    if (!this.hasRoom) {
      this.drop(1)
      return
    }
    this.#lines.push(line)
    this.#queued += Buffer.byteLength(line)
    this.#last ??= this.#writeAll()
  }

  /** So many lines were lost before they came here, because others wait, or too many came. */
  drop(lines: number): void {
    this.counts.dropped += lines
    this.#tell(
      'lines are lost: more come than are written',
      'sample fewer queries, or look at the disk',
    )
  }

  /** What is added from now on goes into the file that is there now; where there is none, it is made. */
  reopen(options: LogFileOptions): void {
    this.#options = options
    this.#toldAt = undefined
    this.#turnTo('anew')
  }

  /** Closes the file once what there is is in it; for the next line it is opened again. */
  release(): void {
    this.#turnTo('none')
  }

  /** Writes what there is. A disk that hangs is not waited for. */
  async stop(): Promise<void> {
    this.release()
    const enough = new Promise<void>(resolve => setTimeout(resolve, LAST_MS).unref())
    await Promise.race([this.#last, enough])
  }

  #turnTo(next: 'none' | 'anew'): void {
    this.#next = next
    this.#last ??= this.#writeAll()
  }

  async #writeAll(): Promise<void> {
    while (this.#lines.length > 0 || this.#next !== 'same') {
      const work = this.#lines.length > 0 ? this.#writeSome() : this.#changeFile()
      await work.catch(cause => this.#lose(cause))
    }
    this.#last = undefined
  }

  async #changeFile(): Promise<void> {
    const next = this.#next
    await this.#close()
    if (next === 'anew') await this.#opened(0)
  }

  /** All that waits: a file that failed now would fail for each of them. */
  #lose(cause: unknown): void {
    this.counts.dropped += this.#lines.length
    this.#lines = []
    this.#queued = 0
    const what = cause instanceof Error ? cause.message : String(cause)
    this.#tell(`cannot be written: ${what}`, 'lines are lost until it can')
  }

  async #writeSome(): Promise<void> {
    const first = this.#lines[0] ?? ''
    const { file, size } = await this.#opened(Buffer.byteLength(first))
    const { count, octets } = this.#chunk(this.#options.maxSize - size)
    await this.#append(file, octets, size)
    this.#lines.splice(0, count)
    this.#queued -= octets.length
    this.counts.written += count
    if (this.#toldAt !== undefined && performance.now() - this.#toldAt > QUIET_MS) {
      this.#toldAt = undefined
    }
  }

  /** As many lines as there is room for, at least one. */
  #chunk(room: number): { readonly count: number; readonly octets: Buffer } {
    let size = 0
    let count = 0
    for (const line of this.#lines) {
      size += Buffer.byteLength(line)
      if (count > 0 && size > Math.min(room, CHUNK)) break
      count += 1
    }
    return { count, octets: Buffer.from(this.#lines.slice(0, count).join('')) }
  }

  /** The file that the next line belongs in, and its size. */
  async #opened(next: number): Promise<{ readonly file: FileHandle; readonly size: number }> {
    const { maxSize, path } = this.#options
    const there = await stat(path).catch(whereAbsent)
    const isOther = there?.ino !== this.#inode || there?.dev !== this.#device
    if (this.#next !== 'same' || isOther) await this.#close()
    const isFull = there !== undefined && there.size > 0 && there.size + next > maxSize
    if (isFull) await this.#rotate()
    this.#file ??= await this.#open()
    return { file: this.#file, size: isFull ? 0 : (there?.size ?? 0) }
  }

  async #open(): Promise<FileHandle> {
    const file = await open(this.#options.path, 'a+', 0o640)
    const { dev, ino, size } = await file.stat()
    this.#inode = ino
    this.#device = dev
    const { buffer } = size > 0 ? await file.read(Buffer.alloc(1), 0, 1, size - 1) : NOTHING
    this.#isTorn = buffer.length > 0 && buffer[0] !== END
    return file
  }

  async #rotate(): Promise<void> {
    const { keep, path } = this.#options
    await this.#close()
    for (let at = keep - 1; at > 0; at -= 1) {
      await rename(`${path}.${at}`, `${path}.${at + 1}`).catch(whereAbsent)
    }
    await rename(path, `${path}.1`)
  }

  /** All of it or, wherever the file can be cut again, nothing. */
  async #append(file: FileHandle, octets: Buffer, size: number): Promise<void> {
    try {
      await file.writeFile(this.#isTorn ? Buffer.concat([Buffer.of(END), octets]) : octets)
      this.#isTorn = false
    } catch (cause) {
      await cut(file, size)
      await this.#close() // its end is looked at anew
      throw cause
    }
  }

  async #close(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    this.#inode = 0
    this.#next = 'same'
    await file?.close().catch(() => {}) // every line was written before, or is lost
  }

  #tell(what: string, fix: string): void {
    if (this.#toldAt !== undefined) return
    this.#toldAt = performance.now()
    this.#warn(problemAt({ file: this.#options.path, line: 0, column: 0 }, wrong(what, fix)))
  }
}

/** Where it cannot be cut, it stays as it is: some files have no size. */
async function cut(file: FileHandle, size: number): Promise<void> {
  try {
    const now = await file.stat()
    if (now.size > size) await file.truncate(size)
  } catch {}
}

function whereAbsent(cause: unknown): undefined {
  if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined
  throw cause
}
