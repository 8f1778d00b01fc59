/**
 * Domain names: wire octets, text, and what compressed messages hold (RFC 1035 §3.1, §4.1.4, §5.1).
 * A wire name is uncompressed octets with the root's 0, case kept; a `Name` is the same in lower
 * case. Comparison is blind to the case of ASCII letters only (RFC 4343). Length octets are below
 * 64, so they never look like letters: a whole name may be folded octet by octet.
 */
import { isWrong, type Wrong, wrong } from '../fault.ts'
import { octetAt, octetText, octetWidth } from './escape.ts'
import { u8, viewOf } from './octets.ts'

declare const canonicalName: unique symbol

/** Canonical wire octets: lower case, no compression, the root's 0 last. */
export type Name = Uint8Array & { readonly [canonicalName]: true }

export const MAX_NAME = 255
export const MAX_LABEL = 63
export const ROOT = new Uint8Array(1) as Name

/** An octet's lower case; every other octet is its own. */
export const LOWER = Uint8Array.from({ length: 256 }, (_, c) =>
  c >= 0x41 && c <= 0x5a ? c + 0x20 : c,
)

/** The hash of the root, from which `hashChild` goes on. */
const ROOT_HASH = 0x2545f491
const FNV = 0x01000193

/** Hashes one label, blind to case. Hot. `at` is of its length octet. */
export function hashLabel(octets: Uint8Array, at: number): number {
  const end = at + octets[at]!
  let hash = octets[at]!
  for (let i = at + 1; i <= end; i += 1) hash = Math.imul(hash ^ LOWER[octets[i]!]!, FNV)
  return hash
}

/**
 * Turns the hashes of a name's labels into those of the names that begin at them, from the root
 * outwards. Hot.
 *
 * @param hashes the labels', leftmost first; then the names', the root's behind them. Signed integers
 *   of 32 bits, so that none is ever boxed.
 */
export function hashNames(hashes: Int32Array, labels: number): void {
  let hash = ROOT_HASH
  hashes[labels] = hash
  for (let label = labels - 1; label >= 0; label -= 1) {
    hash = Math.imul(hash ^ hashes[label]!, 0x2c1b3c6d)
    hash ^= hash >>> 15
    hashes[label] = hash
  }
}

/** The lower-cased copy of a wire name. Hot: once per owner at load. */
export function canonical(wire: Uint8Array): Name {
  const name = wire.slice()
  for (let i = 0; i < name.length; i += 1) name[i] = LOWER[name[i]!]!
  return name as Name
}

/** The name without its first label, as a view. The root is its own parent. */
export function parentOf<T extends Uint8Array>(wire: T): T {
  return wire[0] === 0 ? wire : (wire.subarray(1 + u8(wire, 0)) as T)
}

/** Hot. Neither name may be compressed. */
export function sameName(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && sameOctetsFolded(a, 0, b)
}

/** Hot. Tells whether `name` lies strictly below `ancestor`. */
export function isBelow(name: Uint8Array, ancestor: Uint8Array): boolean {
  let at = 0
  while (name.length - at > ancestor.length) at += 1 + name[at]!
  return at > 0 && name.length - at === ancestor.length && sameOctetsFolded(name, at, ancestor)
}

/** Hot. */
function sameOctetsFolded(a: Uint8Array, at: number, b: Uint8Array): boolean {
  for (let i = 0; i < b.length; i += 1) {
    if (LOWER[a[at + i]!] !== LOWER[b[i]!]) return false
  }
  return true
}

/** One name being looked at: scratch, filled by `readName` or `setName`. */
export type NameBuffer = {
  /** Uncompressed octets, case kept; `length` of them count. */
  readonly octets: Uint8Array
  /** The same octets, to be copied several at once. */
  readonly words: DataView
  length: number
  /** Without the root's. */
  labels: number
  /** Offset of each label's length octet, leftmost first; `starts[labels]` is the root's. */
  readonly starts: Uint8Array
  /** By label: a hash of the name that begins there, blind to case; `hashes[labels]` is the root's. */
  readonly hashes: Int32Array
}

export function nameBuffer(): NameBuffer {
  const octets = new Uint8Array(MAX_NAME)
  const columns = { starts: new Uint8Array(128), hashes: new Int32Array(128) }
  return { octets, words: viewOf(octets), length: 0, labels: 0, ...columns }
}

/** Copies and hashes a label in one pass: the buffer's next, at `length`. Hot. */
function putLabel(
  into: NameBuffer,
  label: number,
  length: number,
  from: Uint8Array,
  at: number,
): void {
  const { octets } = into
  const size = from[at]!
  let hash = size
  octets[length] = size
  for (let i = 1; i <= size; i += 1) {
    const octet = from[at + i]!
    octets[length + i] = octet
    hash = Math.imul(hash ^ LOWER[octet]!, FNV)
  }
  into.starts[label] = length
  into.hashes[label] = hash
}

/** Ends the buffer's name: the root's 0 is at `length`. Hot. */
function putRoot(into: NameBuffer, labels: number, length: number): void {
  into.octets[length] = 0
  into.starts[labels] = length
  into.length = length + 1
  into.labels = labels
  hashNames(into.hashes, labels)
}

/**
 * Reads a name that may be compressed. Hot.
 *
 * A pointer must point before the run of labels that it ends (RFC 1035 §4.1.4: a prior occurrence),
 * and past the header, so every walk is finite.
 *
 * @param end first octet that does not belong to the message
 * @returns the offset after the name where it stands, or −1 when it is malformed
 */
