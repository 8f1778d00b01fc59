/**
 * The scopes under watch: a few networks inside the blocks that scopes claim are asked in each pass,
 * where and how judged as in `ecs` (`verify.ts`, `scope.ts`). One that does not fit its block is asked
 * again, pass after pass; that the scope is untrue is said when chance does not explain all of it.
 */
import { blockText, contains } from './block.ts'
import type { Classes } from './classes.ts'
import { type Grid, gridOf } from './grid.ts'
import type { Observation } from './observation.ts'
import { type ScopeReport, scopeReport } from './scope.ts'
import { type Scoped, scopedReplies } from './scoped.ts'
import { type Network, placesInside } from './verify.ts'
import { answersOf, isCovered, unseenMass } from './watch-pool.ts'
import {
  type Change,
  failureOf,
  groupOf,
  type Samples,
  type Step,
  type Suspect,
  type WatchState,
} from './watch-state.ts'

/** One sample for so many networks of the panel, four in a pass at most. */
const SHARE = 10
const MOST = 4

/** Places in each block, other ones in every turn through all blocks. */
const PLACES = 5

/**
 * A network is one look after another for as long as it is watched, 35,000 a day with two in five
 * seconds. Each reply that does not fit is chance with u at most, the share of the group's replies
 * that may hold nothing known; w in a row, of one network, with u^w. At one in a billion a look, chance
 * alone calls a true scope untrue once in eighty years.
 */
const RARE = Math.log(1e-9)

/** And never of fewer replies, nor is one believed again after fewer: a border may just be moving. */
const LEAST = 3

/** Replies kept of one network. */
const KEPT = 12

/** Most samples in one pass for a panel of so many networks. */
export function samplesAPass(rows: number): number {
  return Math.min(MOST, Math.ceil(rows / SHARE))
}

/** What to ask beside the panel in the next pass: doubted networks first. */
export function samplesToAsk({ phase, silent, rows, samples }: WatchState): readonly Network[] {
  if (phase === 'learning' || silent !== undefined) return []
  const doubted = [...samples.suspects.values()].filter(({ standing }) => standing === 'doubted')
  const first = doubted.map(({ network }) => network)
  const due = samples.due.filter(({ text }) => !first.some(one => one.text === text))
  return [...first, ...due].slice(0, samplesAPass(rows.length))
}

/** Of a state whose answers have just changed: what is untrue is to be seen again, all else forgotten. */
export function samplesAfterChange({ suspects, turn }: Samples): Samples {
  const untrue = [...suspects].filter(([, { standing }]) => standing === 'untrue')
  return { due: untrue.map(([, { network }]) => network), turn, suspects: new Map(untrue) }
}

/** Replies that show a scope to be untrue: what a verdict rests on beside the panel's. */
export function untrueReplies({ samples }: WatchState): readonly Observation[] {
  const untrue = [...samples.suspects.values()].filter(({ standing }) => standing === 'untrue')
  return untrue.flatMap(({ replies }) => replies)
}

/**
 * Judges the samples of a pass beside the panel's replies of the same pass, and plans the next ones.
 *
 * @param asked replies and failures with purpose `scope`
 */
export function sampled(
  before: Step,
  panel: readonly Observation[],
  asked: readonly Observation[],
  at: number,
): Step {
  const { state } = before
  if (state.phase === 'learning') return before
  const grid = gridOf(panel, state)
  const judged = judge(before, grid, panel, asked, at)
  return { ...judged, state: planned(judged.state, panel) }
}

/** A turn through all blocks begins where the last is over; not for answers out of a cache. */
function planned(state: WatchState, panel: readonly Observation[]): WatchState {
  const { samples, name, type, seed, groups, rows } = state
  const isSteered = groups.length > 1 && state.verdict !== undefined
  if (samples.due.length > 0 || !isSteered || panel.some(({ flags }) => !flags.aa)) return state
  const turn = samples.turn + 1
  const options = { name, type, seed: (seed + turn) >>> 0, samples: PLACES }
  const own = new Set(rows.map(({ subnet }) => subnet))
  const lists = placesInside(panel, options).map(block =>
    block.samples.filter(({ text }) => !own.has(text)),
  )
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  const mixed = Array.from({ length: longest }, (_, place) =>
    lists.flatMap(one => one[place] ?? []),
  )
  const { due } = samplesAfterChange(samples)
  return { ...state, samples: { ...samples, turn, due: [...due, ...mixed.flat()] } }
}

