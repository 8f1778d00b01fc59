/** The plainest reader of XML: elements, attributes and text, or an error where it is not well-formed. */

export type Element = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: (Element | string)[]
}

const TOKEN = /<(\/?)([a-zA-Z][\w-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy

/** Reads a document of one element, without comments, declarations and processing instructions. */
export function readXml(text: string): Element {
  const root: Element = { name: '', attributes: {}, children: [] }
  const open = [root]
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex
    const found = TOKEN.exec(text)
    const inner = open.at(-1)
    if (found === null || inner === undefined)
      throw new Error(`not XML: ${text.slice(at, at + 60)}`)
    const [, closing, name = '', attributes = '', empty, words] = found
    if (words !== undefined) inner.children.push(unescaped(words))
    else if (closing) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes another element`)
    } else {
      const element: Element = { name, attributes: attributesOf(attributes), children: [] }
      inner.children.push(element)
      if (!empty) open.push(element)
    }
  }
  const [only, ...more] = root.children.filter(child => typeof child !== 'string' || child.trim())
  if (open.length !== 1 || typeof only !== 'object' || more.length > 0) {
    throw new Error('not one element')
  }
  return only
}

function attributesOf(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/([\w:-]+)="([^"]*)"/g)]
  const names = pairs.map(([, name]) => name)
  if (new Set(names).size !== names.length) throw new Error(`an attribute twice: ${text}`)
  return Object.fromEntries(pairs.map(([, name = '', value = '']) => [name, unescaped(value)]))
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

function unescaped(text: string): string {
  return text.replace(/&(\w*)(;?)/g, (whole, name: string, end: string) => {
    const sign = ENTITIES[name]
    if (sign === undefined || end === '') throw new Error(`not an entity: ${whole}`)
    return sign
  })
}

/** Every element inside one, and itself, in the order of the document. */
export function* elementsOf(element: Element): Generator<Element> {
  yield element
  for (const child of element.children) if (typeof child === 'object') yield* elementsOf(child)
}

/** All text inside an element. */
export function textIn(element: Element): string {
  return element.children.map(child => (typeof child === 'string' ? child : textIn(child))).join('')
}
