/**
 * Two maps of one name beside each other: which part of the addresses, of the clients and of a query
 * log gets another pool first, and which only other pools behind it. Pools are the same where they
 * have the same name.
 */
import type { Site } from '../steer/choose.ts'
import { compareSlots } from '../steer/compare.ts'
import type { Policy } from '../steer/rule.ts'
import { SPECIAL, type Steering } from '../steer/steering.ts'
import { rankingNames } from './explanation-pool.ts'
import { measure, measureBlock, type Population } from './population.ts'
import { rankingText, SPECIAL_TEXT, tierText } from './ranking.ts'

/** One of the two configurations, loaded. */
export type Side = {
  readonly steering: Steering
  readonly sites: readonly Site[]
  readonly policy: Policy
}

/** What so much of it is: 0 … 1 of each, but for queries, which are counted. */
export type Extent = {
  readonly queries: number
  readonly ipv4: Share
  readonly ipv6: Share
}

export type Share = {
  /** Of the addresses where clients are, as the new configuration knows them. */
  readonly clients: number
  /** Of all addresses. */
  readonly space: number
}

/** Pools that are equally good and come first; or that no client's address chooses. */
export type First = readonly string[] | 'special'

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

/** Clients of a log at one place of both maps. */
export type Asked = {
  /** The rankings there, by number. */
  readonly from: number | 'special'
  readonly to: number | 'special'
  readonly queries: number
}

/** Compares one name. */
export function movesOf(
  old: Side,
  now: Side,
  pair: Pair,
  population: Population,
  log: readonly Asked[] = [],
): Moves {
  const rows = new Map<number, Row>()
  for (const family of [4, 6] as const) {
    const key = family === 4 ? 'ipv4' : 'ipv6'
    const measured = measure(population, family)
    compareSlots(
      old.steering,
      pair.old,
      now.steering,
      pair.now,
      family,
      (bits, from, to, prefix) => {
        measureBlock(measured, prefix, bits)
        const { extent } = rowOf(rows, from, to)
        extent[key].space += measured.space
        extent[key].clients += measured.clients
      },
    )
  }
  for (const { from, to, queries } of log) rowOf(rows, from, to).extent.queries += queries
  return summed([...rows.values()].map(row => named(old, now, row)))
}

type Sum = { queries: number; readonly ipv4: Counts; readonly ipv6: Counts }
type Counts = { clients: number; space: number }

/** Everything that has one ranking in the old map and one in the new. */
type Row = {
  readonly from: number | 'special'
  readonly to: number | 'special'
  readonly extent: Sum
}

function nothing(): Sum {
  return { queries: 0, ipv4: { clients: 0, space: 0 }, ipv6: { clients: 0, space: 0 } }
}

/** More rankings than there can be. */
const RANKINGS = 2 ** 22

/** Hot: once per block that is compared. */
function rowOf(rows: Map<number, Row>, from: Row['from'], to: Row['to']): Row {
  const key = (from === 'special' ? SPECIAL : from) * RANKINGS + (to === 'special' ? SPECIAL : to)
  const known = rows.get(key)
  if (known !== undefined) return known
  const row = { from, to, extent: nothing() }
  rows.set(key, row)
  return row
}

type Named = {
  readonly from: Tiers
  readonly to: Tiers
  readonly extent: Extent
}
type Tiers = readonly (readonly string[])[] | 'special'

function named(old: Side, now: Side, { from, to, extent }: Row): Named {
  return { from: tiersAt(old, from), to: tiersAt(now, to), extent }
}

function tiersAt({ steering }: Side, ranking: Row['from']): Tiers {
  return ranking === 'special' ? ranking : rankingNames(steering, ranking)
}

function summed(rows: readonly Named[]): Moves {
  const flows = new Map<string, Flow & { readonly extent: Sum }>()
  const [all, moved, backups] = [nothing(), nothing(), nothing()]
  for (const { from, to, extent } of rows) {
    add(all, extent)
    if (textOf(from) === textOf(to)) continue
    const flow = { from: firstOf(from), to: firstOf(to), extent: nothing() }
    const [before, after] = [firstText(flow.from), firstText(flow.to)]
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

function textOf(tiers: Tiers): string {
  return tiers === 'special' ? SPECIAL_TEXT : rankingText(tiers)
}

function firstOf(tiers: Tiers): First {
  return tiers === 'special' ? tiers : (tiers[0] ?? [])
}

/** What comes first, in words. */
export function firstText(first: First): string {
  return first === 'special' ? SPECIAL_TEXT : tierText(first)
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
