/** The lab's replies as octets: an ordinary answer in one call, and every part of it changeable. */

import packet, { type Packet } from 'dns-packet'
import type { Request } from './request.ts'

/** Something that leaves the lab, so many milliseconds after the query came. */
export type Sent =
  | { readonly kind: 'message'; readonly after: number; readonly octets: Uint8Array }
  /** TCP only: the message in pieces of these sizes, the rest in one; then, if short, the end. */
  | {
      readonly kind: 'pieces'
      readonly after: number
      readonly octets: Uint8Array
      readonly sizes: readonly number[]
      readonly ends: 'whole' | 'early'
    }

/** A record in the codec's words. */
export type LabRecord = {
  readonly name: string
  readonly type: string
  readonly ttl?: number
  readonly data?: unknown
  readonly options?: readonly { readonly code: number; readonly data: Buffer }[]
}

export type Draft = {
  readonly answers?: readonly LabRecord[]
  readonly authorities?: readonly LabRecord[]
  readonly additionals?: readonly LabRecord[]
  readonly rcode?: number
  readonly flags?: number
  readonly id?: number
  readonly question?: { readonly name: string; readonly type: string }
  /** SCOPE PREFIX-LENGTH of the echoed option; absent: no option. */
  readonly scope?: number
}

export const AA = packet.AUTHORITATIVE_ANSWER
export const TC = packet.TRUNCATED_RESPONSE
export const RA = packet.RECURSION_AVAILABLE
export const NXDOMAIN = 3
export const FORMERR = 1
export const REFUSED = 5

const ECS = 8
const TTL = 60

/** One message at once. */
export function say(request: Request, draft: Draft): readonly Sent[] {
  return [{ kind: 'message', after: 0, octets: written(request, draft) }]
}

export function written(request: Request, draft: Draft): Uint8Array {
  const message = {
    type: 'response',
    id: draft.id ?? request.id,
    flags: (draft.flags ?? AA) | (draft.rcode ?? 0),
    questions: [draft.question ?? { name: request.name, type: request.type }],
    answers: draft.answers ?? [],
    authorities: draft.authorities ?? [],
    additionals: draft.additionals ?? (request.edns ? [optOf(echoOf(request, draft.scope))] : []),
  }
  return packet.encode(message as unknown as Packet)
}

type Option = { readonly code: number; readonly data: Buffer }

export function optOf(options: readonly Option[]): LabRecord {
  return { name: '.', type: 'OPT', options }
}

/** RFC 7871 §7.2.1: FAMILY, SOURCE and ADDRESS as they came, and the SCOPE. */
function echoOf(request: Request, scope: number | undefined): readonly Option[] {
  const { subnet } = request
  if (subnet === undefined || scope === undefined) return []
  const bits = subnet.source === 0 ? 0 : scope
  const data = Buffer.concat([Buffer.of(0, subnet.family, subnet.source, bits), subnet.sent])
  return [{ code: ECS, data }]
}

/** Address records of the type asked; none for other types. */
export function addresses(
  request: Request,
  numbers: readonly number[],
  ttl: number = TTL,
  owner: string = request.name,
): readonly LabRecord[] {
  const { type } = request
  if (type !== 'A' && type !== 'AAAA') return []
  return numbers.map(number => ({ name: owner, type, ttl, data: addressOf(type, number) }))
}

/** The address with a number from 0: documentation addresses, RFC 5737 and RFC 3849. */
export function addressOf(type: 'A' | 'AAAA', number: number): string {
  if (type === 'AAAA') return `2001:db8::${(number + 1).toString(16)}`
  const block = ['192.0.2', '198.51.100', '203.0.113'][Math.floor(number / 250)] ?? '192.0.2'
  return `${block}.${(number % 250) + 1}`
}

export function soaOf(name: string): LabRecord {
  const data = {
    mname: `ns.${name}`, rname: `hostmaster.${name}`,
    serial: 1, refresh: 7200, retry: 900, expire: 1209600, minimum: 60,
  } // biome-ignore format: table
  return { name, type: 'SOA', ttl: TTL, data }
}
