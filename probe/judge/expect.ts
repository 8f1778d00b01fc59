/**
 * Holds judgements against what was expected, and ends in an exit code. What fails is said in one
 * sentence each, so that a CI log needs nothing else.
 */
import { type Condition, failsOn } from './condition.ts'
import type { Judgement } from './judgement.ts'
import { ECS_ANSWER, ROTATION_ANSWER } from './verdict.ts'

export type Wishes = {
  /** An answer or a code. */
  readonly expect?: string | undefined
  readonly failOn?: readonly Condition[]
  /** What an unclear verdict is where something was expected: 3, a failure, or nothing. */
  readonly inconclusive?: 'report' | 'strict' | 'lenient'
  /** Why the run was cut short, which `partial` is about too. */
  readonly cut?: string | undefined
}

/** 0 measured · 1 a wish failed · 3 unclear · 4 some servers silent · 9 no reply from any server. */
export type Exit = 0 | 1 | 3 | 4 | 9

export type Outcome = { readonly exit: Exit; readonly failed: readonly string[] }

/** Whether `--expect` knows the word. */
export function isWish(text: string): boolean {
  return (
    Object.hasOwn(ECS_ANSWER, text) || Object.hasOwn(ROTATION_ANSWER, text) || ANSWERS.has(text)
  )
}

const ANSWERS: ReadonlySet<string> = new Set(Object.values(ECS_ANSWER))

/** 9 beats 1 beats 3 beats 4: nothing measured, then what does not hold, then what cannot be said. */
export function settle(judgements: readonly Judgement[], wishes: Wishes): Outcome {
  if (judgements.every(({ tally }) => tally.replies === 0)) {
    return { exit: 9, failed: ['no reply from any server'] }
  }
  const wanted = expectations(judgements, wishes)
  const conditions = wishes.failOn ?? []
  const found = conditions.flatMap(on => judgements.flatMap(one => failsOn(one, on) ?? []))
  const failed = [...wanted.failed, ...found, ...strictly(judgements, wishes)]
  const cut = wishes.cut === undefined ? [] : [wishes.cut]
  const missing = [...silences(judgements), ...cut]
  const partial = conditions.some(({ kind }) => kind === 'partial') ? missing : []
  if (failed.length > 0) return { exit: 1, failed: [...failed, ...wanted.unclear, ...partial] }
  if (wanted.unclear.length > 0) return { exit: 3, failed: [...wanted.unclear, ...partial] }
  return { exit: partial.length > 0 ? 4 : 0, failed: partial }
}

type Expectations = { readonly failed: readonly string[]; readonly unclear: readonly string[] }

/** Holds where at least one result is not empty, and each such result is as wished. */
function expectations(judgements: readonly Judgement[], wishes: Wishes): Expectations {
  const { expect, inconclusive = 'report' } = wishes
  if (expect === undefined) return { failed: [], unclear: [] }
  const wishesEmpty = expect === 'empty'
  const counted = judgements.filter(({ verdict }) => wishesEmpty || verdict.code !== 'empty')
  if (counted.length === 0) return { failed: [`expected ${expect}, but all is empty`], unclear: [] }
  const wrong = counted.filter(
    ({ verdict }) => verdict.answer !== expect && verdict.code !== expect,
  )
  const isUnclear = ({ verdict }: Judgement) => verdict.answer === 'unclear'
  const say = (one: Judgement) => `expected ${expect}, but ${titleOf(one)} is ${wordsOf(one)}`
  const unclear = inconclusive === 'lenient' ? [] : wrong.filter(isUnclear).map(say)
  const failed = wrong.filter(one => !isUnclear(one)).map(say)
  if (inconclusive === 'strict') return { failed: [...failed, ...unclear], unclear: [] }
  return { failed, unclear }
}

/** `--strict`: what is merely odd fails too. */
function strictly(judgements: readonly Judgement[], wishes: Wishes): readonly string[] {
  if (wishes.inconclusive !== 'strict') return []
  return judgements.flatMap(one =>
    one.findings
      .filter(({ level }) => level === 'error' || level === 'warning')
      .map(({ id, message }) => `${titleOf(one)}: ${id} ${message}`),
  )
}

/** Servers that never answered, each in a sentence. */
export function silences(judgements: readonly Judgement[]): readonly string[] {
  const silent = new Set(judgements.flatMap(({ tally }) => tally.silent))
  return [...silent].map(server => `${server} never answered`)
}

function titleOf(one: Judgement): string {
  return `${one.name} ${one.type}`
}

function wordsOf({ verdict }: Judgement): string {
  return `${verdict.answer}/${verdict.code}`
}
