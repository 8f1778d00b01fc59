/**
 * Canaries: questions to a zone that reflects client subnets, each of which shows one way of a
 * resolver. Every one that can has a name of its own, so that no cache answers it.
 */

import { below, type Chance } from './chance.ts'
import type { Subnet } from './question.ts'
import { NOBODY4, NOBODY6, subnetOf, USUAL_BITS } from './subnet.ts'

export type CanaryKind =
  /** Without the option. */
  | 'bare'
  /** /24 of an ordinary network. */
  | 'usual'
  /** /56 of one. */
  | 'ipv6'
  /** A prefix shorter than /24, and a longer one. */
  | 'shorter'
  | 'longer'
  /** SOURCE 0. */
  | 'nobody'
  /** Networks that nobody can be in: RFC 1918, RFC 5737. */
  | 'private'
  | 'documentation'
  /** Bits set past SOURCE, for which RFC 7871 §6 wants FORMERR. */
  | 'dirty'
  /** Two subnets of one block, then another block, all under one name. */
  | 'cached'

export type Canary = {
  readonly kind: CanaryKind
  readonly subnet: Subnet | undefined
  /** The first label, where the zone takes any; those of `cached` share one. */
  readonly label: string
}

/** How much is tried: as little as tells whether the path is intact, or every way. */
export type Extent = 'short' | 'whole'

/** LRZ Munich; there is no table of IPv6 networks to draw from. */
const IPV6 = Uint8Array.of(0x20, 0x01, 0x4c, 0xa0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0)

/**
 * @param networks ordinary /24s of different places, from which others near them are drawn
 * @param length   `any`: prefixes longer than /24 may leave
 */
export function canaries(
  networks: readonly Subnet[],
  extent: Extent,
  length: 'usual' | 'any',
  chance: Chance,
): readonly Canary[] {
  const near = (at: number, source: number): Subnet => nearTo(networks, at, source, chance)
  const alone = (kind: CanaryKind, subnet: Subnet | undefined): Canary => ({
    kind,
    subnet,
    label: freshLabel(chance),
  })
  const usual = [0, 1, 2].map(at => alone('usual', near(at, USUAL_BITS[1])))
  if (extent === 'short') return usual
  return [
    ...usual,
    alone('ipv6', subnetOf(2, IPV6, USUAL_BITS[2], undefined)),
    alone('shorter', near(0, 20)),
    alone('shorter', near(1, 16)),
    ...(length === 'any' ? [alone('longer', near(0, 25)), alone('longer', near(1, 32))] : []),
    alone('nobody', NOBODY4),
    alone('nobody', NOBODY6),
    alone('private', subnetOf(1, Uint8Array.of(10, 1, below(chance, 256), 0), 24, undefined)),
    alone('documentation', subnetOf(1, Uint8Array.of(203, 0, 113, 0), 24, undefined)),
    alone('dirty', dirty(near(2, 20))),
    ...cached(near(0, 24), near(1, 24), chance),
  ]
}

/** Another network of the same /16, so that what a cache holds of the listed one does not answer. */
function nearTo(networks: readonly Subnet[], at: number, source: number, chance: Chance): Subnet {
  const [first = 0, second = 0] = networks[at % networks.length]?.octets ?? []
  return subnetOf(1, Uint8Array.of(first, second, below(chance, 256), 0), source, undefined)
}

/** All bits past SOURCE set in the octets that are sent. */
function dirty(subnet: Subnet): Subnet {
  const octets = subnet.octets.map(
    (octet, at) => octet | (0xff >> Math.min(8, subnet.source - at * 8)),
  )
  return { ...subnet, octets }
}

/** The answer to the first is good for its whole /16: the second needs no question, the third does. */
function cached(first: Subnet, elsewhere: Subnet, chance: Chance): readonly Canary[] {
  const label = `s16-${freshLabel(chance)}`
  const octets = Uint8Array.from([...first.octets, 0])
  octets[2] = (octets[2] ?? 0) ^ 0x80
  const sibling = subnetOf(1, octets, 24, undefined)
  return [first, sibling, elsewhere].map(subnet => ({ kind: 'cached', subnet, label }))
}

/** Twelve letters and digits: nobody asked for it before. */
export function freshLabel(chance: Chance): string {
  const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'
  return Array.from({ length: 12 }, () => alphabet[below(chance, alphabet.length)]).join('')
}
