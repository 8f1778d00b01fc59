/**
 * Writes a recording while it is made, line after line, in order and in the background: neither a slow
 * disk nor a full one holds up a measurement. What cannot be written is said once.
 */

import { appender } from './append.ts'
import type { Observation } from './judge/observation.ts'
import type { Partial } from './judge/partial.ts'
import { reasonOf } from './panel.ts'
import { type Wrong, wrong } from './plan/wrong.ts'
import type { Recording } from './recording.ts'
import {
  endLine,
  headLine,
  observationLine,
  type RecordingHead,
  type UnitHead,
  unitLine,
} from './tell/recording.ts'
import type { World } from './world.ts'

export type Recorder = {
  readonly begin: (unit: UnitHead) => void
  readonly write: (seen: Observation) => void
  /** Resolves when all of it is on the disk, or given up. */
  readonly close: (partial: Partial | undefined) => Promise<void>
}

const NOBODY: Recorder = {
  begin: () => undefined,
  write: () => undefined,
  close: () => Promise.resolve(),
}

/** @param path absent: nothing is written */
export async function recorderFor(
  path: string | undefined,
  head: RecordingHead,
  world: World,
): Promise<Recorder | Wrong> {
  if (path === undefined) return NOBODY
  try {
    await world.writeText(path, headLine(head))
  } catch (cause) {
    return wrong(`--record ${path}: ${reasonOf(cause)}`, 'name a file that can be written')
  }
  return recorder(path, world)
}

/** Goes on in a recording that was read. */
export function recorderAfter(
  path: string,
  { units, isTorn }: Pick<Recording, 'units' | 'isTorn'>,
  world: World,
): Recorder {
  return recorder(path, world, units.length, isTorn ? '\n' : '')
}

function recorder(path: string, world: World, units = 0, first = ''): Recorder {
  const { add, end } = appender(path, world.appendText, cause => {
    world.err.write(`lbprobe: warning: --record ${path}: ${reasonOf(cause)}: no more is recorded\n`)
  })
  if (first !== '') add(first)
  const close = async (partial: Partial | undefined): Promise<void> => {
    add(endLine(partial))
    await end()
  }
  return { ...linesTo(add, units), close }
}

/**
 * What is seen as lines of a recording, between its head and its end.
 *
 * @param units how many it has already
 */
export function linesTo(add: (line: string) => void, units = 0): Pick<Recorder, 'begin' | 'write'> {
  let begun = units
  return {
    begin: unit => {
      add(unitLine(begun, unit))
      begun += 1
    },
    write: seen => add(observationLine(begun - 1, seen)),
  }
}

/** Writes to both; the end is only for the first, whose file it closes. */
export function besides(one: Recorder, other: Pick<Recorder, 'begin' | 'write'>): Recorder {
  return {
    begin: unit => {
      one.begin(unit)
      other.begin(unit)
    },
    write: seen => {
      one.write(seen)
      other.write(seen)
    },
    close: one.close,
  }
}
