/** Time for rate limits: the same in all threads, never going back, and wrapping. */
import { TICKS_A_SECOND } from './guard/rrl.ts'

const NANOSECONDS = BigInt(1e9 / TICKS_A_SECOND)

/** What this thread's own clock is behind the machine's, in ticks: whole numbers are enough. */
const BEHIND = Number(process.hrtime.bigint() / NANOSECONDS) - inTicks(performance.now())

/** Ticks from a point that is the same for all threads, as 32 bits. Hot: once a batch. */
export function ticksNow(): number {
  return (BEHIND + inTicks(performance.now())) | 0
}

function inTicks(ms: number): number {
  return (ms * TICKS_A_SECOND) / 1000
}
