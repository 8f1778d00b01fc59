/** Markdown tables, for a step summary, a comment or a wiki: what does not hold comes first. */
import type { Ruling, State } from '../../judge/ruling.ts'
import { many, printable } from '../number.ts'
import { countOfState, placeText, queriesOf, type Report, subjectOf } from './report.ts'

const WORD: Readonly<Record<State, string>> = {
  fail: '**fails**',
  inconclusive: 'cannot be said',
  pass: 'holds',
}

const ORDER: readonly State[] = ['fail', 'inconclusive', 'pass']

export function markdownText(report: Report): string {
  const { rulings } = report
  const rows = ORDER.flatMap(state => rulings.filter(one => one.state === state)).map(rulingRow)
  return `${[
    `## lbprobe ${report.command}`,
    '',
    sum(report),
    ...report.failed.flatMap(sentence => ['', cell(sentence)]),
    ...table(['', 'name', 'assertion', 'expected', 'seen', 'where'], rows),
    ...table(['finding', 'name', 'level', 'what', 'where'], remarkRows(report)),
  ].join('\n')}\n`
}

function sum(report: Report): string {
  const counts = [
    many(countOfState(report, 'pass'), 'holds', 'hold'),
    many(countOfState(report, 'fail'), 'fails', 'fail'),
    `${countOfState(report, 'inconclusive')} cannot be said`,
  ]
  const cost = `${many(queriesOf(report), 'query', 'queries')} in ${report.seconds.toFixed(1)} s`
  return `${many(report.rulings.length, 'assertion', 'assertions')}: ${counts.join(', ')} · ${cost}`
}

function rulingRow(one: Ruling): readonly string[] {
  const { state, assertion, expected, seen, at } = one
  const plain = [subjectOf(one), assertion, expected, seen, placeText(at)].map(cell)
  return [WORD[state], ...plain]
}

function remarkRows(report: Report): readonly (readonly string[])[] {
  return report.remarks.map(remark => {
    const { id, level, message, where = '' } = remark.finding
    return [id, subjectOf(remark), level, message, where].map(cell)
  })
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  return rows.length === 0 ? [] : ['', ...markdownTable(head, rows)]
}

/** @param rows cells of Markdown */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [row(head), row(head.map(() => '---')), ...rows.map(row)]
}

/** Nothing in it is markup: a name from the network may hold any of it. */
export function cell(text: string): string {
  return printable(text).replace(/[\\`*_{}[\]<>()#|~!]/g, char =>
    char === '<' ? '&lt;' : char === '>' ? '&gt;' : `\\${char}`,
  )
}
