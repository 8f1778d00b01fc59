/**
 * What costs much, for as many as ask: all who wait get the same, made after they asked, and most of
 * the time it is not being made. So nobody can keep the process busy by asking.
 */

/** After each making, so many times as long as it took nothing is made. */
const REST = 4
const MOST_REST_MS = 1_000

export type Pause = {
  /** Milliseconds of a clock that never steps. */
  readonly now: () => number
  readonly wait: (ms: number) => Promise<void>
}

/** @returns asks for one; it rejects where making fails */
export function sparing<Made>(
  make: () => Promise<Made>,
  { now, wait }: Pause,
): () => Promise<Made> {
  let due: Promise<Made> | undefined
  let last: Promise<unknown> = Promise.resolve()
  let from = 0

  async function made(): Promise<Made> {
    await last
    const rest = from - now()
    if (rest > 0) await wait(rest)
    due = undefined // whoever asks from now on may find what is made already out of date
    const began = now()
    const making = make()
    last = making.then(
      () => {},
      () => {},
    )
    await last
    from = now() + Math.min(MOST_REST_MS, REST * (now() - began))
    return making
  }

  return () => {
    due ??= made()
    return due
  }
}
