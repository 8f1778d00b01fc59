/**
 * What is not done when there is too much to do. Queries wait in the kernel, and how long the first of
 * a batch has waited says how things stand. While they wait too long, sources that ask for more than
 * their share are cut down to it; where that is not enough, so are those that nobody knows. Who is
 * turned away costs a look at its address: it is never told so, as a code would mark the server lame,
 * but now and then its reply is truncated, so that whoever is real comes over TCP. Traffic in which
 * nobody stands out is left to the kernel, whose queue is short and whose drops cost us nothing.
 * One a thread. Time is an argument.
 */
import { type Chance, drawBits } from '../steer/chance.ts'
import { isKnown, type Known } from './known.ts'

/** How long queries may wait while there is nothing to complain of, in ms. */
const TARGET = 10
/** How often the limits are set anew, in ms: well before a queue is full. */
const PERIOD = 20
/** So many periods in a row with too much to do begin the cutting; without, and nothing cut, they end it. */
const BUSY_PERIODS = 2
const CALM_PERIODS = 50

/** A look at an address is this part of an answer, as far as work goes: what receiving is of it. */
const LOOK = 1 / 3
/** So much of what can be done is planned for. */
const PLANNED = 0.9
/** While queries wait, more come than are seen: so many times as many, to begin with. */
const UNSEEN = 1.25
/** What can be done may have grown: by so much a period is that tried. */
const HOPE = 1.005

/** Sources are told apart by two rows of counters: what both say is too much only where two meet twice. */
const BINS = 4096
/** A source stands out that asks for so many times the mean, and for more than so much of all work. */
const OUTSTANDING = 4
const LEAST_SHARE = 1 / 500
/** Of strangers, so many of sixteen are turned away at most: who is new must get in sometime. */
const MOST_STRANGERS = 15
/** Where fewer than one in so many queries are of sources that are known, there is nobody to protect. */
const FEWEST_KNOWN = 64
/** Of the turned away, one in so many is asked to come over TCP. */
const SLIP = 16
/** In quiet times one query in so many is looked at for whom it is from: a power of two. */
const MEETING = 8

/** Nobody's share is bounded. */
const UNBOUNDED = 0x3fffffff

/** What becomes of a query. The last two: nothing is said, for one reason or the other. */
export const SERVE = 0
export const TRUNCATE = 1
export const OVER_SHARE = 2
export const STRANGER = 3

export type Overload = {
  readonly known: Known
  readonly chance: Chance
  /** Whether anybody may be turned away: `admit` is asked then. */
  isShedding: boolean
  /** Most queries of one source in a period. */
  share: number
  /** Of sixteen queries of strangers, so many are turned away. */
  strangers: number
  /** Of this period: since when, and the shortest that a batch has waited. */
  since: number
  waited: number
  /** Periods in a row. */
  busy: number
  calm: number
  /** Answers that can be given in a period, as far as was seen. */
  capacity: number
  /** Of this period: queries; those of sources that are known; those of strangers within their share. */
  came: number
  cameKnown: number
  cameStrange: number
  /** Of this period: queries that were turned away. */
  turnedAway: number
  /** By row and bin: queries of this period. */
  readonly bins: Int32Array
  untilSlip: number
  untilMeeting: number
}

export function overload(known: Known, chance: Chance): Overload {
  return {
    known,
    chance,
    isShedding: false,
    share: UNBOUNDED,
    strangers: 0,
    since: 0,
    waited: 0,
    busy: 0,
    calm: 0,
    capacity: 0,
    came: 0,
    cameKnown: 0,
    cameStrange: 0,
    turnedAway: 0,
    bins: new Int32Array(2 * BINS),
    untilSlip: SLIP,
    untilMeeting: MEETING,
  }
}

/**
 * Looks at a batch before it is served. Hot: once a batch.
 *
 * @param waited milliseconds that its first query has waited; 0 where more would have fitted in
 * @param now    whole milliseconds, of a clock that may wrap
 */
export function look(state: Overload, waited: number, now: number): void {
  if (waited < state.waited) state.waited = waited
  const passed = (now - state.since) | 0
  if (passed >= 0 && passed < PERIOD) return
  // After a pause, or where the clock was set back, nothing is known of the time between.
  const isWhole = passed >= 0 && passed < 4 * PERIOD
  settle(state, isWhole && state.waited > TARGET ? passed : 0)
  state.since = now
  state.waited = waited
}

/**
 * Sets the limits of the next period.
 *
 * @param busyMs how long it was in which there was too much to do; 0: there was not
 */
