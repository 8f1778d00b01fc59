/**
 * What every reporter gets: the rulings of one run, what was found beside them, and what came of it.
 * A reporter makes text of it and knows no file, no terminal and no exit.
 */
import type { Finding } from '../../judge/finding.ts'
import type { Remark, Ruling, State } from '../../judge/ruling.ts'

export type Report = {
  readonly version: string
  /** What was run: `check`, `dns2`, `diff`. */
  readonly command: string
  readonly rulings: readonly Ruling[]
  readonly remarks: readonly Remark[]
  readonly figures: readonly Figures[]
  /** As without `--reporter nagios`; 0 is good. */
  readonly exit: number
  /** Sentences that belong to no ruling: an interrupt, a silent server. */
  readonly failed: readonly string[]
  readonly seconds: number
}

/** What one result of any command comes to, for those who count. */
export type Figures = {
  readonly name: string
  /** Empty where a server was looked at, not a name. */
  readonly type: string
  /** By what it was measured: `dns2`, `ecs`, `map`, `diff`, `resolver`. */
  readonly kind: string
  readonly verdict: string
  /** Distinct addresses seen, where they were counted. */
  readonly addresses: number | undefined
  readonly findings: readonly Finding[]
  readonly queries: number
  /** Replies by code, and `none` for queries without one. */
  readonly replies: Readonly<Record<string, number>>
}

export function countOfState(report: Report, state: State): number {
  return report.rulings.filter(ruling => ruling.state === state).length
}

export function queriesOf(report: Report): number {
  return report.figures.reduce((sum, { queries }) => sum + queries, 0)
}

/** `www.example.com A` */
export function subjectOf(of: { readonly name: string; readonly type: string }): string {
  return of.type === '' ? of.name : `${of.name} ${of.type}`
}

/** `expected geo · seen rotation` */
export function rulingText({ expected, seen }: Ruling): string {
  return `expected ${expected} · seen ${seen}`
}

/** `lbprobe.yaml:12:5`; empty for what no file says. */
export function placeText(at: Ruling['at']): string {
  return at === undefined ? '' : `${at.file}:${at.line}:${at.column}`
}

/** Rulings under what they are about, in the order they came. */
export function bySubject(report: Report): ReadonlyMap<string, readonly Ruling[]> {
  const groups = new Map<string, Ruling[]>()
  for (const ruling of report.rulings) {
    const key = subjectOf(ruling)
    groups.set(key, [...(groups.get(key) ?? []), ruling])
  }
  return groups
}
