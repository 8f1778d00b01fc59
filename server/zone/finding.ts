/**
 * What a look-up finds: numbers into the compiled zones, never records or octets. One mutable
 * `Finding` per serving thread is filled again and again. What is done with it is `answer/`'s.
 */

// biome-ignore format: table
export type FindingKind =
  | 'answer'   // `rrset` answers
  | 'any'      // ANY was asked: `rrset` is one of what there is, −1 where all is steered
  | 'alias'    // `rrset` is a CNAME, to be followed
  | 'rename'   // `rrset` is the DNAME of an ancestor (RFC 6672)
  | 'steered'  // slot `slot` chooses
  | 'referral' // `rrset` is the NS RRset of a cut
  | 'no-data'  // the name exists, the type does not
  | 'no-name'  // NXDOMAIN
  | 'no-zone' // nothing here is authoritative for the name

export type Finding = {
  kind: FindingKind
  /** −1 for no-zone. */
  zone: number
  /** The node that decided: the wildcard, the cut, the DNAME's owner; −1 where there is none. */
  node: number
  rrset: number
  slot: number
  /** The zone's SOA RRset for negative answers, whatever the kind. */
  soa: number
  /**
   * How many trailing labels of the asked name make the owner of `rrset`: fewer than all for a cut
   * or DNAME above.
   */
  labels: number
}

export function finding(): Finding {
  return { kind: 'no-zone', zone: -1, node: -1, rrset: -1, slot: -1, soa: -1, labels: 0 }
}
