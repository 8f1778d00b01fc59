/**
 * How a rule tells clients apart, compiled: its two partitions and the ranking of everybody else.
 * Leaves hold classes, numbered anew for each way to part clients: a thousand names that tell the
 * same countries apart, each with pools of its own, share one pair of partitions.
 */
import type { Remarks } from '../fault.ts'
import type { Places } from '../geo/places.ts'
import type { Place } from '../geo/record.ts'
import { type Builder, builder, leaf } from '../geo/tree.ts'
import { type Branch, branchesOf, layOver } from './networks.ts'
import { NONE } from './overlay.ts'
import { growPartition, rankingsOf, translate } from './partition.ts'
import { type RankingRoll, rankingNumber, rankingRoll } from './rankings.ts'
import type { Branches, Network, Rule } from './rule.ts'
import { SPECIAL } from './steering.ts'

export type Choice = Shape & {
  /** The ranking of each class, by number. */
  readonly classes: readonly number[]
  /** The ranking where no address tells anything. */
  readonly fallback: number
  /** Every ranking that some client gets, the fallback included. */
  readonly rankings: ReadonlySet<number>
}

/** How a rule parts its clients into classes. Which ranking a class has is each rule's own. */
type Shape = { readonly root4: number; readonly root6: number }

/** What choices are made of, and those already made. */
export type Choosing = {
  readonly build: Builder
  readonly rankings: RankingRoll
  readonly made: Map<string, MadeShape>
  readonly places: Places
  /** Scratch: a cell for each node of the places. */
  readonly translated: Int32Array
  readonly networks: readonly Network[]
  readonly remarks: Remarks
}

export function choosing(places: Places, networks: readonly Network[], remarks: Remarks): Choosing {
  const fresh = { build: builder(), rankings: rankingRoll(), made: new Map() }
  const translated = new Int32Array(places.cells.length / 2)
  return { ...fresh, places, translated, networks, remarks }
}

/** Compiles how a rule chooses. Rules that part their clients alike share the partitions. */
export function compileChoice(all: Choosing, choose: Rule['choose']): Choice {
  if (choose.kind === 'all') return sameForAll(rankingNumber(all.rankings, choose.ranking))
  const { table, classes } = tableOf(all.rankings, choose.by)
  const key = keyOf(table)
  const shape = all.made.get(key) ?? shapeBy(all, table)
  all.made.set(key, shape)
  const { root4, root6, reached } = shape
  const rankings = new Set(Array.from(reached, number => classes[number] ?? 0))
  const [only = 0] = rankings
  if (root4 < 0 && root6 < 0) return sameForAll(only)
  return { root4, root6, classes, fallback: classes[table.default] ?? 0, rankings }
}

/** The one class of a rule that does not tell its clients apart. */
const FIRST = SPECIAL + 1

function sameForAll(ranking: number): Choice {
  const classes = [SPECIAL, ranking]
  const rankings = new Set([ranking])
  return { root4: leaf(FIRST), root6: leaf(FIRST), classes, fallback: ranking, rankings }
}

/** A rule's branches with the numbers of their classes. */
type Table = {
  readonly networks: readonly Branch[]
  readonly countries: ReadonlyMap<string, number>
  readonly continents: ReadonlyMap<string, number>
  readonly default: number
}

/** Classes are numbered as they come, in an order that no ranking has a say in. */
function tableOf(
  roll: RankingRoll,
  by: Branches,
): { readonly table: Table; readonly classes: readonly number[] } {
  const classes = [SPECIAL]
  const numbers = new Map<number, number>()
  const numberOf = (ranking: readonly number[]): number => {
    const inRoll = rankingNumber(roll, ranking)
    const known = numbers.get(inRoll) ?? classes.length
    classes[known] = inRoll
    numbers.set(inRoll, known)
    return known
  }
  const sorted = (branches: ReadonlyMap<string, readonly number[]>): Map<string, number> =>
    new Map([...branches].sort(byKey).map(([code, ranking]) => [code, numberOf(ranking)]))
  const table = {
    default: numberOf(by.default),
    networks: branchesOf(by, numberOf),
    countries: sorted(by.countries),
    continents: sorted(by.continents),
  }
  return { table, classes }
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1
}

/** Equal for rules that part their clients alike, in whatever order they are written. */
function keyOf({ networks, countries, continents, default: rest }: Table): string {
  const listed = (codes: ReadonlyMap<string, number>): string =>
    [...codes].map(([code, number]) => `${code}=${number}`).join()
  const named = networks.map(({ network, ranking }) => `${network}=${ranking}`).join()
  return [named, listed(countries), listed(continents), rest].join(';')
}

type MadeShape = Shape & { readonly reached: ReadonlySet<number> }

function shapeBy(all: Choosing, table: Table): MadeShape {
  const { build, places, networks, remarks } = all
  const values = Int32Array.from(places.places, place => classAt(table, place))
  const ground = translate(build, places.cells, values, all.translated)
  const over4 = layOver(4, table.networks, networks, remarks)
  const over6 = layOver(6, table.networks, networks, remarks)
  const root4 = growPartition(ground, places.root4, over4, NONE)
  const root6 = growPartition(ground, places.root6, over6, root4)
  // IPv4 hangs in IPv6: where both are one leaf, they are the same one, and nobody gets the default.
  const one = root4 < 0 && root6 < 0
  return {
    root4,
    root6,
    reached: new Set([one ? ~root6 : table.default, ...rankingsOf(ground, root6)]),
  }
}

/** Country before continent before default. */
function classAt(table: Table, { country, continent }: Place): number {
  const byCountry = country === undefined ? undefined : table.countries.get(country)
  const byContinent = continent === undefined ? undefined : table.continents.get(continent)
  return byCountry ?? byContinent ?? table.default
}
