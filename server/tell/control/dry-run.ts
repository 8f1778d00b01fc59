/**
 * Whom a change of the board would move, in shares of addresses: for each ranking of a name, which
 * pools serve how many of its clients on one board and on another. Draws nothing: who it is that
 * moves, hashes decide.
 */
import { nameText } from '../../dns/name.ts'
import type { Board } from '../../steer/board.ts'
import { sharesIn } from '../../steer/shares.ts'
import { HAS, KIND, type Steering } from '../../steer/steering.ts'
import { poolName } from '../ranking.ts'
import { addTo, type Weights } from '../weights.ts'
import { Shares } from './ranked.ts'
import type { DryRun } from './told.ts'

type Name = DryRun['names'][number]
type Move = Name['moves'][number]

/** More names are not looked at: whoever asks waits, and so does what the thread has to do. */
const MOST_NAMES = 1000

/** The names of which clients move. */
export function movedNames(steering: Steering, before: Board, after: Board): Name[] {
  const shares = new Shares(steering)
  return steering.owners.slice(0, MOST_NAMES).flatMap((owner, slot) => {
    const moves = familiesOf(steering, slot).flatMap(([family, kind]) =>
      movesOf(steering, shares, { slot, family, kind }, before, after),
    )
    if (moves.length === 0) return []
    return [{ name: nameText(owner), moves: moves.toSorted((a, b) => b.share - a.share) }]
  })
}

/** A host name is given whatever the family asked; it is told of once. */
function familiesOf(steering: Steering, slot: number): (readonly [family: 4 | 6, kind: number])[] {
  if (steering.alias[slot] === 1) return [[4, KIND.host]]
  const has = steering.families[slot] ?? 0
  const all = [
    [4, KIND.ipv4, HAS.ipv4],
    [6, KIND.ipv6, HAS.ipv6],
  ] as const
  return all.filter(([, , bit]) => (has & bit) !== 0).map(([family, kind]) => [family, kind])
}

type Place = { readonly slot: number; readonly family: 4 | 6; readonly kind: number }

function movesOf(
  steering: Steering,
  shares: Shares,
  { family, kind, slot }: Place,
  before: Board,
  after: Board,
): Move[] {
  const moved: Weights<string> = new Map()
  for (const [ranking, share] of shares.ofRankings(slot, family)) {
    const was = sharesIn(steering, before, slot, ranking, kind)
    const is = sharesIn(steering, after, slot, ranking, kind)
    addFlows(moved, share, was, is)
  }
  return [...moved].map(([key, share]) => {
    const [from = 0, to = 0] = key.split(' ').map(Number)
    return { family, from: poolName(steering, from), to: poolName(steering, to), share }
  })
}

/** Shares come out of divisions: what is less is nobody. */
const LEAST = 1e-9

/** What pools lose goes to those that gain, in proportion. */
function addFlows(
  moved: Weights<string>,
  share: number,
  was: ReadonlyMap<number, number>,
  is: ReadonlyMap<number, number>,
): void {
  const changes = [...new Set([...was.keys(), ...is.keys()])].map(pool => {
    return [pool, (is.get(pool) ?? 0) - (was.get(pool) ?? 0)] as const
  })
  const gains = changes.filter(([, change]) => change > LEAST)
  const gained = gains.reduce((sum, [, change]) => sum + change, 0)
  for (const [from, lost] of changes) {
    if (lost > -LEAST) continue
    for (const [to, gain] of gains) addTo(moved, `${from} ${to}`, (share * -lost * gain) / gained)
  }
}
