/** Pages as text: one in full, and the list of all. */
import type { Style } from '../style.ts'
import { tableLines } from '../table.ts'
import { ENTRIES, type Entry } from './pages.ts'

/** Where the paragraphs begin, and how wide a line is where nobody says. */
const INDENT = 12
const WIDTH = 88

/** @param tries command lines that show it, if there are any */
export function entryText(
  one: Entry,
  tries: readonly string[],
  style: Style,
  width = WIDTH,
): string {
  const { page, kind, title, section, word } = one
  const paragraphs: readonly (readonly [string, string])[] = [
    ['means', page.means],
    ['shown by', page.shown],
    ['matters', page.matters],
    ['do', sentence(page.next)],
    ['unless', page.unless],
    ['rests on', section],
  ]
  const head = [style.bold(word), title, style.faint(kind)].filter(text => text !== '').join('  ')
  const body = paragraphs.flatMap(([label, text]) => paragraph(label, text, width, style))
  const shows = tries.map(
    (line, at) => `  ${style.faint((at === 0 ? 'try' : '').padEnd(INDENT - 2))}${line}`,
  )
  return `${[head, ...body, ...shows].join('\n')}\n`
}

/** The lines of `tell/words.ts` are written to stand behind "next:". */
function sentence(text: string): string {
  const ended = /[.!?]$/.test(text) ? text : `${text}.`
  return ended.charAt(0).toUpperCase() + ended.slice(1)
}

function paragraph(label: string, text: string, width: number, style: Style): readonly string[] {
  const lines = wrapped(text, Math.max(20, Math.min(width, WIDTH) - INDENT))
  return lines.map(
    (line, at) => `  ${style.faint((at === 0 ? label : '').padEnd(INDENT - 2))}${line}`,
  )
}

function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length >= width) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

/** Every word with its kind, one a line. */
export function listText(style: Style, width: number | undefined): string {
  const rows = ENTRIES.map(({ word, kind, title, page }) => [
    word,
    kind === 'finding' ? title : kind,
    page.means,
  ])
  const [head = '', ...body] = tableLines([['word', 'is', 'means'], ...rows], width)
  return `${[style.faint(head), ...body].join('\n')}\n`
}
