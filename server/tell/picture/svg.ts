/**
 * Elements of an SVG document as text.
 */

export type Attributes = Readonly<Record<string, string | number | undefined>>

/** An element; what stands in it is markup already. Attributes that are `undefined` are left out. */
export function element(name: string, attributes: Attributes, ...inner: readonly string[]): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escaped(valueText(value ?? ''))}"`)
    .join('')
  return inner.length === 0
    ? `<${name}${written}/>`
    : `<${name}${written}>${inner.join('')}</${name}>`
}

/** A line of text; `attributes` place it. */
export function textElement(words: string, attributes: Attributes): string {
  return element('text', attributes, escaped(words))
}

/** What a reader is told who cannot see the element, or points at it. */
export function titleElement(words: string): string {
  return element('title', {}, escaped(words))
}

/** Two decimals are finer than anybody sees. */
function valueText(value: string | number): string {
  return typeof value === 'string' ? value : String(Math.round(100 * value) / 100)
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

/** XML 1.0 §2.4. Control characters have no place in XML (§2.2) and are left out. */
export function escaped(text: string): string {
  return text.replace(/\p{Cc}/gu, '').replace(/[&<>"]/g, sign => ENTITIES[sign] ?? sign)
}
