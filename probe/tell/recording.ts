/**
 * A recording as text: a line for the run, one for each unit of it, one for each observation, as they
 * come, and one at the end. JSON lines, so that what a run that was killed had seen can be read.
 */
import type { Observation } from '../judge/observation.ts'
import type { Partial } from '../judge/partial.ts'
import type { Unit, UnitOptions } from '../judge/units.ts'
import { DOCUMENT } from './documents.ts'
import { lastLine } from './json-lines.ts'

export type RecordingHead<Options = UnitOptions | MapRecorded> = {
  readonly tool: { readonly name: string; readonly version: string }
  /** When the run began. ISO 8601. */
  readonly began: string
  readonly options: Options
  /** What was going to be asked, as the result document has it. */
  readonly plan: Readonly<Record<string, unknown>>
}

/** What a map goes by beside what it is told. */
export type MapRecorded = {
  readonly command: 'map'
  readonly seed: number
  readonly samples: number
  readonly orders: number
  readonly special: 'skipped' | 'asked'
  /** SOURCE lengths, the usual one first. */
  readonly sources: readonly number[]
  /** Prefixes that are gone through. */
  readonly space: readonly string[]
  readonly draws: number
  /** Pieces of the space gone through at once. */
  readonly width: number
}

/** What is known of a unit when it begins. */
export type UnitHead = Omit<Unit, 'observations'>

export function headLine(head: RecordingHead): string {
  return line({ schema: DOCUMENT.recording, ...head })
}

/** @param number from 0, as the observations of the unit name it */
export function unitLine(number: number, unit: UnitHead): string {
  return line({ unit: number, ...unit })
}

export function observationLine(unit: number, seen: Observation): string {
  return line({ of: unit, ...seen })
}

/** Its absence says that the run was cut off. */
export function endLine(partial: Partial | undefined): string {
  return lastLine({ partial })
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`
}
