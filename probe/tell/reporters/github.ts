/**
 * Workflow commands of GitHub Actions: an annotation at the line of the file for each assertion that
 * does not hold and each finding. Escaping is that of the runner's own toolkit (`command.ts`).
 */
import type { Level } from '../../judge/finding.ts'
import type { Place } from '../../judge/ruling.ts'
import { printable } from '../number.ts'
import { type Report, rulingText, subjectOf } from './report.ts'

type Command = 'error' | 'warning' | 'notice'

const LEVEL: Readonly<Record<Level, Command>> = {
  error: 'error',
  warning: 'warning',
  note: 'notice',
  info: 'notice',
}

export function githubText(report: Report): string {
  const rulings = report.rulings
    .filter(({ state }) => state !== 'pass')
    .map(ruling => {
      const title = `${subjectOf(ruling)}: ${ruling.assertion}`
      const command = ruling.state === 'fail' ? 'error' : 'warning'
      return line(command, ruling.at, title, rulingText(ruling))
    })
  const remarks = report.remarks.map(remark => {
    const { id, level, message, where } = remark.finding
    const title = `${subjectOf(remark)}: ${id}`
    return line(
      LEVEL[level],
      remark.at,
      title,
      where === undefined ? message : `${message} (${where})`,
    )
  })
  const failed = report.failed.map(sentence => line('error', undefined, 'lbprobe', sentence))
  return [...new Set([...rulings, ...remarks, ...failed])].map(one => `${one}\n`).join('')
}

function line(command: Command, at: Place | undefined, title: string, text: string): string {
  const place =
    at === undefined ? [] : [`file=${property(at.file)}`, `line=${at.line}`, `col=${at.column}`]
  const properties = [...place, `title=${property(title)}`].join(',')
  return `::${command} ${properties}::${data(text)}`
}

function data(text: string): string {
  return printable(text.replaceAll('%', '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A'))
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
