/**
 * Why one answer is what it is, as plain data: what `lbdns explain --json` prints. TTLs, spans and
 * waits are whole seconds; prefixes, addresses and names are text; names end in a dot. What is absent
 * did not happen or was not read. `line.ts` and the files it calls fill it; `text.ts` says it.
 */
import type { Point } from '../../geo/record.ts'
import type { Pick } from '../../steer/rule.ts'
import type { PoolState } from '../../steer/walk.ts'
import type { Finding } from '../../zone/finding.ts'
import type { Ranking, Tiers } from '../ranking.ts'
import type { Expiry, Failover } from './failover.ts'

export type Explanation = {
  readonly schema: 'lbdns.explanation/2'
  /** What was supposed for the sake of the question; absent where all is as it is. */
  readonly supposed?: Supposed
  readonly read: Read
  readonly find: Found
  /** Absent where nothing was steered. */
  readonly steer?: Steered
  readonly reply: Replied
  readonly write: {
    /** Of the whole message. */
    readonly octets: number
    /** The reply as `dig` prints it, line by line. */
    readonly dig: readonly string[]
  }
}

export type Supposed = {
  /** Pools and targets held to be down, as they were named. */
  readonly down?: readonly string[]
  /** The client is one of a country. */
  readonly country?: OfCountry
}

/** One client who stands for a country, and what the others of it get. */
export type OfCountry = {
  /** ISO 3166-1 alpha-2. */
  readonly code: string
  /** In English. */
  readonly name: string
  /** The largest block of addresses there: the client is at its beginning. */
  readonly block: string
  /** How the addresses of that family in the country share the rankings, the greatest share first. */
  readonly rankings: readonly {
    readonly ranking: Tiers
    /** 0 … 1; all together 1. */
    readonly share: number
  }[]
}

/** What was asked. */
export type Read = {
  readonly name: string
  /** Like `A`. */
  readonly type: string
  /** The resolver's address. */
  readonly source: string
  /** The client subnet it told; absent without the option. */
  readonly subnet?: string
  /** Most octets the reply may have. */
  readonly limit: number
}

/** What is there. */
export type Found = {
  /** The name that decided, at the end of the aliases. */
  readonly name: string
  /** Names gone through to get there, in order, the one asked first. */
  readonly aliases: readonly string[]
  readonly kind: Finding['kind']
  /**
   * Why nothing is chosen for a steered name: an alias leads there, and it reads the client, so the
   * resolver asks anew; or its pools have no addresses of that type.
   */
  readonly unsteered?: 'asked anew' | 'no such addresses'
  /** The name is one of `whoami`, and says so whatever the zone has. */
  readonly tells?: 'who asks'
  /** Absent where no zone here holds the name. */
  readonly zone?: string
  /** The owner in the zone that decided: the name, a wildcard, a delegation. */
  readonly node?: string
}

/** How targets were chosen. */
export type Steered = {
  /** The owner of the rule, and where it is written: `lbdns.yaml:12`. */
  readonly rule: string
  readonly at: string
  readonly locate: Located
  readonly ranking: Tiers
  /** In order of the ranking. */
  readonly pools: readonly PoolTold[]
  /** Nothing was usable, so this served. */
  readonly resort?: { readonly rule: 'all' | 'healthiest' | 'pool'; readonly pool: string }
  /** One; for a service record one for the hints of each family that it has. */
  readonly picks: readonly Picked[]
  readonly ttl: TtlTold
  readonly scope: ScopeTold
  readonly failover: FailoverTold
}

/** Whose address chose the ranking, and why it did that. */
export type Located = {
  /** Whether answers of this rule read the client at all. */
  readonly tailored: boolean
  /** Whose address chose; `nobody`: none told anything, so the default did. */
  readonly by: 'subnet' | 'source' | 'nobody'
  /** Why it was not the subnet. Absent where it was. */
  readonly passed?: 'not told' | 'source 0' | 'special' | 'not believed' | 'off' | 'not tailored'
  /** Blocks of special addresses met on the way: they tell nothing of a client. */
  readonly special?: { readonly subnet?: string; readonly source?: string }
  /** What decided, outermost rule first; the last one names the pools. */
  readonly because: readonly Reason[]
  /** The block of equal ranking around the address; absent where nobody's was read. */
  readonly leaf?: {
    readonly prefix: string
    /** Why it is no wider: a block in the other half of the one a bit shorter, with another ranking. */
    readonly beside?: {
      readonly prefix: string
      readonly ranking: Ranking
    }
    /** The bits that hashing reads, where that makes the block so long. */
    readonly quantum?: number
  }
}