function judge(
  before: Step,
  grid: Grid,
  panel: readonly Observation[],
  asked: readonly Observation[],
  at: number,
): Step {
  const { state } = before
  const replies = asked.filter(seen => failureOf(seen) === undefined)
  if (asked.length === 0) return before
  const report = scopeReport(grid, classesOf(state, grid), [...panel, ...replies])
  const suspects = new Map(state.samples.suspects)
  const given = new Set(asked.map(({ sent }) => sent?.text))
  const due = state.samples.due.filter(({ text }) => !given.has(text))
  const changes = replies.flatMap(seen => {
    const owner = ownerOf(seen, grid, panel)
    if (owner === undefined || isMoving(state, owner.text)) return []
    return noted(state, suspects, seen, owner, isOdd(seen, grid, report), at)
  })
  const doubt = changes.length > 0 ? ({ kind: 'changed' } as const) : state.doubt
  const after = { ...state, doubt, samples: { ...state.samples, due, suspects } }
  return { state: after, changes: [...before.changes, ...changes] }
}

/** Groups as classes: they know more replies than any window. */
function classesOf(state: WatchState, grid: Grid): Classes {
  const letterOf = new Map(state.rows.map(({ subnet, letter }) => [subnet, letter]))
  const { groups } = state
  return {
    ofRow: grid.rows.map(text => groups.findIndex(one => one.letter === letterOf.get(text))),
    members: groups.map(({ pool }) => new Set(answersOf(pool))),
    replies: groups.map(({ pool }) => pool.replies),
    covered: groups.map(({ pool }) => isCovered(pool)),
    varies: groups.some(
      ({ manner, pool }) =>
        manner === 'varies' || [...pool.seen.values()].some(({ times }) => times < pool.replies),
    ),
  }
}

/** The panel's reply, of this pass, whose scope claims the network. */
function ownerOf(seen: Observation, grid: Grid, panel: readonly Observation[]): Scoped | undefined {
  const [sample] = scopedReplies(grid, [seen])
  if (sample === undefined) return undefined
  return scopedReplies(grid, panel).find(({ block }) => contains(block, sample.network))
}

/** While somebody may be leaving the group, or its scope is another, nothing is concluded. */
function isMoving(state: WatchState, subnet: string): boolean {
  const row = state.rows.find(one => one.subnet === subnet)
  const mine = state.rows.filter(({ letter }) => letter === row?.letter)
  return row?.other !== undefined || mine.some(({ outside }) => outside.length > 0)
}

/** Whether it is answered unlike its block, or with a scope that crosses it. */
function isOdd(seen: Observation, grid: Grid, { short, doubtful, overlaps }: ScopeReport): boolean {
  const [sample] = scopedReplies(grid, [seen])
  if (sample === undefined) return false
  const isStrange = [...short, ...doubtful].some(({ networks }) => networks.includes(sample.text))
  const own = blockText(sample.block)
  return (
    isStrange || overlaps.some(pair => [pair.outer, pair.inner].some(one => blockText(one) === own))
  )
}

function noted(
  state: WatchState,
  suspects: Map<string, Suspect>,
  seen: Observation,
  owner: Scoped,
  odd: boolean,
  at: number,
): readonly Change[] {
  const network = networkOf(seen)
  const block = blockText(owner.block)
  const known = suspects.get(network.text)
  if (!odd) return fitting(suspects, network.text, at)
  const replies = [...(known?.replies ?? []), seen].slice(-KEPT)
  const isSure = known?.standing === 'untrue' || isBeyondChance(state, owner, replies.length)
  const standing = isSure ? 'untrue' : 'doubted'
  const isNew = isSure && !isUntrue(suspects, block)
  suspects.set(network.text, { network, block, replies, standing, fits: 0 })
  return isNew ? [{ kind: 'untrue', at, block, network: network.text }] : []
}

/** A doubt is over with one reply that fits; what was untrue must fit some times running. */
function fitting(suspects: Map<string, Suspect>, text: string, at: number): readonly Change[] {
  const known = suspects.get(text)
  if (known === undefined) return []
  const fits = known.fits + 1
  suspects.delete(text)
  if (known.standing === 'doubted') return []
  if (fits < LEAST) {
    suspects.set(text, { ...known, fits })
    return []
  }
  return isUntrue(suspects, known.block) ? [] : [{ kind: 'true-again', at, block: known.block }]
}

function isUntrue(suspects: ReadonlyMap<string, Suspect>, block: string): boolean {
  return [...suspects.values()].some(one => one.block === block && one.standing === 'untrue')
}

function isBeyondChance(state: WatchState, owner: Scoped, replies: number): boolean {
  const letter = state.rows.find(({ subnet }) => subnet === owner.text)?.letter
  const group = groupOf(state, letter)
  if (group === undefined || replies < LEAST) return false
  return replies * Math.log(unseenMass(group.pool)) <= RARE
}

function networkOf({ sent }: Observation): Network {
  const { text = '', family = 1, source = 0, address = '' } = sent ?? {}
  const octets = Uint8Array.from(address.match(/../g) ?? [], pair => Number.parseInt(pair, 16))
  return { text, family, source, octets, region: undefined }
}
