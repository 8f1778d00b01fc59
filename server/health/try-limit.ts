/**
 * The time that a try has: one signal for all its parts. Whatever takes too long is a failure with a
 * sentence of its own; what was begun is put away by whoever began it.
 */

/** Why a try cannot go on, as a sentence for a person, without a full stop. */
export class Failure extends Error {
  override readonly name = 'Failure'
}

export type Limit = {
  readonly signal: AbortSignal
  /** How long it was at first. */
  readonly ms: number
}

/**
 * Waits for a part of a try, at most as long as the try may take.
 *
 * @param missing what there is none of when time is up: `answer`
 */
export function inTime<T>(work: Promise<T>, limit: Limit, missing: string): Promise<T> {
  const { signal, ms } = limit
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Failure(`no ${missing} within ${lengthText(ms)}`))
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })
}

function lengthText(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${ms / 1000} s`
}
