/**
 * Addresses and prefixes from an operator's text, strictly: what two programs could read in two ways
 * (leading zeros, bits past the prefix length) is refused.
 */
import { addressText, ipv4FromText, ipv6FromText } from '../dns/address.ts'
import { u32 } from '../dns/octets.ts'
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
  const { family, octets } = address
  if (!isSetPast(octets, bits)) return { family, octets, bits }
  const block = prefixText({ octets: masked(octets, bits), bits })
  return wrong(`${text} has bits set past /${bits}`, `write ${block}`)
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

/** Two prefixes are the same block where this is the same. */
export type PrefixKey = number | string

export function prefixKey({ family, octets, bits }: Prefix): PrefixKey {
  return family === 4 ? u32(octets, 0) * 64 + bits : `${octets.join('.')}/${bits}`
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

/** There are many prefixes, and most of them are right. Hot: while loading. */
function isSetPast(octets: Uint8Array, bits: number): boolean {
  for (let at = bits >> 3; at < octets.length; at += 1) {
    const past = at === bits >> 3 ? 0xff >> (bits & 7) : 0xff
    if ((octets[at]! & past) !== 0) return true
  }
  return false
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
