/**
 * `lbprobe subnets`: the table of client subnets by country, or the rows of one, or what country
 * databases think of them. Sends nothing.
 */

import { put } from '../deliver.ts'
import { isPage, refusedIn } from '../options/formats.ts'
import { type SubnetFlags, type SubnetOptions, subnetOptions } from '../options/subnets.ts'
import { type Row, readTable, rowsOf } from '../plan/panel.ts'
import { isWrong, type Wrong, wrong } from '../plan/wrong.ts'
import { DOCUMENT, toolOf } from '../tell/documents.ts'
import { many } from '../tell/number.ts'
import type { Sheet } from '../tell/sheet.ts'
import { tableLines } from '../tell/table.ts'
import { type Database, type Disagreement, databaseOf, verified } from '../verify.ts'
import type { World } from '../world.ts'
import { refuse } from './refuse.ts'

export async function subnetsCommand(
  words: readonly string[],
  flags: SubnetFlags,
  world: World,
): Promise<number> {
  const options = subnetOptions(flags)
  const done = isWrong(options) ? options : await obeyed(words, options, world)
  return isWrong(done) ? refuse(done, DOCUMENT.subnets, refusedIn(flags), world) : done
}

async function obeyed(
  [verb = 'list', ...rest]: readonly string[],
  options: SubnetOptions,
  world: World,
): Promise<number | Wrong> {
  const table = readTable(await world.table())
  const rows = tableRows(table, options)
  if (verb === 'show' && rest.length > 0) return shown(rows, rest, options, world)
  if (verb === 'show') return wrong('subnets show: of which country', 'such as show DE')
  if (rest.length > 0) return wrong(`subnets ${verb} ${rest[0]}: one word too many`)
  if (verb === 'list') return told(listed(rows), options, world)
  if (verb === 'verify') return checked(rows, options, world)
  return wrong(`subnets ${verb}: not known`, 'list, show or verify')
}

/** All rows, clouds too, unless a preset is named. */
function tableRows(table: readonly Row[], { preset, clients }: SubnetOptions): readonly Row[] {
  if (preset !== undefined) return rowsOf(table, preset, clients)
  return [...rowsOf(table, undefined, clients), ...rowsOf(table, 'cloud', clients)]
}

/** @param exit where it can be written */
async function told(
  sheet: Sheet,
  { format, output }: SubnetOptions,
  world: World,
  exit = 0,
): Promise<number | Wrong> {
  const isCut = output === undefined && format !== 'plain'
  const text = isPage(format)
    ? sheet.page(isCut ? world.out.columns : undefined)
    : (await import('../tell/sheet.ts')).sheetText(signed(sheet, world), format)
  return (await put(text, output, world)) ?? exit
}

function shown(
  rows: readonly Row[],
  words: readonly string[],
  options: SubnetOptions,
  world: World,
): Promise<number | Wrong> | Wrong {
  const codes = words.flatMap(word => word.toUpperCase().split(','))
  const missing = codes.find(code => !rows.some(({ country }) => country === code))
  if (missing !== undefined) {
    const known = [...new Set(rows.map(({ country }) => country))].sort()
    return wrong(`subnets show ${missing}: no subnets there`, `known: ${known.join(' ')}`)
  }
  const found = codes.flatMap(code => rows.filter(({ country }) => country === code))
  const page = (width: number | undefined): string => detail(found, width)
  return told({ page, ...dataOf(found) }, options, world)
}

/** A document says what it is and what made it. */
function signed({ json, ...sheet }: Sheet, { version }: World): Sheet {
  return { ...sheet, json: { schema: DOCUMENT.subnets, tool: toolOf(version), ...json } }
}

function listed(rows: readonly Row[]): Sheet {
  return { page: width => summary(rows, width), ...dataOf(rows) }
}

/** The columns of the file in `data/subnets`, and what they are called here. */
const COLUMN = {
  country: 'country',
  prefix: 'prefix',
  holder: 'holder',
  preset: 'preset',
  family: 'family',
  databases_agreeing: 'agreeing',
  source: 'source',
  checked: 'checked',
  note: 'note',
} as const satisfies Readonly<Record<string, keyof Row>>

