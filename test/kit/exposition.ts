/**
 * Reads the text format of metrics (Prometheus, version 0.0.4) as its description has it: every line
 * is understood whole, or the text is refused with the line's number. Shares no code with what writes.
 */

export type Sample = {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export type MetricType = 'counter' | 'gauge' | 'histogram' | 'summary' | 'untyped'

export type Family = {
  readonly name: string
  help: string | undefined
  type: MetricType
  readonly samples: Sample[]
}

const TYPES: readonly string[] = ['counter', 'gauge', 'histogram', 'summary', 'untyped']
const PARTS = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
} as const

/** A text and how far it is read. */
type Reader = { readonly text: string; at: number }

class Refused extends Error {}

/** Throws where any line is not in the format. */
export function families(text: string): Family[] {
  if (text !== '' && !text.endsWith('\n')) throw new Error('the last line has no end')
  const found = new Map<string, Family>()
  for (const [number, line] of text.split('\n').entries()) {
    try {
      readLine(line, found)
    } catch (cause) {
      if (!(cause instanceof Refused)) throw cause
      throw new Error(`line ${number + 1}: ${cause.message}: ${line}`)
    }
  }
  return [...found.values()]
}

function readLine(line: string, found: Map<string, Family>): void {
  const from: Reader = { text: line, at: 0 }
  skipBlanks(from)
  if (from.at === line.length) return
  if (line[from.at] === '#') readComment(from, found)
  else readSample(from, found)
}

function readComment(from: Reader, found: Map<string, Family>): void {
  from.at += 1
  skipBlanks(from)
  const word = take(from, /[^ \t]*/y)
  if (word !== 'HELP' && word !== 'TYPE') return
  skipBlanks(from)
  const name = nameAt(from)
  const family = familyOf(name, found)
  skipBlanks(from)
  const rest = from.text.slice(from.at)
  if (family.samples.length > 0) throw new Refused(`${word} after the samples of ${name}`)
  if (word === 'HELP') {
    if (family.help !== undefined) throw new Refused(`a second HELP of ${name}`)
    family.help = unescaped(rest, /[\\n]/)
  } else {
    if (family.type !== 'untyped') throw new Refused(`a second TYPE of ${name}`)
    const type = rest.trimEnd()
    if (!TYPES.includes(type)) throw new Refused(`no type: ${type}`)
    family.type = type as MetricType
  }
}

function readSample(from: Reader, found: Map<string, Family>): void {
  const name = nameAt(from)
  const labels = labelsAt(from)
  skipBlanks(from)
  const value = numberFrom(take(from, /[^ \t]+/y))
  skipBlanks(from)
  const stamp = take(from, /-?\d*/y)
  skipBlanks(from)
  if (from.at < from.text.length) throw new Refused(`something behind ${stamp || 'the value'}`)
  ownerOf(name, found).samples.push({ name, labels, value })
}

/** The family that a sample is of: of a histogram or summary, whose parts have names of their own. */
function ownerOf(name: string, found: Map<string, Family>): Family {
  for (const family of found.values()) {
    if (family.type !== 'histogram' && family.type !== 'summary') continue
    if (PARTS[family.type].some(part => family.name + part === name)) return family
  }
  return familyOf(name, found)
}

function familyOf(name: string, found: Map<string, Family>): Family {
  const family = found.get(name) ?? { name, help: undefined, type: 'untyped', samples: [] }
  found.set(name, family)
  return family
}

function labelsAt(from: Reader): Record<string, string> {
  const labels: Record<string, string> = {}
  skipBlanks(from)
  if (from.text[from.at] !== '{') return labels
  from.at += 1
  for (;;) {
    skipBlanks(from)
    if (from.text[from.at] === '}') break
    const name = take(from, /[a-zA-Z_][a-zA-Z0-9_]*/y)
    if (name === '') throw new Refused('no name of a label')
    if (Object.hasOwn(labels, name)) throw new Refused(`label ${name} twice`)
    expectAt(from, '=')
    labels[name] = quotedAt(from)
    skipBlanks(from)
    if (from.text[from.at] === ',') from.at += 1
    else if (from.text[from.at] !== '}') throw new Refused('neither , nor }')
  }
  from.at += 1
  return labels
}

function quotedAt(from: Reader): string {
  expectAt(from, '"')
  const written = take(from, /(?:[^"\\]|\\.)*/y)
  expectAt(from, '"')
  return unescaped(written, /[\\n"]/)
}

/** @param known what may stand behind a backslash */
function unescaped(written: string, known: RegExp): string {
  return written.replace(/\\(.?)/g, (_, character: string) => {
    if (!known.test(character)) throw new Refused(`no escape: \\${character}`)
    return character === 'n' ? '\n' : character
  })
}

function nameAt(from: Reader): string {
  const name = take(from, /[a-zA-Z_:][a-zA-Z0-9_:]*/y)
  if (name === '') throw new Refused('no name of a metric')
  return name
}

function expectAt(from: Reader, character: string): void {
  skipBlanks(from)
  if (from.text[from.at] !== character) throw new Refused(`no ${character}`)
  from.at += 1
}

function skipBlanks(from: Reader): void {
  take(from, /[ \t]*/y)
}

/** @param what sticky */
function take(from: Reader, what: RegExp): string {
  what.lastIndex = from.at
  const [found = ''] = what.exec(from.text) ?? []
  from.at += found.length
  return found
}

/** What Go's ParseFloat takes, without its hexadecimals and underscores. */
function numberFrom(text: string): number {
  if (/^nan$/i.test(text)) return Number.NaN
  const infinite = /^([+-]?)inf(?:inity)?$/i.exec(text)
  if (infinite !== null) return infinite[1] === '-' ? -Infinity : Infinity
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) throw new Refused(`no number: ${text}`)
  return Number(text)
}

/** `name{a="b"}`, labels in the order of their names: one text for one series. */
export function seriesOf({ name, labels }: Sample): string {
  const pairs = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))
  if (pairs.length === 0) return name
  return `${name}{${pairs.map(([label, value]) => `${label}="${value}"`).join(',')}}`
}

/** Values by series. */
export function valuesIn(text: string): Map<string, number> {
  const samples = families(text).flatMap(family => family.samples)
  return new Map(samples.map(sample => [seriesOf(sample), sample.value]))
}
