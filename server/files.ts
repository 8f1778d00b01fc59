/**
 * Reading an operator's files: whole, as octets or text, or piece by piece; or why it cannot be done.
 * Knows where a path leads and nothing of what stands in a file.
 */
import { constants, isUtf8 } from 'node:buffer'
import {
  accessSync,
  closeSync,
  constants as fs,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isWrong, type Problem, problemAt, type Wrong, wrong } from './fault.ts'
import { type Stream, streamOf } from './zone/stream.ts'

/** Reads a whole file, or says why it cannot be read. */
export type ReadFile = (file: string) => Buffer | Wrong

/** Where files are. */
export type Files = {
  readonly read: ReadFile
  /** Opens a file to be read piece by piece, or says why it cannot be. */
  readonly open: (file: string) => Stream | Wrong
  /** What is wrong with a program: why it does not run. */
  readonly flawOf: (file: string) => Wrong | undefined
}

export const DISK: Files = { read: readOctets, open: openFile, flawOf: flawOfProgram }

/** Files of which each is there whole, or is not. */
export function wholeFiles(read: ReadFile): Files {
  const open = (file: string): Stream | Wrong => {
    const octets = read(file)
    return isWrong(octets) ? octets : streamOf(octets)
  }
  const flawOf = (file: string): Wrong | undefined => {
    const octets = read(file)
    return isWrong(octets) ? octets : undefined
  }
  return { read, open, flawOf }
}

function flawOfProgram(file: string): Wrong | undefined {
  try {
    accessSync(file, fs.X_OK)
    return statSync(file).isDirectory() ? FOLDER : undefined
  } catch (cause) {
    const flaw = unreadable(cause)
    return flaw === UNREADABLE
      ? wrong('may not be run by this user', 'change its owner or mode')
      : flaw
  }
}

/** A file of the disk, from its beginning. */
function openFile(file: string): Stream | Wrong {
  try {
    const descriptor = openSync(file, 'r')
    const close = () => closeSync(descriptor)
    const stat = fstatSync(descriptor)
    if (!stat.isDirectory()) {
      return { size: stat.size, read: (into, at) => readPiece(descriptor, into, at), close }
    }
    close()
    return FOLDER
  } catch (cause) {
    return unreadable(cause)
  }
}

function readPiece(descriptor: number, into: Uint8Array, at: number): number | Wrong {
  try {
    return readSync(descriptor, into, at, into.length - at, null)
  } catch (cause) {
    return unreadable(cause)
  }
}

/** A whole file, or why it cannot be read. */
export function readOctets(file: string): Buffer | Wrong {
  try {
    return readFileSync(file)
  } catch (cause) {
    return unreadable(cause)
  }
}

const ABSENT = wrong('does not exist', 'correct the path, or make the file')
const FOLDER = wrong('is a folder', 'name a file in it')
const UNREADABLE = wrong('may not be read by this user', 'change its owner or mode')
const REASONS: Readonly<Record<string, Wrong>> = {
  ENOENT: ABSENT,
  ENOTDIR: ABSENT,
  EACCES: UNREADABLE,
  EISDIR: FOLDER,
}

function unreadable(cause: unknown): Wrong {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return REASONS[code] ?? wrong(`cannot be read (${code || String(cause)})`, 'look at the disk')
}

/** A file of UTF-8 text, or a Problem where it is none. */
export function readText(file: string, read: ReadFile): string | Problem {
  const octets = readWhole(file, read)
  if (isWrong(octets)) return problemAt({ file, line: 0, column: 0 }, octets)
  const text = octets.toString('utf8')
  if (isUtf8(octets) && !text.includes('\0')) return text
  const before = text.slice(0, text.search(/[\0\ufffd]/)).split('\n')
  const at = { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
  return problemAt(at, wrong('this is no UTF-8 text', 'save it as UTF-8 text'))
}

export type Opened = { readonly file: string; readonly text: string }

/** A text file that another file names; its octets as latin1, one a character. */
export function readBeside(file: string, path: string, read: ReadFile): Opened | Wrong {
  const whole = beside(file, path)
  const octets = readWhole(whole, read)
  return isWrong(octets) ? named(path, octets) : { file: whole, text: octets.toString('latin1') }
}

/** A file that another file names, to be read piece by piece. */
export function openBeside(
  file: string,
  path: string,
  open: Files['open'],
): { readonly file: string; readonly stream: Stream } | Wrong {
  const whole = beside(file, path)
  const stream = open(whole)
  return isWrong(stream) ? named(path, stream) : { file: whole, stream }
}

/** Says which file is meant: its Problem stands in the file that names it. */
export function named(path: string, reason: Wrong): Wrong {
  if (reason !== ABSENT) return { ...reason, wrong: `${path} ${reason.wrong}` }
  return wrong(
    `${path} ${reason.wrong}`,
    'correct the path: it is relative to the file that names it',
  )
}

/** Paths are relative to the file that names them. */
export function beside(file: string, path: string): string {
  return resolve(path) === path ? path : join(dirname(file), path)
}

/** The octets of a text, which may be no longer than a string can be. */
function readWhole(file: string, read: ReadFile): Buffer | Wrong {
  const octets = read(file)
  const most = constants.MAX_STRING_LENGTH
  if (isWrong(octets) || octets.length <= most) return octets
  return wrong(`is larger than ${most >> 20} MiB`, 'split it: $INCLUDE puts a zone together')
}
