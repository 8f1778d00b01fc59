/**
 * Client subnets as no client may send them, for `--hostile`: each breaks one clause of RFC 7871 §6,
 * and a server should say FORMERR to it. Plain octets; sends nothing.
 */

import type { Malformed, Subnet } from './question.ts'

/**
 * One subnet a fault, around a well-formed one.
 *
 * @param like a subnet of whole octets, such as a /24 or a /56
 */
export function malformedSubnets(like: Subnet): readonly Subnet[] {
  return FAULTS.map(([malformed, data]) => {
    const octets = data(like)
    const [, , source = 0] = octets
    return { ...like, source, octets: octets.slice(4), malformed, data: octets }
  })
}

/** Lengths of addresses, in bits, by FAMILY. */
const LONGEST = { 1: 32, 2: 128 } as const

type Fault = readonly [Malformed, (like: Subnet) => Uint8Array]

const FAULTS: readonly Fault[] = [
  ['host-bits', ({ family, source, octets }) => option(family, source - 4, 0, lastSet(octets))],
  [
    'too-few-octets',
    ({ family, source, octets }) => option(family, source, 0, octets.slice(0, -1)),
  ],
  ['too-many-octets', ({ family, source, octets }) => option(family, source, 0, [...octets, 0])],
  ['source-too-long', ({ family, octets }) => beyond(family, octets)],
  ['unknown-family', ({ source, octets }) => option(UNKNOWN_FAMILY, source, 0, octets)],
  ['scope-set', ({ family, source, octets }) => option(family, source, source, octets)],
]

/** NSAP by the registry of address families: no client of ours has one. */
const UNKNOWN_FAMILY = 3

function option(
  family: number,
  source: number,
  scope: number,
  octets: Iterable<number>,
): Uint8Array {
  return Uint8Array.of(0, family, source, scope, ...octets)
}

/** The last bit set, which lies past a SOURCE four bits shorter. */
function lastSet(octets: Uint8Array): Uint8Array {
  return octets.map((octet, at) => (at === octets.length - 1 ? octet | 1 : octet))
}

/** One bit more than there are, and octets to match. */
function beyond(family: 1 | 2, octets: Uint8Array): Uint8Array {
  const bits = LONGEST[family] + 1
  const filled = new Uint8Array(Math.ceil(bits / 8))
  filled.set(octets)
  return option(family, bits, 0, filled)
}
