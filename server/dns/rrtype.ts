/**
 * Record types and classes: their numbers and their words (IANA DNS parameters; RFC 3597 §5 for
 * those without a word). Knows nothing of what a type's data looks like: that is `rdata.ts`.
 */

// biome-ignore format: table
export const TYPE = {
  A: 1, NS: 2, MD: 3, MF: 4, CNAME: 5, SOA: 6, MB: 7, MG: 8, MR: 9, NULL: 10, WKS: 11, PTR: 12,
  HINFO: 13, MINFO: 14, MX: 15, TXT: 16, RP: 17, AFSDB: 18, X25: 19, ISDN: 20, RT: 21, NSAP: 22,
  'NSAP-PTR': 23, SIG: 24, KEY: 25, PX: 26, GPOS: 27, AAAA: 28, LOC: 29, NXT: 30, SRV: 33,
  NAPTR: 35, KX: 36, CERT: 37, A6: 38, DNAME: 39, SINK: 40, OPT: 41, APL: 42, DS: 43, SSHFP: 44,
  IPSECKEY: 45, RRSIG: 46, NSEC: 47, DNSKEY: 48, DHCID: 49, NSEC3: 50, NSEC3PARAM: 51, TLSA: 52,
  SMIMEA: 53, HIP: 55, CDS: 59, CDNSKEY: 60, OPENPGPKEY: 61, CSYNC: 62, ZONEMD: 63, SVCB: 64,
  HTTPS: 65, SPF: 99, NID: 104, L32: 105, L64: 106, LP: 107, EUI48: 108, EUI64: 109, TKEY: 249,
  TSIG: 250, IXFR: 251, AXFR: 252, MAILB: 253, MAILA: 254, ANY: 255, URI: 256, CAA: 257,
  AVC: 258,
} as const

export const CLASS = { IN: 1, CH: 3, HS: 4, NONE: 254, ANY: 255 } as const

const TYPE_TEXT: ReadonlyMap<number, string> = textByNumber(TYPE)
const CLASS_TEXT: ReadonlyMap<number, string> = textByNumber(CLASS)
const TYPE_NUMBER: ReadonlyMap<string, number> = new Map(Object.entries(TYPE))
const CLASS_NUMBER: ReadonlyMap<string, number> = new Map(Object.entries(CLASS))

/** Reads a type's word, in any case, or `TYPE65280`; `undefined` when it is none. */
export function typeFromText(text: string): number | undefined {
  const word = text.toUpperCase()
  return TYPE_NUMBER.get(word) ?? numbered(word, 'TYPE')
}

export function typeText(type: number): string {
  return TYPE_TEXT.get(type) ?? `TYPE${type}`
}

/** Reads a class's word, in any case, or `CLASS32`; `undefined` when it is none. */
export function classFromText(text: string): number | undefined {
  const word = text.toUpperCase()
  return CLASS_NUMBER.get(word) ?? numbered(word, 'CLASS')
}

export function classText(value: number): string {
  return CLASS_TEXT.get(value) ?? `CLASS${value}`
}

/** RFC 3597 §5: the word and the number, with no blank between them. */
function numbered(word: string, prefix: 'TYPE' | 'CLASS'): number | undefined {
  if (!word.startsWith(prefix) || !/^[0-9]{1,5}$/.test(word.slice(prefix.length))) return undefined
  const value = Number(word.slice(prefix.length))
  return value <= 0xffff ? value : undefined
}

function textByNumber(table: Readonly<Record<string, number>>): Map<number, string> {
  return new Map(Object.entries(table).map(([word, value]) => [value, word]))
}
