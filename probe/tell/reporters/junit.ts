/**
 * JUnit XML, as Jenkins, GitLab and most others read it: a suite for each name and type, a case for
 * each assertion. What cannot be said is a skipped case.
 */
import type { Ruling } from '../../judge/ruling.ts'
import { bySubject, placeText, type Report, rulingText } from './report.ts'

export function junitText(report: Report): string {
  const { rulings, seconds } = report
  const suites = [...bySubject(report)].map(([subject, own]) => suite(subject, own))
  const head = attributes({ name: 'lbprobe', ...counts(rulings), time: seconds.toFixed(3) })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${head}>`,
    ...suites.flat(),
    '</testsuites>',
    '',
  ].join('\n')
}

function suite(subject: string, rulings: readonly Ruling[]): readonly string[] {
  return [
    `  <testsuite${attributes({ name: subject, ...counts(rulings) })}>`,
    ...rulings.flatMap(ruling => testCase(subject, ruling)),
    '  </testsuite>',
  ]
}

function testCase(subject: string, ruling: Ruling): readonly string[] {
  const { assertion, at, state } = ruling
  const place = at === undefined ? {} : { file: at.file, line: `${at.line}` }
  const head = `    <testcase${attributes({ name: assertion, classname: subject, ...place })}`
  if (state === 'pass') return [`${head}/>`]
  const message = attributes({ message: rulingText(ruling) })
  const inner =
    state === 'fail'
      ? `<failure${message} type="assertion">${xml(placeText(at))}</failure>`
      : `<skipped${message}/>`
  return [`${head}>`, `      ${inner}`, '    </testcase>']
}

function counts(rulings: readonly Ruling[]): Readonly<Record<string, string>> {
  const count = (state: Ruling['state']) => `${rulings.filter(one => one.state === state).length}`
  return {
    tests: `${rulings.length}`,
    failures: count('fail'),
    errors: '0',
    skipped: count('inconclusive'),
  }
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${xml(value)}"`)
    .join('')
}

/**
 * Text as it may stand in XML 1.0 (§2.2 Char): what may not stand there at all is left out, and a line
 * end, which attributes do not keep (§3.3.3), is a space.
 */
function xml(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[^\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"]/g, char => ENTITIES[char] ?? '')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}
