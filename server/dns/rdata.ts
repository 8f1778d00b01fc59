/**
 * Record data: one table of fields says how each type's text reads and prints, how its octets are
 * checked, and where its names are. A type that is not in it is opaque octets (RFC 3597).
 */
import { isWrong, type Wrong, wrong } from '../fault.ts'
import type { Cursor, Field, Token } from './field.ts'
import { bitmap } from './field-bitmap.ts'
import { gateway } from './field-gateway.ts'
import { hardware, locator, nsap } from './field-groups.ts'
import { location } from './field-location.ts'
import { ipv4, ipv6, name } from './field-name.ts'
import {
  algorithm,
  certificate,
  moment,
  number8,
  number16,
  number32,
  span,
  typeCovered,
} from './field-number.ts'
import { base16, base64, hashedName, keyOrNone, salt } from './field-octets.ts'
import { prefixes } from './field-prefixes.ts'
import { serviceParams } from './field-service.ts'
import { openText, string, strings, tag } from './field-text.ts'
import { genericText, isGeneric, readGeneric } from './generic.ts'
import { sameName } from './name.ts'
import { joined, sameOctets } from './octets.ts'
import { flawOf } from './rdata-check.ts'
import { TYPE, typeText } from './rrtype.ts'

export type { Token } from './field.ts'

const DIGEST = [
  number16('the key tag'),
  algorithm(),
  number8('the digest type'),
  base16('the digest'),
]
const KEY = [number16('the flags'), number8('the protocol'), algorithm(), base64('the key')]
const HASHED = [
  number8('the hash algorithm'),
  number8('the flags'),
  number16('the iterations'),
  salt(),
]
const SERVICE = [number16('the priority'), name('the target'), serviceParams]
const ASSOCIATION = [
  number8('the certificate usage'),
  number8('the selector'),
  number8('the matching type'),
  base16('the association data'),
]

