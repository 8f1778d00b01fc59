/**
 * One line for Nagios, Icinga and their like, with performance data after the bar; and the exit codes
 * that those read: 0 OK, 1 WARNING, 2 CRITICAL, 3 UNKNOWN.
 */
import { printable } from '../number.ts'
import { countOfState, queriesOf, type Report, rulingText, subjectOf } from './report.ts'

const WORDS = ['OK', 'WARNING', 'CRITICAL', 'UNKNOWN'] as const

export type NagiosExit = 0 | 1 | 2 | 3

/** No reply is critical; a silent server among others a warning; what cannot be said unknown. */
export function nagiosExit(exit: number): NagiosExit {
  if (exit === 0) return 0
  if (exit === 4) return 1
  return exit === 1 || exit === 9 ? 2 : 3
}

export function nagiosText(report: Report): string {
  const word = WORDS[nagiosExit(report.exit)]
  return `LBPROBE ${word} - ${plain(summary(report))} | ${figures(report)}\n`
}

function summary(report: Report): string {
  const { rulings, failed } = report
  const bad =
    rulings.find(({ state }) => state === 'fail') ??
    rulings.find(({ state }) => state === 'inconclusive')
  if (bad !== undefined && report.exit !== 0) {
    const others = rulings.filter(({ state }) => state !== 'pass').length - 1
    const more = others > 0 ? ` (and ${others} more)` : ''
    return `${subjectOf(bad)} ${bad.assertion}: ${rulingText(bad)}${more}`
  }
  const [sentence] = failed
  if (sentence !== undefined) return sentence
  return `${countOfState(report, 'pass')} of ${rulings.length} assertions hold`
}

/** `'label'=value[unit];[warn];[crit];[min]` */
function figures(report: Report): string {
  return [
    `passed=${countOfState(report, 'pass')};;;0`,
    `failed=${countOfState(report, 'fail')};;0;0`,
    `inconclusive=${countOfState(report, 'inconclusive')};0;;0`,
    `queries=${queriesOf(report)};;;0`,
    `time=${report.seconds.toFixed(3)}s;;;0`,
  ].join(' ')
}

/** A bar would begin performance data. */
function plain(text: string): string {
  return printable(text).replaceAll('|', '/')
}
