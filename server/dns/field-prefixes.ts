/**
 * The field of APL: address prefixes, none or several, each of them in or out. RFC 3123 §4.
 *
 *     family, 2 octets | prefix, 1 | N and length, 1 | the address without its zeros at the end
 */
import { isWrong, type Wrong, wrong } from '../fault.ts'
import { addressText, ipv4FromText, ipv6FromText } from './address.ts'
import type { Cursor, Field } from './field.ts'
import { joined, u8, u16 } from './octets.ts'

const HEAD = 4
const NEGATED = 0x80
/** Octets of an address, by ADDRESSFAMILY: IPv4 and IPv6. */
const WIDTH: Readonly<Record<number, number>> = { 1: 4, 2: 16 }

export const prefixes: Field = { kind: 'octets', read, print, measure }

function read(from: Cursor): Uint8Array | Wrong {
  const items: Uint8Array[] = []
  for (; from.at < from.tokens.length; from.at += 1) {
    const item = itemFromText(from.tokens[from.at]?.text ?? '')
    if (isWrong(item)) return item
    items.push(item)
  }
  return joined(items)
}

/** `1:192.0.2.0/24`, `!2:2001:db8::/32`. RFC 3123 §5. */
function itemFromText(text: string): Uint8Array | Wrong {
  const [, negated = '', family = '', address = '', prefix = ''] =
    /^(!?)([12]):([0-9a-f:.]+)\/([0-9]{1,3})$/i.exec(text) ?? []
  const octets = family === '1' ? ipv4FromText(address) : ipv6FromText(address)
  const width = WIDTH[Number(family)] ?? 0
  if (octets === undefined || width === 0 || Number(prefix) > 8 * width) {
    return wrong(
      `${text} is no prefix`,
      'write family:address/bits: 1:192.0.2.0/24, !2:2001:db8::/32',
    )
  }
  const length = octets.findLastIndex(octet => octet !== 0) + 1
  const head = [0, Number(family), Number(prefix), (negated === '' ? 0 : NEGATED) | length]
  return Uint8Array.from([...head, ...octets.subarray(0, length)])
}

function print(octets: Uint8Array): string {
  const items: string[] = []
  for (let at = 0; at < octets.length; ) {
    const family = u16(octets, at)
    const length = u8(octets, at + 3) & ~NEGATED
    const address = new Uint8Array(WIDTH[family] ?? 0)
    address.set(octets.subarray(at + HEAD, at + HEAD + length))
    const mark = (u8(octets, at + 3) & NEGATED) === 0 ? '' : '!'
    items.push(`${mark}${family}:${addressText(address)}/${u8(octets, at + 2)}`)
    at += HEAD + length
  }
  return items.join(' ')
}

/** RFC 3123 §4.1: a trailing octet of 0 is not written, so that there is one form. */
function measure(octets: Uint8Array, at: number, end: number): number {
  let next = at
  while (next + HEAD <= end) {
    const width = WIDTH[u16(octets, next)] ?? -1
    const length = u8(octets, next + 3) & ~NEGATED
    const after = next + HEAD + length
    if (length > width || after > end || u8(octets, next + 2) > 8 * width) return -1
    if (length > 0 && u8(octets, after - 1) === 0) return -1
    next = after
  }
  return next === end ? end : -1
}
