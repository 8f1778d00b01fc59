/**
 * Lists of prefixes that an address is looked for in, in memory that threads share. For short lists:
 * they are gone through one after the other.
 */
import type { Address } from './address.ts'

/** `STRIDE` octets each: family, bits, 16 octets of address. */
export type Prefixes = Uint8Array
const STRIDE = 18

export type Prefix = { readonly family: 4 | 6; readonly octets: Uint8Array; readonly bits: number }

export function packPrefixes(prefixes: readonly Prefix[]): Prefixes {
  const packed = new Uint8Array(new SharedArrayBuffer(prefixes.length * STRIDE))
  for (const [index, prefix] of prefixes.entries()) {
    packed.set([prefix.family, prefix.bits, ...prefix.octets], index * STRIDE)
  }
  return packed
}

/** Whether an address lies in one of them. Hot. */
export function holdsAddress(prefixes: Prefixes, address: Address): boolean {
  for (let at = 0; at < prefixes.length; at += STRIDE) {
    if (prefixes[at] === address.family && covers(prefixes, at, address.octets)) return true
  }
  return false
}

/** Hot. */
function covers(prefixes: Prefixes, at: number, octets: Uint8Array): boolean {
  const bits = prefixes[at + 1]!
  const whole = bits >> 3
  for (let octet = 0; octet < whole; octet += 1) {
    if (prefixes[at + 2 + octet] !== octets[octet]) return false
  }
  const rest = bits & 7
  if (rest === 0) return true
  return (prefixes[at + 2 + whole]! ^ octets[whole]!) >> (8 - rest) === 0
}
