/**
 * The language of gdnsd's configuration: hashes, arrays and strings, comments, escapes and included
 * files (gdnsd.config(5), "Low-level syntax"). Knows nothing of what stands in them.
 */
import { isWrong, type Wrong, wrong } from '../fault.ts'
import type { Original, ReadOriginal } from './imported.ts'
import type { Spot } from './ledger.ts'

export type Vscf = VscfText | VscfList | VscfHash
export type VscfText = { readonly kind: 'text'; readonly at: Spot; readonly text: string }
export type VscfList = { readonly kind: 'list'; readonly at: Spot; readonly items: readonly Vscf[] }
export type VscfHash = {
  readonly kind: 'hash'
  readonly at: Spot
  readonly entries: readonly VscfEntry[]
}
export type VscfEntry = { readonly key: string; readonly at: Spot; readonly value: Vscf }

type Reader = {
  readonly file: string
  readonly text: string
  readonly read: ReadOriginal
  readonly depth: number
  at: number
  line: number
  /** The first mistake: reading ends there. */
  flaw: Wrong | undefined
}

/** Files may include each other so deep. */
const MAX_DEPTH = 16

/** Reads a whole file: an array in brackets, or a hash without. */
export function readVscf(original: Original, read: ReadOriginal, depth = 0): Vscf | Wrong {
  const { file, text } = original
  const reader: Reader = { file, text, read, depth, at: 0, line: 1, flaw: undefined }
  skipBlank(reader)
  const value = peek(reader) === '[' ? readValue(reader) : readHash(reader, '')
  skipBlank(reader)
  if (reader.at < text.length) fail(reader, 'something stands behind the array')
  return reader.flaw ?? value
}

/** The value of a key, or `undefined`. */
export function valueAt(hash: VscfHash, key: string): Vscf | undefined {
  return hash.entries.find(entry => entry.key === key)?.value
}

/** One value counts as an array of one. */
export function itemsOf(value: Vscf | undefined): readonly Vscf[] {
  if (value === undefined) return []
  return value.kind === 'list' ? value.items : [value]
}

/** The strings among them. */
export function textsOf(value: Vscf | undefined): string[] {
  return itemsOf(value).flatMap(item => (item.kind === 'text' ? [item.text] : []))
}

/** A string, or `undefined` where there is none. */
export function textOf(value: Vscf | undefined): string | undefined {
  const [only, ...more] = textsOf(value)
  return more.length > 0 ? undefined : only
}

export function truthOf(value: Vscf | undefined): boolean {
  return textOf(value)?.toLowerCase() === 'true'
}

/** A hash with what it lacks from another, but for some keys. */
export function inherited(hash: VscfHash, from: VscfHash, but: readonly string[] = []): VscfHash {
  const lacking = from.entries.filter(
    ({ key }) => !but.includes(key) && valueAt(hash, key) === undefined,
  )
  return { ...hash, entries: [...hash.entries, ...lacking] }
}

export function emptyHash(at: Spot): VscfHash {
  return { kind: 'hash', at, entries: [] }
}

/** @param close what ends it: `}`, or the end of the text where that is empty */
function readHash(reader: Reader, close: '}' | ''): VscfHash {
  const at = spot(reader)
  const entries: VscfEntry[] = []
  const keys = new Set<string>()
  for (;;) {
    skipBlank(reader)
    if (reader.at >= reader.text.length) {
      if (close !== '') fail(reader, 'a { that is never closed')
      return { kind: 'hash', at, entries }
    }
    if (close !== '' && peek(reader) === close) {
      reader.at += 1
      return { kind: 'hash', at, entries }
    }
    for (const entry of readEntries(reader)) {
      if (keys.has(entry.key)) fail(reader, `${entry.key} stands twice`)
      keys.add(entry.key)
      entries.push(entry)
    }
    skipComma(reader)
  }
}

/** A key with its value, or all that an included file has. */
function readEntries(reader: Reader): readonly VscfEntry[] {
  if (startsInclude(reader)) {
    const included = readInclude(reader)
    if (included.kind === 'hash') return included.entries
    fail(reader, 'the included file has no keys')
    return []
  }
  const at = spot(reader)
  const key = readText(reader)
  skipBlank(reader)
  if (peek(reader) !== '=') fail(reader, `no = or => behind ${key}`)
  reader.at += reader.text.startsWith('=>', reader.at) ? 2 : 1
  return [{ key, at, value: readValue(reader) }]
}