function settle(state: Overload, busyMs: number): void {
  state.busy = busyMs > 0 ? state.busy + 1 : 0
  state.calm = busyMs > 0 ? 0 : state.calm + 1
  if (!state.isShedding) {
    if (state.busy < BUSY_PERIODS) return
    state.isShedding = true
    state.capacity = 0
  } else if (state.came > 0) {
    plan(state, busyMs)
    if (state.calm >= CALM_PERIODS && isUncut(state)) state.isShedding = false
  }
  state.bins.fill(0)
  state.came = 0
  state.cameKnown = 0
  state.cameStrange = 0
  state.turnedAway = 0
}

function isUncut({ share, strangers }: Overload): boolean {
  return share === UNBOUNDED && strangers === 0
}

/** Cuts the largest shares first; then strangers, where there are others. */
function plan(state: Overload, busyMs: number): void {
  const { came, turnedAway } = state
  const done = came - turnedAway + turnedAway * LOOK
  if (busyMs > 0) state.capacity = (done * PERIOD) / busyMs
  else state.capacity *= HOPE
  const coming = busyMs > 0 ? ((came * PERIOD) / busyMs) * UNSEEN : came
  const wanted = answersOf(PLANNED * state.capacity, coming)
  const least = Math.max(1, Math.ceil(state.capacity * LEAST_SHARE))
  state.share = shareFor(state.bins, came, (wanted * came) / coming, least)
  const left = state.share === UNBOUNDED ? came : sumWithin(state.bins, state.share)
  state.strangers = strangersFor(state, left - (wanted * came) / coming)
}

/** How many of those that come can be answered with so much work, when the others are only looked at. */
function answersOf(work: number, coming: number): number {
  if (coming <= work) return coming
  return Math.max(work / 8, (work - coming * LOOK) / (1 - LOOK))
}

/** The share at which so many queries are left, as all have asked until now. */
function shareFor(bins: Int32Array, came: number, wanted: number, least: number): number {
  const { most, sources } = censusOf(bins)
  if (wanted >= came || most <= Math.max(least, (OUTSTANDING * came) / sources)) return UNBOUNDED
  let [low, high] = [least, most]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (sumWithin(bins, middle) <= wanted) low = middle
    else high = middle - 1
  }
  return low
}

/** How many sources there were, as far as bins tell, and the most that came of one. */
function censusOf(bins: Int32Array): { readonly most: number; readonly sources: number } {
  let most = 0
  let sources = 0
  for (let bin = 0; bin < BINS; bin += 1) {
    const came = bins[bin]!
    if (came > 0) sources += 1
    if (came > most) most = came
  }
  return { most, sources }
}

/** What is left of all queries where no source has more than so many. */
function sumWithin(bins: Int32Array, share: number): number {
  let sum = 0
  for (let bin = 0; bin < BINS; bin += 1) sum += Math.min(share, bins[bin]!)
  return sum
}

/** How many of sixteen strangers are to be turned away, so that so many queries fewer are answered. */
function strangersFor({ came, cameKnown, cameStrange }: Overload, tooMany: number): number {
  if (tooMany <= 0 || cameStrange === 0 || cameKnown * FEWEST_KNOWN < came) return 0
  return Math.min(MOST_STRANGERS, Math.ceil((16 * tooMany) / cameStrange))
}

/**
 * Whether a query is served, by where it is from. Hot: once a query while `isShedding`.
 *
 * @param source as `sourceHash` has it
 * @returns `SERVE`, `TRUNCATE`, `OVER_SHARE` or `STRANGER`
 */
export function admit(state: Overload, source: number): number {
  const { bins } = state
  const first = source & (BINS - 1)
  const second = BINS + ((source >>> 12) & (BINS - 1))
  bins[first]! += 1
  bins[second]! += 1
  state.came += 1
  const isFriend = isKnown(state.known, source)
  if (isFriend) state.cameKnown += 1
  if (Math.min(bins[first]!, bins[second]!) > state.share) {
    state.turnedAway += 1
    return OVER_SHARE
  }
  if (isFriend) return SERVE
  state.cameStrange += 1
  if ((drawBits(state.chance) & 15) >= state.strangers) return SERVE
  state.untilSlip -= 1
  if (state.untilSlip === 0) {
    state.untilSlip = SLIP
    return TRUNCATE
  }
  state.turnedAway += 1
  return STRANGER
}

/** Whether the source of the query at hand is to be met: one in some, in quiet times. Hot: once a query. */
export function isMeeting(state: Overload): boolean {
  state.untilMeeting -= 1
  if (state.untilMeeting > 0) return false
  state.untilMeeting = 1 + (drawBits(state.chance) & (2 * MEETING - 1))
  return !state.isShedding
}
