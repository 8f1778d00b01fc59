/** What must hold: the flags that turn a measurement into an exit code. */

import { type Condition, readCondition } from '../judge/condition.ts'
import { isWish } from '../judge/expect.ts'
import { wrong } from '../plan/wrong.ts'
import { type FlagRow, listed, Misuse } from './read.ts'

export type WishFlags = {
  readonly expect?: string
  readonly failOn?: readonly string[]
  readonly strict?: true
  readonly lenient?: true
  readonly exitZero?: true
}

export type WishOptions = {
  readonly expect: string | undefined
  readonly failOn: readonly Condition[]
  readonly inconclusive: 'report' | 'strict' | 'lenient'
  readonly findings: 'count' | 'exit-zero'
}

// biome-ignore format: table
export const WISH_FLAGS: readonly FlagRow[] = [
  ['--expect <verdict>', 'exit 1 unless every result has this answer or code'],
  ['--fail-on <condition>', 'exit 1 when it is met; may repeat', listed],
  ['--strict', 'an unclear verdict fails an expectation: 1 instead of 3'],
  ['--lenient', 'an unclear verdict does not: 0 instead of 3'],
  ['--exit-zero', 'exit 0 whatever was found'],
]

export function wishOptions(flags: WishFlags): WishOptions {
  if (flags.strict === true && flags.lenient === true) {
    throw new Misuse(wrong('--strict and --lenient are opposites', 'take one of them'))
  }
  if (flags.expect !== undefined && !isWish(flags.expect)) {
    const what = `--expect ${flags.expect}: neither an answer nor a code`
    throw new Misuse(wrong(what, 'such as real, geo, none'))
  }
  return {
    expect: flags.expect,
    failOn: (flags.failOn ?? []).map(conditionOf),
    inconclusive: flags.strict ? 'strict' : flags.lenient ? 'lenient' : 'report',
    findings: flags.exitZero ? 'exit-zero' : 'count',
  }
}

function conditionOf(text: string): Condition {
  const condition = readCondition(text)
  if (condition !== undefined && !isVain(condition)) return condition
  throw new Misuse(
    wrong(
      `--fail-on ${text}: no such condition`,
      'timeout, partial, rcode, no-ecs, fake-geo, mis-scoped, ns-inconsistent, inconclusive or verdict!=CODE',
    ),
  )
}

/** Whether a condition would be met by every result, since no verdict has such a name. */
function isVain(condition: Condition): boolean {
  return condition.kind === 'verdict-is-not' && !isWish(condition.wish)
}
