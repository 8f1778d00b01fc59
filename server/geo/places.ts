/**
 * Where addresses are, and what else rules read of them: all databases compiled into one prefix tree
 * a family. Blocks are cut at /24 and /56, the longest that public resolvers send (RFC 7871 §11.1);
 * a block takes its first address's place. Knows no rules and no rankings.
 */
import { isWrong, problemAt, type Remarks, wrong } from '../fault.ts'
import type { Country } from './countries.ts'
import { firstKnown, kept, settled } from './keep.ts'
import { type Grown, mapLeaves, mergeTrees } from './merge.ts'
import type { Database } from './mmdb.ts'
import { FIELDS, type Place, readPlace, type Wanted } from './record.ts'
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
  /** What at least one database has. `country` stands for continents too; `point` is had with it. */
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
  const asked: Asked = { wanted, countries, roll: told, remarks }
  const read = databases.flatMap(database => readBoth(database, asked) ?? [])
  remarkFamilies(databases, remarks)
  if (read.length === databases.length) remarkHoldings(read, wanted, remarks)

  const roll = placeRoll()
  const { build, root4, root6 } = mapLeaves(mergeAll(read, told), number =>
    numberOf(roll, settled(placeAt(told, number), wanted, countries)),
  )
  return {
    ...{ cells: seal(build), root4, root6, places: roll.places },
    built: databases.map(database => database.built).join(', '),
    names: databases.map(database => database.file),
    holds: [...new Set(read.flatMap(({ held }) => [...held]))],
  }
}

/** What every database is asked, and where the answers go. */
type Asked = {
  readonly wanted: Wanted
  readonly countries: ReadonlyMap<string, Country>
  readonly roll: Roll
  readonly remarks: Remarks
}

/** A database's trees, whose values are numbers of the roll, and what it has. */
type Read = Grown & { readonly file: string; readonly held: ReadonlySet<Held> }

/** @returns `undefined` where the database is damaged, with a Problem that says so */
function readBoth(database: Database, asked: Asked): Read | undefined {
  const { wanted, countries, roll, remarks } = asked
  const build = builder()
  const held = new Set<Held>()
  const meaning = (record: unknown): number => {
    const place = readPlace(record, wanted, countries)
    for (const what of heldBy(place, wanted, countries)) held.add(what)
    return numberOf(roll, kept(place, wanted))
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

function mergeAll(read: readonly Read[], roll: Roll): Grown {
  const [first, ...rest] = read
  const nobody = { build: builder(), root4: leaf(0), root6: leaf(0) }
  return rest.reduce<Grown>(
    (grown, next) =>
      mergeTrees(grown, next, (one, two) =>
        numberOf(roll, firstKnown(placeAt(roll, one), placeAt(roll, two))),
      ),
    first ?? nobody,
  )
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

/** No place in any database is a mistake; a database that nobody needs is only one too many. */
function remarkHoldings(read: readonly Read[], wanted: Wanted, remarks: Remarks): void {
  const isPlaced = read.some(({ held }) => held.has('country') || held.has('point'))
  const [first] = read
  if (first && !isPlaced && (wanted.country || wanted.point)) {
    const reason = wrong('names no country and no continent', `use a database with ${FIELDS}`)
    remarks.problems.push(problemAt({ file: first.file, line: 0, column: 0 }, reason))
    return
  }
  const asked = askedFor(wanted)
  if (asked.length === 0) return
  for (const { file, held } of read) {
    if (asked.some(what => held.has(what))) continue
    const reason = wrong('has nothing that a rule reads', 'leave it out of geo.database')
    remarks.warnings.push(problemAt({ file, line: 0, column: 0 }, reason))
  }
}

function askedFor(wanted: Wanted): readonly Held[] {
  return [
    ...heldIf('country', wanted.country || undefined),
    ...heldIf('subdivision', wanted.subdivisions.size || undefined),
    ...heldIf('city', wanted.cities.size || undefined),
    ...heldIf('asn', wanted.asns.size || undefined),
    ...heldIf('point', wanted.point || undefined),
    ...[...wanted.fields.keys()].map((path): Held => `field ${path}`),
  ]
}
