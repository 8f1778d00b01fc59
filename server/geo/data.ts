/**
 * The data section of a database (MaxMind DB format 2.0): of a record, the values at paths that are
 * sought. All else is stepped over, so that a record costs what is read of it: a city database has
 * hundreds of thousands, with names in eight languages. Data may be anything that somebody's file
 * holds: what breaks the format, or makes reading it endless, ends with a word. Knows no trees.
 */
import { u8, u16, u32 } from '../dns/octets.ts'

/** What is looked for at a place in a record, and below it. */
export type Sought = {
  /** The value here, where it is no map and no array. */
  readonly isWanted: boolean
  readonly below: readonly Step[]
}

type Step = {
  readonly key: string
  readonly isAscii: boolean
  /** The key as a place in an array; NaN where it is none. */
  readonly index: number
  readonly sought: Sought
}

/** Keys and, in arrays, numbers from 0: from the record down. */
export type Path = readonly string[]

export function soughtAt(paths: readonly Path[]): Sought {
  const keys = [...new Set(paths.flatMap(path => path.slice(0, 1)))]
  return {
    isWanted: paths.some(path => path.length === 0),
    below: keys.map(key => ({
      key,
      isAscii: /^[\x20-\x7e]*$/.test(key),
      index: /^(?:0|[1-9]\d{0,8})$/.test(key) ? Number(key) : Number.NaN,
      sought: soughtAt(paths.filter(([first]) => first === key).map(path => path.slice(1))),
    })),
  }
}

/** A data section being read. */
export type Data = {
  readonly octets: Uint8Array
  readonly view: DataView
  readonly start: number
  readonly end: number
  /** The next octet, and what the last head said. */
  at: number
  type: number
  size: number
  /** Values that may still be read: honest records share some, and are not made of each other. */
  budget: number
  /** What is wrong with it. */
  broken: string | undefined
}

// biome-ignore format: table
const TYPE = {
  pointer: 1, text: 2, double: 3, bytes: 4, uint16: 5, uint32: 6, map: 7, int32: 8,
  uint64: 9, uint128: 10, array: 11, boolean: 14, float: 15,
} as const
/** A cache and the end of one: nothing that data hold. */
const NO_TYPE = [12, 13]

export function openData(octets: Uint8Array, start: number, length: number): Data {
  const view = new DataView(octets.buffer, octets.byteOffset, octets.byteLength)
  const budget = 64 * length + 4096
  const place = { at: start, type: 0, size: 0, budget, broken: undefined }
  return { octets, view, start, end: start + length, ...place }
}

/**
 * Reads what is sought of a record.
 *
 * @param offset below the length of the section
 * @returns maps and arrays as objects with the keys that are sought, and in them texts, numbers and
 *   booleans; whether that can be relied on, `broken` tells
 */
export function readRecord(data: Data, offset: number, sought: Sought): unknown {
  data.at = data.start + offset
  return readValue(data, sought)
}

/** Reads a value, and goes behind it. */
function readValue(data: Data, sought: Sought): unknown {
  readHead(data)
  if (data.type !== TYPE.pointer) return readBody(data, sought)
  const behind = follow(data)
  const value = readBody(data, sought)
  data.at = behind
  return value
}

/** Goes where a pointer leads, and reads the head there. Returns what stands behind the pointer. */
function follow(data: Data): number {
  const behind = data.at
  data.at = data.start + data.size
  readHead(data)
  if (data.type === TYPE.pointer) broke(data, 'a pointer to a pointer')
  return behind
}

const TOO_EARLY = 'the data end too early'

function broke(data: Data, why: string): void {
  data.broken ??= why
  data.at = data.end
  data.type = 0
  data.size = 0
}

/** Reads type and size, or a pointer's target as its size. */
function readHead(data: Data): void {
  data.budget -= 1
  if (data.at >= data.end) broke(data, TOO_EARLY)
  else if (data.budget < 0) broke(data, 'its records are made of each other')
  else readControl(data)
}

function readControl(data: Data): void {
  const control = u8(data.octets, data.at)
  data.at += 1
  data.type = control >> 5
  if (data.type === TYPE.pointer) {
    readPointer(data, control)
    return
  }
  if (data.type === 0) {
    data.type = 7 + u8(data.octets, data.at)
    data.at += 1
  }
  readSize(data, control & 0x1f)
  if (data.type > TYPE.float || NO_TYPE.includes(data.type)) broke(data, 'a value of no known type')
}

function readPointer(data: Data, control: number): void {
  const { octets, at } = data
  const width = (control >> 3) & 3
  const high = control & 7
  data.at += width + 1
  if (width === 0) data.size = (high << 8) | u8(octets, at)
  else if (width === 1) data.size = 2048 + ((high << 16) | u16(octets, at))
  else if (width === 2) data.size = 526336 + ((high << 24) | (u32(octets, at - 1) & 0xffffff))
  else data.size = u32(octets, at)
}

