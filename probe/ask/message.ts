/**
 * A reply's octets as records, through the codec `dns-packet`, which is kept on a short lead: the
 * counts are checked against the length before anything is decoded, and whatever it throws becomes
 * a value. Knows nothing of what was asked.
 */

import packet from 'dns-packet'
import { nameCodec } from './codec.ts'
import { shownName } from './name.ts'
import { textOf } from './rdata.ts'

export type Section = 'answer' | 'authority' | 'additional'

export type RawRecord = {
  readonly owner: string
  readonly type: number
  readonly class: number
  readonly ttl: number
  readonly section: Section
  /** Presentation form; `\# n hex` for what the codec does not know (RFC 3597 §5). */
  readonly text: string
  /** RDATA as it came. */
  readonly data: Uint8Array
}

export type Message = {
  readonly id: number
  readonly flags: number
  readonly rcode: number
  readonly questions: number
  readonly records: readonly RawRecord[]
}

const HEADER = 12
const SMALLEST_QUESTION = 5
const SMALLEST_RECORD = 11

/**
 * Reads a whole message.
 *
 * @returns `malformed`, or `truncated` where the records end before their number is reached
 */
export function readMessage(octets: Uint8Array): Message | 'malformed' | 'truncated' {
  if (octets.length < HEADER) return 'malformed'
  const buffer = Buffer.from(octets.buffer, octets.byteOffset, octets.length)
  const questions = buffer.readUInt16BE(4)
  const counts = [buffer.readUInt16BE(6), buffer.readUInt16BE(8), buffer.readUInt16BE(10)] as const
  const least = counts.reduce((sum, count) => sum + count * SMALLEST_RECORD, 0)
  if (HEADER + questions * SMALLEST_QUESTION > octets.length) return 'malformed'
  if (HEADER + questions * SMALLEST_QUESTION + least > octets.length) return 'truncated'
  try {
    return decode(buffer, questions, counts)
  } catch {
    return 'malformed'
  }
}

const SECTIONS: readonly Section[] = ['answer', 'authority', 'additional']

function decode(
  buffer: Buffer,
  questions: number,
  counts: readonly [number, number, number],
): Message | 'truncated' {
  let at = HEADER
  for (let read = 0; read < questions; read += 1) {
    nameCodec.decode(buffer, at)
    at += nameCodec.decode.bytes + 4
  }
  const records: RawRecord[] = []
  for (const [index, section] of SECTIONS.entries()) {
    for (let read = 0; read < (counts[index] ?? 0); read += 1) {
      if (at + SMALLEST_RECORD > buffer.length) return 'truncated'
      const record = readRecord(buffer, at, section)
      if (record === undefined) return 'truncated'
      records.push(record.value)
      at = record.next
    }
  }
  const flags = buffer.readUInt16BE(2)
  return { id: buffer.readUInt16BE(0), flags, rcode: flags & 15, questions, records }
}

function readRecord(
  buffer: Buffer,
  start: number,
  section: Section,
): { value: RawRecord; next: number } | undefined {
  const owner = shownName(nameCodec.decode(buffer, start))
  const at = start + nameCodec.decode.bytes
  if (at + 10 > buffer.length) return undefined
  const type = buffer.readUInt16BE(at)
  const dataAt = at + 10
  const next = dataAt + buffer.readUInt16BE(at + 8)
  if (next > buffer.length) return undefined
  const value = {
    owner,
    type,
    class: buffer.readUInt16BE(at + 2),
    ttl: buffer.readUInt32BE(at + 4),
    section,
    text: textOf(type, buffer.subarray(0, next), dataAt),
    data: buffer.subarray(dataAt, next),
  }
  return { value, next }
}

/** Reads header and question only, as far as they stand: enough to know whose reply it is. */
export function readHead(octets: Uint8Array): { id: number; flags: number; questions: number } {
  const buffer = Buffer.from(octets.buffer, octets.byteOffset, octets.length)
  if (buffer.length < HEADER) return { id: -1, flags: 0, questions: 0 }
  return {
    id: buffer.readUInt16BE(0),
    flags: buffer.readUInt16BE(2),
    questions: buffer.readUInt16BE(4),
  }
}

export const FLAGS = {
  response: 0x8000,
  authoritative: packet.AUTHORITATIVE_ANSWER,
  truncated: packet.TRUNCATED_RESPONSE,
  recursionDesired: packet.RECURSION_DESIRED,
  recursionAvailable: packet.RECURSION_AVAILABLE,
} as const
