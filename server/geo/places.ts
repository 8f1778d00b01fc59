/**
 * Where addresses are, by country and continent: all databases compiled into one prefix tree a
 * family. Blocks are cut at /24 and /56, the longest that public resolvers send (RFC 7871 §11.1);
 * a block takes its first address's place. Knows no rules and no rankings.
 */
import { isWrong, problemAt, type Remarks, wrong } from '../fault.ts'
import type { Database } from './mmdb.ts'
import { FIELDS, NOWHERE, type Place, placeOf } from './record.ts'
import { type Builder, builder, childOf, join, leaf, type PrefixTree, seal } from './tree.ts'
import { growTree } from './walk.ts'

/** Trees whose values are indices into `places`. */
export type Places = PrefixTree & {
  readonly places: readonly Place[]
  /** The days on which the databases were made, YYYY-MM-DD, in the order of `names`. */
  readonly built: string
  /** The databases' files. */
  readonly names: readonly string[]
}

/** The longest prefixes that databases are read to. */
export const DEEPEST4 = 24
export const DEEPEST6 = 56

/**
 * Compiles databases into places. The first database that knows a field wins.
 *
 * @param continentOf the continent of each country, for databases that do not tell
 */
export function compilePlaces(
  databases: readonly Database[],
  continentOf: ReadonlyMap<string, string>,
  remarks: Remarks,
): Places {
  const roll = placeRoll()
  let grown: Grown = { build: builder(), root4: leaf(0), root6: leaf(0) }
  databases.forEach((database, i) => {
    const next = growBoth(database, continentOf, roll, remarks)
    grown = i === 0 ? next : mergeBoth(grown, next, roll)
  })
  remarkFamilies(databases, remarks)
  return {
    cells: seal(grown.build),
    root4: grown.root4,
    root6: grown.root6,
    places: roll.places,
    built: databases.map(database => database.built).join(', '),
    names: databases.map(database => database.file),
  }
}

type Grown = { readonly build: Builder; readonly root4: number; readonly root6: number }

/** Places by number; the same place has one number. 0 is nowhere. */
type PlaceRoll = { readonly places: Place[]; readonly numbers: Map<string, number> }

function placeRoll(): PlaceRoll {
  const roll: PlaceRoll = { places: [], numbers: new Map() }
  numberOf(roll, NOWHERE)
  return roll
}

function numberOf(roll: PlaceRoll, place: Place): number {
  const key = `${place.country ?? ''} ${place.continent ?? ''}`
  const known = roll.numbers.get(key)
  if (known !== undefined) return known
  roll.numbers.set(key, roll.places.length)
  return roll.places.push(place) - 1
}

function growBoth(
  database: Database,
  continentOf: ReadonlyMap<string, string>,
  roll: PlaceRoll,
  remarks: Remarks,
): Grown {
  const build = builder()
  let located = 0
  const meaning = (record: unknown): number => {
    const number = numberOf(roll, placeOf(record, continentOf))
    if (number !== 0) located += 1
    return number
  }
  const root4 = growTree(database, 4, DEEPEST4, build, meaning)
  const root6 = growTree(database, 6, DEEPEST6, build, meaning)
  const at = { file: database.file, line: 0, column: 0 }
  for (const root of new Set([root4, root6])) {
    if (isWrong(root)) remarks.problems.push(problemAt(at, root))
  }
  if (isWrong(root4) || isWrong(root6)) return { build, root4: leaf(0), root6: leaf(0) }
  if (located === 0) {
    const reason = wrong('names no country and no continent', `use a database with ${FIELDS}`)
    remarks.problems.push(problemAt(at, reason))
  }
  return { build, root4, root6 }
}

function mergeBoth(first: Grown, second: Grown, roll: PlaceRoll): Grown {
  const merge: Merge = { build: builder(), first: first.build, second: second.build, roll }
  const root4 = mergeCells(merge, first.root4, second.root4)
  return { build: merge.build, root4, root6: mergeCells(merge, first.root6, second.root6) }
}

type Merge = {
  readonly build: Builder
  readonly first: Builder
  readonly second: Builder
  readonly roll: PlaceRoll
}

/** Lays two trees over each other; where both end, the first that knows a field has it. */
function mergeCells(merge: Merge, first: number, second: number): number {
  if (first < 0 && second < 0) return leaf(mergePlaces(merge.roll, ~first, ~second))
  const half = (bit: number): number =>
    mergeCells(
      merge,
      childOf(merge.first.cells, first, bit),
      childOf(merge.second.cells, second, bit),
    )
  const zero = half(0)
  return join(merge.build, zero, half(1))
}

function mergePlaces(roll: PlaceRoll, first: number, second: number): number {
  const one = roll.places[first] ?? NOWHERE
  const two = roll.places[second] ?? NOWHERE
  return numberOf(roll, {
    country: one.country ?? two.country,
    continent: one.continent ?? two.continent,
  })
}

/** IPv4 found nowhere is a mistake; IPv6 found nowhere may be meant. */
function remarkFamilies(databases: readonly Database[], remarks: Remarks): void {
  const [first] = databases
  if (first === undefined) return
  const at = { file: first.file, line: 0, column: 0 }
  if (databases.every(({ root4, nodes }) => root4 === nodes)) {
    const reason = wrong('holds no IPv4 addresses', 'name a database of IPv4 beside it')
    remarks.problems.push(problemAt(at, reason))
  }
  if (databases.every(({ root6 }) => root6 === undefined)) {
    const reason = wrong(
      'holds no IPv6 addresses: those get the default branch',
      'name a database of IPv6 beside it',
    )
    remarks.warnings.push(problemAt(at, reason))
  }
}