/** One reason. `at` is where its branch is written: `lbdns.yaml:12`. */
export type Reason =
  /** As another rule does. */
  | { readonly kind: 'rule'; readonly key: string; readonly at?: string }
  | {
      readonly kind: 'network'
      readonly key: string
      /** The longest of that network around the address. */
      readonly prefix: string
      readonly at?: string
    }
  | {
      readonly kind: 'asn' | 'field' | 'city' | 'subdivision' | 'country' | 'continent'
      /** `AS64500`, `traits/connection_type=Cellular`, `DE/Berlin`, `US-CA`, `DE`, `EU` */
      readonly key: string
      /** The block around the address in which every input of every rule says one thing. */
      readonly prefix: string
      /** Files of the databases. */
      readonly from: readonly string[]
      readonly at?: string
    }
  | {
      readonly kind: 'nearest'
      /** Where the client is, in degrees north and east; absent where nobody knows. */
      readonly point?: Point
      /** Its country; absent where no rule reads countries. */
      readonly country?: string
      /** The latency file that tells nothing of the client. */
      readonly instead?: string
      /** Those of the ranking; bias in percent: above 0 counts as nearer than it is. */
      readonly pools: readonly {
        readonly pool: string
        readonly kilometres?: number
        readonly bias: number
        /** Kilometres that it counts as; absent without bias. */
        readonly counts?: number
      }[]
    }
  | {
      readonly kind: 'latency'
      /** The file. */
      readonly key: string
      /** The longest of the file around the address. */
      readonly prefix: string
      /** Those of the ranking that it tells of, the fastest first. */
      readonly pools: readonly { readonly pool: string; readonly milliseconds: number }[]
    }
  /** No branch knows the client. */
  | { readonly kind: 'default' }
  /** The rule lists pools for everybody. */
  | { readonly kind: 'all' }
  /** All branches of the rule lead to the same pools. */
  | { readonly kind: 'alike' }

export type PoolTold = PoolState & {
  readonly pool: string
  /** From 0; equally good pools have the same. */
  readonly tier: number
}

export type Picked = {
  readonly kind: 'IPv4' | 'IPv6' | 'host'
  readonly policy: Pick
  /** Most targets an answer may hold. */
  readonly most: number
  /** The targets it is picked from, in the order written. */
  readonly from: readonly Candidate[]
  /** What was chosen, in the order of the answer. */
  readonly targets: readonly { readonly target: string; readonly pool: string }[]
}

export type Candidate = {
  readonly target: string
  readonly up: boolean
  readonly weight: number
  /** Reported load; absent: unknown. */
  readonly load?: number
  /** Reported capacity; absent: unknown. */
  readonly capacity?: number
  /** Smoothed milliseconds of its check; absent: unknown. */
  readonly latency?: number
}

export type TtlTold = {
  readonly seconds: number
  readonly max: number
  readonly min: number
  /** The most that a change which is planned allows, of the map or by an operator; absent: none is near. */
  readonly cap?: number
  /** Seconds in which no verdict that was asked for can change; absent where nothing is checked. */
  readonly flip?: number
}

export type ScopeTold = {
  /** SCOPE PREFIX-LENGTH of the reply; 0 where it has none. */
  readonly bits: number
  /** SOURCE PREFIX-LENGTH of the query; absent without the option. */
  readonly source?: number
}

/** The longest time that a client may still be sent to a dead target of the pool that serves. */
export type FailoverTold =
  | { readonly kind: 'unchecked'; readonly pool: string }
  | ({ readonly kind: 'checked'; readonly pool: string; readonly check: string } & Failover)
  | ({ readonly kind: 'pushed'; readonly pool: string; readonly check: string } & Expiry)

export type Replied = {
  readonly rcode: string
  readonly authoritative: boolean
  readonly truncated: boolean
  /** SCOPE PREFIX-LENGTH; absent where no option is sent back. */
  readonly scope?: number
  /** Records: owner, TTL, class, type, data. */
  readonly answer: readonly string[]
  readonly authority: readonly string[]
  readonly additional: readonly string[]
}
