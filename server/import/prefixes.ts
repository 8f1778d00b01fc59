/**
 * Prefixes as other servers write them, strictly as we do: no bits past the length, IPv4 as IPv4.
 */
import { Address4, Address6 } from 'ip-address'

/** `undefined` where a text is no prefix; a bare address is one with all its bits. */
export function prefixText(text: string): string | undefined {
  const [address = '', length] = text.trim().split('/')
  const six = address.includes(':')
  const most = six ? 128 : 32
  const bits = length === undefined ? most : Number(length)
  if (length !== undefined && !/^\d{1,3}$/.test(length)) return undefined
  if (bits > most) return undefined
  try {
    if (!six) return `${new Address4(`${address}/${bits}`).startAddress().correctForm()}/${bits}`
    const start = new Address6(`${address}/${bits}`).startAddress()
    return `${start.correctForm()}/${bits}`
  } catch {
    return undefined
  }
}

/** How many bits a prefix has. */
export function bitsOf(prefix: string): number {
  return Number(prefix.slice(prefix.indexOf('/') + 1))
}

/**
 * An IPv6 prefix inside ::/96, the IPv4-compatible addresses (RFC 4291 §2.5.5.1), as IPv4: gdnsd
 * keeps its IPv4 there. Others as they are.
 */
export function compatible(prefix: string): string {
  const bits = bitsOf(prefix)
  if (!prefix.includes(':') || bits < 96) return prefix
  const start = new Address6(prefix.slice(0, prefix.indexOf('/'))).bigInt()
  if (start >> 32n !== 0n) return prefix
  return `${Address4.fromBigInt(start).correctForm()}/${bits - 96}`
}

/** Whether one prefix is in another, or is it; both as `prefixText` writes them. */
export function holds(outer: string, inner: string): boolean {
  const bits = bitsOf(outer)
  if (outer.includes(':') !== inner.includes(':') || bits > bitsOf(inner)) return false
  return prefixText(`${inner.slice(0, inner.indexOf('/'))}/${bits}`) === outer
}
