/**
 * The one field of LOC: a place on Earth, RFC 1876.
 *
 *     version 0 | size | horizontal precision | vertical precision | latitude | longitude | altitude
 *
 * Sizes are one digit and a power of ten, in centimetres. Angles are milliseconds of arc from 2³¹,
 * altitude is centimetres from 100 km below the spheroid.
 */
import { isWrong, type Wrong, wrong } from '../fault.ts'
import type { Cursor, Field } from './field.ts'
import { putU8, putU32, u8, u32 } from './octets.ts'

export const location: Field = { kind: 'octets', read, print, measure }

const LENGTH = 16
/** The equator and the prime meridian. */
const MIDDLE = 0x8000_0000
const MAX_LATITUDE = 90 * 3_600_000
const MAX_LONGITUDE = 180 * 3_600_000
/** Centimetres from the lowest altitude up to the spheroid. */
const DEPTH = 10_000_000

const LATITUDE = { what: 'the latitude', letters: 'NS', max: MAX_LATITUDE } as const
const LONGITUDE = { what: 'the longitude', letters: 'EW', max: MAX_LONGITUDE } as const
type Axis = typeof LATITUDE | typeof LONGITUDE

/** What follows the altitude, each of which may be left out: 1 m, 10 km, 10 m. */
const SIZES = [
  { what: 'the size', otherwise: '1m' },
  { what: 'the horizontal precision', otherwise: '10000m' },
  { what: 'the vertical precision', otherwise: '10m' },
] as const

function read(from: Cursor): Uint8Array | Wrong {
  const latitude = readAngle(from, LATITUDE)
  if (isWrong(latitude)) return latitude
  const longitude = readAngle(from, LONGITUDE)
  if (isWrong(longitude)) return longitude
  const altitude = readAltitude(from)
  if (isWrong(altitude)) return altitude
  const out = new Uint8Array(LENGTH)
  let at = putU8(out, 0, 0)
  for (const { what, otherwise } of SIZES) {
    const size = readSize(from, what, otherwise)
    if (isWrong(size)) return size
    at = putU8(out, at, size)
  }
  at = putU32(out, at, latitude)
  at = putU32(out, at, longitude)
  putU32(out, at, altitude)
  return out
}

/** Degrees, minutes and seconds if any, and the letter. */
function readAngle(from: Cursor, axis: Axis): number | Wrong {
  const first = from.at
  const parts: string[] = []
  for (; from.at < from.tokens.length && parts.length < 4; from.at += 1) {
    const text = (from.tokens[from.at]?.text ?? '').toUpperCase()
    if (!/^[A-Z]$/.test(text)) {
      parts.push(text)
      continue
    }
    if (!axis.letters.includes(text)) break
    from.at += 1
    return angleOf(parts, text, axis) ?? malformedAngle(from, first, axis)
  }
  return malformedAngle(from, first, axis)
}

function malformedAngle(from: Cursor, first: number, axis: Axis): Wrong {
  from.at = first
  const letters = [...axis.letters].join(' or ')
  return wrong(`${axis.what} is malformed`, `write degrees, minutes, seconds and ${letters}`)
}

function angleOf(parts: readonly string[], letter: string, axis: Axis): number | undefined {
  const [degrees = '', minutes = '0', seconds = '0', ...more] = parts
  if (more.length > 0) return undefined
  if (!/^[0-9]{1,3}$/.test(degrees) || !/^[0-5]?[0-9]$/.test(minutes)) return undefined
  if (!/^[0-5]?[0-9](\.[0-9]{0,3})?$/.test(seconds)) return undefined
  const whole = Number(degrees) * 3_600_000 + Number(minutes) * 60_000
  const angle = whole + Math.round(Number(seconds) * 1000)
  if (angle > axis.max) return undefined
  return letter === 'N' || letter === 'E' ? MIDDLE + angle : MIDDLE - angle
}

function readAltitude(from: Cursor): number | Wrong {
  const centimetres = centimetresOf(from.tokens[from.at]?.text ?? '')
  const value = (centimetres ?? Number.NaN) + DEPTH
  if (!(value >= 0 && value <= 0xffff_ffff)) {
    return wrong('the altitude is malformed', 'write metres, -100000.00 to 42849672.95')
  }
  from.at += 1
  return value
}

function readSize(from: Cursor, what: string, otherwise: string): number | Wrong {
  const centimetres = centimetresOf(from.tokens[from.at]?.text ?? otherwise) ?? -1
  if (centimetres < 0 || centimetres > 9e9) {
    return wrong(`${what} is malformed`, 'write metres, 0 to 90000000.00')
  }
  if (from.at < from.tokens.length) from.at += 1
  return sizeOf(centimetres)
}

/** Metres with at most two decimals, `m` behind them or not. */
function centimetresOf(text: string): number | undefined {
  if (!/^-?[0-9]+(\.[0-9]{0,2})?m?$/i.test(text)) return undefined
  return Math.round(Number(text.replace(/m$/i, '')) * 100)
}

/** One digit and a power of ten: what does not fit is cut off, as RFC 1876's own code does. */
function sizeOf(centimetres: number): number {
  let digit = centimetres
  let power = 0
  for (; digit > 9; power += 1) digit = Math.floor(digit / 10)
  return digit * 16 + power
}

function measure(octets: Uint8Array, at: number, end: number): number {
  if (at + LENGTH > end || u8(octets, at) !== 0) return -1
  for (let i = at + 1; i < at + 4; i += 1) {
    const digit = u8(octets, i) >> 4
    const power = u8(octets, i) & 0xf
    if (digit > 9 || power > 9 || (digit === 0 && power > 0)) return -1
  }
  if (Math.abs(u32(octets, at + 4) - MIDDLE) > MAX_LATITUDE) return -1
  if (Math.abs(u32(octets, at + 8) - MIDDLE) > MAX_LONGITUDE) return -1
  return at + LENGTH
}

function print(octets: Uint8Array): string {
  const altitude = (u32(octets, 12) - DEPTH) / 100
  return [
    angleText(u32(octets, 4) - MIDDLE, 'N', 'S'),
    angleText(u32(octets, 8) - MIDDLE, 'E', 'W'),
    `${altitude.toFixed(2)}m`,
    ...[1, 2, 3].map(at => sizeText(u8(octets, at))),
  ].join(' ')
}

function angleText(angle: number, ahead: string, behind: string): string {
  const size = Math.abs(angle)
  const degrees = Math.floor(size / 3_600_000)
  const minutes = Math.floor(size / 60_000) % 60
  const seconds = ((size % 60_000) / 1000).toFixed(3)
  return `${degrees} ${minutes} ${seconds} ${angle < 0 ? behind : ahead}`
}

/** Whole metres, or centimetres where there are any. */
function sizeText(size: number): string {
  const metres = ((size >> 4) * 10 ** (size & 0xf)) / 100
  return Number.isInteger(metres) ? `${metres}m` : `${metres.toFixed(2)}m`
}
