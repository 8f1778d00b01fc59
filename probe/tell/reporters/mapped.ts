/** What reporters are told of `map`: its verdict, whether it is mis-scoped where that fails, and findings. */
import type { MapJudgement } from '../../judge/map.ts'
import type { Remark, Ruling } from '../../judge/ruling.ts'
import { mapSentence } from '../map-words.ts'
import type { Figures } from './report.ts'

/** Whether answers differ where the scopes say that they do not. */
export function isMisScoped({ kind, groups }: MapJudgement): boolean {
  return kind === 'untrue' || (kind === 'no-ecs' && groups.length > 1)
}

/** @param failOn conditions of the command line */
export function mappedRulings(one: MapJudgement, failOn: readonly string[]): readonly Ruling[] {
  const { name, type, kind } = one
  const about = { name, type, at: undefined }
  const said = mapSentence(one)
  const verdict: Ruling = {
    ...about,
    assertion: 'verdict',
    state: kind === 'unanswered' ? 'inconclusive' : 'pass',
    expected: 'a verdict',
    seen: `${kind}: ${said}`,
  }
  if (!failOn.includes('mis-scoped')) return [verdict]
  const wrong = isMisScoped(one)
  const condition: Ruling = {
    ...about,
    assertion: 'fail-on.mis-scoped',
    state: wrong ? 'fail' : 'pass',
    expected: 'no mis-scoped',
    seen: wrong ? said : 'nothing of it',
  }
  return [verdict, condition]
}

/** Findings with no place in a file. */
export function mappedRemarks({ name, type, findings }: MapJudgement): readonly Remark[] {
  return findings.map(finding => ({ name, type, at: undefined, finding }))
}

export function mappedFigures(one: MapJudgement): Figures {
  const { name, type, kind, groups, findings, swept } = one
  const addresses = new Set(groups.flatMap(({ answers }) => answers)).size
  const base = { name, type, kind: 'map', verdict: kind, addresses, findings }
  return { ...base, queries: swept.asked, replies: { none: swept.lost } }
}
