/**
 * Service records but for their hints: the octets before, between and after the places where the
 * addresses of the serving pool go. RFC 9460 §2.2: parameters ascend by key; hints are 4 and 6.
 */
import { joined } from '../dns/octets.ts'
import type { Service } from './rule.ts'
import type { ServiceOctets } from './steering.ts'

const IPV4_HINT = 4
const IPV6_HINT = 6

export function serviceOctets({ type, priority, target, params }: Service): ServiceOctets {
  const between = (first: number, last: number): Uint8Array =>
    joined(params.filter(({ key }) => key >= first && key <= last).map(paramOctets))
  const start = Uint8Array.of(priority >> 8, priority & 0xff)
  return {
    type,
    head: joined([start, target, between(0, IPV4_HINT - 1)]),
    middle: between(IPV4_HINT + 1, IPV6_HINT - 1),
    tail: between(IPV6_HINT + 1, 0xffff),
  }
}

function paramOctets({ key, value }: Service['params'][number]): Uint8Array {
  const { length } = value
  return joined([Uint8Array.of(key >> 8, key & 0xff, length >> 8, length & 0xff), value])
}
