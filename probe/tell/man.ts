/** The man page, in the man macros of roff (man 7). Every line that begins with `.` is one of ours. */

import type { CommandPage, FlagEntry, Manual } from './manual.ts'

/** `lbprobe.1` as text. */
export function manText(manual: Manual): string {
  const { program, version, does, commands } = manual
  return `${[
    `.TH ${program.toUpperCase()} 1 "" "${program} ${version}" "User Commands"`,
    '.SH NAME',
    `${program} \\- ${escaped(headline(does))}`,
    '.SH SYNOPSIS',
    ...commands.flatMap(synopsis),
    '.SH DESCRIPTION',
    escaped(does),
    '.SH COMMANDS',
    ...commands.flatMap(commandLines),
  ].join('\n')}\n`

  function synopsis({ name, usage }: CommandPage): readonly string[] {
    return [`.B ${program} ${escaped(name)}`, escaped(usage), '.br']
  }
}

/** The form that `whatis` reads: no capital, no full stop. */
function headline(does: string): string {
  return (does.charAt(0).toLowerCase() + does.slice(1)).replace(/\.$/, '')
}

function commandLines({ name, usage, does, flags, more }: CommandPage): readonly string[] {
  return [
    `.SS ${escaped(`${name} ${usage}`)}`,
    escaped(does),
    ...flags.flatMap(flagLines),
    ...paragraphs(more),
  ]
}

function flagLines({ short, long, value, help }: FlagEntry): readonly string[] {
  const names = [short, long].filter(name => name !== undefined)
  const bold = names.map(name => `\\fB${escaped(name)}\\fR`).join(', ')
  const taken = value === undefined ? '' : ` \\fI${escaped(value)}\\fR`
  return ['.TP', `${bold}${taken}`, escaped(help)]
}

function paragraphs(more: string): readonly string[] {
  const parts = more.split(/\n\s*\n/).map(part => part.trim().replace(/\s*\n\s*/g, ' '))
  return parts.filter(part => part !== '').flatMap(part => ['.PP', escaped(part)])
}

/** What roff would read as its own: backslashes, hyphens, a dot or a quote that begins a line. */
function escaped(text: string): string {
  const plain = text.replace(/\\/g, '\\e').replace(/-/g, '\\-').replace(/…/g, '...')
  return /^[.']/.test(plain) ? `\\&${plain}` : plain
}
