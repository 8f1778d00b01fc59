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

/** A prefix to compare with others. */
export type Block = {
  /** As `prefixText` writes it. */
  readonly text: string
  readonly width: 32 | 128
  readonly bits: number
  /** Its first address. */
  readonly first: bigint
}

/** The block of a prefix; `undefined` where a text is none. */
export function blockOf(written: string): Block | undefined {
  const text = prefixText(written)
  if (text === undefined) return undefined
  const address = text.slice(0, text.indexOf('/'))
  const six = text.includes(':')
  const first = six ? new Address6(address).bigInt() : new Address4(address).bigInt()
  return { text, width: six ? 128 : 32, bits: bitsOf(text), first }
}

/** Whether one block is in another, or is it. */
export function holds(outer: Block, inner: Block): boolean {
  if (outer.width !== inner.width || outer.bits > inner.bits) return false
  const host = BigInt(outer.width - outer.bits)
  return inner.first >> host === outer.first >> host
}
