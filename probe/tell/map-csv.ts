/** A map as CSV, one line a block. RFC 4180 but for its line ends, which are those of `lbdns map --csv`. */
import type { MapJudgement } from '../judge/map.ts'
import { spanText } from '../judge/span.ts'

/** `scope` is the length of the block; groups and answers have a blank between. */
export function mapCsv({ leaves, groups }: MapJudgement): string {
  const answers = new Map(groups.map(one => [one.letter, one.answers]))
  const lines = leaves.map(({ span, letters, tried }) => {
    const all = letters.flatMap(letter => answers.get(letter) ?? [])
    const cells = [spanText(span), span.bits, letters.join(' '), tried, all.join(' ')]
    return `${cells.map(cellText).join(',')}\n`
  })
  return `prefix,scope,group,tried,answers\n${lines.join('')}`
}

function cellText(cell: string | number): string {
  const text = String(cell)
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