function dataOf(subnets: readonly Row[]): Omit<Sheet, 'page'> {
  const keys = Object.values(COLUMN)
  const rows = subnets.map(row => keys.map(key => row[key]))
  const table = { head: Object.keys(COLUMN), rows }
  return { json: { subnets }, table }
}

const KINDS = ['academic', 'isp', 'cloud'] as const

/** One line a country, and how many there are of each kind. */
function summary(rows: readonly Row[], width: number | undefined): string {
  const names = new Intl.DisplayNames('en', { type: 'region' })
  const codes = [...new Set(rows.map(({ country }) => country))].sort()
  const lines = [...codes, undefined].map(code => {
    const own = rows.filter(({ country }) => code === undefined || country === code)
    const kinds = KINDS.map(kind => own.filter(({ preset }) => preset === kind))
    const counts = [...kinds, own.filter(({ family }) => family === 6)].map(({ length }) => length)
    const name = code === undefined ? `${codes.length} countries` : (names.of(code) ?? code)
    return [code ?? '', name, ...counts.map(count => (count === 0 ? '-' : `${count}`))]
  })
  return page([['', 'country', ...KINDS, 'of these IPv6'], ...lines], width)
}

function detail(rows: readonly Row[], width: number | undefined): string {
  const lines = rows.map(({ country, prefix, holder, preset, source, agreeing, checked, note }) => [
    country, prefix, holder, preset, source, `${agreeing} of 4`, checked, note,
  ]) // biome-ignore format: one line
  const head = ['', 'prefix', 'holder', 'preset', 'source', 'agreeing', 'checked', 'note']
  return page([head, ...lines], width)
}

function page(rows: readonly (readonly string[])[], width: number | undefined): string {
  return `${tableLines(rows, width).join('\n')}\n`
}

/** Exit 1 where a database puts a subnet into another country; what it does not know is only told. */
async function checked(
  rows: readonly Row[],
  options: SubnetOptions,
  world: World,
): Promise<number | Wrong> {
  const { databases } = options
  const opened: Database[] = []
  for (const file of databases.length > 0 ? databases : [undefined]) {
    const database = await databaseOf(file, world)
    if (isWrong(database)) return database
    opened.push(database)
  }
  const found = opened.flatMap(one => verified(rows, one))
  const exit = found.some(({ says }) => says !== undefined) ? 1 : 0
  return told(verdictSheet(rows, opened, found), options, world, exit)
}

function verdictSheet(
  rows: readonly Row[],
  opened: readonly Database[],
  found: readonly Disagreement[],
): Sheet {
  const disagreements = found.map(({ row: { country, prefix }, database, says }) => {
    return { country, prefix, database, says }
  })
  const databases = opened.map(({ name }) => name)
  const cells = found.map(({ row, database, says }) => {
    return [row.country, row.prefix, row.holder, database, says]
  })
  return {
    page: width => verdictText(rows, opened, found, width),
    json: { databases, checked: rows.length, disagreements },
    table: { head: ['country', 'prefix', 'holder', 'database', 'says'], rows: cells },
  }
}

function verdictText(
  rows: readonly Row[],
  opened: readonly Database[],
  found: readonly Disagreement[],
  width: number | undefined,
): string {
  const lines = found.map(({ row, database, says }) => [
    row.country,
    row.prefix,
    row.holder,
    database,
    says === undefined ? 'knows no country' : `says ${says}`,
  ])
  const elsewhere = found.filter(({ says }) => says !== undefined).length
  const counts = `${elsewhere} elsewhere, ${found.length - elsewhere} unknown`
  const asked = many(opened.length, 'database', 'databases')
  const table = lines.length > 0 ? `${page(lines, width)}\n` : ''
  return `${table}${many(rows.length, 'subnet', 'subnets')} in ${asked}: ${counts}\n`
}
