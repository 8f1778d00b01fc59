/**
 * Which pool of a ranking serves: the first usable one that keeps the client. Reads health, and of
 * the client only what `locate` made of it; never makes scope. Equally good pools are tried in an
 * order that client and source draw, so that one client at one resolver stays with one of them,
 * whatever type it asks for.
 */
import { ALL, type Board } from './board.ts'
import type { Decision } from './decision.ts'
import { isDrawnBefore, isLeaving, keepsClient, keptBy, totalOf, upOf, upOfKind } from './keeps.ts'
import { KINDS, RESORT, type Steering } from './steering.ts'

/** What is asked of a pool; each asks for all that the one before does. */
const WISH = { has: 0, usable: 1, keeps: 2 } as const
/** A product of a share and a count may come out a little above a whole number. */
const SLACK = 1e-9

/** Finds the pool that serves and whether as last resort; −1: none has such targets. Hot. */
export function walk(steering: Steering, board: Board, kind: number, into: Decision): void {
  const pool = usablePool(steering, board, kind, into, -1)
  into.resort = pool < 0
  if (into.resort) into.pool = resortPool(steering, board, kind, into)
  else if (board.rampFrom[into.slot] === pool) into.pool = rampedPool(steering, board, kind, into)
  else into.pool = pool
}

/** Where a client of a pool goes whom an operator moves to another, as far as that one can serve. Hot. */
function rampedPool(steering: Steering, board: Board, kind: number, made: Decision): number {
  const { slot } = made
  const from = board.rampFrom[slot]!
  const to = board.rampTo[slot]!
  if (!isLeaving(steering, from, board.rampShare[slot]!, made)) return from
  return isUsable(steering, board, slot, to, kind) ? to : from
}

/**
 * The first usable pool of a ranking that keeps its client; where all of them give it away, the
 * first usable one. Hot.
 *
 * @param but a pool to leave out; −1: none
 * @returns −1 where none is usable
 */
export function usablePool(
  steering: Steering,
  board: Board,
  kind: number,
  made: Decision,
  but: number,
): number {
  const kept = firstPool(steering, board, kind, made, but, WISH.keeps)
  return kept < 0 ? firstPool(steering, board, kind, made, but, WISH.usable) : kept
}

/** The first pool of a ranking that meets a wish, of equally good ones the one drawn; or −1. Hot. */
function firstPool(
  steering: Steering,
  board: Board,
  kind: number,
  made: Decision,
  but: number,
  wish: number,
): number {
  const { rankingPools, rankingStart, rankingTie } = steering
  let best = -1
  for (let at = rankingStart[made.ranking]!; at < rankingStart[made.ranking + 1]!; at += 1) {
    if (best >= 0 && rankingTie[at] === 0) return best
    const pool = rankingPools[at]!
    if (pool === but || !meets(steering, board, kind, made, pool, wish)) continue
    if (best < 0 || isDrawnBefore(steering, pool, best, made)) best = pool
  }
  return best
}

/** Hot. */
function meets(
  steering: Steering,
  board: Board,
  kind: number,
  made: Decision,
  pool: number,
  wish: number,
): boolean {
  if (wish === WISH.has) return hasKind(steering, pool, kind)
  if (!isUsable(steering, board, made.slot, pool, kind)) return false
  return wish === WISH.usable || keepsClient(steering, board, pool, kind, made)
}

/** Hot. */
function hasKind({ listStart }: Steering, pool: number, kind: number): boolean {
  const list = KINDS * pool + kind
  return listStart[list + 1]! > listStart[list]!
}

/** Tells whether a pool has an up target of a kind, and enough up targets of all kinds. Hot. */
export function isUsable(
  steering: Steering,
  board: Board,
  slot: number,
  pool: number,
  kind: number,
): boolean {
  if (upOfKind(steering, board, pool, kind) === 0) return false
  return upOf(steering, board, pool) >= needOf(steering, slot, pool)
}

/** Tells whether a pool is usable by its own quorum, to names that have none of their own. */
export function isServing(steering: Steering, board: Board, pool: number): boolean {
  return upOf(steering, board, pool) >= needIn(steering, pool, steering.poolQuorum, pool)
}

