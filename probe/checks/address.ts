/** Addresses and prefixes as people write them, made comparable. */
import { addressText, cleared, readAddress } from '../plan/subnet.ts'

export type Network = { readonly octets: Uint8Array; readonly bits: number }

export function isAddressType(type: string): boolean {
  return type === 'A' || type === 'AAAA'
}

/** Whether an address or prefix is of the family that a type holds. */
export function sameFamily(text: string, type: string): boolean {
  return text.includes(':') === (type === 'AAAA')
}

/** Each once, in one spelling, numbers by value: 192.0.2.9 before 192.0.2.10. */
export function tidy(texts: readonly string[]): readonly string[] {
  const spelled = new Set(texts.map(spellingOf))
  return [...spelled].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}

function spellingOf(text: string): string {
  const octets = readAddress(text)
  return octets === undefined ? text : addressText(octets)
}

/** A prefix; a bare address is one of its whole length. Undefined where it is neither. */
export function networkOf(text: string): Network | undefined {
  const [address = '', length] = text.split('/')
  const octets = readAddress(address)
  if (octets === undefined) return undefined
  const bits = length === undefined ? octets.length * 8 : Number(length)
  return { octets: cleared(octets, bits), bits }
}

/** The network of an address, that is `/bits4` or `/bits6` long; undefined for other data. */
export function widened(text: string, bits: { readonly 4: number; readonly 6: number }) {
  const octets = readAddress(text)
  if (octets === undefined) return undefined
  const length = octets.length === 4 ? bits[4] : bits[6]
  return `${addressText(cleared(octets, length))}/${length}`
}

export function within(address: string, { octets, bits }: Network): boolean {
  const own = readAddress(address)
  if (own === undefined || own.length !== octets.length) return false
  return cleared(own, bits).every((octet, at) => octet === octets[at])
}
