/**
 * The service parameters of SVCB and HTTPS, one by one: RFC 9460 §7 and appendix A, RFC 9461
 * (dohpath), RFC 9540 (ohttp). What the list as a whole must keep to is in `field-service.ts`.
 */
import { isWrong, type Wrong, wrong } from '../fault.ts'
import { addressText, ipv4FromText, ipv6FromText } from './address.ts'
import { base64FromText, base64Text } from './encoding.ts'
import { octetsFromText, quotedText } from './escape.ts'
import { wrongIpv4 } from './field-name.ts'
import { joined, putU16, u8, u16 } from './octets.ts'

export const MANDATORY = 0
export const ALPN = 1
export const NO_DEFAULT_ALPN = 2

/** How one parameter's value is written, checked and printed. */
type Param = {
  readonly word: string
  /** @param value the value with the escapes of a character string undone; absent without `=` */
  readonly read: (value: Uint8Array | undefined) => Uint8Array | Wrong
  readonly isSound: (value: Uint8Array) => boolean
  /** The text behind `=`; absent: the word stands alone. */
  readonly print: ((value: Uint8Array) => string) | undefined
}

const PARAMS: Readonly<Record<number, Param>> = {
  [MANDATORY]: {
    word: 'mandatory',
    read: items(readKey, parts => joined(parts.toSorted((a, b) => u16(a, 0) - u16(b, 0)))),
    isSound: value => value.length >= 2 && value.length % 2 === 0 && ascend(value),
    print: value => pairs(value).map(keyText).join(','),
  },
  [ALPN]: {
    word: 'alpn',
    read: items(readProtocol, joined),
    isSound: value => protocolsOf(value) !== undefined,
    print: value => quotedText(latin1((protocolsOf(value) ?? []).map(listed).join(','))),
  },
  [NO_DEFAULT_ALPN]: flag('no-default-alpn'),
  3: {
    word: 'port',
    read: items(readPort, ([port = new Uint8Array(0), more]) =>
      more === undefined ? port : wrong('more than one port'),
    ),
    isSound: value => value.length === 2,
    print: value => String(u16(value, 0)),
  },
  4: addresses('ipv4hint', 4, text => ipv4FromText(text) ?? wrongIpv4(text)),
  5: {
    word: 'ech',
    read: value =>
      filled(base64FromText(text(value))) ??
      wrong('ech is malformed', 'write base 64, padded with ='),
    isSound: value => value.length > 0,
    print: base64Text,
  },
  6: addresses(
    'ipv6hint',
    16,
    text => ipv6FromText(text) ?? wrong(`${text} is not an IPv6 address`),
  ),
  7: {
    word: 'dohpath',
    read: value =>
      value !== undefined && isDohPath(value)
        ? value
        : wrong('dohpath is no path with the variable dns', 'write /dns-query{?dns}'),
    isSound: isDohPath,
    print: quotedText,
  },
  8: flag('ohttp'),
}

const KEY_OF: ReadonlyMap<string, number> = new Map(
  Object.entries(PARAMS).map(([key, { word }]) => [word, Number(key)]),
)

/** A parameter's key by its word or as `key65280`; `undefined` when it is none. */
export function keyFromText(word: string): number | undefined {
  const known = KEY_OF.get(word)
  if (known !== undefined) return known
  if (!/^key(0|[1-9][0-9]{0,4})$/.test(word)) return undefined
  const key = Number(word.slice(3))
  return key < 0xffff ? key : undefined // §14.3.2: 65535 is never a key
}

export function keyText(key: number): string {
  return PARAMS[key]?.word ?? `key${key}`
}

/**
 * Reads a value behind `key=`; one written as `keyNNN` is plain octets, whatever its number.
 *
 * @param raw absent where there is no `=`
 */
export function valueFromText(word: string, raw: string | undefined): Uint8Array | Wrong {
  const value = raw === undefined ? undefined : octetsFromText(raw)
  if (isWrong(value)) return value
  const param = PARAMS[KEY_OF.get(word) ?? -1]
  return param === undefined ? (value ?? new Uint8Array(0)) : param.read(value)
}

/** Tells whether a value keeps to its key's form; a key that we do not know takes any. */
export function isSoundValue(key: number, value: Uint8Array): boolean {
  return PARAMS[key]?.isSound(value) ?? true
}

export function paramText(key: number, value: Uint8Array): string {
  const param = PARAMS[key]
  if (param !== undefined && param.print === undefined) return param.word
  if (param?.print !== undefined) return `${param.word}=${param.print(value)}`
  return value.length === 0 ? keyText(key) : `${keyText(key)}=${quotedText(value)}`
}

