/**
 * The table of `watch`: a row for each client subnet, or, where those do not fit, for each region and
 * group. Columns are left out from the right where the terminal is narrow; the trail takes what is left.
 */
import type { WatchRow } from '../judge/watch-state.ts'
import { type Span, spansLine, type WatchStyle } from './watch-style.ts'
import { clockText, ttlText } from './watch-words.ts'

export type Sort = 'region' | 'group' | 'change'

/** What one line of the table says. */
export type Line = {
  readonly client: string
  readonly region: string
  readonly letter: string
  readonly scope: string
  readonly ttl: string
  readonly rtt: string
  readonly change: string
  readonly trail: string
  readonly looks: 'well' | 'failing'
}

/** A line for each subnet. */
export function subnetLines(rows: readonly WatchRow[], sort: Sort): readonly Line[] {
  return sorted(rows, sort).map(row => ({
    client: row.subnet,
    region: row.region ?? '-',
    letter: row.letter ?? '-',
    scope: row.scope === undefined ? '-' : `/${row.scope}`,
    ttl: row.ttl === undefined ? '-' : ttlText(row.ttl),
    rtt: row.failing?.why ?? millisecondsText(row.milliseconds),
    change: row.changedAt === undefined ? '-' : clockText(row.changedAt),
    trail: row.trail,
    looks: row.failing === undefined ? 'well' : 'failing',
  }))
}

/** A line for all subnets of one region that are answered alike. */
export function regionLines(rows: readonly WatchRow[], sort: Sort): readonly Line[] {
  const kinds = new Map<string, WatchRow[]>()
  for (const row of sorted(rows, sort)) {
    const key = `${row.region} ${row.letter} ${row.failing?.why}`
    kinds.set(key, [...(kinds.get(key) ?? []), row])
  }
  return [...kinds.values()].map(merged)
}

function merged(rows: readonly WatchRow[]): Line {
  const lines = subnetLines(rows, 'region')
  const one = (pick: (line: Line) => string): string => {
    const kinds = [...new Set(lines.map(pick))]
    return kinds.length > 2 ? `${kinds[0]} …` : kinds.join(' ')
  }
  const changed = rows.flatMap(({ changedAt }) => changedAt ?? [])
  const times = rows.flatMap(({ milliseconds }) => milliseconds ?? []).sort((a, b) => a - b)
  const [first] = lines
  return {
    client: rows.length === 1 ? '1 subnet' : `${rows.length} subnets`,
    region: first?.region ?? '-',
    letter: first?.letter ?? '-',
    scope: scopesText(rows),
    ttl: one(({ ttl }) => ttl),
    rtt: rows[0]?.failing?.why ?? millisecondsText(times[times.length >> 1]),
    change: changed.length === 0 ? '-' : clockText(Math.max(...changed)),
    trail: first?.trail ?? '',
    looks: first?.looks ?? 'well',
  }
}

/** `/16`, or the shortest and the longest: `/13–/16`. */
function scopesText(rows: readonly WatchRow[]): string {
  const scopes = rows.flatMap(({ scope }) => scope ?? []).sort((a, b) => a - b)
  const [least] = scopes
  const most = scopes.at(-1)
  if (least === undefined) return '-'
  return least === most ? `/${least}` : `/${least}–/${most}`
}

function millisecondsText(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '-' : `${milliseconds} ms`
}

function sorted(rows: readonly WatchRow[], sort: Sort): readonly WatchRow[] {
  const text = (row: WatchRow): string => `${row.region ?? '~'}`
  const byRegion = rows.toSorted((a, b) => text(a).localeCompare(text(b), 'en'))
  if (sort === 'region') return byRegion
  if (sort === 'change') {
    return byRegion.toSorted((a, b) => (b.changedAt ?? 0) - (a.changedAt ?? 0))
  }
  return byRegion.toSorted((a, b) => (a.letter ?? '~').localeCompare(b.letter ?? '~', 'en'))
}

// biome-ignore format: table
const COLUMNS = [
  { title: 'client',      key: 'client', side: 'left' },
  { title: '',            key: 'region', side: 'left' },
  { title: 'group',       key: 'letter', side: 'left' },
  { title: 'scope',       key: 'scope',  side: 'left' },
  { title: 'TTL',         key: 'ttl',    side: 'right' },
  { title: 'RTT',         key: 'rtt',    side: 'right' },
  { title: 'last change', key: 'change', side: 'left' },
] as const satisfies readonly { title: string; key: keyof Line; side: string }[]

const GAP = '  '

/** The trail is shown from this many columns on. */
const SHORTEST_TRAIL = 6

/** The head, and the rows beneath it. */
export function tableText(
  lines: readonly Line[],
  columns: number,
  style: WatchStyle,
): readonly string[] {
  const widths = COLUMNS.map(({ title, key }) =>
    lines.reduce((most, line) => Math.max(most, line[key].length), title.length),
  )
  const shown = fitting(widths, columns)
  const used = widths.slice(0, shown).reduce((sum, width) => sum + width + GAP.length, 0)
  const trail = shown === COLUMNS.length && columns - used >= SHORTEST_TRAIL ? columns - used : 0
  const cells = COLUMNS.slice(0, shown)
  const head: Span[] = cells.map(({ title, side }, at) => [
    padded(title, widths[at] ?? 0, side) + GAP,
    style.faint,
  ])
  if (trail > 0) head.push(['pass by pass', style.faint])
  const body = lines.map(line => {
    const spans = cells.map(
      ({ key, side }, at): Span => [
        padded(line[key], widths[at] ?? 0, side) + GAP,
        paintOf(line, key, style),
      ],
    )
    return spansLine([...spans, ...trailSpans(line, trail, style)], columns)
  })
  return [spansLine(head, columns), ...body]
}

/** How many columns stand side by side. */
function fitting(widths: readonly number[], columns: number): number {
  let used = 0
  const over = widths.findIndex((width, at) => {
    used += width + (at === 0 ? 0 : GAP.length)
    return used > columns
  })
  return over < 0 ? widths.length : Math.max(1, over)
}

function padded(text: string, width: number, side: 'left' | 'right'): string {
  return side === 'left' ? text.padEnd(width) : text.padStart(width)
}

function paintOf(line: Line, key: keyof Line, style: WatchStyle): Span[1] {
  if (line.looks === 'failing' && key === 'rtt') return style.bad
  if (line.looks === 'failing') return style.faint
  if (key === 'letter') return text => style.bold(style.group(line.letter, text))
  return key === 'change' || line[key] === '-' ? style.faint : undefined
}

/** The end of the trail, equal letters side by side as one span. */
function trailSpans({ trail }: Line, columns: number, style: WatchStyle): readonly Span[] {
  if (columns <= 0) return []
  const runs = trail.slice(-columns).match(/(.)\1*/g) ?? []
  return runs.map(run => {
    const [letter = ''] = run
    return /[A-Z]/.test(letter) ? [run, text => style.group(letter, text)] : [run, style.doubtful]
  })
}
