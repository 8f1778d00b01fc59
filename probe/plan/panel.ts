/**
 * The panel: from which client subnets a name is asked. By default four regions with five subnets
 * each, out of the table in `data/subnets`; two regions times five is the least that level 2 can
 * ever call. Gets the table's text; opens no file.
 */

import { type Chance, shuffled } from './chance.ts'
import type { Clients, Preset } from './preset.ts'
import type { Subnet } from './question.ts'
import { CONTROLS } from './rounds.ts'
import { readSubnet } from './subnet.ts'
import { isWrong, type Wrong, wrong } from './wrong.ts'

export const DEFAULT_COUNTRIES: readonly string[] = ['US', 'DE', 'JP', 'BR']
export const SUBNETS_A_COUNTRY = 5

export type Row = {
  readonly country: string
  readonly prefix: string
  readonly holder: string
  readonly preset: string
  readonly family: 4 | 6
  /** How many databases put it into that country, of four. */
  readonly agreeing: number
  /** The AS that announces it. */
  readonly source: string
  /** The day it was looked up, `2026-12-01`. */
  readonly checked: string
  /** What the databases that do not agree say; mostly empty. */
  readonly note: string
}

/** Which rows of the table a run is for. */
export type Choice = {
  /** Absent: all but the clouds, of the default countries where none are named. */
  readonly preset?: Preset | undefined
  readonly countries?: readonly string[] | undefined
  readonly clients: Clients
  /** Most subnets: of more, some are drawn. */
  readonly most: number
}

/** Reads the table: a header line names the columns, `#` starts a comment. */
export function readTable(text: string): readonly Row[] {
  const lines = text.split(/\r?\n/).filter(line => line !== '' && !line.startsWith('#'))
  const columns = (lines[0] ?? '').split(',')
  return lines.slice(1).map(line => {
    const cells = line.split(',')
    const cell = (name: string): string => cells[columns.indexOf(name)] ?? ''
    return {
      country: cell('country'),
      prefix: cell('prefix'),
      holder: cell('holder'),
      preset: cell('preset'),
      family: cell('prefix').includes(':') ? 6 : 4,
      agreeing: Number(cell('databases_agreeing')),
      source: cell('source'),
      checked: cell('checked'),
      note: cell('note'),
    }
  })
}

/** Rows of a preset and of the families wanted. */
export function rowsOf(
  table: readonly Row[],
  preset: Preset | undefined,
  clients: Clients,
): readonly Row[] {
  const kind = preset ?? 'world'
  return table.filter(row => {
    const meant = kind === 'world' ? row.preset !== 'cloud' : row.preset === kind
    return meant && (clients === 'both' || clients === `ipv${row.family}`)
  })
}

/**
 * The subnets of a choice: the first few of each country named, or of the default countries; of a
 * preset without countries all, or so many drawn that a region has at least two.
 *
 * @param chance moves only where subnets are drawn
 */
export function choosePanel(
  table: readonly Row[],
  choice: Choice,
  chance: Chance,
): readonly Subnet[] | Wrong {
  const { preset, clients, countries } = choice
  const rows = rowsOf(table, preset, clients)
  if (preset !== undefined && countries === undefined) {
    const drawn = rows.length <= choice.most ? rows : drawRows(rows, choice.most, chance)
    return subnetsOf(drawn)
  }
  return subnetsOfEach(rows, countries ?? DEFAULT_COUNTRIES, SUBNETS_A_COUNTRY)
}

/** Rounds that a panel drawn from a preset should last. */
const ROUNDS = 8

/**
 * Subnets that may be drawn for so many queries: all rounds, and a tenth left for the scopes.
 *
 * @returns at least 10, of which a lower budget asks fewer rounds
 */
export function mostSubnets(queries: number): number {
  return Math.max(10, Math.floor((0.9 * queries) / ROUNDS) - CONTROLS.length)
}

/** The least in a region that shows how alike its subnets are answered. */
const A_REGION = 2

/**
 * Some of many rows, spread over regions: of as many regions as fit two each, then of each a third,
 * and so on. A region with one row shows nothing of its own variation, and is not drawn.
 *
 * @param most at least 2
 */
export function drawRows(rows: readonly Row[], most: number, chance: Chance): readonly Row[] {
  const mixed = shuffled(chance, rows)
  const countries = [...new Set(mixed.map(({ country }) => country))]
  const regions = countries
    .map(country => mixed.filter(row => row.country === country))
    .filter(region => region.length >= A_REGION)
    .slice(0, Math.floor(most / A_REGION))
  const places = regions.flatMap(region => region.map((row, place) => ({ row, place })))
  const inTurn = places.toSorted((one, other) => one.place - other.place)
  const taken = new Set(inTurn.slice(0, most).map(({ row }) => row))
  return rows.filter(row => taken.has(row))
}

/**
 * The first few IPv4 subnets of each country, in the order of the countries; no clouds.
 *
 * @param countries two-letter codes, in any case
 */
export function panelOf(
  table: readonly Row[],
  countries: readonly string[],
  each: number,
): readonly Subnet[] | Wrong {
  return subnetsOfEach(rowsOf(table, undefined, 'ipv4'), countries, each)
}

/** Of each country the first few of each family. */
function subnetsOfEach(
  table: readonly Row[],
  countries: readonly string[],
  each: number,
): readonly Subnet[] | Wrong {
  const rows: Row[] = []
  for (const country of new Set(countries.map(code => code.toUpperCase()))) {
    const found = table.filter(row => row.country === country)
    if (found.length === 0) return unknownCountry(table, country)
    const families = [4, 6].map(family => found.filter(row => row.family === family))
    rows.push(...families.flatMap(some => some.slice(0, each)))
  }
  return subnetsOf(rows)
}

function subnetsOf(rows: readonly Row[]): readonly Subnet[] | Wrong {
  const subnets: Subnet[] = []
  for (const { prefix, country } of rows) {
    const subnet = readSubnet(prefix, 'usual', country)
    if (isWrong(subnet)) return subnet
    subnets.push(subnet)
  }
  return subnets
}

/** Subnets without those that are the same network written twice. */
export function distinct(subnets: readonly Subnet[]): readonly Subnet[] {
  return [...new Map(subnets.map(subnet => [subnet.text, subnet])).values()]
}

function unknownCountry(table: readonly Row[], country: string): Wrong {
  const known = [...new Set(table.map(row => row.country))].sort()
  return wrong(`--country ${country}: no subnets known there`, `known: ${known.join(' ')}`)
}
