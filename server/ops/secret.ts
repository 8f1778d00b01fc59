/**
 * Files that hold secrets. One that others than its owner may read is not read: what is in it may be
 * known to anybody.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { type Wrong, wrong } from '../fault.ts'

/** Octets. */
const MOST = 64 * 1024

/** The text of a file that only its owner may read, or why it is not read. Does not wait for pipes. */
export function readSecret(file: string): string | Wrong {
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      return textOf(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (cause) {
    return wrong(`cannot be read: ${cause instanceof Error ? cause.message : cause}`)
  }
}

/** Looks at what is open, so that nobody can change it in between. */
function textOf(descriptor: number): string | Wrong {
  const stat = fstatSync(descriptor)
  if (!stat.isFile()) return wrong('is no file')
  if ((stat.mode & 0o077) !== 0) {
    const mode = (stat.mode & 0o777).toString(8).padStart(4, '0')
    return wrong(`others may read or write it: its mode is ${mode}`, 'chmod 600')
  }
  if (stat.size > MOST) return wrong('is larger than 64 KiB')
  return readFileSync(descriptor, 'utf8')
}
