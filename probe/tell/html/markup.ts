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
  const body = rows.map(([first = '', ...rest]) =>
    el('tr', {}, el('th', { scope: 'row' }, first), ...rest.map(cell => el('td', {}, cell))),
  )
  const inner = [el('caption', {}, caption), el('thead', {}, el('tr', {}, ...cells))]
  const region = { class: 'scroll', role: 'region', tabindex: 0, 'aria-label': caption }
  return el('div', region, el('table', {}, ...inner, el('tbody', {}, ...body)))
}
