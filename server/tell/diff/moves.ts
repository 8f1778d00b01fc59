/**
 * Two maps of one name beside each other: which part of the addresses, of the clients and of a query
 * log gets another pool first, and which only other pools behind it. Pools are the same where they
 * have the same name.
 */
import { type Ranking, rankingNamed, rankingText, type Tiers, tierText } from '../ranking.ts'
import { type Comparing, type Overlap, overlapsOf, type Share } from './overlaps.ts'

/** How much something is: queries are counted, of the rest it is a share. */
export type Extent = {
  readonly queries: number
  readonly ipv4: Share
  readonly ipv6: Share
}

/** Pools that are equally good and come first; or that no client's address chooses. */
export type First = Tiers[number] | 'special'

export type Flow = { readonly from: First; readonly to: First; readonly extent: Extent }

export type Moves = {
  /** All, moved or not: every query of the log. */
  readonly all: Extent
  /** What gets another pool first, the most clients first, and all of that together. */
  readonly flows: readonly Flow[]
  readonly moved: Extent
  /** What gets the same first and other pools behind it. */
  readonly backups: Extent
}

/** A slot of each side that serves the same name. */
export type Pair = { readonly old: number; readonly now: number }

/** Queries of clients at one place of both maps: the rankings there, by number. */
export type Logged = Pick<Overlap, 'from' | 'to'> & { readonly queries: number }

/** Compares one name. */
export function movesOf(maps: Comparing, pair: Pair, log: readonly Logged[] = []): Moves {
  const overlaps = overlapsOf(maps, pair.old, pair.now).map(overlap => ({ queries: 0, ...overlap }))
  const logged = log.map(one => ({ ...NOWHERE, ...one }))
  return summed([...overlaps, ...logged].map(row => named(maps, row)))
}

const NO_SHARE: Share = { clients: 0, space: 0 }
const NOWHERE = { ipv4: NO_SHARE, ipv6: NO_SHARE }

/** What has one ranking before and one after, the pools by name. */
type Row = { readonly from: Ranking; readonly to: Ranking; readonly extent: Extent }

function named({ old, now }: Comparing, { from, to, ...extent }: Overlap & Logged): Row {
  return { from: rankingNamed(old, from), to: rankingNamed(now, to), extent }
}

function summed(rows: readonly Row[]): Moves {
  const flows = new Map<string, Flow & { readonly extent: Sum }>()
  const [all, moved, backups] = [nothing(), nothing(), nothing()]
  for (const { from, to, extent } of rows) {
    add(all, extent)
    if (rankingText(from) === rankingText(to)) continue
    const flow = { from: firstOf(from), to: firstOf(to), extent: nothing() }
    const [before, after] = [tierText(flow.from), tierText(flow.to)]
    if (before === after) {
      add(backups, extent)
      continue
    }
    const key = `${before}\n${after}`
    const known = flows.get(key) ?? flow
    flows.set(key, known)
    add(known.extent, extent)
    add(moved, extent)
  }
  const ordered = [...flows.values()].toSorted((a, b) => weightOf(b) - weightOf(a))
  return { all, flows: ordered, moved, backups }
}

function firstOf(ranking: Ranking): First {
  return ranking === 'special' ? ranking : (ranking[0] ?? [])
}

type Sum = { queries: number; readonly ipv4: Counts; readonly ipv6: Counts }
type Counts = { clients: number; space: number }

function nothing(): Sum {
  return { queries: 0, ipv4: { clients: 0, space: 0 }, ipv6: { clients: 0, space: 0 } }
}

function add(to: Sum, { queries, ipv4, ipv6 }: Extent): void {
  to.queries += queries
  to.ipv4.clients += ipv4.clients
  to.ipv4.space += ipv4.space
  to.ipv6.clients += ipv6.clients
  to.ipv6.space += ipv6.space
}

function weightOf({ extent }: Flow): number {
  return extent.queries + extent.ipv4.clients + extent.ipv6.clients
}
