/**
 * The two messages of `grpc.health.v1`, as octets in their gRPC frames: a request with one string,
 * a response with one number. Pure.
 */
import { holds, joined, putU32, u8, u32 } from '../dns/octets.ts'

/** `HealthCheckResponse.ServingStatus`. */
export const STATUS = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'] as const

/** A frame's head: whether it is compressed, and four octets of length. */
const HEAD = 5
/** Of field 1: as a string in the request, as a varint in the response. */
const STRING_1 = 0x0a

/** Wire types: how a field's octets are counted. */
const WIRE = { varint: 0, eight: 1, counted: 2, four: 5 } as const

/** `HealthCheckRequest { string service = 1 }`; an empty string is left out. */
export function checkRequest(service: string): Uint8Array {
  const text = new TextEncoder().encode(service)
  const field = [Uint8Array.of(STRING_1, ...varint(text.length)), text]
  const message = joined(text.length === 0 ? [] : field)
  const head = new Uint8Array(HEAD)
  putU32(head, 1, message.length)
  return joined([head, message])
}

function varint(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)]
}

/**
 * Reads `HealthCheckResponse { ServingStatus status = 1 }`; fields of other numbers are skipped.
 *
 * @returns `undefined` when it is not one whole uncompressed message
 */
export function servingStatus(frame: Uint8Array): number | undefined {
  if (!holds(frame, 0, HEAD) || u8(frame, 0) !== 0) return undefined
  if (u32(frame, 1) !== frame.length - HEAD) return undefined
  let status = 0
  let at = HEAD
  while (at < frame.length) {
    const tag = readVarint(frame, at)
    const end = tag && endOf(frame, tag.end, tag.value & 7)
    if (tag === undefined || end === undefined) return undefined
    if (tag.value === 8) status = readVarint(frame, tag.end)?.value ?? 0
    at = end
  }
  return status
}

/** The offset after a field's value, or `undefined` where it is cut short or of no known type. */
function endOf(octets: Uint8Array, at: number, wire: number): number | undefined {
  const size = readVarint(octets, at)
  if (wire === WIRE.varint) return size?.end
  const end =
    wire === WIRE.eight
      ? at + 8
      : wire === WIRE.four
        ? at + 4
        : wire === WIRE.counted && size !== undefined
          ? size.end + size.value
          : Number.POSITIVE_INFINITY
  return end <= octets.length ? end : undefined
}

type Varint = { readonly value: number; readonly end: number }

/** Seven bits an octet, the lowest first, ten octets at most. */
function readVarint(octets: Uint8Array, at: number): Varint | undefined {
  let value = 0
  for (let i = 0; i < 10 && at + i < octets.length; i += 1) {
    const octet = u8(octets, at + i)
    value += (octet & 0x7f) * 2 ** (7 * i)
    if (octet < 0x80) return { value, end: at + i + 1 }
  }
  return undefined
}
