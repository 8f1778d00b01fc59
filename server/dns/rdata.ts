/**
 * Record data: one table of fields says how each type's text reads and prints, how its octets are
 * checked, and where its names are. A type that is not in it is opaque octets (RFC 3597).
 */
import { TYPE } from './rrtype.ts'

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
