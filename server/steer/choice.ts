/**
 * How a rule tells clients apart, compiled: its two partitions and the ranking of everybody else.
 * Rules that choose alike share them.
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

export type Choice = {
  readonly root4: number
  readonly root6: number
  /** The ranking where no address tells anything. */
  readonly fallback: number
  /** Every ranking that some client gets, the fallback included. */
  readonly rankings: ReadonlySet<number>
}

/** What choices are made of, and those already made. */
export type Choosing = {
  readonly build: Builder
  readonly rankings: RankingRoll
  readonly made: Map<string, Choice>
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

/** Compiles how a rule chooses, or finds the same choice already compiled. */
export function compileChoice(all: Choosing, choose: Rule['choose']): Choice {
  if (choose.kind === 'all') return sameForAll(rankingNumber(all.rankings, choose.ranking))
  const table = tableOf(all.rankings, choose.by)
  const key = keyOf(table)
  const known = all.made.get(key)
  if (known !== undefined) return known
  const choice = choiceBy(all, table)
  all.made.set(key, choice)
  return choice
}

function sameForAll(ranking: number): Choice {
  const rankings = new Set([ranking])
  return { root4: leaf(ranking), root6: leaf(ranking), fallback: ranking, rankings }
}

/** A rule's branches with their rankings as numbers. */
type Table = {
  readonly networks: readonly Branch[]
  readonly countries: ReadonlyMap<string, number>
  readonly continents: ReadonlyMap<string, number>
  readonly default: number
}

function tableOf(rankings: RankingRoll, by: Branches): Table {
  const numberOf = (ranking: readonly number[]): number => rankingNumber(rankings, ranking)
  const numbers = (branches: ReadonlyMap<string, readonly number[]>): Map<string, number> =>
    new Map([...branches].map(([code, ranking]) => [code, numberOf(ranking)]))
  return {
    networks: branchesOf(by, numberOf),
    countries: numbers(by.countries),
    continents: numbers(by.continents),
    default: numberOf(by.default),
  }
}

/** Equal for rules that choose alike, in whatever order they are written. */
function keyOf({ networks, countries, continents, default: rest }: Table): string {
  const sorted = (codes: ReadonlyMap<string, number>): string =>
    [...codes]
      .map(([code, number]) => `${code}=${number}`)
      .sort()
      .join()
  const named = networks
    .map(({ network, ranking }) => `${network}=${ranking}`)
    .sort()
    .join()
  return [named, sorted(countries), sorted(continents), rest].join(';')
}

function choiceBy(all: Choosing, table: Table): Choice {
  const { build, places, networks, remarks } = all
  const values = Int32Array.from(places.places, place => rankingAt(table, place))
  const ground = translate(build, places.cells, values, all.translated)
  const over4 = layOver(4, table.networks, networks, remarks)
  const over6 = layOver(6, table.networks, networks, remarks)
  const root4 = growPartition(ground, places.root4, over4, NONE)
  const root6 = growPartition(ground, places.root6, over6, root4)
  // IPv4 hangs in IPv6: where both are one leaf, they are the same one.
  if (root4 < 0 && root6 < 0) return sameForAll(~root6)
  const rankings = new Set([table.default, ...rankingsOf(ground, root6)])
  return { root4, root6, fallback: table.default, rankings }
}

/** Country before continent before default. */
function rankingAt(table: Table, { country, continent }: Place): number {
  const byCountry = country === undefined ? undefined : table.countries.get(country)
  const byContinent = continent === undefined ? undefined : table.continents.get(continent)
  return byCountry ?? byContinent ?? table.default
}
