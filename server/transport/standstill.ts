/**
 * Waiting for what the kernel still holds: sockets hand it over a little at a time, one turn of the
 * event loop after the other.
 */
import { setImmediate } from 'node:timers/promises'

/** More turns than a full queue takes; under steady traffic the count never stands still. */
const TURNS = 256

/**
 * Waits until a count has stood still for a turn. A turn is two immediates: one may come before
 * sockets are looked at, the other comes after.
 */
export async function standstill(count: () => number): Promise<void> {
  for (let turns = 0, before = -1; turns < TURNS && before !== count(); turns += 1) {
    before = count()
    await setImmediate()
    await setImmediate()
  }
}
