/** What `diff` saw for a person: a row for each server, a row for each difference, who is odd. */
import type { Difference, DiffJudgement } from '../judge/diff.ts'
import { type OptionHabit, rotates, type ServerView, ttlWords } from '../judge/diff-view.ts'
import { setKey } from '../judge/reply.ts'
import type { DiffOutcome } from './diff-result.ts'
import { ASPECTS, diffNext, diffSentence } from './diff-words.ts'
import { many, printable, pText } from './number.ts'
import { findingLine, type PersonOptions } from './person.ts'
import { tableLines } from './table.ts'

/** Rows of one thing that servers differ in; the rest are counted. */
const MOST_ROWS = 8
const INDENT = '  '

export function diffText(
  { judgements, hosts, missing }: Pick<DiffOutcome, 'judgements' | 'hosts' | 'missing'>,
  page: PersonOptions,
): string {
  const lost = missing.map(host => `  ${printable(host)} has no address\n`).join('')
  const told = judgements.map(one => `${paragraph(one, hosts, page).join('\n')}\n${lost}`)
  return told.join('\n')
}

/** One line a name and type. */
export function diffShort(judgements: readonly DiffJudgement[]): string {
  return judgements.map(one => `${shortLine(one)}\n`).join('')
}

function shortLine(one: DiffJudgement): string {
  const aspects = [...new Set(one.differences.map(({ aspect }) => aspect))]
  return [printable(one.name), one.type, one.verdict, ...aspects, ...one.odd].join(' ')
}

function paragraph(
  one: DiffJudgement,
  hosts: DiffOutcome['hosts'],
  page: PersonOptions,
): readonly string[] {
  const { style, width } = page
  const inner = width === undefined ? undefined : width - INDENT.length
  const [head = '', ...servers] = tableLines(serverRows(one, hosts), inner)
  const marked = servers.map((line, at) =>
    one.odd.includes(one.servers[at]?.server ?? '') ? style.bad(line) : line,
  )
  const differences = differenceLines(one, page, inner)
  const lines = [
    style.bold(printable(diffSentence(one))),
    style.faint(head),
    ...marked,
    ...(differences.length === 0 ? [] : ['', ...differences, '']),
    ...one.findings.map(found => findingLine(found, style)),
    style.faint(`${many(one.queries, 'query', 'queries')} · seed ${one.seed}`),
    style.faint(`next: ${diffNext(one)}`),
  ]
  const word = { same: style.good, different: style.bad, unclear: style.doubtful }[one.verdict]
  const title = `${word(one.verdict)}  ${style.bold(`${printable(one.name)} ${one.type}`)}`
  return [title, ...lines.map(line => (line === '' ? '' : INDENT + line))]
}

function serverRows(
  one: DiffJudgement,
  hosts: DiffOutcome['hosts'],
): readonly (readonly string[])[] {
  const rows = one.servers.map(view => {
    const mark = one.odd.includes(view.server) ? '✗' : ' '
    const host = hosts.get(view.server)
    const who = host === undefined ? [] : [printable(host)]
    const names = [mark, ...(hosts.size > 0 ? [who[0] ?? ''] : []), view.server]
    if (view.silence !== undefined) return [...names, silenceText(view.silence)]
    return [...names, ...cellsOf(view)].map(printable)
  })
  const titles = hosts.size > 0 ? [' ', 'name server', 'address'] : [' ', 'server']
  return [[...titles, 'client subnets', 'scopes', 'answers', 'TTL', 'serial', 'instance'], ...rows]
}

function silenceText(silence: string): string {
  return silence === 'timeout' ? 'no reply' : silence
}

const OPTION: Readonly<Record<OptionHabit, string>> = {
  exact: 'echoed',
  missing: 'no option',
  sometimes: 'now and then',
  mismatch: 'wrong option',
  refused: 'refused',
  unasked: '-',
}

function cellsOf(view: ServerView): readonly string[] {
  const scopes = [...new Set(view.clients.flatMap(row => row.scopes))].sort((a, b) => a - b)
  return [
    OPTION[view.option],
    scopesText(scopes),
    answersText(view),
    view.ttl === undefined ? '-' : ttlWords(view.ttl),
    `${view.serials[view.serials.length - 1] ?? 'no SOA'}`,
    view.instances.join(' ') || '-',
  ]
}

/** All of a few, or the ends of many. */
function scopesText(scopes: readonly number[]): string {
  if (scopes.length === 0) return '-'
  if (scopes.length <= 3) return scopes.map(scope => `/${scope}`).join(' ')
  return `/${scopes[0]} … /${scopes[scopes.length - 1]}`
}

function answersText(view: ServerView): string {
  const wrong = view.rcodes.filter(rcode => rcode !== 'NOERROR')
  if (wrong.length > 0) return wrong.join(' ')
  const sets = new Set(view.clients.flatMap(({ sets }) => [...sets.values()].map(setKey)))
  if (sets.size === 1 && sets.has('')) return 'none'
  const all = new Set(view.clients.flatMap(({ sets }) => [...sets.values()].flat()))
  const pool = view.clients.some(rotates) ? `${all.size} rotating` : many(sets.size, 'set', 'sets')
  return view.authority === 'always' ? pool : `${pool}, no AA`
}

function differenceLines(
  one: DiffJudgement,
  { style }: PersonOptions,
  width: number | undefined,
): readonly string[] {
  if (one.differences.length === 0) return []
  const shown = one.differences.filter((difference, at) => placeOf(one, difference, at) < MOST_ROWS)
  const rows = shown.map(difference => differenceRow(difference))
  const more = one.differences.length - shown.length
  const [head = '', ...lines] = tableLines([['differ in', 'for', ...columns(one)], ...rows], width)
  const rest = more === 0 ? [] : [style.faint(`and ${more} more; all of them with --json`)]
  return [style.faint(head), ...lines, ...rest]
}

/** How many differences in the same thing stand before this one. */
function placeOf(one: DiffJudgement, { aspect }: Difference, at: number): number {
  return one.differences.slice(0, at).filter(other => other.aspect === aspect).length
}

function columns({ differences }: DiffJudgement): readonly string[] {
  return differences.some(({ odd }) => odd.length > 0)
    ? ['most say', 'others']
    : ['one says', 'another']
}

function differenceRow({ aspect, client, camps, p }: Difference): readonly string[] {
  const whom = client === undefined ? 'all' : client === '' ? 'no subnet' : client
  const [most, ...others] = camps.map(({ value, servers }) => {
    const text = printable(aspect === 'option' ? OPTION[value as OptionHabit] : value)
    return { text, servers }
  })
  const apart = others.map(({ text, servers }) => `${servers.join(', ')}: ${text}`).join('; ')
  const chance = p === undefined ? '' : ` (${pText(p)})`
  const count = most === undefined || most.servers.length === 1 ? '' : ` (${most.servers.length})`
  const first = count === '' ? `${most?.servers.join('')}: ` : ''
  return [ASPECTS[aspect], whom, `${first}${most?.text}${count}`, `${apart}${chance}`]
}
