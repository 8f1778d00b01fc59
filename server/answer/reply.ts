/**
 * What will be said, before octets: a code, flags, a scope, and RRsets in order. One mutable `Reply`
 * a thread. An entry is one RRset, whole; `write` knows how each kind finds its owner and its data.
 */

/** What an entry is made of. */
export const KIND = {
  /** An RRset of the zone, by number. */
  RRSET: 0,
  /** The addresses that the decision chose. */
  ADDRESSES: 1,
  /** The CNAME to the one host that the decision chose. */
  HOST: 2,
  /** The CNAME that a DNAME makes, to the next name of the chain. RFC 6672 §3.1. */
  RENAMED: 3,
  /** The HINFO that stands for every type. RFC 8482 §4.2. */
  MINIMAL: 4,
  /** Addresses of the name servers of an NS RRset. */
  GLUE: 5,
  /** A TXT of class CH, by number. */
  CHAOS: 6,
  /** The service record of the rule, by its number in the Steering, with the chosen for hints. */
  SERVICE: 7,
  /** The SOA of a negative answer, by number, of the zone that the last name of the chain is in. */
  DENIAL: 8,
  /** A TXT that proves a name to a certificate authority, by number. */
  CHALLENGE: 9,
  /** What was told of who asks, with the type asked for. */
  WHOAMI: 10,
} as const

export const SECTION = { ANSWER: 0, AUTHORITY: 1, ADDITIONAL: 2 } as const

/** The owner is the RRset's own node, not a name of the chain. */
export const OWN = -1

/** Room for a chain's links, two entries each, and for what ends it. */
const ENTRIES = 32

export type Reply = {
  rcode: number
  authoritative: boolean
  /** SCOPE PREFIX-LENGTH of the echo: how many bits of the client decided. */
  scope: number
  /** One of `REASON`: why it is refused. */
  reason: number
  /** It says less than there is, so that the client comes back over TCP. */
  isCut: boolean
  /** Which name of the chain was looked at last: how many aliases lie before it. */
  step: number
  /** How many entries count. They are in order of section. */
  entries: number
  readonly kind: Uint8Array
  readonly section: Uint8Array
  /** The RRset's number; for a renamed CNAME its DNAME's, for glue its NS RRset's; a service's. */
  readonly number: Int32Array
  /** Which name of the chain owns the records, or `OWN`. */
  readonly owner: Int8Array
}

export function reply(): Reply {
  return {
    rcode: 0,
    authoritative: false,
    scope: 0,
    reason: 0,
    isCut: false,
    step: 0,
    entries: 0,
    kind: new Uint8Array(ENTRIES),
    section: new Uint8Array(ENTRIES),
    number: new Int32Array(ENTRIES),
    owner: new Int8Array(ENTRIES),
  }
}

/** Hot: once per message. */
export function resetReply(into: Reply): void {
  into.rcode = 0
  into.authoritative = false
  into.scope = 0
  into.reason = 0
  into.isCut = false
  into.step = 0
  into.entries = 0
}

/** Adds one RRset. Hot. */
export function add(
  into: Reply,
  section: number,
  kind: number,
  owner: number,
  number: number,
): void {
  const entry = into.entries
  into.section[entry] = section
  into.kind[entry] = kind
  into.owner[entry] = owner
  into.number[entry] = number
  into.entries = entry + 1
}

/** Whether an RRset is said already. Hot. */
export function says(reply: Reply, rrset: number): boolean {
  for (let entry = 0; entry < reply.entries; entry += 1) {
    if (reply.kind[entry] === KIND.RRSET && reply.number[entry] === rrset) return true
  }
  return false
}

/** Whether a rule chose what is answered: that comes last of all, behind aliases. Hot. */
export function isSteered({ entries, kind }: Reply): boolean {
  if (entries === 0) return false
  const last = kind[entries - 1]!
  return last === KIND.ADDRESSES || last === KIND.HOST || last === KIND.SERVICE
}
