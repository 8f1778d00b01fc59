/** Queries as octets: what the load generator sends, by a writer of its own. */

/** Octets that the longest query here takes. */
export const LONGEST = 128

const TYPE_A = [0, 1, 0, 1]
/** RFC 6891 §6.1.2: the root, OPT, 1,232 octets. RFC 7871 §6: 11 octets of option, family 1, /24. */
const OPT_ECS = [0, 0, 41, 4, 208, 0, 0, 0, 0, 0, 11, 0, 8, 0, 7, 0, 1, 24, 0]

/**
 * Writes a query for A with id 0, without EDNS or with a /24 in ECS.
 *
 * @param name   without its last dot
 * @param subnet an IPv4 address as a number; its last octet is left out
 * @returns offset after it
 */
export function putQuery(out: Uint8Array, from: number, name: string, subnet?: number): number {
  out.fill(0, from, from + 12)
  out[from + 5] = 1
  let at = putName(out, from + 12, name)
  out.set(TYPE_A, at)
  at += TYPE_A.length
  if (subnet === undefined) return at
  out[from + 11] = 1
  out.set(OPT_ECS, at)
  at += OPT_ECS.length
  out.set([subnet >>> 24, (subnet >>> 16) & 255, (subnet >>> 8) & 255], at)
  return at + 3
}

/** Labels behind their lengths, and the root: RFC 1035 §3.1. */
function putName(out: Uint8Array, from: number, name: string): number {
  let at = from
  for (const label of name.split('.')) {
    out[at] = label.length
    for (let i = 0; i < label.length; i += 1) out[at + 1 + i] = label.charCodeAt(i)
    at += 1 + label.length
  }
  out[at] = 0
  return at + 1
}
