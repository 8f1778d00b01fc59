/**
 * What an operator asked for, resolved and checked: pools, networks, latencies and rules as plain
 * data. `config/` writes it, `compile.ts` turns it into partitions. All are joined by their index.
 * Knows nothing of files' syntax, of zones or of wire messages.
 */
import type { Name } from '../dns/name.ts'
import type { At } from '../fault.ts'
import type { Point } from '../geo/record.ts'
import type { Checked } from './trial.ts'

/** An aligned block of addresses. Bits past `bits` are zero. */
export type Prefix = {
  readonly family: 4 | 6
  /** 4 or 16 octets. */
  readonly octets: Uint8Array
  /** How many leading bits count: 0 … 32 or 0 … 128. */
  readonly bits: number
}

/** A named list of prefixes. */
export type Network = {
  readonly name: string
  readonly prefixes: readonly (Prefix & { readonly at: At })[]
}

/** Measured milliseconds from prefixes to pools: a file of them. */
export type Latency = {
  /** The file, as the operator wrote it. */
  readonly name: string
  /** Each prefix once; at least one pool each, by index. */
  readonly rows: readonly (Prefix & {
    readonly at: At
    readonly times: ReadonlyMap<number, number>
  })[]
}

/** What is known of a target before anything is measured. */
type Known = {
  /** 0 … 65535. 0: only where no weighted target is up. */
  readonly weight: number
  /** A fixed load, at least 0; absent: measured, or unknown. */
  readonly load?: number
  /** A fixed capacity, above 0. */
  readonly capacity?: number
  /** The address or host that is checked; absent: the target itself. */
  readonly checkAt?: string
}

/** One address or host name that can be handed out. */
export type Target = Known &
  (
    | { readonly kind: 'address'; readonly family: 4 | 6; readonly octets: Uint8Array }
    /** `name` is wire octets, case kept. */
    | { readonly kind: 'host'; readonly name: Uint8Array }
  )

/** How many targets of a pool must be up for it to serve: so many, or that share rounded up. */
export type Quorum =
  | { readonly kind: 'count'; readonly count: number }
  /** Above 0, at most 1. */
  | { readonly kind: 'share'; readonly share: number }

/** Targets that serve together. */
export type Pool = {
  readonly name: string
  readonly targets: readonly Target[]
  /** Where it is written; absent: its rule's place is shown instead. */
  readonly at?: At
  readonly check?: Checked
  /** Where it stands on earth. */
  readonly point?: Point
  /** Percent by which it seems nearer (above 0) or farther: −99 … 99. Default 0. */
  readonly bias?: number
  /** Default: one. */
  readonly quorum?: Quorum
  /** Seconds in which the weight of a target that comes back rises to all of it. Default: 0. */
  readonly slowStart?: number
  /** Overprovisioning factor, at least 1: below 1 ÷ spill healthy it gives clients away. */
  readonly spill?: number
  /** The file that its loads are read from, and for how many seconds a row of it holds. */
  readonly loads?: { readonly path: string; readonly maxAge: number; readonly at: At }
}

/** Equally good pools, as indices, ascending. Never empty. */
export type Tier = readonly number[]

/** Pools in order of preference: the class of a client. Never empty; no pool twice. */
export type Ranking = readonly Tier[]

/** How a client gets its ranking. */
export type Choose =
  /** The same for everybody; never empty. */
  | { readonly kind: 'all'; readonly pools: readonly number[] }
  | { readonly kind: 'by'; readonly by: Branches }
  | Nearest
  /** By a latency file, by index; pools it does not tell of follow, the nearest first. */
  | { readonly kind: 'latency'; readonly latency: number; readonly nearest: Nearest }
  /** As another rule does, by index. Never in a circle. */
  | { readonly kind: 'rule'; readonly rule: number }

