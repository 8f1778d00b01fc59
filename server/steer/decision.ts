/**
 * What was chosen for one client, and why: mutable scratch, one a thread, filled per query.
 * Everything in it is a number or a word that explains; octets are looked up in the Steering.
 */

import { type Address, address } from '../dns/address.ts'

/** Whose address chose: the client's subnet, the peer's, or nobody's (the same for all). */
export type Located = 'subnet' | 'peer' | 'nobody'

export type Decision = {
  slot: number
  /** SCOPE PREFIX-LENGTH of the reply; 0 where no subnet was told. */
  scope: number
  /**
   * Family and length of the block that decided, of the subnet or the peer; 0 where nobody's. Where
   * clients stick to targets it is at least as long as the slot's quantum.
   */
  blockFamily: 0 | 4 | 6
  blockBits: number
  /**
   * Whose draws it has, of spilling, ties and `pick: hash`: those of so many bits of these octets, of
   * that block or of the quantum in it. Family 0: nobody's. See `draws.ts`.
   */
  keyFamily: 0 | 4 | 6
  keyBits: number
  keyOctets: Uint8Array
  /** The query's source. */
  peer: Address
  ranking: number
  /** The pool that serves, or −1: none has such targets. */
  pool: number
  /** Nothing was usable: the last resort serves. */
  resort: boolean
  /** Of the answer. */
  family: 4 | 6
  /** Seconds. */
  ttl: number
  /** How many targets were chosen. */
  count: number
  /** The chosen targets in answer order, numbered as in the Steering. Grows where it must. */
  targets: Uint32Array
  /** Scratch of picking: what each of `targets` is chosen by. */
  scores: Float64Array
  /** The one target is a host name: the answer is a CNAME. */
  alias: boolean
  /** The subnet told is in a special block, so the peer's address chose. */
  special: boolean
  located: Located
}

/** The most targets of one kind that a pool may have. */
export const MOST_TARGETS = 0xffff
/** Room for the candidates of ordinary pools. */
const CANDIDATES = 64

const NOBODY = address()
const NO_OCTETS = new Uint8Array(0)

export function decision(): Decision {
  return {
    slot: 0,
    scope: 0,
    blockFamily: 0,
    blockBits: 0,
    keyFamily: 0,
    keyBits: 0,
    keyOctets: NO_OCTETS,
    peer: NOBODY,
    ranking: 0,
    pool: -1,
    resort: false,
    family: 4,
    ttl: 0,
    count: 0,
    targets: new Uint32Array(CANDIDATES),
    scores: new Float64Array(CANDIDATES),
    alias: false,
    special: false,
    located: 'nobody',
  }
}

/** Makes room for so many candidates; targets that are there stay. Allocates once for a larger pool. */
export function makeRoom(into: Decision, candidates: number): void {
  if (candidates <= into.targets.length) return
  const { targets } = into
  into.targets = new Uint32Array(2 * candidates)
  into.targets.set(targets)
  into.scores = new Float64Array(2 * candidates)
}
