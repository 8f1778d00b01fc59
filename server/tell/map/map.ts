/**
 * The partition of a steered name: its leaves, which cover all addresses and never overlap, as text,
 * CSV or JSON. One line a leaf, made one at a time: there may be hundreds of thousands.
 */
import { type Block, leavesOf } from '../../steer/leaves.ts'
import type { Steering } from '../../steer/steering.ts'
import { prefixText } from '../prefix.ts'
import { type Ranking, rankingNamed, rankingText } from '../ranking.ts'
import { isHashed, scopeIn } from './quantum.ts'

export type MapFormat = 'text' | 'csv' | 'json'

type Leaf = {
  readonly prefix: string
  /** Of replies: longer than the prefix where its clients are hashed. */
  readonly scope: number
  readonly ranking: Ranking
  /** Each block of `scope` bits is a client of its own. Absent elsewhere. */
  readonly hashed?: true
}

/**
 * Writes the map of one slot, piece by piece.
 *
 * @param name the name as it was asked for
 */
export function* mapText(
  steering: Steering,
  slot: number,
  options: {
    readonly name: string
    readonly families: readonly (4 | 6)[]
    readonly format: MapFormat
  },
): Generator<string> {
  const { families, format, name } = options
  const leaves = eachLeaf(steering, slot, families)
  if (format === 'text') for (const leaf of leaves) yield textLine(leaf)
  else if (format === 'csv') yield* csv(leaves)
  else yield* json(name, leaves)
}

function* eachLeaf(
  steering: Steering,
  slot: number,
  families: readonly (4 | 6)[],
): Generator<Leaf> {
  for (const family of families) {
    for (const block of leavesOf(steering, slot, family)) yield leafOf(steering, slot, block)
  }
}

function leafOf(steering: Steering, slot: number, block: Block): Leaf {
  const { prefix, bits, ranking } = block
  const leaf = {
    prefix: prefixText(prefix, bits),
    scope: scopeIn(steering, slot, block),
    ranking: rankingNamed(steering, ranking),
  }
  return isHashed(steering, slot, ranking) ? { ...leaf, hashed: true } : leaf
}

function textLine({ prefix, scope, ranking, hashed }: Leaf): string {
  const blocks = hashed ? `, hashed by /${scope}` : ''
  const wide = prefix.includes(':') ? 28 : 18
  return `${prefix.padEnd(wide)} ${String(scope).padStart(3)}  ${rankingText(ranking)}${blocks}\n`
}

/** Pools are parted by a blank, or by = where they are equally good. */
function* csv(leaves: Iterable<Leaf>): Generator<string> {
  yield 'prefix,scope,ranking\n'
  for (const { prefix, scope, ranking } of leaves) {
    const pools = ranking === 'special' ? ranking : ranking.map(tier => tier.join('=')).join(' ')
    yield `${prefix},${scope},${pools}\n`
  }
}

function* json(name: string, leaves: Iterable<Leaf>): Generator<string> {
  yield `{"schema":"lbdns.map/2","name":${JSON.stringify(name)},"leaves":[`
  let separator = '\n'
  for (const leaf of leaves) {
    yield separator + JSON.stringify(leaf)
    separator = ',\n'
  }
  yield '\n]}\n'
}
