/** Rows of the table of subnets held against country databases: which of them says what else. */

import { basename } from 'node:path'
import { reasonOf } from './panel.ts'
import type { Row } from './plan/panel.ts'
import { type Wrong, wrong } from './plan/wrong.ts'
import type { RegionOf } from './region.ts'
import { printable } from './tell/number.ts'
import type { World } from './world.ts'

export type Database = { readonly name: string; readonly countryOf: RegionOf }

/** A row that a database puts elsewhere, or, without `says`, nowhere. */
export type Disagreement = {
  readonly row: Row
  readonly database: string
  readonly says: string | undefined
}

/** @param file absent: the database installed with the package */
export async function databaseOf(
  file: string | undefined,
  world: World,
): Promise<Database | Wrong> {
  try {
    const countryOf = guarded(await world.regions(file))
    return {
      name: file === undefined ? 'installed database' : printable(basename(file)),
      countryOf,
    }
  } catch (cause) {
    const reason = reasonOf(cause) === 'unreadable' ? 'not a database' : reasonOf(cause)
    return wrong(`--mmdb ${file}: ${reason}`, "name a country database in MaxMind's format")
  }
}

/** A damaged database knows nothing where it is damaged. */
function guarded(countryOf: RegionOf): RegionOf {
  return address => {
    try {
      const country = countryOf(address)
      return typeof country === 'string' ? printable(country) : undefined
    } catch {
      return undefined
    }
  }
}

export function verified(rows: readonly Row[], database: Database): readonly Disagreement[] {
  return rows.flatMap(row => {
    const says = database.countryOf(row.prefix.replace(/\/.*$/, ''))
    return says === row.country ? [] : [{ row, database: database.name, says }]
  })
}
