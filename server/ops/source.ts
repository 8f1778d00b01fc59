/**
 * What a process has to say of itself when somebody asks: plain figures, read anew at each scrape.
 * Whoever owns the workers, the World and the board says it; nothing here knows where it comes from.
 */
import type { Answered } from '../guard/answered.ts'

export type Source = {
  readonly version: string
  /** The cells of `guard/tally.ts`, all threads together. */
  readonly cells: () => Float64Array
  readonly answered: () => Answered
  readonly udp: () => Readonly<Record<UdpFigure, number>>
  readonly tcp: () => Readonly<Record<TcpFigure, number>>
  readonly workers: () => { readonly count: number; readonly restarts: number }
  readonly pools: () => readonly PoolFacts[]
  readonly flips: () => Iterable<Flips>
  readonly world: () => WorldFacts
  /** Reloads that were refused. */
  readonly refusals: () => number
  readonly told: () => ToldFigures
}

/** What went out beside answers: query log, events, webhooks, and whoever asked the admin API. */
export type ToldFigures = {
  readonly queryLog: { readonly written: number; readonly dropped: number }
  readonly events: number
  readonly webhooks: Readonly<Record<'sent' | 'failed' | 'retried' | 'dropped' | 'waiting', number>>
  readonly admin: Readonly<Record<'requests' | 'unauthorized' | 'limited', number>>
}

/** Of datagrams; see `transport/engine.ts`. */
export type UdpFigure =
  | 'received'
  | 'answered'
  | 'silent'
  | 'dropped'
  | 'sendErrors'
  | 'receiveErrors'
  | 'stale'
  | 'faults'

/** Of connections and their messages; see `transport/connections.ts`. */
export type TcpFigure =
  | 'open'
  | 'accepted'
  | 'received'
  | 'answered'
  | 'silent'
  | 'idle'
  | 'displaced'
  | 'broken'
  | 'errors'
  | 'unproxied'
  | 'handshakes'
  | 'unsecured'
  | 'faults'

export type PoolFacts = {
  readonly pool: string
  /** Each once. */
  readonly targets: readonly TargetFacts[]
  /** Absent where nothing checks its targets. */
  readonly checked: CheckedFacts | undefined
}

export type TargetFacts = {
  readonly target: string
  readonly isUp: boolean
  /** Absent where nobody knows. */
  readonly latencySeconds: number | undefined
}

export type CheckedFacts = {
  /** Checks have told enough of each of its targets: none is taken for what it was set to at first. */
  readonly isProven: boolean
  /** In which no verdict on its targets can change, counted from their last tries. */
  readonly steadySeconds: number
}

/** How often targets of a pool became `now`. */
export type Flips = { readonly pool: string; readonly now: 'up' | 'down'; readonly count: number }

export type WorldFacts = {
  readonly digest: string
  /** When it was loaded, in seconds since 1970, and how long that took. */
  readonly loadedAt: number
  readonly loadSeconds: number
  readonly zones: number
  readonly names: number
  readonly records: number
  readonly steeredNames: number
  readonly geo: readonly { readonly database: string; readonly builtAt: number }[]
}
