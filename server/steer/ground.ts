/**
 * The ground: one tree a family in which every input that some rule reads is laid over every other.
 * Its leaves are sites; equal sites are one, and two equal halves are one leaf. Children stand before
 * their parents, and all of IPv4 before the rest of IPv6. Knows no rule and no ranking.
 */

import type { Places } from '../geo/places.ts'
import { NOWHERE } from '../geo/record.ts'
import { type Builder, builder, childOf, join, leaf, seal } from '../geo/tree.ts'
import { type Chains, extended, OPEN, SPECIAL_BLOCK } from './chains.ts'
import type { Site } from './choose.ts'
import { type Layers, layAll, MARKED } from './layers.ts'
import { NONE, type Overlay, overlayChild, overlayMark, overlayValue } from './overlay.ts'
import type { Policy } from './rule.ts'

export type Ground = {
  readonly cells: Int32Array
  /** Nodes: special blocks part every family. */
  readonly root4: number
  readonly root6: number
  readonly sites: readonly Site[]
  /** By node: a site below it, one outside special blocks where there is any. */
  readonly nodeSite: Uint32Array
  readonly layers: Layers
}

export function layGround(policy: Policy, places: Places): Ground {
  const layers = layAll(policy)
  const laying: Laying = {
    build: builder(),
    places,
    chains: layers.chains,
    sites: [],
    numbers: new Map(),
    open: new Int32Array(places.cells.length / 2).fill(UNMADE),
    made: new Map(),
    graft: NONE,
  }
  const root4 = grow(laying, layers.over[4], places.root4, 0, OPEN)
  laying.graft = root4
  const root6 = grow(laying, layers.over[6], places.root6, 0, OPEN)
  const { sites } = laying
  const nodeSite = nodeSites(laying.build, sites)
  return { cells: seal(laying.build), root4, root6, sites, nodeSite, layers }
}

type Laying = {
  readonly build: Builder
  readonly places: Places
  readonly chains: Chains
  readonly sites: Site[]
  /** The sites by chain and place. */
  readonly numbers: Map<number, number>
  /** The cell that each node of the places became where nothing is laid over it. */
  readonly open: Int32Array
  /** The same where something is, by chain and node. */
  readonly made: Map<number, number>
  /** The root of IPv4. */
  graft: number
}

const UNMADE = -0x8000_0000

/** In special blocks nothing counts but what the operator says of them: no database knows them. */
const NOBODYS = leaf(0)

/** Hot: once per node of an overlay while compiling. */
function grow(laying: Laying, over: Overlay, around: number, node: number, outer: number): number {
  if (node === NONE) return translated(laying, around, outer)
  const mark = overlayMark(over, node)
  if (mark === MARKED.graft) return laying.graft
  const isSpecial = mark === MARKED.special
  const place = isSpecial ? NOBODYS : around
  const inner = isSpecial ? SPECIAL_BLOCK : outer
  const entry = overlayValue(over, node)
  const chain = entry === 0 ? inner : extended(laying.chains, inner, entry)
  const { cells } = laying.places
  const zero = grow(laying, over, childOf(cells, place, 0), overlayChild(over, node, 0), chain)
  const one = grow(laying, over, childOf(cells, place, 1), overlayChild(over, node, 1), chain)
  return join(laying.build, zero, one)
}

/** Places with nothing further laid over them. Hot: once per node while compiling. */
function translated(laying: Laying, place: number, chain: number): number {
  if (place < 0) return leaf(siteOf(laying, ~place, chain))
  const { cells } = laying.places
  const key = chain * cells.length + place
  const known = chain === OPEN ? laying.open[place]! : (laying.made.get(key) ?? UNMADE)
  if (known !== UNMADE) return known
  const zero = translated(laying, cells[2 * place]!, chain)
  const cell = join(laying.build, zero, translated(laying, cells[2 * place + 1]!, chain))
  if (chain === OPEN) laying.open[place] = cell
  else laying.made.set(key, cell)
  return cell
}

/** Hot: once per leaf while compiling. */
function siteOf(laying: Laying, place: number, chain: number): number {
  const key = chain * laying.places.places.length + place
  const known = laying.numbers.get(key)
  if (known !== undefined) return known
  const number = laying.sites.length
  laying.sites.push(siteAt(laying, place, chain))
  laying.numbers.set(key, number)
  return number
}

function siteAt({ chains, places }: Laying, place: number, chain: number): Site {
  const { networks = [], rows = [], special = false } = chains.chains.list[chain] ?? {}
  const latencies = rows.flatMap(row => chains.rows.list[row] ?? [])
  return { place: places.places[place] ?? NOWHERE, networks, latencies, special }
}

/** Hot: once per node while compiling. */
function nodeSites({ cells, nodes }: Builder, sites: readonly Site[]): Uint32Array {
  const found = new Uint32Array(new SharedArrayBuffer(4 * nodes))
  for (let node = 0; node < nodes; node += 1) {
    const zero = cells[2 * node]!
    const one = cells[2 * node + 1]!
    const first = zero < 0 ? ~zero : found[zero]!
    found[node] = sites[first]!.special ? (one < 0 ? ~one : found[one]!) : first
  }
  return found
}
