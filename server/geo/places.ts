/**
 * Where addresses are, and what else rules read of them: all databases compiled into one prefix tree
 * a family. Blocks are cut at /24 and /56, the longest that public resolvers send (RFC 7871 §11.1);
 * a block takes its first address's place. Knows no rules and no rankings.
 */
import { isWrong, problemAt, type Remarks, wrong } from '../fault.ts'
import type { Country } from './countries.ts'
import { firstKnown, kept, settled } from './keep.ts'
import { type Grown, mergeTrees } from './merge.ts'
import type { Database } from './mmdb.ts'
import { type Place, readPlace, type Wanted } from './record.ts'
import { numberOf, placeAt, placeRoll, type Roll } from './roll.ts'
import { builder, leaf, type PrefixTree, seal } from './tree.ts'
import { growTree } from './walk.ts'

/** What some record of a database tells, whether or not a rule reads that very value. */
export type Held = 'country' | 'subdivision' | 'city' | 'asn' | 'point' | `field ${string}`

/** Trees whose values are indices into `places`. */
export type Places = PrefixTree & {
  /** The first is nowhere. */
  readonly places: readonly Place[]
  /** The days on which the databases were made, YYYY-MM-DD, in the order of `names`. */
  readonly built: string
  /** The databases' files. */
  readonly names: readonly string[]
  /**
   * What at least one database has. `country` stands for continents too; `point` is had with it.
   * Of a damaged one nobody knows: then all that rules read, so that no rule is blamed for it.
   */
  readonly holds: readonly Held[]
}

/** The longest prefixes that databases are read to. */
export const DEEPEST4 = 24
export const DEEPEST6 = 56

/**
 * Compiles databases into places. The first database that knows a field has it.
 *
 * @param countries their continents and points, for databases that do not tell
 */
export function compilePlaces(
  databases: readonly Database[],
  wanted: Wanted,
  countries: ReadonlyMap<string, Country>,
  remarks: Remarks,
): Places {
  const told = placeRoll()
  const roll = placeRoll()
  const settle: Numbering = place => numberOf(roll, settled(place, wanted, countries))
  const number: Numbering = databases.length === 1 ? settle : place => numberOf(told, place)
  const asked: Asked = { wanted, countries, number, remarks }
  const read = databases.flatMap(database => readBoth(database, asked) ?? [])
  const isWhole = read.length === databases.length
  remarkFamilies(databases, remarks)
  if (isWhole) remarkHoldings(read, wanted, remarks)
  const { build, root4, root6 } = mergeAll(isWhole ? read : [], told, settle)
  return {
    cells: seal(build),
    root4,
    root6,
    places: roll.places,
    built: databases.map(database => database.built).join(', '),
    names: databases.map(database => database.file),
    holds: isWhole ? [...new Set(read.flatMap(({ held }) => [...held]))] : askedFor(wanted),
  }
}

type Numbering = (place: Place) => number

/** What every database is asked, and how the answers become leaves. */
type Asked = {
  readonly wanted: Wanted
  readonly countries: ReadonlyMap<string, Country>
  readonly number: Numbering
  readonly remarks: Remarks
}

/** A database's trees, whose values are numbers of places, and what it has. */
type Read = Grown & { readonly file: string; readonly held: ReadonlySet<Held> }

/** @returns `undefined` where the database is damaged, with a Problem that says so */
function readBoth(database: Database, asked: Asked): Read | undefined {
  const { wanted, countries, number, remarks } = asked
  const build = builder(database.nodes)
  const held = new Set<Held>()
  const meaning = (record: unknown): number => {
    const place = readPlace(record, wanted, countries)
    for (const what of heldBy(place, wanted, countries)) held.add(what)
    return number(kept(place, wanted))
  }
  const root4 = growTree(database, 4, DEEPEST4, build, meaning)
  const root6 = growTree(database, 6, DEEPEST6, build, meaning)
  const { file } = database
  for (const root of new Set([root4, root6])) {
    if (isWrong(root)) remarks.problems.push(problemAt({ file, line: 0, column: 0 }, root))
  }
  return isWrong(root4) || isWrong(root6) ? undefined : { build, root4, root6, file, held }
}

function heldBy(
  place: Place,
  wanted: Wanted,
  countries: ReadonlyMap<string, Country>,
): readonly Held[] {
  const { country, continent, subdivision, city, asn, point, fields } = place
  const paths = [...wanted.fields.keys()]
  const located = point ?? (country === undefined ? undefined : countries.get(country))
  return [
    ...heldIf('country', country ?? continent),
    ...heldIf('subdivision', subdivision),
    ...heldIf('city', city),
    ...heldIf('asn', asn),
    ...heldIf('point', located),
    ...paths.flatMap((path, i) => heldIf(`field ${path}`, fields[i])),
  ]
}

function heldIf(what: Held, value: unknown): readonly Held[] {
  return value === undefined ? [] : [what]
}

/** Lays all over each other. The last to come settles each place; before, more may become known. */
function mergeAll(read: readonly Read[], told: Roll, settle: Numbering): Grown {
  const [first, ...rest] = read
  const nobody: Grown = { build: builder(), root4: leaf(0), root6: leaf(0) }
  return rest.reduce((grown: Grown, next, i) => {
    const number = i === rest.length - 1 ? settle : (place: Place) => numberOf(told, place)
    const together = (one: number, two: number): number =>
      number(firstKnown(placeAt(told, one), placeAt(told, two)))
    return mergeTrees(grown, next, together)
  }, first ?? nobody)
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

/** A database that nobody needs is one too many; what rules miss is theirs to say. */
function remarkHoldings(read: readonly Read[], wanted: Wanted, remarks: Remarks): void {
  const asked = askedFor(wanted)
  if (asked.length === 0) return
  for (const { file, held } of read) {
    if (asked.some(what => held.has(what))) continue
    const reason = wrong('has nothing that a rule reads', 'leave it out of geo.database')
    remarks.warnings.push(problemAt({ file, line: 0, column: 0 }, reason))
  }
}

/** All that rules read. */
export function askedFor(wanted: Wanted): readonly Held[] {
  return [
    ...heldIf('country', wanted.country || undefined),
    ...heldIf('subdivision', wanted.subdivisions.size || undefined),
    ...heldIf('city', wanted.cities.size || undefined),
    ...heldIf('asn', wanted.asns.size || undefined),
    ...heldIf('point', wanted.point || undefined),
    ...[...wanted.fields.keys()].map((path): Held => `field ${path}`),
  ]
}
