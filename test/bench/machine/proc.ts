/** What Linux says of a process and all that it started: processor time, memory. Reads /proc only. */
import { readdirSync, readFileSync } from 'node:fs'

/** Milliseconds of a tick: the same on every Linux that Node runs on. */
const TICK_MS = 10

/** User and system time in ticks, out of a `stat` file: proc(5), fields 14 and 15. */
export function ticksOf(stat: string): number {
  // The second field is the program's name, and may hold blanks and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}

/** A row of `status` or `smaps_rollup`, in MB; 0 where it has none. */
export function megabytesOf(text: string, row: string): number {
  const found = new RegExp(`^${row}:\\s+(\\d+) kB`, 'm').exec(text)
  return (Number(found?.[1] ?? 0) * 1024) / 1e6
}

/** Nanoseconds on a processor, out of a `schedstat` file. */
export function nanosOf(schedstat: string): number {
  return Number(schedstat.split(' ')[0] ?? 0)
}

/** A process and those it started, and so on; without those that are gone. */
export function treeOf(pid: number): number[] {
  const children = foldersOf(`/proc/${pid}/task`).flatMap(task =>
    read(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  )
  return [pid, ...children.flatMap(treeOf)]
}

/** User and system time of a whole tree so far, in milliseconds. */
export function cpuMs(pid: number): number {
  return sum(treeOf(pid), one => ticksOf(read(`/proc/${one}/stat`))) * TICK_MS
}

/** The same without rounding to ticks, by thread; threads that ended meanwhile are missing. */
export function fineCpuMs(pid: number): number {
  const tasks = treeOf(pid).flatMap(one =>
    foldersOf(`/proc/${one}/task`).map(task => `/proc/${one}/task/${task}/schedstat`),
  )
  return sum(tasks, path => nanosOf(read(path))) / 1e6
}

/** Of a whole tree, in MB. */
export type Memory = {
  /** Resident; pages that several processes share count in each. */
  readonly resident: number
  /** Resident; shared pages count once. */
  readonly proportional: number
  /** The most that was resident. */
  readonly peak: number
}

export function memoryOf(pid: number): Memory {
  const tree = treeOf(pid)
  return {
    resident: sum(tree, one => megabytesOf(read(`/proc/${one}/status`), 'VmRSS')),
    proportional: sum(tree, one => megabytesOf(read(`/proc/${one}/smaps_rollup`), 'Pss')),
    peak: sum(tree, one => megabytesOf(read(`/proc/${one}/status`), 'VmHWM')),
  }
}

function sum<T>(of: readonly T[], figure: (one: T) => number): number {
  return of.reduce((total, one) => total + (figure(one) || 0), 0)
}

/** Empty where the process is gone. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

function foldersOf(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
