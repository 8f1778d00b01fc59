/**
 * What a group of subnets is answered with, as it is watched: every answer with how often and when it
 * was seen, counted in replies. Tells when one has gone or come beyond what rotation explains. Knows
 * neither subnets nor clocks.
 */

export type Sighting = {
  readonly times: number
  /** Numbers of the replies, from 1, in which it was seen first and last. */
  readonly first: number
  readonly last: number
  /** `new`: too young to tell whether it came, or was only rare until now. */
  readonly standing: 'known' | 'new'
}

export type Pool = { readonly replies: number; readonly seen: ReadonlyMap<string, Sighting> }

export const EMPTY_POOL: Pool = { replies: 0, seen: new Map() }

/**
 * Where an answer's m sightings fall by chance among n replies, all of them are among the first (or
 * the last) w in C(w, m) ÷ C(n, m) of the ways. Rarer than this, it has gone (or come): with a pool
 * of eight and a hundred replies a minute, chance alone says so once in some days.
 */
const RARE = Math.log(1e-6)

/** Answers kept at most: a name with a new address in every reply must not fill the memory. */
const MOST = 2000

/** Good and Turing's coverage from which a pool counts as learned. */
const COVERED = 0.95

/** Replies from which on all figures are halved: shares of long ago must not weigh for ever. */
const OLD = 4000

/** A pool after more replies, each a set of answers. */
export function noted(before: Pool, replies: readonly (readonly string[])[]): Pool {
  const pool = before.replies > OLD ? halved(before) : before
  const seen = new Map(pool.seen)
  let number = pool.replies
  for (const answers of replies) {
    number += 1
    for (const answer of answers) {
      const before = seen.get(answer)
      if (before === undefined && seen.size >= MOST) continue
      const { times = 0, first = number, standing = 'new' } = before ?? {}
      seen.set(answer, { times: times + 1, first, last: number, standing })
    }
  }
  return { replies: number, seen }
}

function halved({ replies, seen }: Pool): Pool {
  const half = (count: number): number => Math.ceil(count / 2)
  const rows = [...seen].map(([answer, sighting]): [string, Sighting] => {
    const { times, first, last } = sighting
    return [answer, { ...sighting, times: half(times), first: half(first), last: half(last) }]
  })
  return { replies: half(replies), seen: new Map(rows) }
}

/** A pool of which every answer counts as known. */
export function learned(pool: Pool): Pool {
  const seen = [...pool.seen].map(([answer, sighting]): [string, Sighting] => [
    answer,
    { ...sighting, standing: 'known' },
  ])
  return { ...pool, seen: new Map(seen) }
}

export type Turnover = {
  readonly pool: Pool
  readonly gone: readonly string[]
  readonly come: readonly string[]
}

/** What has gone and come beyond chance; the pool that is left knows both. */
export function turnover(pool: Pool): Turnover {
  const seen = new Map(pool.seen)
  const gone: string[] = []
  const come: string[] = []
  for (const [answer, sighting] of pool.seen) {
    const { times, first, last, standing } = sighting
    const since = pool.replies - first + 1
    if (standing === 'known' && isRare(last, times, pool.replies)) {
      gone.push(answer)
      seen.delete(answer)
    }
    if (standing === 'known') continue
    if (isRare(since, times, pool.replies)) come.push(answer)
    const known = come.includes(answer) || 2 * since > pool.replies
    if (known) seen.set(answer, { ...sighting, standing: 'known' })
  }
  return { pool: { ...pool, seen }, gone, come }
}

/** ln C(within, times) − ln C(all, times), as far as it matters. */
function isRare(within: number, times: number, all: number): boolean {
  let log = 0
  if (within === all) return false
  for (let at = 0; at < times && log > RARE; at += 1) log += Math.log((within - at) / (all - at))
  return log <= RARE
}

/** Whether a reply has anything that the pool is known for. */
export function isOf(pool: Pool, answers: readonly string[]): boolean {
  return answers.some(answer => pool.seen.get(answer)?.standing === 'known')
}

/** What share of replies may hold nothing that was seen before: (seen once + 1) ÷ (replies + 1). */
export function unseenMass({ replies, seen }: Pool): number {
  return (seenOnce(seen) + 1) / (replies + 1)
}

/** Whether next to all of a pool has been seen: 1 − seen once ÷ replies is high enough. */
export function isCovered({ replies, seen }: Pool): boolean {
  return replies > 0 && 1 - seenOnce(seen) / replies >= COVERED
}

function seenOnce(seen: Pool['seen']): number {
  return [...seen.values()].filter(({ times, standing }) => times === 1 && standing === 'known')
    .length
}

/** Answers, numbers in them by value. */
export function answersOf({ seen }: Pool): readonly string[] {
  const known = [...seen].filter(([, { standing }]) => standing === 'known')
  return known.map(([answer]) => answer).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}
