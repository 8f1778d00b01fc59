/**
 * How things go wrong, in three kinds. A `Problem` is wrong in an operator's file: all of them are
 * collected and shown at once. A `Fault` is wrong with the machine or with us: it is thrown, and only
 * the process ends because of it. Hostile octets are neither: they are values (`undefined`, −1).
 * This file imports nothing; every room may use it.
 */

/** A place in an operator's file. Lines and columns count from 1; 0 means the file as a whole. */
export type At = { readonly file: string; readonly line: number; readonly column: number }

/** Something wrong in an operator's file, and what to do about it. */
export type Problem = At & { readonly what: string; readonly fix?: string }

/** Everything found wrong in one pass: problems refuse the load, warnings do not. */
export type Remarks = { readonly problems: Problem[]; readonly warnings: Problem[] }

/** A part of a file that cannot be read, before anybody knows where it stands. */
export type Wrong = { readonly wrong: string; readonly fix?: string }

/** Stable codes of faults. README lists them. */
export type FaultCode =
  | 'ADDRESS_IN_USE'
  | 'ADDRESS_UNAVAILABLE'
  | 'NOT_PERMITTED'
  | 'NOT_SUPPORTED'
  | 'IMPOSSIBLE'

/** Wrong with the machine, or with our own code. Only `main.ts` catches it. */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly code: FaultCode
  /** What the operator asked for that could not be had, in the words of the configuration. */
  readonly about: string | undefined

  constructor(code: FaultCode, message: string, more: { cause?: unknown; about?: string } = {}) {
    super(message, { cause: more.cause })
    this.code = code
    this.about = more.about
  }
}

export function remarks(): Remarks {
  return { problems: [], warnings: [] }
}

/** Says what is wrong, and how to mend it where there is one way. */
export function wrong(what: string, fix?: string): Wrong {
  return fix === undefined ? { wrong: what } : { wrong: what, fix }
}

export function isWrong(value: unknown): value is Wrong {
  return typeof value === 'object' && value !== null && 'wrong' in value
}

/** Puts a `Wrong` in its place. */
export function problemAt(at: At, reason: Wrong): Problem {
  const { file, line, column } = at
  const place = { file, line, column, what: reason.wrong }
  return reason.fix === undefined ? place : { ...place, fix: reason.fix }
}

/** `what · how to fix`, on one line: what was found in a file may be said again in it. */
export function wrongText({ wrong: what, fix }: Wrong): string {
  return fix === undefined ? oneLine(what) : `${oneLine(what)} · ${oneLine(fix)}`
}

const LONGEST = 300

/** No file gets to a terminal whole. */
function oneLine(text: string): string {
  return printable(text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`)
}

/** The same without control characters: what others wrote may come to a terminal. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, character => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
  })
}

/** `file:line:column: what · how to fix` */
export function problemText(problem: Problem): string {
  const { file, line, column, what, fix } = problem
  const place = line === 0 ? file : `${file}:${line}:${column}`
  return `${place}: ${wrongText(wrong(what, fix))}`
}
