/**
 * Fields that hold a number: plain, as a span of time, as a date, as a type, as an algorithm.
 */
import { type Wrong, wrong } from '../fault.ts'
import { type Field, single, width } from './field.ts'
import { putU8, putU16, putU32, u8, u16, u32 } from './octets.ts'
import { typeFromText, typeText } from './rrtype.ts'
import { secondsFromText } from './seconds.ts'

/** 0 … 255. */
export function number8(what: string): Field {
  return number(what, 1)
}

/** 0 … 65,535. */
export function number16(what: string): Field {
  return number(what, 2)
}

/** 0 … 2³² − 1. */
export function number32(what: string): Field {
  return number(what, 4)
}

type Width = 1 | 2 | 4

function number(what: string, octets: Width): Field {
  const read = (text: string): Uint8Array | Wrong =>
    octetsOf(/^[0-9]+$/.test(text) ? Number(text) : undefined, octets) ??
    wrong(`${what} cannot be ${text}`, `write a number from 0 to ${2 ** (8 * octets) - 1}`)
  return single(what, { read, print: octets => String(numberOf(octets)), measure: width(octets) })
}

/** A number as octets; `undefined` where there is none or it does not fit. */
function octetsOf(value: number | undefined, octets: Width): Uint8Array | undefined {
  if (value === undefined || value >= 2 ** (8 * octets)) return undefined
  const out = new Uint8Array(octets)
  if (octets === 1) putU8(out, 0, value)
  else if (octets === 2) putU16(out, 0, value)
  else putU32(out, 0, value)
  return out
}

function numberOf(octets: Uint8Array): number {
  if (octets.length === 1) return u8(octets, 0)
  return octets.length === 2 ? u16(octets, 0) : u32(octets, 0)
}

/** A span of time, with or without units: the timers of SOA. */
export function span(what: string): Field {
  const read = (text: string): Uint8Array | Wrong =>
    octetsOf(secondsFromText(text), 4) ??
    wrong(`${what} cannot be ${text}`, 'write seconds, or a span like 1h30m or 2w')
  return single(what, { read, print: octets => String(numberOf(octets)), measure: width(4) })
}

/** A moment: `YYYYMMDDHHmmSS` in UTC, or seconds since 1970. RFC 4034 §3.2. */
export function moment(what: string): Field {
  const read = (text: string): Uint8Array | Wrong =>
    octetsOf(secondsSince1970(text), 4) ??
    wrong(`${what} cannot be ${text}`, 'write YYYYMMDDHHmmSS in UTC, or seconds since 1970')
  return single(what, { read, print: octets => momentText(numberOf(octets)), measure: width(4) })
}

function secondsSince1970(text: string): number | undefined {
  if (/^[0-9]{1,10}$/.test(text)) return Number(text)
  if (!/^[0-9]{14}$/.test(text)) return undefined
  const iso = text.replace(/^(....)(..)(..)(..)(..)(..)$/, '$1-$2-$3T$4:$5:$6.000Z')
  const milliseconds = Date.parse(iso)
  if (Number.isNaN(milliseconds) || milliseconds < 0) return undefined
  // Date takes 30 February for 1 March: a date that does not come back is none.
  if (new Date(milliseconds).toISOString() !== iso) return undefined
  return milliseconds / 1000
}

function momentText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace(/[-T:]/g, '')
}

/** A record type by its word. */
export function typeCovered(what: string): Field {
  const read = (text: string): Uint8Array | Wrong =>
    octetsOf(typeFromText(text), 2) ?? wrong(`${text} is not a record type`)
  return single(what, { read, print: octets => typeText(numberOf(octets)), measure: width(2) })
}

/** DNSSEC algorithms by word (IANA); RFC 4034 §2.2 takes word or number. */
const ALGORITHM: Readonly<Record<string, number>> = {
  DELETE: 0,
  RSAMD5: 1,
  DH: 2,
  DSA: 3,
  RSASHA1: 5,
  'DSA-NSEC3-SHA1': 6,
  'RSASHA1-NSEC3-SHA1': 7,
  RSASHA256: 8,
  RSASHA512: 10,
  'ECC-GOST': 12,
  ECDSAP256SHA256: 13,
  ECDSAP384SHA384: 14,
  ED25519: 15,
  ED448: 16,
  INDIRECT: 252,
  PRIVATEDNS: 253,
  PRIVATEOID: 254,
}

/** A DNSSEC algorithm: printed as a number. */
export function algorithm(): Field {
  return worded('the algorithm', 'a DNSSEC algorithm', ALGORITHM, 1)
}

/** Certificate types by word (IANA). RFC 4398 §2.1. */
const CERTIFICATE: Readonly<Record<string, number>> = {
  PKIX: 1,
  SPKI: 2,
  PGP: 3,
  IPKIX: 4,
  ISPKI: 5,
  IPGP: 6,
  ACPKIX: 7,
  IACPKIX: 8,
  URI: 253,
  OID: 254,
}

/** A certificate type: printed as a number. RFC 4398 §2.2. */
export function certificate(): Field {
  return worded('the certificate type', 'a certificate type', CERTIFICATE, 2)
}

/** A number that may be written as a word. */
function worded(
  what: string,
  kind: string,
  words: Readonly<Record<string, number>>,
  octets: Width,
): Field {
  const read = (text: string): Uint8Array | Wrong => {
    const value = /^[0-9]+$/.test(text) ? Number(text) : words[text.toUpperCase()]
    return octetsOf(value, octets) ?? wrong(`${text} is not ${kind}`)
  }
  return single(what, { read, print: octets => String(numberOf(octets)), measure: width(octets) })
}
