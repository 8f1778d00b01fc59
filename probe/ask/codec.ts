/**
 * The parts of `dns-packet` that its type declarations leave out, with their types. Names and single
 * records can then be decoded one by one, so that one odd record does not hide the others.
 */
import packet from 'dns-packet'
import table from 'dns-packet/types.js'

/** `decode.bytes` holds how many octets the last call read. */
type Part<T> = { readonly decode: ((octets: Buffer, at: number) => T) & { readonly bytes: number } }

type Undeclared = {
  readonly name: Part<string>
  /** The rdata codec of a type; its `decode` starts at RDLENGTH. Opaque octets for other types. */
  readonly record: (type: string) => Part<unknown>
}

const undeclared = packet as unknown as Undeclared

export const nameCodec = undeclared.name
export const rdataCodec = undeclared.record

/** Types the codec has no word for, and that are asked for by name. */
const LATER = new Map([
  ['SVCB', 64],
  ['HTTPS', 65],
  ['URI', 256],
])

/** Number of a type written as `AAAA` or `TYPE28`, in any case; `undefined` for other words. */
export function typeNumber(text: string): number | undefined {
  const word = text.toUpperCase()
  const generic = /^TYPE([0-9]{1,5})$/.exec(word)
  const number = generic === null ? (LATER.get(word) ?? known(word)) : Number(generic[1])
  return number > 0 && number < 0x10000 ? number : undefined
}

/** `AAAA`, or `TYPE65280` where there is no word (RFC 3597 §5). */
export function typeText(number: number): string {
  for (const [word, value] of LATER) if (value === number) return word
  const text = table.toString(number)
  return text.startsWith('UNKNOWN_') ? `TYPE${number}` : text
}

/** The codec's own word for a type, which is what its encoder understands. */
export function codecWord(number: number): string {
  return table.toString(number)
}

function known(word: string): number {
  return /^[A-Z0-9]+$/.test(word) ? table.toType(word) : 0
}
