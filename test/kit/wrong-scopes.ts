/**
 * Servers whose scopes are wrong as those of real ones are or were, made out of a right one: they know
 * every client's class and say something else of how far it holds. What a check of scopes must catch.
 */

import type { Answer, Asker } from '../../probe/judge/caches.ts'
import { chance } from '../../server/steer/chance.ts'
import type { Prefix } from '../../server/steer/rule.ts'
import { drawWithin, within } from './edges.ts'

/** What a server says of a client: its class and how far that holds. */
export type Says = (asker: Asker) => Answer<string>

/** Of one steered name. */
export type Right = {
  readonly says: Says
  /** The class of clients of whom nothing is known. */
  readonly fallback: string
  /** The prefixes that its branches name. */
  readonly listed: readonly Prefix[]
}

const WIDTH = { 4: 32, 6: 128 } as const

/** The class is what stands before the targets that a client sticks to. */
const rankingIn = (says: string): string => says.split(' ')[0] ?? ''

const copiedSource = ({ says }: Right): Says => {
  return asker => ({ ...says(asker), scope: asker.source })
}

const zeroForDefault = ({ fallback, says }: Right): Says => {
  return asker => {
    const right = says(asker)
    return rankingIn(right.of) === fallback && asker.source > 0 ? { ...right, scope: 0 } : right
  }
}

const matchedPrefix = ({ listed, says }: Right): Says => {
  return asker => {
    const right = says(asker)
    const holding = listed.filter(prefix => holds(prefix, asker)).map(({ bits }) => bits)
    return holding.length === 0 ? right : { ...right, scope: Math.max(...holding) }
  }
}

function holds({ bits, family, octets }: Prefix, asker: Asker): boolean {
  if (family !== asker.family || bits > asker.source) return false
  const cut = octets.slice()
  within(asker.address, bits, cut)
  return cut.every((octet, at) => octet === octets[at])
}

const shorterByOne = ({ says }: Right): Says => {
  return asker => {
    const right = says(asker)
    return { ...right, scope: Math.max(0, (right.scope ?? 0) - 1) }
  }
}

const always16 = ({ says }: Right): Says => {
  return asker => ({ ...says(asker), scope: asker.source === 0 ? 0 : 16 })
}

const noOption = ({ says }: Right): Says => {
  return asker => ({ ...says(asker), scope: undefined })
}

const SAMPLES = 15

/** Where SOURCE is too short to tell, the class of most addresses of the block, and that block. */
const majority = ({ says }: Right): Says => {
  return asker => {
    const right = says(asker)
    const { address, family, source } = asker
    const drawn = chance(source) // the same votes every time
    if (source === 0 || (right.scope ?? 0) <= source) return right
    const votes = new Map<string, number>()
    for (let i = 0; i < SAMPLES; i += 1) {
      const any = new Uint8Array(address.length)
      drawWithin(drawn, address, source, any)
      const { of } = says({ family, address: any, source: WIDTH[family] })
      votes.set(of, (votes.get(of) ?? 0) + 1)
    }
    const [[most] = [right.of]] = [...votes].sort(([, one], [, other]) => other - one)
    return { ...right, of: most, scope: source }
  }
}

/** By what is wrong with them, and who is or was so. */
export const WRONG = {
  'SOURCE copied': copiedSource,
  'scope 0 for the default branch (Knot DNS)': zeroForDefault,
  'the matched prefix, overlapping (Knot DNS)': matchedPrefix,
  'one bit too short': shorterByOne,
  'always /16 (geodns)': always16,
  'no option back (CoreDNS)': noOption,
  'the majority where SOURCE is short': majority,
} as const satisfies Readonly<Record<string, (right: Right) => Says>>
