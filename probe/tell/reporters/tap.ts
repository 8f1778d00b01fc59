/** TAP 14: a test point for each assertion, with a YAML block under what does not hold. */
import type { Ruling } from '../../judge/ruling.ts'
import { printable } from '../number.ts'
import { placeText, type Report, subjectOf } from './report.ts'

export function tapText(report: Report): string {
  const { rulings, failed, exit } = report
  const points = rulings.flatMap((ruling, index) => point(ruling, index + 1))
  const comments = failed.map(sentence => `# ${printable(sentence)}`)
  const bail = rulings.length === 0 && exit !== 0 ? ['Bail out! nothing was measured'] : []
  return `${['TAP version 14', `1..${rulings.length}`, ...points, ...comments, ...bail].join('\n')}\n`
}

function point(ruling: Ruling, number: number): readonly string[] {
  const { state, assertion, expected, seen, at } = ruling
  const title = `${number} - ${escaped(`${subjectOf(ruling)} ${assertion}`)}`
  if (state === 'pass') return [`ok ${title}`]
  if (state === 'inconclusive')
    return [`ok ${title} # SKIP ${printable(`cannot be said: ${seen}`)}`]
  const place = at === undefined ? {} : { at: placeText(at) }
  const block = Object.entries({ expected, seen, ...place }).map(
    ([key, value]) => `  ${key}: ${JSON.stringify(printable(value))}`,
  )
  return [`not ok ${title}`, '  ---', ...block, '  ...']
}

/** In a description `#` begins a directive. */
function escaped(text: string): string {
  return printable(text).replace(/[\\#]/g, char => `\\${char}`)
}
