/**
 * From a way to decide to branches: what a client gets is asked for one kind of knowledge after the
 * other, and only values that make a difference become branches. Knows no format; what is decided
 * by is given.
 */

import { type Branch, by, type Choice, isHole, isSame, type Level } from './choice.ts'
import { CONTINENTS } from './iso.ts'

/** What may be known of a client. */
export type Attribute = 'family' | 'asn' | 'continent' | 'country' | 'region' | 'city'

/** Stands for every value that nothing names. */
export const OTHER = '\0'
/** Stands for what a database does not tell. */
export const UNKNOWN = '\0?'

/** What is known of a client so far, in the words of the original. */
export type Known = ReadonlyMap<Attribute, string>

export type Deciding = {
  /** In the order in which they are asked for. */
  readonly attributes: readonly Attribute[]
  /** Values that may make a difference where that much is known. */
  readonly values: (attribute: Attribute, known: Known) => readonly string[]
  /** What a client gets of whom all attributes are known, as OTHER where no value was named. */
  readonly outcome: (known: Known) => Choice
  /** The branch of a value; `undefined` where there is no such branch. */
  readonly branch: (
    attribute: Attribute,
    value: string,
    known: Known,
  ) => { readonly level: Level | `field ${string}`; readonly key: string } | undefined
  /** Hears of values whose clients get another answer than those of whom nothing is known. */
  readonly unlike: (attribute: Attribute) => void
}

/** The branches that decide alike. */
export function branching(deciding: Deciding, known: Known = new Map()): Choice {
  const attribute = deciding.attributes[known.size]
  if (attribute === undefined) return deciding.outcome(known)
  const below = (value: string) => branching(deciding, new Map([...known, [attribute, value]]))
  if (attribute === 'family') {
    const [ipv4, ipv6] = [below('v4'), below('v6')]
    const place = deciding.branch(attribute, 'v6', known)
    return by(place === undefined ? [] : differing([{ ...place, to: ipv6 }], ipv4), ipv4)
  }
  const other = below(OTHER)
  const unknown = below(UNKNOWN)
  const branches = deciding.values(attribute, known).flatMap((value): Branch[] => {
    const to = below(value)
    const place = deciding.branch(attribute, value, known)
    return place === undefined ? [] : [{ ...place, to }]
  })
  if (isSame(other, unknown)) return by(differing(branches, other), other)
  if (attribute === 'continent') return by(differing(everywhere(branches, other), unknown), unknown)
  const otherwise = isHole(other) ? unknown : other
  if (!isHole(other)) deciding.unlike(attribute)
  return by(differing(branches, otherwise), otherwise)
}

/** Every continent of its own, so that only the unknown is left to the default. */
function everywhere(branches: readonly Branch[], other: Choice): Branch[] {
  const named = branches.map(({ key }) => key)
  const rest = CONTINENTS.filter(code => !named.includes(code)).map(
    (key): Branch => ({ level: 'continents', key, to: other }),
  )
  return [...branches, ...rest]
}

function differing(branches: readonly Branch[], otherwise: Choice): Branch[] {
  return branches.filter(({ to }) => !isSame(to, otherwise))
}
