/** What this process can hold, given how many files it may open: TCP connections, UDP workers. */
import { readFileSync } from 'node:fs'
import { REHEARSAL_FILES } from './rehearse.ts'

const ENOUGH = 1000
/** For zones, databases, UDP sockets, health checks and the log. */
const RESERVED_FILES = 200
const FEWEST = 50
/** What a thread opens for itself: its event loop, and what wakes it. */
const THREAD_FILES = 4

/** At most `ENOUGH`, and always fewer than the files left over: what is accepted can be served. */
export function affordableConnections(openFiles = openFilesLimit()): number {
  return Math.min(ENOUGH, mostConnections(openFiles))
}

/** As many as there can be at all. */
export function mostConnections(openFiles = openFilesLimit()): number {
  return Math.max(FEWEST, openFiles - RESERVED_FILES)
}

/**
 * How many UDP workers can be had at most, with the fewest TCP connections beside them.
 *
 * @param places how many sockets each will have
 */
export function affordableWorkers(places: number, openFiles = openFilesLimit()): number {
  const files = THREAD_FILES + Math.max(places, REHEARSAL_FILES)
  return Math.max(1, Math.floor((openFiles - 2 * FEWEST) / files))
}

/** Infinity where the system does not say. */
export function openFilesLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1')
    return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
