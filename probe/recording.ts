/**
 * Reads a recording. It may come from anywhere: each line is checked, what is wrong is said with its
 * line, and the last line of a run that was killed may be half a line.
 */

import type { Observation } from './judge/observation.ts'
import type { Partial } from './judge/partial.ts'
import type { Unit } from './judge/units.ts'
import { reasonOf } from './panel.ts'
import { isWrong, type Wrong, wrong } from './plan/wrong.ts'
import type { RecordingHead, UnitHead } from './tell/recording.ts'
import {
  endShape,
  headShape,
  observationFrom,
  observationShape,
  resultShape,
  unitShape,
} from './tell/recording-shape.ts'
import type { World } from './world.ts'

export type Recording = {
  readonly head: RecordingHead
  readonly units: readonly Unit[]
  /** `cut`: the run was killed, or is not over yet. */
  readonly end: 'done' | 'partial' | 'cut'
  /** Why the run saw less than was wanted, as far as it said. */
  readonly partial: Partial | undefined
  /** Whether the last line was cut. */
  readonly isTorn: boolean
}

export async function readRecording(path: string, world: World): Promise<Recording | Wrong> {
  try {
    return parseRecording(await world.readText(path), path)
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause) return wrong(`${path}: ${reasonOf(cause)}`)
    throw cause
  }
}

type Begun = UnitHead & { readonly observations: Observation[] }

/** @param path what it is called in a message */
export function parseRecording(text: string, path: string): Recording | Wrong {
  const lines = text.split('\n')
  const rest = lines.pop() ?? ''
  const [first = rest, ...others] = lines
  const head = headShape.safeParse(jsonOf(first))
  if (!head.success)
    return wrong(`${path}:1: not the head of a recording`, 'name what --record wrote')
  const units: Begun[] = []
  let last: Last = CUT
  for (const [at, line] of others.entries()) {
    const value = jsonOf(line)
    // A run that was killed left half a line; another went on below it.
    if (value === undefined && isUnit(jsonOf(others[at + 1] ?? ''))) continue
    const read = readLine(value, units)
    if (isWrong(read)) return wrong(`${path}:${at + 2}: ${read.wrong}`, read.fix)
    last = read
  }
  return { head: head.data as RecordingHead, units, ...last, isTorn: rest !== '' }
}

function isUnit(value: unknown): boolean {
  return unitShape.safeParse(value).success
}

type Last = Pick<Recording, 'end' | 'partial'>

/** More is to come, or should have. */
const CUT: Last = { end: 'cut', partial: undefined }

/** Adds what a line says to the units; returns what it says of the end. */
function readLine(value: unknown, units: Begun[]): Last | Wrong {
  const unit = unitShape.safeParse(value)
  if (unit.success && unit.data.unit === units.length) {
    const { unit: _, trust, ...more } = unit.data
    units.push({ ...more, trust: trust && { ...trust, path: trust.path }, observations: [] })
    return CUT
  }
  const seen = observationShape.safeParse(value)
  if (seen.success) {
    const of = units[seen.data.of]
    if (of === undefined) return wrong(`an observation of unit ${seen.data.of}, which is not there`)
    of.observations.push(observationFrom(seen.data))
    return CUT
  }
  if (resultShape.safeParse(value).success) return CUT
  const end = endShape.safeParse(value)
  if (end.success) return { partial: undefined, ...end.data }
  return wrong(`not a line of a recording: ${faultIn(value, seen.error.issues[0])}`)
}

type Issue = { readonly path: readonly PropertyKey[]; readonly message: string }

function faultIn(value: unknown, issue: Issue | undefined): string {
  if (value === undefined) return 'no JSON'
  return `${issue?.path.map(String).join('.') || 'the line'}: ${issue?.message ?? 'of another shape'}`
}

/** `undefined`: no JSON, which no line of ours is. */
function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
