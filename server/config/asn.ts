/**
 * Numbers of autonomous systems as operators write them: `64500` or `AS64500`.
 */
import { type Wrong, wrong } from '../fault.ts'

/** RFC 6793 §3: four octets. */
const MOST = 0xffff_ffff

const FIX = `write a number, 1 to ${MOST}, like 64500 or AS64500`

/** Reads a number, 1 … 2³² − 1: there is no network behind 0 (RFC 7607). */
export function asnFrom(text: string): number | Wrong {
  const digits = /^(?:AS)?([1-9]\d{0,9})$/i.exec(text)?.[1]
  const asn = digits === undefined ? 0 : Number(digits)
  return asn >= 1 && asn <= MOST ? asn : wrong(`${text || '""'} is no AS number`, FIX)
}