/** By great-circle distance. Clients of unknown place get the pools as listed. */
export type Nearest = {
  readonly kind: 'nearest'
  /** Each has a point. `bias` is that of the rule, else of the pool, else 0. */
  readonly pools: readonly { readonly pool: number; readonly bias: number }[]
  /** Only so many of them, the nearest, make the ranking; absent: all. */
  readonly limit?: number | undefined
}

/**
 * How clients are told apart. In this order, the first that knows the client decides: the longest
 * network, ASN, fields as listed, city, subdivision, country, continent, default.
 */
export type Branches = {
  readonly networks: readonly { readonly network: number; readonly to: Choose; readonly at: At }[]
  readonly asns: ReadonlyMap<number, Branch>
  /** By a path of a database's records, like `traits/connection_type`, then by value as text. */
  readonly fields: readonly {
    readonly path: string
    readonly at: At
    readonly values: ReadonlyMap<string, Branch>
  }[]
  /** `Berlin`, `DE/Berlin` or `US-CA/Los Angeles`: the longest form wins. */
  readonly cities: ReadonlyMap<string, Branch>
  /** By ISO 3166-2 code, like `US-CA`. */
  readonly subdivisions: ReadonlyMap<string, Branch>
  /** By ISO 3166-1 alpha-2 code, upper case. */
  readonly countries: ReadonlyMap<string, Branch>
  /** AF AN AS EU NA OC SA. */
  readonly continents: ReadonlyMap<string, Branch>
  readonly default: Choose
}

/** Where a branch leads, and where it is written. */
export type Branch = { readonly to: Choose; readonly at: At }

export type Pick =
  | 'shuffle'
  | 'rotate'
  | 'random'
  | 'weighted'
  | 'smooth'
  | 'hash'
  | 'two'
  | 'least'
  | 'feedback'
  | 'fastest'
  | 'multi'

/** Whom to answer where no pool of a ranking is usable. */
export type LastResort =
  /** All targets of the first pool. */
  | { readonly kind: 'all' }
  /** What is up in the pool with the greatest healthy share; all of the first where nothing is. */
  | { readonly kind: 'healthiest' }
  /** All targets of that pool, whatever they are. */
  | { readonly kind: 'pool'; readonly pool: number }

/** An HTTPS or SVCB record whose hints are the addresses of the pool that serves. RFC 9460. */
export type Service = {
  /** HTTPS 65 or SVCB 64. */
  readonly type: number
  /** 1 … 65535. */
  readonly priority: number
  /** TargetName on the wire; the root stands for the owner. RFC 9460 §2.5. */
  readonly target: Uint8Array
  /** SvcParams on the wire in order of key, without the hints (4 and 6). RFC 9460 §2.2. */
  readonly params: readonly { readonly key: number; readonly value: Uint8Array }[]
}

/** How one steered name chooses. */
export type Rule = {
  /** Its first label may be `*`. */
  readonly owner: Name
  readonly at: At
  /** Seconds. */
  readonly ttl: { readonly max: number; readonly min: number }
  readonly pick: Pick
  /** At most so many addresses an answer; absent: all for shuffle and multi, one otherwise. */
  readonly answers: number | undefined
  /** True lets answers grow past what fits a UDP reply; false caps them so that they fit. */
  readonly truncate: boolean
  /** `pools`: the last target of an answer comes from the next usable pool. Default: one pool. */
  readonly spread?: 'pools' | undefined
  /** Bits of a client that hashing reads. Default 24 and 48. */
  readonly quantum?: { readonly ipv4: number; readonly ipv6: number } | undefined
  /** Instead of what the pools themselves say. */
  readonly quorum?: Quorum | undefined
  readonly spill?: number | undefined
  /** Default: all. */
  readonly lastResort?: LastResort | undefined
  /** At most one of each type. */
  readonly services?: readonly Service[] | undefined
  readonly choose: Choose
}

/** All that steers. */
export type Policy = {
  readonly pools: readonly Pool[]
  readonly networks: readonly Network[]
  readonly latencies: readonly Latency[]
  readonly rules: readonly Rule[]
}
