/**
 * The report of an import, for a person and for a program. Knows accounts, not formats.
 */
import type { Account, Fidelity } from './imported.ts'

const HEADS: Readonly<Record<Fidelity, string>> = {
  unsupported: 'Not imported',
  changed: 'Imported with a change',
  exact: 'Imported as it was',
}

/** What needs attention comes first. */
const ORDER: readonly Fidelity[] = ['unsupported', 'changed', 'exact']

/** The report as text: a summary, then a section a fidelity, a line an account. */
export function reportText(report: readonly Account[]): string {
  const counts = countsOf(report)
  const summary = ORDER.map(fidelity => `${counts[fidelity]} ${fidelity}`).join(', ')
  const sections = ORDER.filter(fidelity => counts[fidelity] > 0).map(fidelity => {
    const lines = inOrder(report.filter(account => account.fidelity === fidelity)).map(lineText)
    return [`${HEADS[fidelity]}:`, ...lines].join('\n')
  })
  return `${[summary, ...sections].join('\n\n')}\n`
}

/** The report as one JSON document. */
export function reportJson(report: readonly Account[]): string {
  const accounts = ORDER.flatMap(fidelity =>
    inOrder(report.filter(account => account.fidelity === fidelity)),
  )
  return `${JSON.stringify({ counts: countsOf(report), accounts }, undefined, 2)}\n`
}

function countsOf(report: readonly Account[]): Record<Fidelity, number> {
  const counts = { exact: 0, changed: 0, unsupported: 0 }
  for (const { fidelity } of report) counts[fidelity] += 1
  return counts
}

/** As one reads the originals: file by file in the order they were met, from top to bottom. */
function inOrder(report: readonly Account[]): Account[] {
  const files = [...new Set(report.map(({ file }) => file))]
  return report.toSorted((a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line)
}

function lineText({ file, line, what, here }: Account): string {
  const place = line === 0 ? file : `${file}:${line}`
  return oneLine(`  ${place}: ${what}${here === '' ? '' : ` · ${here}`}`)
}

/** No control character of a file gets to a terminal. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}/gu, character => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
  })
}
