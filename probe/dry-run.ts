/**
 * `--dry-run`: the whole plan as a table: every name and type, whom it would be put to, how many
 * queries that takes and how long. Looks nothing up: what would have to be is said.
 */

import type { ServerWord } from './ask/server.ts'
import type { Options } from './options.ts'
import { type Outline, panelText, timeText } from './outline.ts'
import { isLoopback } from './plan/budget.ts'
import { readAddress } from './plan/subnet.ts'
import { many } from './tell/number.ts'
import { tableLines } from './tell/table.ts'

const DNS_PORT = 53

/** Rounds after which `ecs` ends where all is the same. */
const LEAST_ROUNDS = 3

/** One measurement: a name, a type, and servers that are measured as one. */
type Row = {
  readonly name: string
  readonly type: string
  readonly words: readonly ServerWord[]
  readonly least: number
  readonly most: number
  /** Seconds that `most` takes at the rate; 0 on loopback. */
  readonly seconds: number
}

/** @param options with the servers that are asked, `@auth` too */
export function dryRunText(outline: Outline, options: Options): string {
  const rows = rowsOf(outline, options)
  const lines = rows.map(({ name, type, words, least, most, seconds }) => [
    name,
    type,
    words.map(word => serverWord(word, options)).join(', '),
    least === most ? `${most}` : `${least} to ${most}`,
    seconds === 0 ? 'no pause' : timeText(seconds),
  ])
  const table = tableLines([['name', 'type', 'asked', 'queries', 'time'], ...lines], undefined)
  return [heading(outline), '', ...table, '', ...lookups(options), total(rows, options), ''].join(
    '\n',
  )
}

function heading(outline: Outline): string {
  const { command, count, subnets, samplesABlock, seed } = outline
  if (command === 'dns2')
    return `plan: dns2, ${many(count, 'query', 'queries')} in a row, seed ${seed}`
  const round = subnets.length + outline.controls
  const rounds = `up to ${many(count, 'round', 'rounds')} of ${round}`
  const scopes = `then ${samplesABlock} in each block announced`
  return `plan: ecs, ${panelText(outline)}, ${rounds}, ${scopes}, seed ${seed}`
}

function rowsOf(outline: Outline, options: Options): readonly Row[] {
  const words = options.servers
  const apart = outline.command === 'dns2' && words.every(({ kind }) => kind !== 'auth')
  const lists = apart ? words.map(word => [word]) : [words]
  const subjects = options.names.flatMap(name => options.types.map(type => ({ name, type })))
  return subjects.flatMap(subject =>
    lists.map(list => ({ ...subject, words: list, ...cost(outline, options, list) })),
  )
}

/** Name servers beside the first are asked one query a round, as far as they are named. */
function cost(outline: Outline, options: Options, words: readonly ServerWord[]) {
  const round = outline.subnets.length + outline.controls + words.length - 1
  const least =
    outline.command === 'dns2' ? outline.count : Math.min(LEAST_ROUNDS, outline.count) * round
  const wanted = outline.command === 'dns2' ? outline.count : outline.queries
  const most = Math.min(outline.queries, wanted)
  const near = words.every(word => word.kind === 'host' && isLoopback(word.host))
  const pause = Math.max(near ? 0 : 1 / outline.rate, options.intervalMs / 1000)
  return { least: Math.min(least, most), most, seconds: most * pause }
}

const ALL = 'each of all name servers'

function serverWord(word: ServerWord, { port, whom }: Options): string {
  if (word.kind === 'auth') return whom === 'all-ns' ? ALL : "the zone's name servers"
  if (word.kind === 'system') return "the system's resolver"
  return `${word.host}#${word.port ?? port ?? DNS_PORT}`
}

/** What a real run would ask the system's resolver for before anything else. */
function lookups({ servers, names }: Options): readonly string[] {
  const isAuth = servers.some(({ kind }) => kind === 'auth')
  const zones = isAuth ? names.map(name => `the name servers for ${name}`) : []
  const hosts = servers.flatMap(word =>
    word.kind === 'host' && readAddress(word.host.replace(/%.*$/, '')) === undefined
      ? [`the address of ${word.host}`]
      : [],
  )
  const all = [...zones, ...hosts]
  return all.length === 0 ? [] : [`looked up first, by the system's resolver: ${all.join(', ')}`]
}

function total(rows: readonly Row[], { rate, deadlineMs, whom }: Options): string {
  const most = rows.reduce((sum, row) => sum + row.most, 0)
  const seconds = rows.reduce((sum, row) => sum + row.seconds, 0)
  const time = seconds === 0 ? '' : `, ${timeText(seconds)} at ${rate} a second`
  const end = deadlineMs === undefined ? '' : `, ended after ${deadlineMs / 1000} s`
  const each = whom === 'all-ns' ? ' to each server' : ''
  return `in all at most ${many(most, 'query', 'queries')}${each}${time}${end}; nothing was sent`
}
