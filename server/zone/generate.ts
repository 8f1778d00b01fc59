/**
 * $GENERATE of BIND: `$GENERATE start-stop[/step] owner [TTL] [class] type data`, where `$` in
 * owner and data is the number, `${offset,width,base}` the number changed, and `\$` a dollar. Each
 * step makes a line, which is read like any other. Knows templates, not records.
 */
import { TYPE, typeFromText } from '../dns/rrtype.ts'
import { isWrong, type Wrong, wrong } from '../fault.ts'
import { lineScanner, nextEntry, restart } from './entry.ts'
import type { Reading, Source } from './reading.ts'
import { readRecord } from './record.ts'
import { complain, isFull } from './reporter.ts'
import { isBroken, isQuoted, type Scanner, tokenAt, tokenText } from './scan.ts'
import { octetsOfText } from './stream.ts'

/** No directive makes more records than this. */
const MAX_STEPS = 1 << 20
/** Digits of a number: nothing sensible is wider. */
const MAX_WIDTH = 255
const MAX_NUMBER = 0x7fff_ffff

type Range = { readonly start: number; readonly stop: number; readonly step: number }

/** How a number is written in one place of a template. */
type Slot = { readonly offset: number; readonly width: number; readonly base: string }

type Template = readonly (string | Slot)[]

/**
 * Text with its escapes, a doubled dollar (BIND's old way to write one), or a slot, closed or not.
 */
const PART = /^(?:(?:\\[\s\S]|[^\\$])+|\$\$|\$\{[^}]*\}?|\$|\\)/

/** Reads a $GENERATE entry. Stops at the first step that goes wrong: the others are alike. */
export function generate(reading: Reading, from: Source, scan: Scanner): void {
  const range = readRange(scan.count > 1 ? tokenText(scan, 1) : '')
  if (isWrong(range)) {
    complain(reading.reporter, tokenAt(scan, 1), range)
    return
  }
  if (scan.count < 5) {
    const reason = wrong('$GENERATE takes a range, an owner, a type and data')
    complain(reading.reporter, tokenAt(scan, scan.count), reason)
    return
  }
  const template = readTemplate(lineOf(scan))
  if (isWrong(template)) complain(reading.reporter, tokenAt(scan, 2), template)
  else runSteps(reading, from, scan, range, template)
}

function readRange(text: string): Range | Wrong {
  const match = /^([0-9]{1,10})-([0-9]{1,10})(?:\/([0-9]{1,10}))?$/.exec(text)
  if (match === null) return wrong(`${text} is not a range`, 'write start-stop or start-stop/step')
  const range = { start: Number(match[1]), stop: Number(match[2]), step: Number(match[3] ?? 1) }
  const { start, stop, step } = range
  if (step === 0) return wrong(`the range ${text} has step 0`)
  if (start > stop) return wrong(`the range ${text} runs backwards`)
  if (stop > MAX_NUMBER) return wrong(`the range ${text} goes beyond ${MAX_NUMBER}`)
  const steps = Math.floor((stop - start) / step) + 1
  return steps <= MAX_STEPS
    ? range
    : wrong(`the range ${text} makes more than ${MAX_STEPS} records`)
}

/**
 * The entry from the owner on, as one line. Data that is one string in quotes is taken out of them,
 * as BIND does (`MX "10 m$"`), unless the type is made of strings.
 */
function lineOf(scan: Scanner): string {
  const last = scan.count - 1
  const type = typeFromText(tokenText(scan, last - 1))
  const isBare = type !== undefined && type !== TYPE.TXT && type !== TYPE.SPF
  const words: string[] = []
  for (let token = 2; token <= last; token += 1) {
    const text = tokenText(scan, token)
    words.push(isQuoted(scan, token) && !(token === last && isBare) ? `"${text}"` : text)
  }
  return words.join(' ')
}

function readTemplate(line: string): Template | Wrong {
  const parts: (string | Slot)[] = []
  let at = 0
  while (at < line.length) {
    const part = PART.exec(line.slice(at))?.[0] ?? ''
    const read = part === '$$' ? '\\$' : part.startsWith('$') ? readSlot(part) : part
    if (typeof read !== 'string' && isWrong(read)) return read
    parts.push(read)
    at += part.length
  }
  return parts
}

/** `$` or `${offset[,width[,base]]}`. */
function readSlot(text: string): Slot | Wrong {
  if (text === '$') return { offset: 0, width: 0, base: 'd' }
  const match = /^\$\{([+-]?[0-9]{1,10})(?:,([0-9]{1,3})(?:,([doxXnN]))?)?\}$/.exec(text)
  const slot = {
    offset: Number(match?.[1]),
    width: Number(match?.[2] ?? 0),
    base: match?.[3] ?? 'd',
  }
  if (match !== null && slot.width <= MAX_WIDTH) return slot
  return wrong(`${text} is not a modifier`, `write \${offset,width,base}, base one of d o x X n N`)
}

function runSteps(
  reading: Reading,
  from: Source,
  scan: Scanner,
  range: Range,
  template: Template,
): void {
  const { reporter } = reading
  const at = tokenAt(scan, 0)
  const lines = lineScanner(from.file, (place, reason) => complain(reporter, place, reason))
  const before = reporter.problems
  for (let step = range.start; step <= range.stop; step += range.step) {
    const line = fill(template, step)
    if (isWrong(line)) complain(reporter, at, line)
    else {
      reporter.context = `, in the generated ${line}`
      restart(lines, octetsOfText(line), at)
      if (nextEntry(lines) && !isBroken(lines)) readRecord(reading, from, lines)
    }
    reporter.context = ''
    if (reporter.problems > before || isFull(reporter)) break
  }
}

function fill(template: Template, step: number): string | Wrong {
  let line = ''
  for (const part of template) {
    if (typeof part === 'string') line += part
    else if (step + part.offset < 0) return belowZero(step, part)
    else line += numberText(step + part.offset, part)
  }
  return line
}

function belowZero(step: number, { offset }: Slot): Wrong {
  return wrong(`\${${offset}} makes ${step + offset} of ${step}`, 'begin the range later')
}

function numberText(value: number, slot: Slot): string {
  switch (slot.base) {
    case 'o':
      return value.toString(8).padStart(slot.width, '0')
    case 'x':
      return value.toString(16).padStart(slot.width, '0')
    case 'X':
      return value.toString(16).toUpperCase().padStart(slot.width, '0')
    case 'n':
      return nibblesText(value, slot.width)
    case 'N':
      return nibblesText(value, slot.width).toUpperCase()
    default:
      return String(value).padStart(slot.width, '0')
  }
}

/** Hexadecimal digits as labels, the lowest first, as in ip6.arpa. Width counts the dots too. */
function nibblesText(value: number, width: number): string {
  const digits = value.toString(16).padStart(Math.ceil(width / 2), '0')
  const text = [...digits].reverse().join('.')
  return width % 2 === 0 && text.length < width ? `${text}.` : text
}
