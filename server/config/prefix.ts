/**
 * Addresses and prefixes from an operator's text, strictly: what two programs could read in two ways
 * (leading zeros, bits past the prefix length) is refused.
 */
import { addressText, ipv4FromText, ipv6FromText } from '../dns/address.ts'
import { isWrong, type Wrong, wrong } from '../fault.ts'
import type { Prefix } from '../steer/rule.ts'

export type AddressOctets = { readonly family: 4 | 6; readonly octets: Uint8Array }

/** Reads `192.0.2.0/24` or `2001:db8::/32`; a bare address counts in full. */
export function prefixFrom(text: string): Prefix | Wrong {
  const slash = text.indexOf('/')
  const address = addressFrom(slash < 0 ? text : text.slice(0, slash))
  if (isWrong(address)) return address

  const most = address.octets.length * 8
  const bits = slash < 0 ? most : bitsFrom(text.slice(slash + 1), most)
  if (bits === undefined) {
    return wrong(
      `${text} has no valid prefix length`,
      `write /0 to /${most}, without leading zeros`,
    )
  }
  const octets = masked(address.octets, bits)
  if (octets.some((octet, at) => octet !== address.octets[at])) {
    return wrong(`${text} has bits set past /${bits}`, `write ${prefixText({ octets, bits })}`)
  }
  return { family: address.family, octets, bits }
}

/** Reads one IPv4 or IPv6 address. */
export function addressFrom(text: string): AddressOctets | Wrong {
  const ipv4 = ipv4FromText(text)
  if (ipv4 !== undefined) return { family: 4, octets: ipv4 }
  const ipv6 = ipv6FromText(text)
  return ipv6 === undefined ? unreadable(text) : { family: 6, octets: ipv6 }
}

/** True where a text can only have been meant as an address, whether or not it is a valid one. */
export function looksLikeAddress(text: string): boolean {
  return text.includes(':') || text.includes('/') || /^[0-9.]+$/.test(text)
}

/** Two prefixes are the same block where this text is the same. */
export function prefixKey(prefix: Prefix): string {
  return `${prefix.octets.join('.')}/${prefix.bits}`
}

function unreadable(text: string): Wrong {
  // Some programs read 010 as ten, some as octal eight. RFC 3986 §3.2.2 has no leading zeros.
  if (/(^|[.:])0\d+(\.|$)/.test(text)) {
    return wrong(`${text} has a leading zero`, 'write each number without leading zeros')
  }
  const what = text === '' ? 'nothing' : text
  return wrong(`${what} is not an IP address`, 'write it like 192.0.2.1 or 2001:db8::1')
}

function bitsFrom(text: string, most: number): number | undefined {
  if (!/^(?:0|[1-9]\d{0,2})$/.test(text)) return undefined
  const bits = Number(text)
  return bits <= most ? bits : undefined
}

function masked(octets: Uint8Array, bits: number): Uint8Array {
  return octets.map((octet, at) => {
    const kept = Math.min(8, Math.max(0, bits - at * 8))
    return octet & (0xff00 >> kept)
  })
}

/** As RFC 5952 writes it. */
export function prefixText({ octets, bits }: Omit<Prefix, 'family'>): string {
  return `${addressText(octets)}/${bits}`
}
