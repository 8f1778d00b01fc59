/**
 * A configuration in the making: what an importer has understood so far, in our words, with a note
 * where a reader of the file needs one. `write.ts` turns it into text. Owners and hosts are
 * absolute names as texts, owners without the last dot.
 */
import type { Choice } from './choice.ts'
import type { Spot } from './ledger.ts'

export type Draft = {
  /** Comment lines at the head of the file. */
  readonly notes: string[]
  readonly listen: string[]
  /** False: the client subnet option is neither read nor sent. */
  ecs: boolean
  /** Paths of the zone files. */
  readonly zones: string[]
  /** Paths of databases; empty: what ships with the package. */
  readonly databases: string[]
  readonly networks: Map<string, DraftNetwork>
  readonly checks: Map<string, DraftCheck>
  readonly pools: Map<string, DraftPool>
  /** By owner. */
  readonly rules: Map<string, DraftRule>
  /** Contents of the files that the configuration names, by path. */
  readonly files: Map<string, string>
}

export type DraftNetwork = { readonly prefixes: readonly string[]; readonly note: string }

export type DraftCheck = {
  readonly type: 'http' | 'https' | 'tcp' | 'exec' | 'file'
  readonly port?: number
  readonly path?: string
  /** Of the Host header. */
  readonly host?: string
  /** Codes that pass. */
  readonly status?: readonly number[]
  /** A program and its arguments. */
  readonly command?: readonly string[]
  /** Seconds. */
  readonly every?: number
  readonly timeout?: number
  readonly fall?: number
  readonly rise?: number
  readonly note: string
}

export type DraftTarget = {
  readonly kind: 'ipv4' | 'ipv6' | 'host'
  readonly text: string
  /** 0 … 65535. */
  readonly weight: number
}

/** How targets of a pool are meant to be answered: all, one by weight, or several. */
export type Serves =
  | { readonly kind: 'all' }
  | { readonly kind: 'one' }
  /** Each by itself, with the chance weight ÷ greatest weight: so many on average. */
  | { readonly kind: 'each'; readonly answers: number }
  /** So many by weight. */
  | { readonly kind: 'some'; readonly answers: number }

export type DraftPool = {
  readonly targets: readonly DraftTarget[]
  readonly serves: Serves
  readonly point?: { readonly lat: number; readonly lon: number }
  readonly check?: string
  /** As it is written: `2` or `50%`. */
  readonly quorum?: string
  readonly note: string
}

export type DraftRule = {
  readonly at: Spot
  /** What it is in the original. */
  readonly note: string
  /** Seconds. */
  readonly ttl: { readonly max: number; readonly min: number }
  readonly pick: 'shuffle' | 'weighted' | 'multi'
  readonly answers?: number
  /** Answers may grow past what fits a UDP reply. */
  readonly truncate?: boolean
  readonly lastResort?: string
  readonly choose: Choice
}

export function draft(): Draft {
  return {
    notes: [],
    listen: [],
    ecs: true,
    zones: [],
    databases: [],
    networks: new Map(),
    checks: new Map(),
    pools: new Map(),
    rules: new Map(),
    files: new Map(),
  }
}

/** A name that is not taken yet: `wish`, else with a number behind. */
export function freeName(taken: ReadonlyMap<string, unknown>, wish: string): string {
  let name = wish
  for (let number = 2; taken.has(name); number += 1) name = `${wish}-${number}`
  return name
}