export function readName(message: Uint8Array, at: number, end: number, into: NameBuffer): number {
  let from = at
  let run = at
  let next = -1
  let length = 0
  let labels = 0
  while (from < end) {
    const size = message[from]!
    if (size >= 0xc0) {
      if (from + 2 > end) return -1
      const target = ((size & 0x3f) << 8) | message[from + 1]!
      if (target >= run || target < 12) return -1
      if (next < 0) next = from + 2
      from = target
      run = target
      continue
    }
    if (size > MAX_LABEL || from + 1 + size > end) return -1 // 01 and 10 are no label types
    if (length + 1 + size + (size === 0 ? 0 : 1) > MAX_NAME) return -1
    if (size === 0) {
      putRoot(into, labels, length)
      return next < 0 ? from + 1 : next
    }
    putLabel(into, labels, length, message, from)
    labels += 1
    length += 1 + size
    from += 1 + size
  }
  return -1
}

/** Fills the buffer from a well-formed uncompressed name. Hot. */
export function setName(into: NameBuffer, wire: Uint8Array, at: number): void {
  let length = 0
  let labels = 0
  for (let size = wire[at]!; size > 0; size = wire[at + length]!) {
    putLabel(into, labels, length, wire, at + length)
    length += 1 + size
    labels += 1
  }
  putRoot(into, labels, length)
}

/** The name in a buffer, as a copy of its own. */
export function nameOf(buffer: NameBuffer): Uint8Array {
  return buffer.octets.slice(0, buffer.length)
}

/**
 * Measures an uncompressed name found in octets that may be anything.
 *
 * @returns the offset after it, or −1 when it is malformed, compressed or does not end by `end`
 */
export function measureName(octets: Uint8Array, at: number, end: number): number {
  let from = at
  while (from < end && from - at < MAX_NAME) {
    const size = u8(octets, from)
    if (size > MAX_LABEL) return -1
    from += 1 + size
    if (size === 0) return from
  }
  return -1
}

/**
 * Reads a name of a master file or a command line. `@` is the origin; a name without a dot at its
 * end is relative to it.
 *
 * @param text   latin1, escapes not yet undone
 * @param origin a wire name; without one, relative names are wrong
 */
export function nameFromText(text: string, origin: Uint8Array | undefined): Uint8Array | Wrong {
  if (text === '.') return ROOT
  if (text === '') return wrong('an empty name', 'write . for the root or @ for the origin')
  const rest = originOf(text, origin)
  if (text === '@') return rest
  const labels = labelsOf(text)
  if (isWrong(labels)) return labels
  if (isWrong(rest)) return rest
  const length = labels.length + rest.length
  if (length > MAX_NAME) return wrong(`${text} takes ${length} octets, and a name at most 255`)
  const wire = new Uint8Array(length)
  wire.set(labels)
  wire.set(rest, labels.length)
  return wire
}

/** What stands behind the labels written: the root, the origin, or the lack of one. */
function originOf(text: string, origin: Uint8Array | undefined): Uint8Array | Wrong {
  if (endsInDot(text)) return ROOT
  return origin ?? wrong(`${text} is relative and there is no origin`, 'end the name with a dot')
}

/** A last dot ends the name unless a backslash makes it part of a label. */
function endsInDot(text: string): boolean {
  return text.endsWith('.') && /(^|[^\\])(\\\\)*\.$/.test(text)
}

/** The labels written in `text`, each with its length octet, without the root's 0. */
function labelsOf(text: string): number[] | Wrong {
  const labels: number[] = []
  let label: number[] = []
  for (let at = 0; at < text.length; at += octetWidth(text, at)) {
    if (text[at] !== '.') {
      const octet = octetAt(text, at)
      if (isWrong(octet)) return octet
      label.push(octet)
      continue
    }
    const flaw = flawOf(label, text)
    if (flaw !== undefined) return flaw
    labels.push(label.length, ...label)
    label = []
  }
  if (label.length === 0) return labels
  const flaw = flawOf(label, text)
  if (flaw !== undefined) return flaw
  labels.push(label.length, ...label)
  return labels
}

function flawOf(label: readonly number[], text: string): Wrong | undefined {
  if (label.length === 0) return wrong(`${text} has an empty label`, 'keep one dot between labels')
  if (label.length <= MAX_LABEL) return undefined
  return wrong(`a label of ${label.length} octets, and a label has at most ${MAX_LABEL}`)
}

/** A name as master files write it: with its last dot, and escaped where text needs it. */
export function nameText(wire: Uint8Array): string {
  if (wire[0] === 0) return '.'
  let text = ''
  for (let at = 0; u8(wire, at) > 0; at += 1 + u8(wire, at)) {
    const label = wire.subarray(at + 1, at + 1 + u8(wire, at))
    for (const octet of label) text += octetText(octet, '."();@$\\')
    text += '.'
  }
  return text
}

/** Tells whether a buffer holds a name, but for case. Hot. */
export function holdsName(buffer: NameBuffer, wire: Uint8Array, length: number): boolean {
  if (buffer.length !== length) return false
  for (let i = 0; i < length; i += 1) {
    if (LOWER[buffer.octets[i]!] !== LOWER[wire[i]!]) return false
  }
  return true
}
