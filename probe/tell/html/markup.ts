/** HTML and SVG elements as text, everything put into them escaped. Knows nothing of DNS. */
import { printable } from '../number.ts'

/** Text that is markup already. */
export type Markup = { readonly markup: string }
export type Piece = Markup | string | readonly Piece[]
export type Attributes = Readonly<Record<string, string | number | undefined>>

const VOID: readonly string[] = ['meta']

/** An element; plain strings in it are escaped, and controls made visible. */
export function el(name: string, attributes: Attributes = {}, ...inner: Piece[]): Markup {
  const list = Object.entries(attributes).map(([key, value]) =>
    value === undefined ? '' : ` ${key}="${escaped(String(value))}"`,
  )
  const open = `<${name}${list.join('')}>`
  return { markup: VOID.includes(name) ? open : `${open}${markupOf(inner)}</${name}>` }
}

export function markupOf(piece: Piece): string {
  if (typeof piece === 'string') return escaped(piece)
  return 'markup' in piece ? piece.markup : piece.map(markupOf).join('')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escaped(text: string): string {
  return printable(text).replace(/[&<>"']/g, char => ENTITIES[char] ?? '')
}

/** What a machine said: names, addresses, codes. */
export function code(text: string): Markup {
  return el('code', {}, text)
}

/** A cell whose text may take several lines. */
export function wrapping(...inner: Piece[]): Markup {
  return el('div', { class: 'wrapping' }, ...inner)
}

/** A table that scrolls by itself where the page is narrow. The first cell of a row is its header. */
export function table(
  caption: string,
  head: readonly string[],
  rows: readonly (readonly Piece[])[],
): Markup {
  const cells = head.map(text => el('th', { scope: 'col' }, text))
  const inner = [el('caption', {}, caption), el('thead', {}, el('tr', {}, ...cells))]
  const region = { class: 'scroll', role: 'group', tabindex: 0, 'aria-label': caption }
  return el('div', region, el('table', {}, ...inner, el('tbody', {}, rows.map(rowOf))))
}

/** End tags of cells and rows may be left out, which tells in long tables. HTML §13.1.2.4. */
function rowOf([first = '', ...rest]: readonly Piece[]): Markup {
  const cells = rest.map(cell => `<td>${markupOf(cell)}`).join('')
  return { markup: `<tr><th scope="row">${markupOf(first)}${cells}` }
}

/** What opens at a click or at Enter. */
export function fold(summary: string, attributes: Attributes, ...inner: Piece[]): Markup {
  return el('details', attributes, el('summary', {}, summary), ...inner)
}