function readValue(reader: Reader): Vscf {
  skipBlank(reader)
  if (startsInclude(reader)) return readInclude(reader)
  const at = spot(reader)
  const first = peek(reader)
  if (first === '{') {
    reader.at += 1
    return readHash(reader, '}')
  }
  if (first !== '[') return { kind: 'text', at, text: readText(reader) }
  reader.at += 1
  const items: Vscf[] = []
  for (;;) {
    skipBlank(reader)
    if (peek(reader) === ']') break
    if (reader.at >= reader.text.length) {
      fail(reader, 'a [ that is never closed')
      return { kind: 'list', at, items }
    }
    items.push(readValue(reader))
    skipComma(reader)
  }
  reader.at += 1
  return { kind: 'list', at, items }
}

function startsInclude(reader: Reader): boolean {
  return reader.text.startsWith('$include{', reader.at)
}

function readInclude(reader: Reader): Vscf {
  const at = spot(reader)
  reader.at += '$include{'.length
  skipBlank(reader)
  const path = readText(reader)
  skipBlank(reader)
  if (peek(reader) !== '}') fail(reader, `no } behind the path ${path}`)
  reader.at += 1
  const value = includedFile(reader, path)
  if (!isWrong(value)) return value
  reader.flaw ??= value
  reader.at = reader.text.length
  return emptyHash(at)
}

function includedFile(reader: Reader, path: string): Vscf | Wrong {
  const place = `${reader.file}:${reader.line}`
  if (reader.depth === MAX_DEPTH) return wrong(`${place}: files include each other too deep`)
  if (/[*?[]/.test(path)) {
    return wrong(`${place}: ${path} names several files`, 'include each of them by its name')
  }
  const original = reader.read(path, reader.file)
  if (original !== undefined) return readVscf(original, reader.read, reader.depth + 1)
  const fix = 'correct the path; instead of a folder, include each file in it by its name'
  return wrong(`${place}: the included ${path} cannot be read`, fix)
}

/** A string, in quotes or not: keys and values alike. */
function readText(reader: Reader): string {
  const quoted = peek(reader) === '"'
  if (quoted) reader.at += 1
  const start = reader.at
  let text = ''
  for (;;) {
    const character = peek(reader)
    if (quoted && character === '"') break
    if (character === '' || (!quoted && /[\][}{;#,"=\s]/.test(character))) break
    if (character === '\n') reader.line += 1
    text += character === '\\' ? readEscape(reader) : character
    reader.at += 1
  }
  if (quoted && peek(reader) === '') fail(reader, 'a quote that is never closed')
  if (quoted) reader.at += 1
  else if (reader.at === start)
    fail(reader, `${peek(reader) || 'the end'} where a string should be`)
  return text
}

/** Leaves the reader at the last character of the escape. */
function readEscape(reader: Reader): string {
  const digits = /^\d{3}/.exec(reader.text.slice(reader.at + 1, reader.at + 4))?.[0]
  if (digits !== undefined) {
    reader.at += 3
    return String.fromCharCode(Number(digits))
  }
  reader.at += 1
  return peek(reader)
}

/** Steps over blanks and comments. */
function skipBlank(reader: Reader): void {
  for (;;) {
    const character = peek(reader)
    if (character === '#' || character === ';') {
      const end = reader.text.indexOf('\n', reader.at)
      reader.at = end < 0 ? reader.text.length : end
      continue
    }
    if (character === '' || !/\s/.test(character)) return
    if (character === '\n') reader.line += 1
    reader.at += 1
  }
}

function skipComma(reader: Reader): void {
  skipBlank(reader)
  if (peek(reader) === ',') reader.at += 1
}

function peek(reader: Reader): string {
  return reader.text[reader.at] ?? ''
}

function spot({ file, line }: Reader): Spot {
  return { file, line }
}

/** Notes the first mistake and goes to the end of the text, where every loop ends. */
function fail(reader: Reader, what: string): void {
  reader.flaw ??= wrong(`${reader.file}:${reader.line}: ${what}`)
  reader.at = reader.text.length
}
