/**
 * The field of NSEC and NSEC3 that says which types an owner has: RFC 4034 §4.1.2.
 *
 *     window (types 256·w …) | octets that follow, 1 … 32 | bits, type 256·w first
 */
import { type Wrong, wrong } from '../fault.ts'
import type { Cursor, Field } from './field.ts'
import { u8 } from './octets.ts'
import { typeFromText, typeText } from './rrtype.ts'

export const bitmap: Field = { kind: 'octets', read, print, measure }

function read(from: Cursor): Uint8Array | Wrong {
  const types = new Set<number>()
  for (; from.at < from.tokens.length; from.at += 1) {
    const { text } = from.tokens[from.at] ?? { text: '' }
    const type = typeFromText(text)
    if (type === undefined) return wrong(`${text} is not a record type`)
    types.add(type)
  }
  return bitmapOf([...types].sort((a, b) => a - b))
}

/** @param types ascending, each once */
function bitmapOf(types: readonly number[]): Uint8Array {
  const windows = new Map<number, Uint8Array>()
  for (const type of types) {
    const bits = windows.get(type >> 8) ?? new Uint8Array(32)
    windows.set(type >> 8, bits)
    const at = (type & 0xff) >> 3
    bits[at] = u8(bits, at) | (0x80 >> (type & 7))
  }
  const out: number[] = []
  for (const [window, bits] of windows) {
    const length = bits.findLastIndex(octet => octet !== 0) + 1
    out.push(window, length, ...bits.subarray(0, length))
  }
  return Uint8Array.from(out)
}

function print(octets: Uint8Array): string {
  const words: string[] = []
  for (let at = 0; at < octets.length; at += 2 + u8(octets, at + 1)) {
    const first = u8(octets, at) << 8
    for (let bit = 0; bit < 8 * u8(octets, at + 1); bit += 1) {
      const isSet = (u8(octets, at + 2 + (bit >> 3)) & (0x80 >> (bit & 7))) !== 0
      if (isSet) words.push(typeText(first + bit))
    }
  }
  return words.join(' ')
}

/** Windows ascend, none is empty, and none ends in an octet of 0. */
function measure(octets: Uint8Array, at: number, end: number): number {
  let last = -1
  let next = at
  while (next + 2 < end) {
    const window = u8(octets, next)
    const length = u8(octets, next + 1)
    const after = next + 2 + length
    if (window <= last || length < 1 || length > 32 || after > end) return -1
    if (u8(octets, after - 1) === 0) return -1
    last = window
    next = after
  }
  return next === end ? end : -1
}
