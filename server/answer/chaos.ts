/**
 * What the server tells of itself in class CH: its version, which instance it is (RFC 4892), and the
 * digest of zones, map and rules, by which nodes of one zone can be compared. Made ready at load.
 */

import { canonical, type Name, nameFromText } from '../dns/name.ts'
import { isWrong } from '../fault.ts'

/** One TXT record of class CH. */
export type ChaosText = { readonly owner: Name; readonly rdata: Uint8Array }

/** What goes into the texts: ASCII, at most 255 octets each. */
export type Self = { readonly version: string; readonly identity: string; readonly digest: string }

const OWNERS = {
  'version.bind.': 'version',
  'version.server.': 'version',
  'id.server.': 'identity',
  'hostname.bind.': 'identity',
  'map.lbdns.': 'digest',
} as const

export function chaosTexts(self: Self): readonly ChaosText[] {
  return Object.entries(OWNERS).map(([owner, key]) => ({
    owner: ownerOf(owner),
    rdata: characterString(self[key]),
  }))
}

function ownerOf(text: string): Name {
  const name = nameFromText(text, undefined)
  if (isWrong(name)) throw new Error(name.wrong)
  return canonical(name)
}

/** One length octet, then the text. RFC 1035 §3.3. */
function characterString(text: string): Uint8Array {
  const octets = Array.from(text.slice(0, 255), letter => letter.charCodeAt(0) & 0x7f)
  return Uint8Array.of(octets.length, ...octets)
}
