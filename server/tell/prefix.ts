/** Blocks of addresses as text. */
import { addressText } from '../dns/address.ts'

/** `192.0.2.0/24`; the octets are 4 or 16. */
export function prefixText(octets: Uint8Array, bits: number): string {
  return `${addressText(octets)}/${bits}`
}

/** The block of so many bits around an address: what a scope says of it. */
export function blockText(octets: Uint8Array, bits: number): string {
  return prefixText(masked(octets, bits), bits)
}

/** The first address of the block of so many bits around an address. */
export function masked(octets: Uint8Array, bits: number): Uint8Array {
  return octets.map((octet, at) => {
    const kept = Math.min(8, Math.max(0, bits - at * 8))
    return octet & (0xff00 >> kept)
  })
}