/** The shape of each type we know. */
// biome-ignore format: table
export const SHAPE: Readonly<Record<number, readonly Field[]>> = {
  [TYPE.A]:          [ipv4()],                                                     // RFC 1035 §3.4.1
  [TYPE.NS]:         [name('the name server')],                                    // RFC 1035 §3.3.11
  [TYPE.CNAME]:      [name('the canonical name')],                                 // RFC 1035 §3.3.1
  [TYPE.SOA]:        [name('the primary server'), name('the mailbox'), number32('the serial'),
                      span('refresh'), span('retry'), span('expire'), span('minimum')], // §3.3.13
  [TYPE.MB]:         [name('the mail host')],                                      // RFC 1035 §3.3.3
  [TYPE.MG]:         [name('the mailbox')],                                        // RFC 1035 §3.3.6
  [TYPE.MR]:         [name('the new mailbox')],                                    // RFC 1035 §3.3.8
  [TYPE.PTR]:        [name('the name')],                                           // RFC 1035 §3.3.12
  [TYPE.HINFO]:      [string('the CPU'), string('the system')],                    // RFC 1035 §3.3.2
  [TYPE.MINFO]:      [name('the mailbox'), name('the mailbox for errors')],        // RFC 1035 §3.3.7
  [TYPE.MX]:         [number16('the preference'), name('the exchange')],           // RFC 1035 §3.3.9
  [TYPE.TXT]:        [strings('the text')],                                        // RFC 1035 §3.3.14
  [TYPE.RP]:         [name('the mailbox'), name('the name of the text')],          // RFC 1183 §2.2
  [TYPE.AFSDB]:      [number16('the subtype'), name('the host')],                  // RFC 1183 §1
  [TYPE.X25]:        [string('the address')],                                      // RFC 1183 §3.1
  [TYPE.ISDN]:       [strings('the address', 2)],                                  // RFC 1183 §3.2
  [TYPE.RT]:         [number16('the preference'), name('the host')],               // RFC 1183 §3.3
  [TYPE.NSAP]:       [nsap()],                                                     // RFC 1706 §5
  [TYPE.PX]:         [number16('the preference'), name('the RFC 822 part'),
                      name('the X.400 part')],                                     // RFC 2163 §4
  [TYPE.AAAA]:       [ipv6()],                                                     // RFC 3596 §2.2
  [TYPE.LOC]:        [location],                                                   // RFC 1876
  [TYPE.SRV]:        [number16('the priority'), number16('the weight'), number16('the port'),
                      name('the target')],                                         // RFC 2782
  [TYPE.NAPTR]:      [number16('the order'), number16('the preference'), string('the flags'),
                      string('the services'), string('the expression'),
                      name('the replacement')],                                    // RFC 3403 §4.1
  [TYPE.KX]:         [number16('the preference'), name('the exchanger')],          // RFC 2230 §3.1
  [TYPE.CERT]:       [certificate(), number16('the key tag'), algorithm(),
                      base64('the certificate')],                                  // RFC 4398 §2
  [TYPE.DNAME]:      [name('the target')],                                         // RFC 6672 §2.1
  [TYPE.APL]:        [prefixes],                                                   // RFC 3123 §4
  [TYPE.DS]:         DIGEST,                                                       // RFC 4034 §5
  [TYPE.SSHFP]:      [number8('the algorithm'), number8('the fingerprint type'),
                      base16('the fingerprint')],                                  // RFC 4255 §3.1
  [TYPE.IPSECKEY]:   [number8('the precedence'), gateway, keyOrNone('the key')],   // RFC 4025 §2
  [TYPE.RRSIG]:      [typeCovered('the type covered'), algorithm(), number8('the labels'),
                      number32('the original TTL'), moment('the expiration'),
                      moment('the inception'), number16('the key tag'),
                      name('the signer'), base64('the signature')],                // RFC 4034 §3
  [TYPE.NSEC]:       [name('the next name'), bitmap],                              // RFC 4034 §4
  [TYPE.DNSKEY]:     KEY,                                                          // RFC 4034 §2
  [TYPE.DHCID]:      [base64('the identifier')],                                   // RFC 4701 §3.1
  [TYPE.NSEC3]:      [...HASHED, hashedName(), bitmap],                            // RFC 5155 §3
  [TYPE.NSEC3PARAM]: HASHED,                                                       // RFC 5155 §4
  [TYPE.TLSA]:       ASSOCIATION,                                                  // RFC 6698 §2
  [TYPE.SMIMEA]:     ASSOCIATION,                                                  // RFC 8162 §2
  [TYPE.CDS]:        DIGEST,                                                       // RFC 7344 §3.1
  [TYPE.CDNSKEY]:    KEY,                                                          // RFC 7344 §3.2
  [TYPE.OPENPGPKEY]: [base64('the key')],                                          // RFC 7929 §2
  [TYPE.CSYNC]:      [number32('the serial'), number16('the flags'), bitmap],      // RFC 7477 §2.1
  [TYPE.ZONEMD]:     [number32('the serial'), number8('the scheme'),
                      number8('the hash algorithm'), base16('the digest')],        // RFC 8976 §2
  [TYPE.SVCB]:       SERVICE,                                                      // RFC 9460 §2
  [TYPE.HTTPS]:      SERVICE,                                                      // RFC 9460 §9
  [TYPE.SPF]:        [strings('the text')],                                        // RFC 4408 §3.1.1
  [TYPE.NID]:        [number16('the preference'), locator('the node')],            // RFC 6742 §2.1
  [TYPE.L32]:        [number16('the preference'), ipv4()],                         // RFC 6742 §2.2
  [TYPE.L64]:        [number16('the preference'), locator('the locator')],         // RFC 6742 §2.3
  [TYPE.LP]:         [number16('the preference'), name('the locators')],           // RFC 6742 §2.4
  [TYPE.EUI48]:      [hardware('the address', 6)],                                 // RFC 7043 §3
  [TYPE.EUI64]:      [hardware('the address', 8)],                                 // RFC 7043 §4
  [TYPE.URI]:        [number16('the priority'), number16('the weight'),
                      openText('the target', 1)],                                  // RFC 7553 §4
  [TYPE.CAA]:        [number8('the flags'), tag(), openText('the value', 0)],      // RFC 8659 §4.1
  [TYPE.AVC]:        [strings('the text')],                                        // IANA, as TXT
}

/** Data that cannot be read; `token` is the guilty one's index, absent where one is missing. */
export type Misread = Wrong & { readonly token?: number }

/**
 * Reads record data as master files write it: a type's own form, or `\# length hexadecimal`.
 *
 * @param origin a wire name that relative names end in
 * @returns wire octets, names uncompressed and their case kept
 */