/** A key that has no value. */
function flag(word: string): Param {
  const read = (value: Uint8Array | undefined): Uint8Array | Wrong =>
    value === undefined || value.length === 0
      ? new Uint8Array(0)
      : wrong(`${word} takes no value`, `write ${word} alone`)
  return { word, read, isSound: value => value.length === 0, print: undefined }
}

/** Addresses of one family, one at least. */
function addresses(
  word: string,
  size: number,
  readOne: (text: string) => Uint8Array | Wrong,
): Param {
  return {
    word,
    read: items(item => readOne(text(item)), joined),
    isSound: value => value.length > 0 && value.length % size === 0,
    print: value =>
      Array.from({ length: value.length / size }, (_, i) =>
        addressText(value.subarray(i * size, (i + 1) * size)),
      ).join(','),
  }
}

/** A reader of a comma-separated list: each item is read, and all are put together. */
function items(
  readOne: (item: Uint8Array) => Uint8Array | Wrong,
  together: (parts: readonly Uint8Array[]) => Uint8Array | Wrong,
): Param['read'] {
  return value => {
    if (value === undefined || value.length === 0) return wrong('a value is missing')
    const parts: Uint8Array[] = []
    for (const item of itemsOf(value)) {
      const part = item.length === 0 ? wrong('an empty item in a list') : readOne(item)
      if (isWrong(part)) return part
      parts.push(part)
    }
    return together(parts)
  }
}

const COMMA = 0x2c
const BACKSLASH = 0x5c

/** Splits at commas; a backslash makes the next octet part of its item. RFC 9460 appendix A.1. */
function itemsOf(value: Uint8Array): Uint8Array[] {
  const list: number[][] = [[]]
  let isEscaped = false
  for (const octet of value) {
    if (!isEscaped && octet === COMMA) list.push([])
    else if (isEscaped || octet !== BACKSLASH) list.at(-1)?.push(octet)
    isEscaped = !isEscaped && octet === BACKSLASH
  }
  return list.map(item => Uint8Array.from(item))
}

/** An item as it stands in a list, as latin1 text. */
function listed(item: Uint8Array): string {
  return text(item).replace(/[,\\]/g, '\\$&')
}

function readKey(item: Uint8Array): Uint8Array | Wrong {
  const key = keyFromText(text(item))
  if (key === undefined) return wrong(`${text(item)} is not a parameter`)
  return pair(key)
}

function readPort(item: Uint8Array): Uint8Array | Wrong {
  const port = /^[0-9]{1,5}$/.test(text(item)) ? Number(text(item)) : 0x10000
  return port <= 0xffff ? pair(port) : wrong(`${text(item)} is not a port`)
}

function readProtocol(item: Uint8Array): Uint8Array | Wrong {
  if (item.length > 255) return wrong('a protocol of more than 255 octets')
  return joined([Uint8Array.of(item.length), item])
}

/** The protocols of an alpn value; `undefined` where their lengths are wrong or there is none. */
function protocolsOf(value: Uint8Array): Uint8Array[] | undefined {
  const protocols: Uint8Array[] = []
  for (let at = 0; at < value.length; at += 1 + u8(value, at)) {
    const end = at + 1 + u8(value, at)
    if (end === at + 1 || end > value.length) return undefined
    protocols.push(value.subarray(at + 1, end))
  }
  return protocols.length === 0 ? undefined : protocols
}

/** RFC 9461 §5: a relative URI template in UTF-8 that holds the variable `dns`. */
function isDohPath(value: Uint8Array): boolean {
  return /^\/.*\{[^{}]*\bdns\b[^{}]*\}/.test(text(value))
}

function ascend(value: Uint8Array): boolean {
  const keys = pairs(value)
  return keys.every((key, i) => i === 0 || key > (keys[i - 1] ?? 0))
}

/** The numbers of two octets each that a value holds. */
export function pairs(value: Uint8Array): number[] {
  return Array.from({ length: value.length >> 1 }, (_, i) => u16(value, 2 * i))
}

function pair(value: number): Uint8Array {
  const out = new Uint8Array(2)
  putU16(out, 0, value)
  return out
}

function filled(octets: Uint8Array | undefined): Uint8Array | undefined {
  return octets === undefined || octets.length === 0 ? undefined : octets
}

/** Octets as latin1 text. */
function text(octets: Uint8Array | undefined): string {
  let latin = ''
  for (const octet of octets ?? []) latin += String.fromCharCode(octet)
  return latin
}

function latin1(characters: string): Uint8Array {
  return Uint8Array.from(characters, character => character.charCodeAt(0))
}
