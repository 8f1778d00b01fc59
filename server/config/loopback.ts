/** Addresses that nobody but this machine reaches, and their name. */
import { isWrong } from '../fault.ts'
import { addressFrom } from './prefix.ts'

/** The first twelve octets of an IPv4 address in an IPv6 one. RFC 4291 §2.5.5.2. */
const MAPPED = '0.0.0.0.0.0.0.0.0.0.255.255'

/** @param host text without brackets; what is neither an address nor localhost is not */
export function isLoopback(host: string): boolean {
  if (host.toLowerCase() === 'localhost') return true // RFC 6761 §6.3
  const address = addressFrom(host)
  if (isWrong(address)) return false
  const { family, octets } = address
  if (family === 4) return octets[0] === 127 // RFC 1122 §3.2.1.3
  const isMapped = octets.subarray(0, 12).join('.') === MAPPED
  return isMapped ? octets[12] === 127 : octets.join('.') === '0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1'
}
