/** One line a name and type, for scripts: name, type, answer, code, modifiers, one space between. */
import type { Judgement } from '../judge/judgement.ts'
import { printable } from './number.ts'

export function shortText(judgements: readonly Judgement[]): string {
  return judgements.map(one => `${shortLine(one)}\n`).join('')
}

function shortLine(one: Judgement): string {
  const { answer, code, modifiers } = one.verdict
  return [one.name, one.type, answer, code, ...modifiers].map(printable).join(' ')
}
