/**
 * Fields that hold a domain name or an address.
 */
import { type Wrong, wrong } from '../fault.ts'
import { addressText, ipv4FromText, ipv6FromText } from './address.ts'
import { type Field, single, width } from './field.ts'
import { measureName, nameFromText, nameText } from './name.ts'

/** A domain name; a name relative to the origin is completed. */
export function name(what: string): Field {
  return single(what, { kind: 'name', read: nameFromText, print: nameText, measure: measureName })
}

/** Four octets in dotted form. */
export function ipv4(): Field {
  return single('the IPv4 address', { read: readIpv4, print: addressText, measure: width(4) })
}

function readIpv4(text: string): Uint8Array | Wrong {
  return ipv4FromText(text) ?? wrongIpv4(text)
}

/** Says what is wrong with an IPv4 address: leading zeros are octal to some and decimal to others. */
export function wrongIpv4(text: string): Wrong {
  const plain = text.replace(/(^|\.)0+(?=[0-9])/g, '$1')
  if (plain !== text && ipv4FromText(plain) !== undefined) {
    return wrong(`${text} has a leading zero, which some read as octal`, `write ${plain}`)
  }
  return wrong(`${text} is not an IPv4 address`)
}

/** Sixteen octets. */
export function ipv6(): Field {
  return single('the IPv6 address', { read: readIpv6, print: addressText, measure: width(16) })
}

function readIpv6(text: string): Uint8Array | Wrong {
  return ipv6FromText(text) ?? wrong(`${text} is not an IPv6 address`)
}
