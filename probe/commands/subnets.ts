/**
 * `lbprobe subnets`: the table of client subnets by country, or the rows of one, or what country
 * databases think of them. Sends nothing.
 */

import { type SubnetFlags, type SubnetOptions, subnetOptions } from '../options/subnets.ts'
import { type Row, readTable, rowsOf } from '../plan/panel.ts'
import { isWrong, type Wrong, wrong, wrongText } from '../plan/wrong.ts'
import { DOCUMENT } from '../tell/documents.ts'
import { many, printable } from '../tell/number.ts'
import { tableLines } from '../tell/table.ts'
import { type Database, type Disagreement, databaseOf, verified } from '../verify.ts'
import type { World } from '../world.ts'

const USAGE = 2
export async function subnetsCommand(
  words: readonly string[],
  flags: SubnetFlags,
  world: World,
): Promise<number> {
  const options = subnetOptions(flags)
  const done = isWrong(options) ? options : await obeyed(words, options, world)
  if (!isWrong(done)) return done
  world.err.write(`lbprobe: ${printable(wrongText(done))}\n`)
  if (flags.json) {
    const error = { code: 'usage', message: wrongText(done) }
    world.out.write(`${JSON.stringify({ schema: DOCUMENT.subnets, subnets: [], error })}\n`)
  }
  return USAGE
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
  if (verb === 'list') return listed(rows, options, world)
  if (verb === 'verify') return checked(rows, options, world)
  return wrong(`subnets ${verb}: not known`, 'list, show or verify')
}

/** All rows, clouds too, unless a preset is named. */
function tableRows(table: readonly Row[], { preset, clients }: SubnetOptions): readonly Row[] {
  if (preset !== undefined) return rowsOf(table, preset, clients)
  return [...rowsOf(table, undefined, clients), ...rowsOf(table, 'cloud', clients)]
}

function listed(rows: readonly Row[], options: SubnetOptions, world: World): number {
  world.out.write(options.format === 'person' ? summary(rows, world) : written(rows, options))
  return 0
}

function shown(
  rows: readonly Row[],
  words: readonly string[],
  options: SubnetOptions,
  world: World,
): number | Wrong {
  const codes = words.flatMap(word => word.toUpperCase().split(','))
  const missing = codes.find(code => !rows.some(({ country }) => country === code))
  if (missing !== undefined) {
    const known = [...new Set(rows.map(({ country }) => country))].sort()
    return wrong(`subnets show ${missing}: no subnets there`, `known: ${known.join(' ')}`)
  }
  const found = codes.flatMap(code => rows.filter(({ country }) => country === code))
  world.out.write(options.format === 'person' ? detail(found, world) : written(found, options))
  return 0
}

const KINDS = ['academic', 'isp', 'cloud'] as const

/** One line a country, and how many there are of each kind. */
function summary(rows: readonly Row[], world: World): string {
  const names = new Intl.DisplayNames('en', { type: 'region' })
  const codes = [...new Set(rows.map(({ country }) => country))].sort()
  const lines = [...codes, undefined].map(code => {
    const own = rows.filter(({ country }) => code === undefined || country === code)
    const kinds = KINDS.map(kind => own.filter(({ preset }) => preset === kind))
    const counts = [...kinds, own.filter(({ family }) => family === 6)].map(({ length }) => length)
    const name = code === undefined ? `${codes.length} countries` : (names.of(code) ?? code)
    return [code ?? '', name, ...counts.map(count => (count === 0 ? '-' : `${count}`))]
  })
  return page([['', 'country', ...KINDS, 'of these IPv6'], ...lines], world)
}

function detail(rows: readonly Row[], world: World): string {
  const lines = rows.map(({ country, prefix, holder, preset, source, agreeing, checked, note }) => [
    country, prefix, holder, preset, source, `${agreeing} of 4`, checked, note,
  ]) // biome-ignore format: one line
  const head = ['', 'prefix', 'holder', 'preset', 'source', 'agreeing', 'checked', 'note']
  return page([head, ...lines], world)
}

function page(rows: readonly (readonly string[])[], world: World): string {
  return `${tableLines(rows, world.out.columns).join('\n')}\n`
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

function written(rows: readonly Row[], { format }: SubnetOptions): string {
  if (format === 'json') return `${JSON.stringify({ schema: DOCUMENT.subnets, subnets: rows })}\n`
  const keys = Object.values(COLUMN)
  const lines = [Object.keys(COLUMN), ...rows.map(row => keys.map(key => row[key]))]
  return lines.map(cells => `${cells.join(',')}\n`).join('')
}

/** Exit 1 where a database puts a subnet into another country; what it does not know is only told. */
async function checked(
  rows: readonly Row[],
  { databases, format }: SubnetOptions,
  world: World,
): Promise<number | Wrong> {
  const opened: Database[] = []
  for (const file of databases.length > 0 ? databases : [undefined]) {
    const database = await databaseOf(file, world)
    if (isWrong(database)) return database
    opened.push(database)
  }
  const found = opened.flatMap(one => verified(rows, one))
  if (format === 'json') world.out.write(verdictDocument(rows, opened, found))
  else world.out.write(verdictText(rows, opened, found, world))
  return found.some(({ says }) => says !== undefined) ? 1 : 0
}

function verdictDocument(
  rows: readonly Row[],
  opened: readonly Database[],
  found: readonly Disagreement[],
): string {
  const disagreements = found.map(({ row: { country, prefix }, database, says }) => {
    return { country, prefix, database, says }
  })
  const databases = opened.map(({ name }) => name)
  const document = { schema: DOCUMENT.subnets, databases, checked: rows.length, disagreements }
  return `${JSON.stringify(document)}\n`
}

function verdictText(
  rows: readonly Row[],
  opened: readonly Database[],
  found: readonly Disagreement[],
  world: World,
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
  const table = lines.length > 0 ? `${page(lines, world)}\n` : ''
  return `${table}${many(rows.length, 'subnet', 'subnets')} in ${asked}: ${counts}\n`
}
