/**
 * IP addresses as octets and as text (RFC 4291 §2.2, RFC 5952). Strict: what some programs read as
 * octal, others as decimal, is no address here (`192.0.2.010`). Knows no prefixes and no sockets.
 */
import { u16 } from './octets.ts'

/** One address: scratch, filled per message. */
export type Address = {
  family: 4 | 6
  /** 16 octets, of which the first 4 or 16 count; the others are 0. */
  readonly octets: Uint8Array
}

export function address(): Address {
  return { family: 4, octets: new Uint8Array(16) }
}

const DOT = 0x2e
const COLON = 0x3a
const PERCENT = 0x25

/**
 * Reads an address as sockets print it. Hot: it goes by character codes and makes no strings.
 *
 * A zone (`fe80::1%eth0`) is dropped; an IPv4 address mapped into IPv6 becomes IPv4.
 *
 * @returns false, and the octets are of no use, when it is no address
 */
export function setAddressText(into: Address, text: string): boolean {
  const { octets } = into
  octets.fill(0)
  into.family = 4
  if (putIpv4(text, 0, text.length, octets, 0)) return true
  let end = 0
  while (end < text.length && text.charCodeAt(end) !== PERCENT) end += 1
  if (!putIpv6(text, end, octets)) return false
  if (isMapped(octets)) unmap(octets)
  else into.family = 6
  return true
}

/**
 * Takes an address as it stands in octets; an IPv4 address mapped into IPv6 becomes IPv4.
 *
 * @param from 4 or 16 octets
 */
export function setAddress(into: Address, from: Uint8Array): void {
  into.octets.fill(0)
  into.octets.set(from)
  into.family = from.length === 4 || isMapped(into.octets) ? 4 : 6
  if (from.length === 16 && into.family === 4) unmap(into.octets)
}

/** Hot. ::ffff:0:0/96, RFC 4291 §2.5.5.2. */
function isMapped(octets: Uint8Array): boolean {
  for (let i = 0; i < 10; i += 1) if (octets[i]! !== 0) return false
  return octets[10]! === 0xff && octets[11]! === 0xff
}

/** Hot. */
function unmap(octets: Uint8Array): void {
  octets.copyWithin(0, 12, 16)
  octets.fill(0, 4)
}

/** Four octets, or `undefined`. */
export function ipv4FromText(text: string): Uint8Array | undefined {
  const octets = new Uint8Array(4)
  return putIpv4(text, 0, text.length, octets, 0) ? octets : undefined
}

/** Sixteen octets, or `undefined`. Takes no zone. */
export function ipv6FromText(text: string): Uint8Array | undefined {
  const octets = new Uint8Array(16)
  return putIpv6(text, text.length, octets) ? octets : undefined
}

/** Four decimal numbers from `from` up to `to`, without leading zeros. Hot. */
function putIpv4(text: string, from: number, to: number, out: Uint8Array, at: number): boolean {
  let next = from
  for (let i = 0; i < 4; i += 1) {
    if (i > 0 && (next >= to || text.charCodeAt(next++) !== DOT)) return false
    const start = next
    let value = 0
    while (next < to && isDigit(text.charCodeAt(next))) {
      value = value * 10 + text.charCodeAt(next) - 0x30
      next += 1
    }
    const width = next - start
    if (width < 1 || width > 3 || value > 255) return false
    if (width > 1 && text.charCodeAt(start) === 0x30) return false
    out[at + i] = value
  }
  return next === to
}

/** Hot. */
function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** The value of a hexadecimal digit, or −1. Hot. */
function digitOf(code: number): number {
  if (isDigit(code)) return code - 0x30
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}

/**
 * Up to eight groups before `to`, one run of which `::` may stand for. Hot.
 *
 * `out` is filled from the left; what stands right of the gap is moved to the end afterwards.
 */
function putIpv6(text: string, to: number, out: Uint8Array): boolean {
  let next = 0
  let at = 0
  let gap = -1
  if (startsGap(text, 0, to)) {
    gap = 0
    next = 2
  }
  while (next < to) {
    const width = groupWidth(text, next, to)
    if (next + width < to && text.charCodeAt(next + width) === DOT) {
      if (at > 12 || !putIpv4(text, next, to, out, at)) return false
      return spread(out, at + 4, gap)
    }
    if (width < 1 || width > 4 || at > 14) return false
    at = putGroup(text, next, width, out, at)
    next += width
    if (next === to) break
    if (text.charCodeAt(next) !== COLON) return false
    if (startsGap(text, next, to)) {
      if (gap >= 0) return false
      gap = at
      next += 2
    } else {
      next += 1
      if (next === to) return false // a single colon at the end
    }
  }
  return spread(out, at, gap)
}

/** Hot. */
function startsGap(text: string, at: number, to: number): boolean {
  return at + 1 < to && text.charCodeAt(at) === COLON && text.charCodeAt(at + 1) === COLON
}

/** How many hexadecimal digits stand at `at`. Hot. */
function groupWidth(text: string, at: number, to: number): number {
  let next = at
  while (next < to && digitOf(text.charCodeAt(next)) >= 0) next += 1
  return next - at
}

/** Hot. */
function putGroup(text: string, from: number, width: number, out: Uint8Array, at: number): number {
  let value = 0
  for (let i = 0; i < width; i += 1) value = (value << 4) | digitOf(text.charCodeAt(from + i))
  out[at] = value >> 8
  out[at + 1] = value
  return at + 2
}

/** Moves what was read after the gap to the end, and zeroes the gap. Hot. */
function spread(out: Uint8Array, at: number, gap: number): boolean {
  if (gap < 0) return at === 16
  if (at > 14) return false // `::` stands for one group at least
  out.copyWithin(16 - (at - gap), gap, at)
  out.fill(0, gap, 16 - (at - gap))
  return true
}

/** Four octets in dotted form, sixteen as RFC 5952 wants them. */
export function addressText(octets: Uint8Array): string {
  if (octets.length === 4) return octets.join('.')
  if (isMapped(octets)) return `::ffff:${octets.subarray(12, 16).join('.')}`
  const groups: string[] = []
  for (let at = 0; at < 16; at += 2) {
    groups.push(u16(octets, at).toString(16))
  }
  const { start, length } = longestZeros(groups)
  if (length < 2) return groups.join(':')
  return `${groups.slice(0, start).join(':')}::${groups.slice(start + length).join(':')}`
}

/** The first longest run of zero groups: RFC 5952 §4.2.3. */
function longestZeros(groups: readonly string[]): { start: number; length: number } {
  let best = { start: 0, length: 0 }
  let length = 0
  groups.forEach((group, i) => {
    length = group === '0' ? length + 1 : 0
    if (length > best.length) best = { start: i + 1 - length, length }
  })
  return best
}