/** How many targets must be up for a pool to serve a slot. Hot. */
function needOf(steering: Steering, slot: number, pool: number): number {
  const { poolQuorum, quorum } = steering
  return quorum[slot] === 0
    ? needIn(steering, pool, poolQuorum, pool)
    : needIn(steering, pool, quorum, slot)
}

/**
 * So many targets are a quorum: at least one; a share, which is negative, rounds up. Hot: is told
 * where the quorum stands, as a share is boxed where it is handed over and V8 inlines nothing.
 */
function needIn(steering: Steering, pool: number, quorums: Float64Array, at: number): number {
  const quorum = quorums[at]!
  const need = quorum < 0 ? Math.ceil(-quorum * totalOf(steering, pool) - SLACK) : quorum
  return Math.max(1, need) | 0
}

/** The pool to hand out where none is usable, as the slot has it. Hot. */
export function resortPool(steering: Steering, board: Board, kind: number, made: Decision): number {
  const resort = steering.resort[made.slot]!
  if (resort >= 0) return resort
  const healthiest = resort === RESORT.healthiest ? healthiestPool(steering, board, kind, made) : -1
  return healthiest < 0 ? firstPool(steering, board, kind, made, -1, WISH.has) : healthiest
}

/** The pool with the greatest share of up targets, the first of several; −1: all are down. Hot. */
function healthiestPool(steering: Steering, board: Board, kind: number, made: Decision): number {
  const { rankingPools, rankingStart } = steering
  let best = -1
  let bestUp = 0
  let bestTotal = 1
  for (let at = rankingStart[made.ranking]!; at < rankingStart[made.ranking + 1]!; at += 1) {
    const pool = rankingPools[at]!
    const up = upOf(steering, board, pool)
    const total = totalOf(steering, pool)
    if (upOfKind(steering, board, pool, kind) === 0 || up * bestTotal <= bestUp * total) continue
    best = pool
    bestUp = up
    bestTotal = total
  }
  return best
}

/** What a pool is to a decision. */
export type PoolState = {
  /** Targets of all kinds that are up, and all. */
  readonly up: number
  readonly total: number
  /** How many must be up for it to serve. */
  readonly need: number
  /** The share of its clients that it keeps, 0 … 1: below 1 where it spills or is drained. */
  readonly keeps: number
  readonly usable: boolean
  readonly why:
    | 'serves'
    | 'last resort'
    | 'gives the last target'
    | 'no targets of that family'
    | 'none up'
    | 'below quorum'
    | 'gave this client away'
    | 'not needed'
}

/** Explains a pool by what the walk saw of it. */
export function poolState(
  steering: Steering,
  board: Board,
  slot: number,
  pool: number,
  kind: number,
  made: Decision,
): PoolState {
  return {
    up: upOf(steering, board, pool),
    total: totalOf(steering, pool),
    need: needOf(steering, slot, pool),
    keeps: Math.round((1e6 * keptBy(steering, board, slot, pool)) / ALL) / 1e6,
    usable: isUsable(steering, board, slot, pool, kind),
    why: whyOf(steering, board, pool, kind, made),
  }
}

function whyOf(
  steering: Steering,
  board: Board,
  pool: number,
  kind: number,
  made: Decision,
): PoolState['why'] {
  if (pool === made.pool) return made.resort ? 'last resort' : 'serves'
  if (givesLast(steering, pool, kind, made)) return 'gives the last target'
  if (!hasKind(steering, pool, kind)) return 'no targets of that family'
  if (upOfKind(steering, board, pool, kind) === 0) return 'none up'
  if (!isUsable(steering, board, made.slot, pool, kind)) return 'below quorum'
  const isRamped = board.rampFrom[made.slot] === pool && board.rampTo[made.slot] === made.pool
  const keeps = !isRamped && keepsClient(steering, board, pool, kind, made)
  return keeps ? 'not needed' : 'gave this client away'
}

function givesLast(steering: Steering, pool: number, kind: number, made: Decision): boolean {
  const last = made.targets.at(made.count - 1) ?? -1
  const [from = 0, to = 0] = steering.listStart.subarray(KINDS * pool + kind)
  return made.count > 1 && last >= from && last < to
}
