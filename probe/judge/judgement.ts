/**
 * All that is said of one name and type: the verdict, who got what, and what was odd. It is what
 * reporters print and what `expect.ts` holds against a wish.
 */
import type { Finding } from './finding.ts'
import type { Trust } from './trust.ts'
import type { Verdict } from './verdict.ts'

export type Judgement = {
  readonly name: string
  readonly type: string
  /** `address#port` of the server that the verdict is about. */
  readonly server: string
  /** Its host name, where every name server of the zone was measured for itself. */
  readonly host?: string
  /** Host names of the name servers asked, where they were found by the zone's NS records. */
  readonly nameServers?: readonly string[]
  readonly verdict: Verdict
  /** Answers that belong together, most subnets first. Empty for `dns2`. */
  readonly groups: readonly Group[]
  /** One row a client subnet, by region and address. Empty for `dns2`. */
  readonly scopes: readonly SubnetRow[]
  readonly findings: readonly Finding[]
  /** What trying the resolver on the way showed; absent where none was tried. */
  readonly calibration?: Trust | undefined
  readonly tally: Tally
}

/** Subnets that share addresses, and all the addresses that they were given. */
export type Group = {
  /** `A`, `B`, … `Z`, `AA`, … */
  readonly letter: string
  readonly answers: readonly string[]
  readonly subnets: readonly string[]
  readonly regions: readonly string[]
}

export type SubnetRow = {
  readonly subnet: string
  readonly region: string | undefined
  /** Letter of its group, or absent where it was never answered. */
  readonly group: string | undefined
  /** All addresses it was given in any round. */
  readonly answers: readonly string[]
  /** Distinct sets it was given. */
  readonly sets: number
  /** Distinct SCOPE PREFIX-LENGTHs that came back, ascending. */
  readonly scopes: readonly number[]
  /** What became of the option: all replies echo it, none does, some do, or another came back. */
  readonly echo: 'exact' | 'missing' | 'partial' | 'mismatch' | 'unanswered'
}

/** How the queries of one name and type went. */
export type Tally = {
  readonly queries: number
  readonly replies: number
  readonly timeouts: number
  /** Reply codes as text, and how often each came. */
  readonly rcodes: Readonly<Record<string, number>>
  /** Servers asked, and those of them that never answered. */
  readonly servers: readonly string[]
  readonly silent: readonly string[]
}
