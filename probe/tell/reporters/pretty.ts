/** The rulings of a run for a person: one line each, what does not hold with its place, a sum. */
import type { Ruling, State } from '../../judge/ruling.ts'
import { many, printable } from '../number.ts'
import type { PersonOptions as Page } from '../person.ts'
import type { Style } from '../style.ts'
import { fit } from '../table.ts'
import {
  bySubject, countOfState, placeText, queriesOf, type Report, rulingText,
} from './report.ts' // biome-ignore format: list

const SIGN: Readonly<Record<State, string>> = { pass: 'ok', fail: 'FAIL', inconclusive: '?' }

export function prettyText(report: Report, { style, width: columns }: Page): string {
  const width = Math.max(0, ...report.rulings.map(({ assertion }) => assertion.length))
  const blocks = [...bySubject(report)].map(([subject, rulings]) => {
    const lines = rulings.flatMap(ruling => rulingLines(ruling, width, { style, width: columns }))
    return [style.bold(printable(subject)), ...lines, ...remarkLines(report, subject, style)]
  })
  return `${[...blocks.map(lines => lines.join('\n')), sumLine(report, style)].join('\n\n')}\n`
}

/** What holds is cut where it is too long for the page; what does not is told whole. */
function rulingLines(
  ruling: Ruling,
  width: number,
  { style, width: columns }: Page,
): readonly string[] {
  const { state, assertion, seen } = ruling
  const sign = paint(state, style)(SIGN[state].padEnd(4))
  const head = `  ${sign}  ${printable(assertion).padEnd(width)}  `
  const left = columns === undefined ? undefined : columns - width - 10
  if (state === 'pass') return [head + style.faint(fit(printable(seen), left))]
  const place = placeText(ruling.at)
  const where = place === '' ? [] : [`        ${style.faint(printable(place))}`]
  return [head + printable(rulingText(ruling)), ...where]
}

function remarkLines(report: Report, subject: string, style: Style): readonly string[] {
  const mine = report.remarks.filter(({ name, type }) => `${name} ${type}` === subject)
  const lines = mine.map(({ finding: { id, level, message, where } }) => {
    const place = where === undefined ? '' : ` · ${where}`
    const text = `  ${level}  ${id} ${printable(message + place)}`
    return level === 'error'
      ? style.bad(text)
      : level === 'warning'
        ? style.doubtful(text)
        : style.faint(text)
  })
  return [...new Set(lines)]
}

function paint(state: State, style: Style): (text: string) => string {
  if (state === 'pass') return style.good
  return state === 'fail' ? style.bad : style.doubtful
}

function sumLine(report: Report, style: Style): string {
  const { rulings, seconds } = report
  const parts = [
    many(countOfState(report, 'pass'), 'holds', 'hold'),
    ...countText(countOfState(report, 'fail'), 'fails', 'fail'),
    ...countText(countOfState(report, 'inconclusive'), 'cannot be said', 'cannot be said'),
  ]
  const cost = `${many(queriesOf(report), 'query', 'queries')} in ${seconds.toFixed(1)} s`
  const sum = `${many(rulings.length, 'assertion', 'assertions')}: ${parts.join(', ')}`
  return `${style.bold(sum)} ${style.faint(`· ${cost}`)}`
}

function countText(count: number, one: string, more: string): readonly string[] {
  return count === 0 ? [] : [many(count, one, more)]
}
