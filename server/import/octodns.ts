/**
 * Imports octodns's files.
 */
import { type Wrong, wrong } from '../fault.ts'
import type { Imported, Original, ReadOriginal } from './imported.ts'

export function importOctodns(
  originals: readonly Original[],
  _read: ReadOriginal,
): Imported | Wrong[] {
  return originals.map(({ file }) => wrong(`${file} cannot be imported yet`))
}
