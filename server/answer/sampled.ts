/**
 * One answered query as the query log has it: how it lies in the words of a record, and the record
 * read. Of the client only a prefix is in it. Knows no ring and no text.
 */
import { measureName } from '../dns/name.ts'
import type { Transport } from './peer.ts'

/** Words of a record; its name follows them, octet by octet. */
export const WORD = {
  /** Which World the numbers of slot and pool are of. */
  GENERATION: 0,
  /** From the upper bits down: RCODE, `FROM`, `TRANSPORT`, each of them 8 bits or more. */
  HOW: 1,
  /** Type, then octets of the reply: 16 bits each. */
  SIZE: 2,
  /** Scope, bits of the client's prefix, its family, octets of the name: 8 bits each. */
  CLIENT: 3,
  /** The steered name that answered; −1: none. */
  SLOT: 4,
  /** The pool that serves; −1: none. */
  POOL: 5,
  /** Two words: the first octets of the client's address, zero past its prefix. */
  ADDRESS: 6,
  NAME: 8,
} as const

/** Octets of an address that are kept: a /48 has 6. */
export const ADDRESS_OCTETS = 8

/** The longest record: with a name of 255 octets. */
export const MOST_WORDS = WORD.NAME + 64

const TRANSPORTS = ['udp', 'tcp', 'tls', 'https'] as const satisfies readonly Transport[]
const FROM = ['peer', 'ecs'] as const

/** By transport: its number in a record. */
export const TRANSPORT: Readonly<Record<Transport, number>> = { udp: 0, tcp: 1, tls: 2, https: 3 }

export type Sampled = {
  readonly generation: number
  readonly client: {
    /** 4 or 16, zero past `bits`. */
    readonly octets: Uint8Array
    /** At most 24 or 48; 0 for one that would rather not be located. */
    readonly bits: number
  }
  /** Who told of the client: the subnet option, or where the query came from. */
  readonly from: (typeof FROM)[number]
  /** Wire octets in lower case; absent where no question could be read, and then `type` is 0. */
  readonly name: Uint8Array | undefined
  readonly type: number
  readonly rcode: number
  readonly scope: number
  readonly transport: Transport
  /** Octets of the reply. */
  readonly size: number
  /** By number, as in the World of this generation; absent where nothing was steered, or no pool serves. */
  readonly slot: number | undefined
  readonly pool: number | undefined
}

/**
 * Reads a record.
 *
 * @param length words of it
 * @returns `undefined` where it is none
 */
export function readSampled(record: Int32Array, length: number): Sampled | undefined {
  if (length < WORD.NAME || length > record.length) return undefined
  const word = (at: number) => record[at] ?? 0
  const [how, sizes, clients] = [word(WORD.HOW), word(WORD.SIZE), word(WORD.CLIENT)]
  const transport = TRANSPORTS[how & 0xff]
  const from = FROM[(how >>> 8) & 0xff]
  const client = clientIn(record, (clients >>> 8) & 0xff, (clients >>> 16) & 0xff)
  const name = nameIn(record, length, clients & 0xff)
  if (transport === undefined || from === undefined || !client || name === 'none') return undefined
  return {
    generation: word(WORD.GENERATION),
    client,
    from,
    name,
    type: sizes >>> 16,
    rcode: how >>> 16,
    scope: clients >>> 24,
    transport,
    size: sizes & 0xffff,
    slot: numberIn(word(WORD.SLOT)),
    pool: numberIn(word(WORD.POOL)),
  }
}

function numberIn(word: number): number | undefined {
  return word < 0 ? undefined : word
}

function octetsOf({ buffer, byteOffset }: Int32Array, word: number, length: number): Uint8Array {
  return new Uint8Array(buffer, byteOffset + 4 * word, length)
}

function clientIn(record: Int32Array, family: number, bits: number): Sampled['client'] | undefined {
  if ((family !== 4 && family !== 6) || bits > 8 * (family === 4 ? 4 : ADDRESS_OCTETS)) {
    return undefined
  }
  const octets = new Uint8Array(family === 4 ? 4 : 16)
  octets.set(octetsOf(record, WORD.ADDRESS, Math.min(octets.length, ADDRESS_OCTETS)))
  return { octets, bits }
}

/** `undefined` where there was no question. */
function nameIn(
  record: Int32Array,
  length: number,
  octets: number,
): Uint8Array | undefined | 'none' {
  if (octets === 0) return undefined
  if (octets > 4 * (length - WORD.NAME)) return 'none'
  const name = octetsOf(record, WORD.NAME, octets).slice()
  return measureName(name, 0, octets) === octets ? name : 'none'
}
