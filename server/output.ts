/**
 * What a command says: pieces to stdout, no faster than they are read, and what is wrong to stderr.
 */
import { isWrong, type Problem, problemText, type Wrong, wrongText } from './fault.ts'
import { counted } from './tell/figures.ts'

/** What an operator can put right, or asked to be told: it ends the command, without a stack. */
export class Refused extends Error {}

/** What was asked is wrong, and nothing was done: it ends the command as a mistake on its line does. */
export class Misused extends Error {}

/** Pieces are written many at a time: a map may have a million. */
const WRITTEN_AT_ONCE = 1 << 16

/** Writes to stdout; whoever stops reading ends the process. */
export async function print(pieces: Iterable<string>): Promise<void> {
  let text = ''
  for (const piece of pieces) {
    text += piece
    if (text.length < WRITTEN_AT_ONCE) continue
    await written(text)
    text = ''
  }
  await written(text)
}

function written(text: string): Promise<unknown> {
  return new Promise(resolve => process.stdout.write(text, resolve))
}

export function warn(warnings: readonly Problem[]): void {
  for (const warning of warnings) process.stderr.write(`warning: ${problemText(warning)}\n`)
}

export function note(notes: readonly Problem[]): void {
  for (const one of notes) process.stderr.write(`note: ${problemText(one)}\n`)
}

/** Says all that is wrong, and ends the command. */
export function refuse(problems: readonly Problem[]): never {
  for (const problem of problems) process.stderr.write(`${problemText(problem)}\n`)
  throw new Refused(counted(problems.length, 'problem'))
}

/** What was asked for, or the end of the command where it cannot be had. */
export function good<T>(value: T | Wrong): T {
  if (!isWrong(value)) return value
  throw new Refused(wrongText(value))
}
