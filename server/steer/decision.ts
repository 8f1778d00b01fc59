/**
 * What was chosen for one client, and why: mutable scratch, one a thread, filled per query.
 * Everything in it is a number or a word that explains; octets are looked up in the Steering.
 */

/** Whose address chose: the client's subnet, the peer's, or nobody's (the same for all). */
export type Located = 'subnet' | 'peer' | 'nobody'

export type Decision = {
  slot: number
  /** The rule's index in the policy. */
  rule: number
  /** SCOPE PREFIX-LENGTH of the reply; 0 where no subnet was told. */
  scope: number
  ranking: number
  /** The pool that serves, or −1: none has such targets. */
  pool: number
  /** Of the answer. */
  family: 4 | 6
  /** Seconds. */
  ttl: number
  /** How many targets were chosen. */
  count: number
  /** The chosen targets in answer order: `first + order[i]` numbers them in the Steering. */
  readonly order: Uint16Array
  first: number
  /** The one target is a host name: the answer is a CNAME. */
  alias: boolean
  /** The subnet told is in a special block, so the peer's address chose. */
  special: boolean
  located: Located
}

/** The most targets of one kind that a pool may have. */
export const MOST_TARGETS = 0xffff

export function decision(): Decision {
  return {
    slot: 0,
    rule: 0,
    scope: 0,
    ranking: 0,
    pool: -1,
    family: 4,
    ttl: 0,
    count: 0,
    order: new Uint16Array(MOST_TARGETS),
    first: 0,
    alias: false,
    special: false,
    located: 'nobody',
  }
}