/** Sizes from 29 on stand in one to three octets of their own. */
function readSize(data: Data, size: number): void {
  const { octets, at } = data
  data.size = size
  if (size < 29) return
  data.at += size - 28
  if (size === 29) data.size = 29 + u8(octets, at)
  else if (size === 30) data.size = 285 + u16(octets, at)
  else data.size = 65821 + (u32(octets, at - 1) & 0xffffff)
}

function readBody(data: Data, sought: Sought): unknown {
  if (data.type === TYPE.map) return readMap(data, sought)
  if (data.type === TYPE.array) return readArray(data, sought)
  const { at, size, type } = data
  if (type === TYPE.boolean) return sought.isWanted ? size !== 0 : undefined
  data.at += size
  if (data.at > data.end) broke(data, TOO_EARLY)
  if (!sought.isWanted || data.broken !== undefined) return undefined
  data.budget -= size
  return scalarAt(data, type, at, size)
}

function readMap(data: Data, sought: Sought): Readonly<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  const { size } = data
  for (let i = 0; i < size && data.broken === undefined; i += 1) {
    const step = readKey(data, sought)
    if (step === undefined) skip(data)
    else found[step.key] = readValue(data, step.sought)
  }
  return found
}

/** Reads a key. Returns the step that it is, if it is one. */
function readKey(data: Data, sought: Sought): Step | undefined {
  readHead(data)
  const isPointer = data.type === TYPE.pointer
  const behind = isPointer ? follow(data) : data.at + data.size
  if (data.type !== TYPE.text) broke(data, 'a key that is no text')
  const { at, size } = data
  data.at = behind
  for (const step of sought.below) if (isKey(data.octets, at, size, step)) return step
  return undefined
}

function isKey(octets: Uint8Array, at: number, size: number, step: Step): boolean {
  const { key } = step
  if (!step.isAscii) return size <= 3 * key.length && textAt(octets, at, size) === key
  if (size !== key.length) return false
  for (let i = 0; i < size; i += 1) if (u8(octets, at + i) !== key.charCodeAt(i)) return false
  return true
}

function readArray(data: Data, sought: Sought): Readonly<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  const { size } = data
  for (let i = 0; i < size && data.broken === undefined; i += 1) {
    const step = sought.below.find(({ index }) => index === i)
    if (step === undefined) skip(data)
    else found[step.key] = readValue(data, step.sought)
  }
  return found
}

/** Steps over a value and all that is in it; pointers are not followed. */
function skip(data: Data): void {
  for (let left = 1; left > 0 && data.broken === undefined; left -= 1) {
    readHead(data)
    if (data.type === TYPE.map) left += 2 * data.size
    else if (data.type === TYPE.array) left += data.size
    else if (data.type !== TYPE.pointer && data.type !== TYPE.boolean) data.at += data.size
  }
}

function scalarAt(data: Data, type: number, at: number, size: number): unknown {
  if (type === TYPE.text) return textAt(data.octets, at, size)
  if (type === TYPE.double && size === 8) return data.view.getFloat64(at)
  if (type === TYPE.float && size === 4) return data.view.getFloat32(at)
  if (type === TYPE.int32 && size === 4) return data.view.getInt32(at)
  const isInteger = type === TYPE.uint16 || type === TYPE.uint32 || type === TYPE.int32
  if (isInteger && size <= 4) return integerAt(data.octets, at, size)
  const isLong = type === TYPE.uint64 || type === TYPE.uint128
  if (isLong && size <= 16) return BigInt(`0x0${hexAt(data.octets, at, size)}`)
  if (type !== TYPE.bytes) broke(data, 'a number of a wrong size')
  return undefined
}

function integerAt(octets: Uint8Array, at: number, size: number): number {
  let number = 0
  for (let i = 0; i < size; i += 1) number = number * 256 + u8(octets, at + i)
  return number
}

function hexAt(octets: Uint8Array, at: number, size: number): string {
  let digits = ''
  for (let i = 0; i < size; i += 1)
    digits += u8(octets, at + i)
      .toString(16)
      .padStart(2, '0')
  return digits
}

/** UTF-8; what is none tells nothing. */
function textAt(octets: Uint8Array, at: number, size: number): string {
  let text = ''
  for (let i = 0; i < size; i += 1) {
    const octet = u8(octets, at + i)
    if (octet >= 0x80) return wideTextAt(octets, at, size)
    text += String.fromCharCode(octet)
  }
  return text
}

function wideTextAt(octets: Uint8Array, at: number, size: number): string {
  try {
    return decodeURIComponent(hexAt(octets, at, size).replace(/../g, '%$&'))
  } catch {
    return ''
  }
}
