/**
 * Whether the loaders agree on a file: first on whether it is a zone, then on its records. One side has
 * to be right: somebody else's program is on it, and whoever is not has a row.
 */

import type { Verdict } from './tools.ts'
import { DISAGREEMENTS, type Judge, type Row } from './verdicts.ts'

export type Judged = {
  /** What is strange in the file. */
  readonly what: string
  readonly verdicts: Readonly<Record<Judge, Verdict>>
}

export type Agreement = {
  /** Rows that were needed, and for whom. */
  readonly used: readonly { readonly row: Row; readonly judge: Judge }[]
  readonly unexplained: string | undefined
}

export function agree({ what, verdicts }: Judged): Agreement {
  const judges = Object.keys(verdicts) as Judge[]
  const whether = settle(what, new Map(judges.map(one => [one, String(verdicts[one].isAccepted)])))
  if (whether.unexplained !== undefined) return whether
  const records = judges.flatMap(one => {
    const { isAccepted, records: lines } = verdicts[one]
    return isAccepted && lines !== undefined ? [[one, lines.join('\n')] as const] : []
  })
  const which = settle(what, new Map(records))
  return { used: [...whether.used, ...which.used], unexplained: which.unexplained }
}

function settle(what: string, said: ReadonlyMap<Judge, string>): Agreement {
  const values = [...new Set(said.values())]
  if (values.length <= 1) return { used: [], unexplained: undefined }
  const rowOf = (judge: Judge) =>
    DISAGREEMENTS.find(({ files, who }) => files.test(what) && who.includes(judge))
  const apartFrom = (value: string) => [...said.keys()].filter(judge => said.get(judge) !== value)
  const isRight = (value: string): boolean =>
    apartFrom(value).every(judge => rowOf(judge) !== undefined)
  const [right] = values.filter(isRight).sort((a, b) => apartFrom(a).length - apartFrom(b).length)
  if (right === undefined) return { used: [], unexplained: `${what}: ${campsOf(said)}` }
  const used = apartFrom(right).flatMap(judge => {
    const row = rowOf(judge)
    return row === undefined ? [] : [{ row, judge }]
  })
  return { used, unexplained: undefined }
}

function campsOf(said: ReadonlyMap<Judge, string>): string {
  return [...said].map(([judge, value]) => `${judge} ${value.slice(0, 400)}`).join(' | ')
}
