/**
 * Whether an answer is one that a server may give, for all that may have been true while it was asked:
 * the rules of README, told anew. Shares no code with the server.
 */

export type LegalPool = {
  readonly targets: readonly string[]
  /** Absent: all are up always. */
  readonly isChecked?: true
}

/** In order of preference: all up targets of the first pool that has one; where none has, all of the first. */
export type LegalRanking = readonly LegalPool[]

/** May a target be up, may it be down? */
export type May = (target: string, state: 'up' | 'down') => boolean

export function isLegal(answer: readonly string[], ranking: LegalRanking, may: May): boolean {
  for (const pool of ranking) {
    if (isOfPool(answer, pool, may)) return true
    if (!mayBeDown(pool, may)) return false
  }
  const [first] = ranking
  return first !== undefined && isSame(answer, first.targets)
}

function isOfPool(answer: readonly string[], { isChecked, targets }: LegalPool, may: May): boolean {
  if (answer.length === 0 || !answer.every(one => targets.includes(one))) return false
  if (isChecked === undefined) return isSame(answer, targets)
  return targets.every(one => may(one, answer.includes(one) ? 'up' : 'down'))
}

function mayBeDown({ isChecked, targets }: LegalPool, may: May): boolean {
  return isChecked === true && targets.every(one => may(one, 'down'))
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return [...some].sort().join() === [...others].sort().join()
}
