/**
 * What changes while a World serves: which targets are up, how loaded they are, how long answers may
 * be kept. Columns in memory that threads share, written by one, read by all; the partition and so
 * every scope lies elsewhere and never moves with them.
 */
import type { Steering } from './steering.ts'

export type Board = {
  /** By target: 1 up, 0 down. */
  readonly up: Uint8Array
  /** By target: its reported load, at least 0; NaN: unknown. */
  readonly load: Float32Array
  /** By target: its smoothed capacity, or inverse load, above 0; NaN: unknown. */
  readonly share: Float32Array
  /** By target: smoothed milliseconds of its check; NaN: unknown. */
  readonly latency: Float32Array
  /**
   * By pool: seconds in which no verdict on its targets can change; 0: some of them is not known yet;
   * NO_CAP: nothing checks them.
   */
  readonly flip: Uint32Array
  /** By slot: the most seconds an answer may be kept; NO_CAP: what its rule says. */
  readonly cap: Uint32Array
  /** By target and by pool: the share of clients that it keeps, in parts of ALL. */
  readonly keeps: Int32Array
  readonly poolKeeps: Int32Array
  /** By target: the share of its weight that it has, above 0; 1 but where it starts slowly. */
  readonly warm: Float32Array
  /** By pool: 1 where some target of it does not keep all clients or has not all its weight. */
  readonly partial: Uint8Array
  /** By slot: a pool whose clients are moved to another; −1: none. And in parts of ALL, how many. */
  readonly rampFrom: Int32Array
  readonly rampTo: Int32Array
  readonly rampShare: Int32Array
}

/** All clients: shares of clients are counted in this many parts, so that they are whole numbers. */
export const ALL = 1 << 30

/** The greatest TTL there is (RFC 2181 §8), and a number that is not allocated where it is returned. */
export const NO_CAP = 0x7fff_ffff

/** A board on which every target is up and nothing is known but what the operator fixed. */
export function openBoard(steering: Steering): Board {
  const { poolNames, targets, slots } = steering
  const floats = () => new Float32Array(new SharedArrayBuffer(4 * targets)).fill(Number.NaN)
  const ints = (count: number) => new Int32Array(new SharedArrayBuffer(4 * count))
  const load = floats()
  const share = floats()
  load.set(steering.fixedLoad)
  share.set(steering.fixedShare)
  return {
    up: new Uint8Array(new SharedArrayBuffer(targets)).fill(1),
    load,
    share,
    latency: floats(),
    flip: new Uint32Array(new SharedArrayBuffer(4 * poolNames.length)).fill(NO_CAP),
    cap: new Uint32Array(new SharedArrayBuffer(4 * slots)).fill(NO_CAP),
    keeps: ints(targets).fill(ALL),
    poolKeeps: ints(poolNames.length).fill(ALL),
    warm: floats().fill(1),
    partial: new Uint8Array(new SharedArrayBuffer(poolNames.length)),
    rampFrom: ints(slots).fill(-1),
    rampTo: ints(slots).fill(-1),
    rampShare: ints(slots),
  }
}
