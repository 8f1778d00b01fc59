/** What reporters are told of `diff`: one ruling for each name and type: its servers say the same. */
import type { DiffJudgement } from '../../judge/diff.ts'
import type { Observation } from '../../judge/observation.ts'
import type { Remark, Ruling } from '../../judge/ruling.ts'
import { tally } from '../../judge/tally.ts'
import { diffSentence } from '../diff-words.ts'
import type { Figures } from './report.ts'

const STATE = { same: 'pass', different: 'fail', unclear: 'inconclusive' } as const

export function diffedRulings(judgements: readonly DiffJudgement[]): readonly Ruling[] {
  return judgements.map(one => ({
    name: one.name,
    type: one.type,
    assertion: 'same',
    at: undefined,
    state: STATE[one.verdict],
    expected: 'servers that say the same',
    seen: diffSentence(one),
  }))
}

/** Findings with no place in a file. */
export function diffedRemarks(judgements: readonly DiffJudgement[]): readonly Remark[] {
  return judgements.flatMap(({ name, type, findings }) =>
    findings.map(finding => ({ name, type, at: undefined, finding })),
  )
}

export function diffedFigures(
  judgements: readonly DiffJudgement[],
  observations: readonly Observation[],
): readonly Figures[] {
  return judgements.map(({ name, type, verdict, findings, queries }) => {
    const own = tally(observations.filter(seen => seen.name === name && seen.type === type))
    const counts = { ...own.rcodes, none: own.queries - own.replies }
    const base = { name, type, kind: 'diff', verdict, addresses: undefined }
    return { ...base, findings, queries, replies: counts }
  })
}
