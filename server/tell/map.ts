/**
 * The partition of a steered name: its leaves, which cover all addresses and never overlap, as text,
 * CSV or JSON. One line a leaf, made one at a time: there may be hundreds of thousands.
 */
import { type Block, leavesOf, poolsOf, type Steering } from '../steer/steering.ts'
import { prefixText } from './prefix.ts'

export type MapFormat = 'text' | 'csv' | 'json'

type Leaf = {
  readonly prefix: string
  readonly scope: number
  /** Pools in order of preference; or that an address in here says nothing of the client. */
  readonly ranking: readonly string[] | 'special'
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
    for (const block of leavesOf(steering, slot, family)) yield leafOf(steering, block)
  }
}

function leafOf(steering: Steering, { prefix, bits, ranking }: Block): Leaf {
  const names = (number: number) =>
    poolsOf(steering, number).map(pool => steering.poolNames[pool] ?? '')
  return {
    prefix: prefixText(prefix, bits),
    scope: bits,
    ranking: ranking === 'special' ? 'special' : names(ranking),
  }
}

const SPECIAL = '(by the source address of the query)'

function textLine({ prefix, scope, ranking }: Leaf): string {
  const pools = ranking === 'special' ? SPECIAL : ranking.join(', ')
  return `${prefix.padEnd(prefix.includes(':') ? 28 : 18)} ${String(scope).padStart(3)}  ${pools}\n`
}

function* csv(leaves: Iterable<Leaf>): Generator<string> {
  yield 'prefix,scope,ranking\n'
  for (const { prefix, scope, ranking } of leaves) {
    yield `${prefix},${scope},${ranking === 'special' ? 'special' : ranking.join(' ')}\n`
  }
}

function* json(name: string, leaves: Iterable<Leaf>): Generator<string> {
  yield `{"schema":"lbdns.map/1","name":${JSON.stringify(name)},"leaves":[`
  let separator = '\n'
  for (const leaf of leaves) {
    yield separator + JSON.stringify(leaf)
    separator = ',\n'
  }
  yield '\n]}\n'
}
