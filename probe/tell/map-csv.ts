/** A map as CSV, one line a block. */
import type { MapJudgement } from '../judge/map.ts'
import { spanText } from '../judge/span.ts'
import { csvText } from './csv.ts'

/** `scope` is the length of the block; groups and answers have a blank between. */
export function mapCsv({ leaves, groups }: MapJudgement): string {
  const answers = new Map(groups.map(one => [one.letter, one.answers]))
  const rows = leaves.map(({ span, letters, tried }) => {
    const all = letters.flatMap(letter => answers.get(letter) ?? [])
    return [spanText(span), span.bits, letters.join(' '), tried, all.join(' ')]
  })
  return csvText(['prefix', 'scope', 'group', 'tried', 'answers'], rows)
}
