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
}

/** The greatest TTL there is (RFC 2181 §8), and a number that is not allocated where it is returned. */
export const NO_CAP = 0x7fff_ffff

/** A board on which every target is up and nothing is known but what the operator fixed. */
export function openBoard(steering: Steering): Board {
  const { poolNames, targets, slots } = steering
  const floats = () => new Float32Array(new SharedArrayBuffer(4 * targets)).fill(Number.NaN)
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
  }
}
