/**
 * What `watch` knows of one name and type: a row for each client subnet, the groups that are answered
 * alike, and what has changed. Plain data; `watch.ts` moves it on.
 */
import type { Group, Judgement } from './judgement.ts'
import type { Observation } from './observation.ts'
import type { About } from './options.ts'
import { holdsAnswer, setOf } from './reply.ts'
import type { Trust } from './trust.ts'
import type { Answer, Verdict } from './verdict.ts'
import type { Network } from './verify.ts'
import type { Pool } from './watch-pool.ts'

export type WatchState = About & {
  readonly seed: number
  readonly rows: readonly WatchRow[]
  readonly groups: readonly WatchGroup[]
  /** Letters are never given twice while it runs. */
  readonly letters: number
  readonly passes: number
  readonly phase: 'learning' | 'watching'
  /** The replies that the next verdict will rest on, their rounds numbered from 1. */
  readonly window: readonly Observation[]
  readonly rounds: number
  readonly verdict: Said | undefined
  readonly doubt: Doubt
  readonly silent: (Silence & { readonly passes: number }) | undefined
  readonly samples: Samples
  /** When a record that came from a cache expires, by its group and set. */
  readonly expiries: ReadonlyMap<string, number>
  /** When the last change was, or when it began; milliseconds since 1970. */
  readonly steadySince: number
  readonly server: string
  /** What trying the resolver showed that it is asked through; absent: none was tried. */
  readonly trust: Trust | undefined
}

export type Said = { readonly answer: Answer; readonly code: Code; readonly judgement: Judgement }

type Code = Verdict['code']

/** Why the next verdict may be another: something changed, or the last window found that one. */
export type Doubt =
  | { readonly kind: 'none' }
  | { readonly kind: 'changed' }
  | { readonly kind: 'found'; readonly code: Code }

export type Silence = { readonly since: number; readonly why: string }

/** The networks inside blocks that are asked beside the panel. */
export type Samples = {
  /** Still to be asked in this turn through all blocks, which is numbered from 1. */
  readonly due: readonly Network[]
  readonly turn: number
  /** Those that did not fit their block, by text. */
  readonly suspects: ReadonlyMap<string, Suspect>
}

export type Suspect = {
  readonly network: Network
  /** The one whose scope claims it. */
  readonly block: string
  /** Those that did not fit, one after the other. */
  readonly replies: readonly Observation[]
  readonly standing: 'doubted' | 'untrue'
  /** Replies since then that did fit, in a row. */
  readonly fits: number
}

export type WatchGroup = {
  readonly letter: string
  readonly pool: Pool
  /** Whether its answers have differed from reply to reply since it last changed. */
  readonly manner: 'fixed' | 'varies'
}

export type WatchRow = {
  readonly subnet: string
  readonly region: string | undefined
  /** Of its group; absent before its first answer. */
  readonly letter: string | undefined
  readonly scope: number | undefined
  readonly usual: ScopeRun | undefined
  /** Another scope than the usual one, for as long as it comes. */
  readonly other: ScopeRun | undefined
  readonly ttl: number | undefined
  readonly milliseconds: number | undefined
  readonly source: 'authority' | 'cache'
  readonly changedAt: number | undefined
  /** Answers that its group is not known for, as long as they come one after the other. */
  readonly outside: readonly (readonly string[])[]
  /** A letter for each pass, `·` where no answer came, `?` where it is not its group's. */
  readonly trail: string
  readonly failing: Silence | undefined
}

/** One scope, so many passes in a row. */
export type ScopeRun = { readonly scope: number; readonly passes: number }

/** What can happen, and is told once. */
export type Change = { readonly at: number } & (
  | { readonly kind: 'learned'; readonly groups: readonly Group[] }
  | { readonly kind: 'moved'; readonly subnets: readonly Place[]; readonly from: string; readonly to: string; readonly answers: readonly string[] }
  | { readonly kind: 'replaced'; readonly letter: string; readonly gone: readonly string[]; readonly come: readonly string[]; readonly subnets: readonly Place[] }
  | { readonly kind: 'scope'; readonly subnets: readonly Place[]; readonly from: number; readonly to: number }
  | { readonly kind: 'untrue'; readonly block: string; readonly network: string }
  | { readonly kind: 'true-again'; readonly block: string }
  | { readonly kind: 'verdict'; readonly from: string | undefined; readonly to: Said }
  | { readonly kind: 'silent'; readonly why: string }
  | { readonly kind: 'back'; readonly since: number }
) // biome-ignore format: table

/** What is known for the first time is news, but nothing that has changed. */
export function isChange(change: Change): boolean {
  if (change.kind === 'learned') return false
  return change.kind !== 'verdict' || change.from !== undefined
}

export type Place = { readonly subnet: string; readonly region: string | undefined }

/** A state moved on, and what has to be told of it. */
export type Step = { readonly state: WatchState; readonly changes: readonly Change[] }

/** One pass: every subnet asked once. */
export type Pass = {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly observations: readonly Observation[]
}

/** The longest pause before what is silent is asked again, unless passes are farther apart. */
const LONGEST_PAUSE_MS = 60_000

/** Milliseconds from one pass to the next: doubled with every pass that nobody answered. */
export function pauseMs({ silent }: Pick<WatchState, 'silent'>, everyMs: number): number {
  const doubled = everyMs * 2 ** Math.min(20, silent?.passes ?? 0)
  return Math.min(doubled, Math.max(everyMs, LONGEST_PAUSE_MS))
}

/** Letters kept of each row. */
export const TRAIL = 240

/** Before anything was asked. */
export function fresh(
  about: About,
  places: readonly Place[],
  seed: number,
  at: number,
): WatchState {
  return {
    name: about.name,
    type: about.type,
    seed,
    rows: places.map(blank),
    groups: [],
    letters: 0,
    passes: 0,
    phase: 'learning',
    window: [],
    rounds: 0,
    verdict: undefined,
    doubt: { kind: 'none' },
    silent: undefined,
    samples: { due: [], turn: 0, suspects: new Map() },
    expiries: new Map(),
    steadySince: at,
    server: '',
    trust: undefined,
  }
}

function blank({ subnet, region }: Place): WatchRow {
  return {
    subnet,
    region,
    letter: undefined,
    scope: undefined,
    usual: undefined,
    other: undefined,
    ttl: undefined,
    milliseconds: undefined,
    source: 'authority',
    changedAt: undefined,
    outside: [],
    trail: '',
    failing: undefined,
  }
}

/** What a reply answers, never nothing: that there is no record is an answer too. */
export function answersIn(seen: Observation): readonly string[] {
  const set = setOf(seen)
  if (set.length > 0) return set
  return [seen.rcode === 'NXDOMAIN' ? 'NXDOMAIN' : 'NODATA']
}

/** Why a reply is none that can be used. */
export function failureOf(seen: Observation): string | undefined {
  if (holdsAnswer(seen)) return undefined
  return seen.error ?? (seen.flags.tc ? 'truncated' : (seen.rcode ?? 'malformed'))
}

export function groupOf(state: WatchState, letter: string | undefined): WatchGroup | undefined {
  return state.groups.find(group => group.letter === letter)
}
