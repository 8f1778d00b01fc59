/** Blocks and replies of a sweep as a stranger writes them. */
import { claimOf, type Purpose, type Sighting } from '../../probe/judge/sighting.ts'
import { type Span, spanOf } from '../../probe/judge/span.ts'
import { readAddress } from '../../probe/plan/subnet.ts'

/** `10.0.0.0/8` */
export function span(text: string): Span {
  const [address = '', bits] = text.split('/')
  const octets = readAddress(address) ?? new Uint8Array(4)
  return spanOf(octets.length === 4 ? 1 : 2, octets, Number(bits))
}

/** The first address of a block, or an address. */
export function at(address: string): bigint {
  return span(`${address}/${address.includes(':') ? 128 : 32}`).at
}

/** A reply for a network: its scope and its answer. */
export function sighting(
  network: string,
  scope: number | undefined,
  answer: string,
  purpose: Purpose = 'leaf',
): Sighting {
  const asked = span(network)
  return { network: asked, claim: claimOf(asked, scope), scope, set: answer.split(' '), purpose }
}
