/**
 * What a running server tells of itself, as plain data: what `lbdns ctl … --json` prints and the admin
 * API answers. Moments are RFC 3339 text, spans are seconds, shares are 0 … 1, names end in a dot.
 * What is absent is not known or does not apply.
 */
import type { Override } from '../../steer/override.ts'

export type Status = {
  /** Like `lbdns 0.2.0`. */
  readonly version: string
  readonly pid: number
  readonly started: string
  readonly config: string
  /** Of what is served, and since when. */
  readonly digest: string
  readonly loaded: string
  /** What waits for its time. */
  readonly planned?: { readonly digest: string; readonly at: string }
  /** `address:port` each. */
  readonly listening: readonly string[]
  readonly engine: 'batched' | 'dgram'
  readonly workers: number
  readonly restarts: number
  readonly zones: number
  /** Steered names. */
  readonly names: number
  readonly pools: { readonly usable: number; readonly all: number }
  readonly targets: { readonly up: number; readonly all: number }
  /** How many are in force, and how many wait for their time. */
  readonly overrides: { readonly now: number; readonly later: number }
  readonly reloads: { readonly done: number; readonly refused: number }
}

export type States = {
  readonly pools: readonly PoolState[]
  readonly overrides: readonly OverrideTold[]
}

export type PoolState = {
  readonly pool: string
  /** Targets that are handed out, and all. */
  readonly up: number
  readonly all: number
  /** The share of its clients that drains leave it. */
  readonly keeps: number
  readonly targets: readonly TargetState[]
}

export type TargetState = {
  readonly target: string
  /** Whether it is handed out. */
  readonly now: 'up' | 'down'
  /** What its checks say; `unproven`: nothing yet, so `now` is a guess. */
  readonly checks: 'up' | 'down' | 'unproven' | 'unchecked'
  /** What an operator said instead. */
  readonly forced?: 'up' | 'down'
  /** The share of clients that drains leave it. */
  readonly keeps: number
  /** The share of its weight that it has while it starts slowly: below 1 only then. */
  readonly warm: number
  readonly weight: number
  readonly load?: number
  readonly capacity?: number
  readonly latency_ms?: number
  /** Of the last try. */
  readonly why?: string
  /** Since when its checks say so. */
  readonly since?: string
}

export type OverrideTold = {
  readonly id: number
  /** In words: `drain fra 30 %`. */
  readonly does: string
  readonly override: Override['does']
  readonly author: string
  readonly reason: string
  readonly made: string
  readonly from: string
  readonly until?: string
  readonly now: 'in force' | 'later'
  /** Why it does nothing: what it names is not there. */
  readonly void?: string
  /** The state file cannot be written: a restart would forget it. Only said of a new one. */
  readonly kept?: 'no'
}

export type Health = { readonly watches: readonly WatchTold[] }

/** One address under one check. */
export type WatchTold = {
  readonly check: string
  /** Like `http`. */
  readonly kind: string
  /** What is tried: an address or a host. */
  readonly place: string
  /** `pool/target` each. */
  readonly targets: readonly string[]
  readonly now: 'up' | 'down'
  readonly proven: boolean
  readonly since: string
  readonly last_try?: string
  readonly latency_ms?: number
  /** Of the last try. */
  readonly why?: string
  /** In which it cannot change, counted from the last try. */
  readonly steady_s: number
  /** In a row. */
  readonly passes: number
  readonly failures: number
  readonly load?: number
  readonly capacity?: number
}

/** What is known of targets as answers stand now: a board, for whoever has loaded the same World. */
export type BoardTold = {
  readonly digest: string
  /** Each column of the board by name: its octets, as this machine has them, in base64. */
  readonly columns: Readonly<Record<string, string>>
}

/** What came of a reload that was not refused. */
export type Reloaded =
  | { readonly now: 'reloaded'; readonly digest: string }
  | { readonly now: 'planned'; readonly digest: string; readonly at: string }

/** What `undrain`, `unforce` and `undo` took back. */
export type Undone = { readonly undone: readonly OverrideTold[] }

/** Who took what was pushed: `pool/target` each. */
export type Pushed = { readonly targets: readonly string[] }

/** How many tokens now stand at the challenge of a name. */
export type Challenged = { readonly name: string; readonly tokens: number }

/** What the reply to a request holds, by the kind of request. `dump` is for machines. */
export type Told = {
  readonly status: Status
  readonly states: States
  readonly health: Health
  readonly board: BoardTold
  readonly dump: unknown
  readonly reload: Reloaded
  readonly overrides: readonly OverrideTold[]
  readonly drain: OverrideTold | DryRun
  readonly force: OverrideTold | DryRun
  readonly ramp: OverrideTold | DryRun
  readonly undrain: Undone
  readonly unforce: Undone
  readonly undo: Undone
  readonly push: Pushed
  readonly 'acme set': Challenged
  readonly 'acme clear': Challenged
}

/** Whom a change would move, as answers stand now. */
export type DryRun = {
  readonly does: string
  readonly names: readonly {
    readonly name: string
    /** Shares of each family's addresses that would go from one pool to another. */
    readonly moves: readonly {
      readonly family: 4 | 6
      readonly from: string
      readonly to: string
      readonly share: number
    }[]
  }[]
}

/** What happened, as audit lines, webhooks and the stream of events tell it. */
export type Event = {
  /** Counts from 1 at each start. */
  readonly id: number
  readonly time: string
} & Happening

export type Happening =
  | {
      readonly kind: 'verdict'
      readonly pool: string
      readonly target: string
      readonly now: 'up' | 'down'
      readonly why: string
    }
  | { readonly kind: 'reloaded'; readonly digest: string; readonly listening: readonly string[] }
  /** By its own quorum. Of one that is not, clients go on to the next, or to the last resort. */
  | {
      readonly kind: 'pool'
      readonly pool: string
      readonly now: 'usable' | 'unusable'
      /** Targets, of all kinds. */
      readonly up: number
      readonly all: number
    }
  | { readonly kind: 'reload refused'; readonly problems: readonly string[] }
  | { readonly kind: 'planned'; readonly digest: string; readonly at: string }
  | {
      readonly kind: 'override'
      readonly what: 'made' | 'begun' | 'ended' | 'undone'
      /** Absent where time did it. */
      readonly by: string | undefined
      readonly override: OverrideTold
    }
