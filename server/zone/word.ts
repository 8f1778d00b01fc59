/**
 * The words before a record's data: TTL, class and type. A zone has few of them, again and again, so
 * each is read once and then known by its octets: that takes a tenth of the time.
 */
import { classFromText, TYPE, typeFromText, typeText } from '../dns/rrtype.ts'
import { secondsFromText } from '../dns/seconds.ts'
import { type Wrong, wrong } from '../fault.ts'
import { type Scanner, tokenEnd, tokenStart, tokenText } from './scan.ts'

/** RFC 2181 §8. */
const MAX_TTL = 0x7fff_ffff

/** All that a word can mean; `undefined` where it cannot. */
export type Word = {
  readonly text: string
  readonly ttl: number | Wrong | undefined
  readonly class: number | undefined
  readonly type: number | Wrong
}

/** The words seen, each in the place of its hash; one drives out another. */
export type Words = (Word | undefined)[]

const PLACES = 256

export function words(): Words {
  return new Array<Word | undefined>(PLACES).fill(undefined)
}

/** A token as a word. Hot: a few times per record loaded. */
export function wordAt(words: Words, scan: Scanner, token: number): Word {
  const { octets } = scan
  const start = tokenStart(scan, token)
  const end = tokenEnd(scan, token)
  let hash = end - start
  for (let at = start; at < end; at += 1) hash = (Math.imul(hash, 31) + octets[at]!) | 0
  const place = hash & (PLACES - 1)
  const seen = words[place]
  if (seen !== undefined && isText(octets, start, end, seen.text)) return seen
  const word = wordOf(tokenText(scan, token))
  words[place] = word
  return word
}

/** Hot. */
function isText(octets: Uint8Array, start: number, end: number, text: string): boolean {
  if (text.length !== end - start) return false
  for (let at = start; at < end; at += 1) {
    if (octets[at]! !== text.charCodeAt(at - start)) return false
  }
  return true
}

function wordOf(text: string): Word {
  const ttl = /^[0-9]/.test(text) ? readTtl(text) : undefined
  return { text, ttl, class: classFromText(text), type: readType(text) }
}

/** A TTL: seconds, or units in any case (1w2d3h4m5s). */
export function readTtl(text: string): number | Wrong {
  const seconds = secondsFromText(text)
  if (seconds === undefined) {
    return wrong(`${text} is not a TTL`, 'write seconds, or units: 1w2d3h4m5s')
  }
  if (seconds <= MAX_TTL) return seconds
  return wrong(`TTL ${text} is above ${MAX_TTL} (RFC 2181 §8)`, 'a week is 604800')
}

function readType(text: string): number | Wrong {
  const type = typeFromText(text)
  if (type === undefined) {
    const isDirective = text.startsWith('$')
    const fix = isDirective ? 'directives begin in column 1' : 'types without a word are TYPE65280'
    return wrong(`unknown type ${text}`, fix)
  }
  // RFC 6895 §3.1: these are questions and parts of messages, never data.
  const isMeta = type === 0 || type === TYPE.OPT || (type >= 128 && type <= 255)
  return isMeta ? wrong(`a zone cannot hold records of type ${typeText(type)}`) : type
}
