/**
 * What an assertion came to: it holds, it does not, or what was seen cannot tell. It is what `check`
 * ends in and what reporters print; where it was written is known, for annotations.
 */
import type { Finding } from './finding.ts'

/** A place in a file of the user's; lines and columns from 1. */
export type Place = { readonly file: string; readonly line: number; readonly column: number }

export type State = 'pass' | 'fail' | 'inconclusive'

export type Ruling = {
  readonly name: string
  readonly type: string
  /** Which of the check's assertions: `rotation`, `by_country.DE.within`, `forbid.ECS004`. */
  readonly assertion: string
  /** Absent where the wish was a flag, not a line of a file. */
  readonly at: Place | undefined
  readonly state: State
  readonly expected: string
  readonly seen: string
}

/** A finding, and whose it is. */
export type Remark = {
  readonly name: string
  readonly type: string
  readonly at: Place | undefined
  readonly finding: Finding
}
