/** The rulings of a plain `dns2` or `ecs`: one for each verdict, one for each condition of --fail-on. */
import { type Condition, failsOn } from '../../judge/condition.ts'
import type { Judgement } from '../../judge/judgement.ts'
import type { Remark, Ruling, State } from '../../judge/ruling.ts'
import { sentenceOf } from '../sentence.ts'
import type { Figures } from './report.ts'

type Wishes = {
  readonly expect: string | undefined
  readonly failOn: readonly Condition[]
  readonly inconclusive: 'report' | 'strict' | 'lenient'
}

export function judgedRulings(judgements: readonly Judgement[], wishes: Wishes): readonly Ruling[] {
  return judgements.flatMap(one => [verdictRuling(one, wishes), ...conditionRulings(one, wishes)])
}

/** Findings with no place in a file. */
export function judgedRemarks(judgements: readonly Judgement[]): readonly Remark[] {
  return judgements.flatMap(({ name, type, findings }) =>
    findings.map(finding => ({ name, type, at: undefined, finding })),
  )
}

export function judgedFigures(judgements: readonly Judgement[]): readonly Figures[] {
  return judgements.map(({ name, type, verdict, scopes, findings, tally }) => {
    const { evidence, code } = verdict
    const distinct = new Set(scopes.flatMap(({ answers }) => answers)).size
    const { queries, replies, rcodes } = tally
    return {
      name,
      type,
      kind: evidence.kind === 'ecs' ? 'ecs' : 'dns2',
      verdict: code,
      addresses: evidence.kind === 'ecs' ? distinct : evidence.atLeast,
      findings,
      queries,
      replies: { ...rcodes, none: queries - replies },
    }
  })
}

function verdictRuling(one: Judgement, wishes: Wishes): Ruling {
  const { name, type, verdict } = one
  const state = stateOf(one, wishes)
  const expected = wishes.expect ?? 'a verdict'
  const seen = `${verdict.code}: ${sentenceOf(one)}`
  return { name, type, assertion: 'verdict', at: undefined, state, expected, seen }
}

/** An empty result does not speak against what was expected of others. */
function stateOf({ verdict }: Judgement, { expect, inconclusive }: Wishes): State {
  const unclear = inconclusive === 'strict' && expect !== undefined ? 'fail' : 'inconclusive'
  if (expect === undefined) return verdict.answer === 'unclear' ? unclear : 'pass'
  if (verdict.code === expect || verdict.answer === expect || verdict.code === 'empty') {
    return 'pass'
  }
  return verdict.answer === 'unclear' ? unclear : 'fail'
}

function conditionRulings(one: Judgement, { failOn }: Wishes): readonly Ruling[] {
  return failOn
    .filter(({ kind }) => kind !== 'partial')
    .map(condition => {
      const found = failsOn(one, condition)
      const what =
        condition.kind === 'verdict-is-not' ? `verdict ${condition.wish}` : condition.kind
      const { name, type } = one
      return {
        name,
        type,
        assertion: `fail-on.${condition.kind}`,
        at: undefined,
        state: found === undefined ? 'pass' : 'fail',
        expected: condition.kind === 'verdict-is-not' ? what : `no ${what}`,
        seen: found ?? 'nothing of it',
      }
    })
}
