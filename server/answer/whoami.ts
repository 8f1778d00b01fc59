/**
 * Names that tell who asks, for diagnosis: in TXT what arrived and who answers, in A or AAAA where it
 * came from. Their zones know them, so all else about them is as of any name. Not hot but for the
 * first comparison: texts are made anew, and nobody asks often.
 */
import { addressText } from '../dns/address.ts'
import { LOWER, type Name, type NameBuffer } from '../dns/name.ts'
import { TYPE } from '../dns/rrtype.ts'
import type { Desk } from './desk.ts'
import { believes } from './ecs.ts'
import type { Peer } from './peer.ts'
import { add, KIND, SECTION } from './reply.ts'

/** The data of the one record that tells: scratch, one a desk. */
export type Told = { readonly octets: Uint8Array; length: number }

/** Three strings, of which each has a length octet. RFC 1035 §3.3.14. */
export function told(): Told {
  return { octets: new Uint8Array(3 * 256), length: 0 }
}

/**
 * Answers for a name of the chain where it is one that tells. Hot: only where there are some.
 *
 * A chain ends before it, as before every answer that reads the client (RFC 7871 §7.2.1).
 *
 * @returns true where nothing else is to be said
 */
export function takeWhoami(desk: Desk, step: number, peer: Peer): boolean {
  const { chain, query, reply } = desk
  if (!isAmong(desk.world.whoami, chain[step]!)) return false
  if (step > 0) return true
  if (query.type === TYPE.TXT) tellAll(desk, peer)
  else if (query.type === (peer.family === 4 ? TYPE.A : TYPE.AAAA)) tellAddress(desk.told, peer)
  else return false
  reply.authoritative = true
  add(reply, SECTION.ANSWER, KIND.WHOAMI, 0, 0)
  return true
}

/** Whether the name is one of these, or below one. Hot. */
function isAmong(owners: readonly Name[], name: NameBuffer): boolean {
  for (let at = 0; at < owners.length; at += 1) {
    if (isAtOrBelow(name, owners[at]!)) return true
  }
  return false
}

/** Hot. */
function isAtOrBelow({ labels, length, octets, starts }: NameBuffer, owner: Name): boolean {
  const above = length - owner.length
  let label = 0
  while (label < labels && starts[label]! < above) label += 1
  if (starts[label] !== above) return false
  for (let i = 0; i < owner.length; i += 1) {
    if (LOWER[octets[above + i]!] !== owner[i]) return false
  }
  return true
}

function tellAddress(told: Told, { family, octets }: Peer): void {
  told.length = family === 4 ? 4 : 16
  told.octets.set(octets.subarray(0, told.length))
}

/** In the words that `lbprobe resolver` reads. */
function tellAll(desk: Desk, peer: Peer): void {
  const { query, reply, told, world } = desk
  const { subnet } = query
  reply.scope = subnet.family === 0 ? 0 : subnet.source // all that was told is in the answer
  const from = addressText(peer.octets.subarray(0, peer.family === 4 ? 4 : 16))
  const where = `transport=${peer.transport} from=${from} port=${peer.port}`
  told.length = 0
  tell(told, `${subnetText(desk, peer)} ${where}`)
  tell(told, `node=${world.node}`)
  tell(told, `digest=${world.digest}`)
}

function subnetText({ query: { subnet }, world }: Desk, peer: Peer): string {
  if (subnet.family === 0) return 'ecs=none'
  const { source } = subnet
  const address = addressText(subnet.address.subarray(0, subnet.family === 4 ? 4 : 16))
  const isBelieved = believes(world.ecs, peer) ? 'yes' : 'no'
  return `ecs=${address}/${source} source=${source} scope=${source} believed=${isBelieved}`
}

/** Appends a string of ASCII. */
function tell(told: Told, text: string): void {
  const length = Math.min(text.length, 255)
  told.octets[told.length] = length
  for (let i = 0; i < length; i += 1) told.octets[told.length + 1 + i] = text.charCodeAt(i) & 0x7f
  told.length += 1 + length
}
