/**
 * What an operator asked for, resolved and checked: pools, networks and rules as plain data.
 * `config/` writes it, `compile.ts` turns it into partitions. Pools and networks are joined by their
 * index. Knows nothing of files' syntax, of zones or of wire messages.
 */
import type { Name } from '../dns/name.ts'
import type { At } from '../fault.ts'

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

/** One address or host name that can be handed out. Weight 0: only when no weighted one is left. */
export type Target =
  | {
      readonly kind: 'address'
      readonly family: 4 | 6
      readonly octets: Uint8Array
      readonly weight: number
    }
  /** `name` is wire octets, case kept. */
  | { readonly kind: 'host'; readonly name: Uint8Array; readonly weight: number }

/** Targets that serve together. */
export type Pool = {
  readonly name: string
  readonly targets: readonly Target[]
  /** Where it is written; absent: its rule's place is shown instead. */
  readonly at?: At
}

/** Pools in order of preference, as indices: the class of a client. Never empty. */
export type Ranking = readonly number[]

/** How clients are told apart. The longest network first, then country, continent, default. */
export type Branches = {
  readonly networks: readonly { readonly network: number; readonly ranking: Ranking }[]
  /** By ISO 3166-1 alpha-2 code, upper case. */
  readonly countries: ReadonlyMap<string, Ranking>
  /** AF AN AS EU NA OC SA. */
  readonly continents: ReadonlyMap<string, Ranking>
  readonly default: Ranking
}

export type Pick = 'shuffle' | 'rotate'

/** How one steered name chooses. */
export type Rule = {
  /** Its first label may be `*`. */
  readonly owner: Name
  readonly at: At
  /** Seconds. */
  readonly ttl: { readonly max: number; readonly min: number }
  readonly pick: Pick
  /** At most so many addresses an answer; absent: all for shuffle, one for rotate. */
  readonly answers: number | undefined
  /** True lets answers grow past what fits a UDP reply; false caps them so that they fit. */
  readonly truncate: boolean
  /** One ranking for everybody (the answer does not read the client), or branches. */
  readonly choose:
    | { readonly kind: 'all'; readonly ranking: Ranking }
    | { readonly kind: 'by'; readonly by: Branches }
}

/** All that steers. */
export type Policy = {
  readonly pools: readonly Pool[]
  readonly networks: readonly Network[]
  readonly rules: readonly Rule[]
}
