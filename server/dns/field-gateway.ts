/**
 * The field of IPSECKEY that says where to go: the gateway's type, the key's algorithm, and the
 * gateway, whose form the type decides. RFC 4025 §2.3, §2.4, §2.5.
 */
import { isWrong, type Wrong, wrong } from '../fault.ts'
import { addressText, ipv4FromText, ipv6FromText } from './address.ts'
import type { Cursor, Field } from './field.ts'
import { number8 } from './field-number.ts'
import { measureName, nameFromText, nameText } from './name.ts'
import { joined, u8 } from './octets.ts'

const NONE = 0
const IPV4 = 1
const IPV6 = 2
const NAME = 3
/** Type and algorithm. */
const HEAD = 2

const kind = number8('the gateway type')
const algorithm = number8('the algorithm')

export const gateway: Field = { kind: 'octets', read, print, measure }

function read(from: Cursor): Uint8Array | Wrong {
  const type = kind.read(from)
  if (isWrong(type)) return type
  const cipher = algorithm.read(from)
  if (isWrong(cipher)) return cipher
  const text = from.tokens[from.at]?.text
  if (text === undefined) return wrong('the gateway is missing')
  const place = placeFromText(u8(type, 0), text, from.origin)
  if (isWrong(place)) return place
  from.at += 1
  return joined([type, cipher, place])
}

function placeFromText(
  type: number,
  text: string,
  origin: Uint8Array | undefined,
): Uint8Array | Wrong {
  const reason = wrong(`${text} is no gateway of type ${type}`)
  if (type === NONE) return text === '.' ? new Uint8Array(0) : reason
  if (type === IPV4) return ipv4FromText(text) ?? reason
  if (type === IPV6) return ipv6FromText(text) ?? reason
  return type === NAME ? nameFromText(text, origin) : reason
}

function print(octets: Uint8Array): string {
  const type = u8(octets, 0)
  const place = octets.subarray(HEAD)
  return `${type} ${u8(octets, 1)} ${placeText(type, place)}`
}

function placeText(type: number, place: Uint8Array): string {
  if (type === NONE) return '.'
  return type === NAME ? nameText(place) : addressText(place)
}

function measure(octets: Uint8Array, at: number, end: number): number {
  if (at + HEAD > end) return -1
  const type = u8(octets, at)
  const place = at + HEAD
  if (type === NAME) return measureName(octets, place, end)
  const width = { [NONE]: 0, [IPV4]: 4, [IPV6]: 16 }[type]
  return width === undefined || place + width > end ? -1 : place + width
}