export function rdataFromText(
  type: number,
  tokens: readonly Token[],
  origin: Uint8Array | undefined,
): Uint8Array | Misread {
  const from: Cursor = { tokens, origin, at: 0 }
  const rdata = isGeneric(from) ? readUnknown(type, from) : readKnown(type, from)
  if (!isWrong(rdata) && rdata.length <= 0xffff) return rdata
  const reason = isWrong(rdata) ? rdata : wrong(`${rdata.length} octets, and data takes 65535`)
  return from.at < tokens.length ? { ...reason, token: from.at } : reason
}

/** RFC 3597 §5: types that we know may be written so too, and must then be well formed. */
function readUnknown(type: number, from: Cursor): Uint8Array | Wrong {
  const rdata = readGeneric(from)
  if (isWrong(rdata) || validRdata(type, rdata)) return rdata
  from.at = 0
  return wrong(`these octets are no ${typeText(type)} data`)
}

function readKnown(type: number, from: Cursor): Uint8Array | Wrong {
  const shape = SHAPE[type]
  if (shape === undefined) {
    return wrong(`${typeText(type)} has no text form here`, 'write \\# length hexadecimal')
  }
  const pieces: Uint8Array[] = []
  for (const field of shape) {
    const piece = field.read(from)
    if (isWrong(piece)) return piece
    pieces.push(piece)
  }
  const more = from.tokens[from.at]
  if (more !== undefined) return wrong(`${more.text} is too much for ${typeText(type)}`)
  const flaw = flawOf(type, pieces)
  if (flaw !== undefined) from.at = 0
  return flaw ?? joined(pieces)
}

/**
 * Cuts data into its fields.
 *
 * @returns one piece a field, or `undefined` where the type is unknown or the data malformed
 */
function piecesOf(type: number, rdata: Uint8Array): readonly Uint8Array[] | undefined {
  const shape = SHAPE[type]
  if (shape === undefined) return undefined
  const pieces: Uint8Array[] = []
  let at = 0
  for (const field of shape) {
    const next = field.measure(rdata, at, rdata.length)
    if (next < 0) return undefined
    pieces.push(rdata.subarray(at, next))
    at = next
  }
  return at === rdata.length && flawOf(type, pieces) === undefined ? pieces : undefined
}

/** Tells whether octets are data of that type; an unknown type takes any. */
export function validRdata(type: number, rdata: Uint8Array): boolean {
  return SHAPE[type] === undefined || piecesOf(type, rdata) !== undefined
}

/** Prints data in its type's form, or as `\# length hexadecimal` where it has none. */
export function rdataText(type: number, rdata: Uint8Array): string {
  const pieces = piecesOf(type, rdata)
  if (pieces === undefined) return genericText(rdata)
  const texts = pieces.map((piece, i) => SHAPE[type]?.[i]?.print(piece) ?? '')
  return texts.filter(text => text !== '').join(' ')
}

/** Tells whether two records say the same: names without regard to case, the rest octet by octet. */
export function sameRdata(type: number, a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  if (sameOctets(a, b)) return true
  const left = piecesOf(type, a)
  const right = piecesOf(type, b)
  if (left === undefined || right === undefined) return false
  return left.every((piece, i) => {
    const same = SHAPE[type]?.[i]?.kind === 'name' ? sameName : sameOctets
    return same(piece, right[i] ?? new Uint8Array(0))
  })
}

/** Where the names that may be compressed stand: `names` of them behind `before` octets. */
export type NameFields = { readonly before: number; readonly names: number }

const NO_NAMES: NameFields = { before: 0, names: 0 }
const ONE_NAME: NameFields = { before: 0, names: 1 }
const TWO_NAMES: NameFields = { before: 0, names: 2 }
const PREFERENCE_AND_NAME: NameFields = { before: 2, names: 1 }

/** RFC 3597 §4: only types of RFC 1035 may be compressed. Hot. */
export function nameFields(type: number): NameFields {
  switch (type) {
    case TYPE.NS:
    case TYPE.CNAME:
    case TYPE.PTR:
      return ONE_NAME
    case TYPE.SOA:
      return TWO_NAMES
    case TYPE.MX:
      return PREFERENCE_AND_NAME
    default:
      return NO_NAMES
  }
}
