/**
 * The panel: from which client subnets a name is asked. By default four regions with five subnets
 * each, out of the table in `data/subnets`; two regions times five is the least that level 2 can
 * ever call. Gets the table's text; opens no file.
 */

import type { Subnet } from './question.ts'
import { readSubnet } from './subnet.ts'
import { isWrong, type Wrong, wrong } from './wrong.ts'

export const DEFAULT_COUNTRIES: readonly string[] = ['US', 'DE', 'JP', 'BR']
export const SUBNETS_A_COUNTRY = 5

export type Row = { readonly country: string; readonly prefix: string; readonly holder: string }

/** Reads the table: a header line names the columns, `#` starts a comment. */
export function readTable(text: string): readonly Row[] {
  const lines = text.split(/\r?\n/).filter(line => line !== '' && !line.startsWith('#'))
  const columns = (lines[0] ?? '').split(',')
  const country = columns.indexOf('country')
  const prefix = columns.indexOf('prefix')
  const holder = columns.indexOf('holder')
  return lines.slice(1).map(line => {
    const cells = line.split(',')
    return {
      country: cells[country] ?? '',
      prefix: cells[prefix] ?? '',
      holder: cells[holder] ?? '',
    }
  })
}

/**
 * The first few subnets of each country, in the order of the countries.
 *
 * @param countries two-letter codes, in any case
 */
export function panelOf(
  table: readonly Row[],
  countries: readonly string[],
  each: number,
): readonly Subnet[] | Wrong {
  const panel: Subnet[] = []
  for (const country of new Set(countries.map(code => code.toUpperCase()))) {
    const rows = table.filter(row => row.country === country)
    if (rows.length === 0) return unknownCountry(table, country)
    for (const row of rows.slice(0, each)) {
      const subnet = readSubnet(row.prefix, 'usual', country)
      if (isWrong(subnet)) return subnet
      panel.push(subnet)
    }
  }
  return panel
}

/** Subnets without those that are the same network written twice. */
export function distinct(subnets: readonly Subnet[]): readonly Subnet[] {
  return [...new Map(subnets.map(subnet => [subnet.text, subnet])).values()]
}

function unknownCountry(table: readonly Row[], country: string): Wrong {
  const known = [...new Set(table.map(row => row.country))].sort()
  return wrong(`--country ${country}: no subnets known there`, `known: ${known.join(' ')}`)
}
