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
  readonly layers: Layers
}

export function layGround(policy: Policy, places: Places): Ground {
  const layers = layAll(policy)
  const nodes = places.cells.length / 2
  const laying: Laying = {
    build: builder(nodes + layers.over[4].nodes + layers.over[6].nodes),
    places,
    chains: layers.chains,
    sites: [],
    openSites: new Int32Array(places.places.length).fill(UNMADE),
    openCells: new Int32Array(nodes).fill(UNMADE),
    otherSites: new Map(),
    otherCells: new Map(),
    graft: NONE,
  }
  const root4 = grow(laying, layers.over[4], places.root4, 0, OPEN)
  laying.graft = root4
  const root6 = grow(laying, layers.over[6], places.root6, 0, OPEN)
  return { cells: seal(laying.build), root4, root6, sites: laying.sites, layers }
}

type Laying = {
  readonly build: Builder
  readonly places: Places
  readonly chains: Chains
  readonly sites: Site[]
  /** Where nothing is laid over them: the site of each place, the cell of each of its nodes. */
  readonly openSites: Int32Array
  readonly openCells: Int32Array
  /** Where something is: the same by chain and place or node. */
  readonly otherSites: Map<number, number>
  readonly otherCells: Map<number, number>
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

/** Places with nothing further laid over them. Hot: while compiling. */
function translated(laying: Laying, place: number, chain: number): number {
  return chain === OPEN ? openCell(laying, place) : otherCell(laying, place, chain)
}

/** Hot: once per node of the places while compiling. Nodes that are shared stay shared. */
function openCell(laying: Laying, place: number): number {
  if (place < 0) return leaf(openSite(laying, ~place))
  const known = laying.openCells[place]!
  if (known !== UNMADE) return known
  const { cells } = laying.places
  const zero = openCell(laying, cells[2 * place]!)
  const cell = join(laying.build, zero, openCell(laying, cells[2 * place + 1]!))
  laying.openCells[place] = cell
  return cell
}

/** Hot: once per leaf of the places while compiling. */
function openSite(laying: Laying, place: number): number {
  let site = laying.openSites[place]!
  if (site === UNMADE) {
    site = addSite(laying, place, OPEN)
    laying.openSites[place] = site
  }
  return site
}

/** Hot: while compiling. */
function otherCell(laying: Laying, place: number, chain: number): number {
  if (place < 0) return leaf(otherSite(laying, ~place, chain))
  const { cells } = laying.places
  const key = chain * cells.length + place
  const known = laying.otherCells.get(key)
  if (known !== undefined) return known
  const zero = otherCell(laying, cells[2 * place]!, chain)
  const cell = join(laying.build, zero, otherCell(laying, cells[2 * place + 1]!, chain))
  laying.otherCells.set(key, cell)
  return cell
}

/** Hot: while compiling. */
function otherSite(laying: Laying, place: number, chain: number): number {
  const key = chain * laying.places.places.length + place
  const known = laying.otherSites.get(key)
  if (known !== undefined) return known
  const site = addSite(laying, place, chain)
  laying.otherSites.set(key, site)
  return site
}

function addSite({ chains, places, sites }: Laying, place: number, chain: number): number {
  const { networks = [], rows = [], special = false } = chains.chains.list[chain] ?? {}
  const latencies = rows.flatMap(row => chains.rows.list[row] ?? [])
  const site = { place: places.places[place] ?? NOWHERE, networks, latencies, special }
  return sites.push(site) - 1
}
