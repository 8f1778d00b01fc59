/**
 * DNS cookies (RFC 7873), made and checked as every server of an anycast set does (RFC 9018, version
 * 1): who brings one back has received a reply at the address that he asks from. Knows no message
 * and no clock: time is an argument.
 */
import type { Address } from '../dns/address.ts'
import { bits32, copyOctets, putOctets } from '../dns/octets.ts'
import { KEY_WORDS, keyWords, type Sip, sip, siphash24, wordAt } from '../dns/siphash.ts'

/** What came with a query: a small number, to be compared and counted by. */
export const COOKIE = {
  none: 0,
  /** No server cookie yet. */
  client: 1,
  valid: 2,
  /** A server cookie that is not ours, of another client, too old, or of the future. */
  invalid: 3,
} as const

/** When a query over UDP must bring a valid cookie: `load` while the server has too much to do. */
export type Demand = 'never' | 'load' | 'always'

export type CookiePolicy = {
  /** False: the option is neither read nor sent. */
  readonly enabled: boolean
  /** Keys of `KEY_WORDS` each, at least one: the first signs, all are accepted. RFC 9018 §5. */
  readonly secrets: Int32Array
  readonly require: Demand
}

/** @param secrets 16 octets each, at least one */
export function cookiePolicy(options: {
  readonly enabled: boolean
  readonly secrets: readonly Uint8Array[]
  readonly require: Demand
}): CookiePolicy {
  const words = options.secrets.flatMap(keyWords)
  const secrets = new Int32Array(new SharedArrayBuffer(4 * words.length))
  secrets.set(words)
  return { enabled: options.enabled, secrets, require: options.require }
}

/** Octets of a client cookie, and of both. RFC 7873 §4, RFC 9018 §4. */
const CLIENT = 8
const WHOLE = 24
/** Of an option that holds a server cookie of anybody. RFC 7873 §4. */
const LEAST_WHOLE = 16
const MOST_WHOLE = 40
/** Of the whole cookie, what is hashed; the client's address follows. RFC 9018 §4.4. */
const HASHED = 16
const VERSION_AT = 8
const TIME_AT = 12
const VERSION = 1

/** Seconds. RFC 9018 §4.3: how old, how far ahead, and when a new one is due. */
const OLDEST = 3600
const AHEAD = 300
const RENEWED = 1800

/** The cookie of the query in hand: scratch, one a desk. */
export type Jar = {
  /** Client cookie, version, reserved octets, timestamp, then the client's address. */
  readonly octets: Uint8Array
  readonly sip: Sip
  /** The server cookie that came can go back as it is: its hash is in `sip`. */
  isFresh: boolean
}

export function jar(): Jar {
  return { octets: new Uint8Array(HASHED + 16), sip: sip(), isFresh: false }
}

/** RFC 7873 §5.2.2: another length is FORMERR. Hot. */
export function isCookieLength(length: number): boolean {
  return length === CLIENT || (length >= LEAST_WHOLE && length <= MOST_WHOLE)
}

/**
 * Takes the cookie out of a query. Hot: once per query with one.
 *
 * @param at     of the option's data, of a length that `isCookieLength`
 * @param client who sent it, by address alone: no option of the query tells (RFC 9018 §4.4)
 * @param now    its first cell: seconds since 1970, wrapping at 2³²
 * @returns one of `COOKIE`
 */
export function takeCookie(
  jar: Jar,
  { secrets }: CookiePolicy,
  message: Uint8Array,
  at: number,
  length: number,
  client: Address,
  now: Int32Array,
): number {
  jar.isFresh = false
  putOctets(jar.octets, 0, message, at, length === WHOLE ? HASHED : CLIENT)
  if (length === CLIENT) return COOKIE.client
  if (length !== WHOLE || message[at + VERSION_AT] !== VERSION) return COOKIE.invalid
  const age = (now[0]! - bits32(jar.octets, TIME_AT)) | 0 // RFC 9018 §4.3: serial number arithmetic
  if (age > OLDEST || age < -AHEAD) return COOKIE.invalid
  const hashed = putAddress(jar.octets, client)
  for (let key = 0; key < secrets.length; key += KEY_WORDS) {
    siphash24(jar.sip, secrets, key, jar.octets, hashed)
    if (!isHash(jar.sip, message, at + HASHED)) continue
    jar.isFresh = key === 0 && age <= RENEWED
    return COOKIE.valid
  }
  return COOKIE.invalid
}

/** In time that does not depend on where they differ. Hot. */
function isHash(sip: Sip, message: Uint8Array, at: number): boolean {
  return ((sip[0]! ^ wordAt(message, at)) | (sip[1]! ^ wordAt(message, at + 4))) === 0
}

/** Hot. Returns how many octets are hashed: 20, or 32. */
function putAddress(octets: Uint8Array, { family, octets: from }: Address): number {
  return putOctets(octets, HASHED, from, 0, family === 4 ? 4 : 16)
}

/** Octets of the option that `putCookie` writes. */
export const COOKIE_OPTION = 4 + WHOLE
/** COOKIE, and the length of it. */
const OPTION_HEAD = (10 << 16) | WHOLE

/**
 * Writes the option of a reply: the client cookie as it came, and a server cookie. Hot: once per
 * query that had a cookie.
 *
 * @param now as in `takeCookie`
 * @returns the offset after it
 */
export function putCookie(
  jar: Jar,
  { secrets }: CookiePolicy,
  out: DataView,
  at: number,
  client: Address,
  now: Int32Array,
): number {
  if (!jar.isFresh) sign(jar, secrets, client, now)
  out.setInt32(at, OPTION_HEAD)
  const hash = copyOctets(out, at + 4, jar.octets, 0, HASHED)
  out.setInt32(hash, jar.sip[0]!, true)
  out.setInt32(hash + 4, jar.sip[1]!, true)
  return hash + 8
}

/** Hot. RFC 9018 §4.2: reserved octets are made 0. */
function sign(jar: Jar, secrets: Int32Array, client: Address, now: Int32Array): void {
  const { octets } = jar
  const time = now[0]!
  octets[VERSION_AT] = VERSION
  for (let at = VERSION_AT + 1; at < TIME_AT; at += 1) octets[at] = 0
  for (let at = 0; at < 4; at += 1) octets[TIME_AT + at] = time >>> (24 - 8 * at)
  siphash24(jar.sip, secrets, 0, octets, putAddress(octets, client))
}
