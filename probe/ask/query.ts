/**
 * One query as octets: the name in mixed case, EDNS with 1232 octets and NSID, the client subnet as
 * raw option octets, since the codec's own ECS encoder leaves host bits set.
 */

import packet, { type Packet } from 'dns-packet'
import type { Subnet } from '../plan/question.ts'
import { codecWord, typeNumber } from './codec.ts'

export type Query = {
  /** 0 … 65535. */
  readonly id: number
  /** In the case to be sent. */
  readonly name: string
  readonly type: string
  readonly recursion: 'desired' | 'not-desired'
  /** UDP payload size offered; absent: no EDNS at all. */
  readonly size: number | undefined
  readonly subnet: Subnet | undefined
  /** An option nobody knows sent beside: who echoes it echoes unread (ECS019). */
  readonly unknown?: 'sent'
  /** Whether to fill up to whole blocks of 128 octets, so that lengths tell nothing. RFC 8467 §4.1. */
  readonly padding?: 'blocks'
}

/** Fits the path of nearly everybody without fragments (DNS flag day 2020). */
export const PAYLOAD = 1232

const NSID = 3
const ECS = 8
export const PADDING = 12
const BLOCK = 128

/** An option code for local use, which nobody has a meaning for. RFC 6891 §9. */
export const UNKNOWN_OPTION = 65_432

export function encodeQuery(query: Query): Uint8Array {
  if (query.padding === undefined || query.size === undefined) return encoded(query, undefined)
  const { length } = encoded(query, 0)
  return encoded(query, (BLOCK - (length % BLOCK)) % BLOCK)
}

/** @param padding octets of the padding option; absent: no such option */
function encoded(query: Query, padding: number | undefined): Uint8Array {
  const question = { name: query.name, type: codecWord(typeNumber(query.type) ?? 0) }
  const message = {
    type: 'query',
    id: query.id,
    flags: query.recursion === 'desired' ? packet.RECURSION_DESIRED : 0,
    questions: [question],
    additionals: query.size === undefined ? [] : [optOf(query, query.size, padding)],
  }
  return packet.encode(message as unknown as Packet)
}

/** The data of the option: FAMILY, SOURCE, SCOPE 0, as many octets as the prefix needs. RFC 7871 §6. */
export function subnetOption(subnet: Subnet): Uint8Array {
  if (subnet.data !== undefined) return subnet.data
  return Uint8Array.of(0, subnet.family, subnet.source, 0, ...subnet.octets)
}

function optOf(query: Query, size: number, padding: number | undefined): object {
  const options = [{ code: NSID, data: Buffer.alloc(0) }]
  if (query.unknown === 'sent') options.unshift({ code: UNKNOWN_OPTION, data: Buffer.of(1) })
  if (query.subnet !== undefined) {
    options.unshift({ code: ECS, data: Buffer.from(subnetOption(query.subnet)) })
  }
  if (padding !== undefined) options.push({ code: PADDING, data: Buffer.alloc(padding) })
  return { type: 'OPT', name: '.', udpPayloadSize: size, flags: 0, options }
}
