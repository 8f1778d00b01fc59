/**
 * Who stays with a pool or a target that gives clients away, be it ill, drained or left in favour of
 * another: a hash of client, source and what they would get decides, so each pair of a client and its
 * resolver goes once, the first to go is the last to come back, and scopes stay true.
 */
import { ALL, type Board } from './board.ts'
import type { Decision } from './decision.ts'
import { pairKey } from './draws.ts'
import { hashOctets, hashPair, hashText } from './hash.ts'
import { KINDS, type Steering } from './steering.ts'

/** What the draws for a client and a pool or target are told apart by. */
const TIE = 1
const KEEP = 2

/** Tells whether a client is among those that a pool keeps. Hot. */
export function keepsClient(
  steering: Steering,
  board: Board,
  pool: number,
  kind: number,
  made: Decision,
): boolean {
  const kept = keptBy(steering, board, made.slot, pool)
  if (kept !== ALL && drawOf(steering, KEEP, pool, made) >>> 2 >= kept) return false
  return board.partial[pool] === 0 || anyKeeps(steering, board, pool, kind, made)
}

/** The share of its clients that a pool keeps, in parts of ALL. Hot. */
export function keptBy(steering: Steering, board: Board, slot: number, pool: number): number {
  const own = steering.spill[slot]!
  const factor = own === 0 ? steering.poolSpill[pool]! : own
  const left = board.poolKeeps[pool]!
  if (factor === 0) return left
  const share = (factor * upOf(steering, board, pool)) / totalOf(steering, pool)
  return Math.min(left, Math.round(left * share)) | 0
}

/** Tells whether some up target of a pool keeps this client. Hot. */
function anyKeeps(
  steering: Steering,
  board: Board,
  pool: number,
  kind: number,
  made: Decision,
): boolean {
  const list = KINDS * pool + kind
  const end = steering.listStart[list + 1]!
  for (let target = steering.listStart[list]!; target < end; target += 1) {
    if (board.up[target] === 1 && targetKeeps(steering, board, target, made)) return true
  }
  return false
}

/** Tells whether a client is among those that a target keeps. Hot. */
export function targetKeeps(
  { octets, targetStart }: Steering,
  { keeps }: Board,
  target: number,
  made: Decision,
): boolean {
  const kept = keeps[target]!
  if (kept === ALL) return true
  const own = hashOctets(octets, targetStart[target]!, targetStart[target + 1]!)
  return hashPair(hashPair(pairKey(made), KEEP), own) >>> 2 < kept
}

/** Tells whether a client goes with those who leave a pool, in parts of ALL. Hot. */
export function isLeaving(
  steering: Steering,
  pool: number,
  share: number,
  made: Decision,
): boolean {
  return drawOf(steering, KEEP, pool, made) >>> 2 < share
}

/** Which of two equally good pools a client's draws put first. Hot. */
export function isDrawnBefore(
  steering: Steering,
  pool: number,
  other: number,
  made: Decision,
): boolean {
  const one = drawOf(steering, TIE, pool, made) >>> 0
  return one < drawOf(steering, TIE, other, made) >>> 0
}

/** A draw by client, source and pool; by the pool's name, which outlives its number. Hot. */
function drawOf(steering: Steering, what: number, pool: number, made: Decision): number {
  const client = hashPair(pairKey(made), what)
  return hashPair(client, hashText(steering.poolNames[pool]!))
}

/** How many of a pool's targets are up. Hot. */
export function upOf({ listStart }: Steering, board: Board, pool: number): number {
  return upFrom(board, listStart[KINDS * pool]!, listStart[KINDS * (pool + 1)]!)
}

/** Likewise, of a kind. Hot. */
export function upOfKind(
  { listStart }: Steering,
  board: Board,
  pool: number,
  kind: number,
): number {
  const list = KINDS * pool + kind
  return upFrom(board, listStart[list]!, listStart[list + 1]!)
}

/** Hot. */
function upFrom({ up }: Board, from: number, to: number): number {
  let count = 0
  for (let target = from; target < to; target += 1) count += up[target]!
  return count
}

/** How many targets a pool has, of all kinds. Hot. */
export function totalOf({ listStart }: Steering, pool: number): number {
  return listStart[KINDS * (pool + 1)]! - listStart[KINDS * pool]!
}
