/** How many TCP connections this process can hold, given how many files it may open. */
import { readFileSync } from 'node:fs'

const ENOUGH = 1000
/** For zones, databases, UDP sockets, health checks and the log. */
const RESERVED_FILES = 200
const FEWEST = 50

/** At most `ENOUGH`, and always fewer than the files left over: what is accepted can be served. */
export function affordableConnections(openFiles = openFilesLimit()): number {
  return Math.max(FEWEST, Math.min(ENOUGH, openFiles - RESERVED_FILES))
}

/** Infinity where the system does not say. */
function openFilesLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1')
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
