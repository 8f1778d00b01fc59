/** What a Host or `:authority` field calls a target by its address. Pure. */
import { ipv6FromText } from '../dns/address.ts'

/** RFC 9110 §7.2: IPv6 in brackets, and the port only where it is not the usual one. */
export function authority(place: string, port: number, usual: 80 | 443): string {
  const address = place.replace(/%.*$/, '') // RFC 6874 §4: a zone means nothing to others
  const host = ipv6FromText(address) === undefined ? address : `[${address}]`
  return port === usual ? host : `${host}:${port}`
}
