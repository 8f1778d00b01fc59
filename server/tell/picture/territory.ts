/**
 * Who gets which pool first, laid out for a picture: in every /16 of IPv4 and in every country.
 * Pools that are equally good are one choice. Draws nothing.
 */
import type { Site } from '../../steer/choose.ts'
import { type Steering, tiersOf } from '../../steer/steering.ts'
import { basisOf, countryOf, isPeopled } from '../clients.ts'
import { eachPart, endsBlock, type Part } from '../parts.ts'
import { poolName } from '../ranking.ts'
import { addTo, heaviest, sharesOf, type Weights } from '../weights.ts'

export type Territory = {
  /** What comes first somewhere, in the order of the configuration. */
  readonly choices: readonly Choice[]
  /** Every pool that the name may be answered from. */
  readonly pools: readonly string[]
  /** By /16 of IPv4, in order: 65,536 of them. */
  readonly cells: readonly Cell[]
  /** By country, the shares of its IPv4 addresses that get each choice, the greatest first. */
  readonly countries: ReadonlyMap<string, readonly Portion[]>
}

export type Choice = {
  readonly pools: readonly string[]
  /** Of the clients of each family: 0 … 1. */
  readonly clients: Readonly<Record<4 | 6, number>>
}

export type Cell = {
  /** What most of it gets, by index; `special` where the address of no client chooses. */
  readonly choice: number | 'special'
  /** True where clients are. */
  readonly peopled: boolean
}

export type Portion = { readonly choice: number; readonly share: number }

const CELL_BITS = 16

/** Lays out a slot. */
export function territoryOf(steering: Steering, sites: readonly Site[], slot: number): Territory {
  const { choices, choiceOf } = choicesOf(steering, sites, slot)
  const laying: Laying = { cells: [], all: new Map(), peopled: new Map(), countries: new Map() }
  const clients = { 4: new Map<number, number>(), 6: new Map<number, number>() }
  const basis = basisOf(sites)
  for (const family of [4, 6] as const) {
    eachPart(steering, sites, slot, family, part => {
      const cell = { choice: choiceOf(part.ranking), peopled: isPeopled(part.site, basis) }
      if (cell.choice !== 'special' && cell.peopled) {
        addTo(clients[family], cell.choice, 2 ** -part.bits)
      }
      if (family === 4) layPart(laying, part, cell)
    })
  }
  const shares = { 4: sharesOf(clients[4]), 6: sharesOf(clients[6]) }
  return {
    choices: choices.map((pools, i) => ({
      pools,
      clients: { 4: shares[4].get(i) ?? 0, 6: shares[6].get(i) ?? 0 },
    })),
    pools: poolsOfSlot(steering, slot),
    cells: laying.cells,
    countries: new Map([...laying.countries].map(([code, of]) => [code, portionsOf(of)])),
  }
}

/** What comes first somewhere, as names of pools, and which of them comes first in a ranking. */
function choicesOf(steering: Steering, sites: readonly Site[], slot: number) {
  const rankings = new Set<number>()
  for (const family of [4, 6] as const) {
    eachPart(steering, sites, slot, family, ({ ranking }) => {
      if (ranking !== 'special') rankings.add(ranking)
    })
  }
  const firsts = [...rankings].map(ranking => tiersOf(steering, ranking)[0] ?? [])
  const tiers = new Map(firsts.toSorted(inOrder).map(tier => [String(tier), tier]))
  const texts = [...tiers.keys()]
  const numbers = new Map([...rankings].map((of, i) => [of, texts.indexOf(String(firsts[i]))]))
  const choices = [...tiers.values()].map(tier => tier.map(pool => poolName(steering, pool)))
  const choiceOf = (ranking: Part['ranking']): Cell['choice'] =>
    ranking === 'special' ? ranking : (numbers.get(ranking) ?? 0)
  return { choices, choiceOf }
}

function poolsOfSlot(steering: Steering, slot: number): string[] {
  const { turnPools, turnStart } = steering
  const pools = turnPools.subarray(turnStart[slot], turnStart[slot + 1])
  return Array.from(pools, pool => poolName(steering, pool))
}

/** By the first pool in which they differ. */
function inOrder(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((pool, i) => pool !== b[i])
  return at < 0 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1)
}

type Laying = {
  readonly cells: Cell[]
  /** What the parts of the present cell weigh, by choice: all of them, and those with clients. */
  readonly all: Weights<Cell['choice']>
  readonly peopled: Weights<Cell['choice']>
  readonly countries: Map<string, Weights<number>>
}

function layPart(laying: Laying, { prefix, bits, site }: Part, cell: Cell): void {
  const { cells, all, peopled, countries } = laying
  const { choice } = cell
  const country = countryOf(site)
  if (country !== undefined && choice !== 'special') {
    const weights = countries.get(country) ?? new Map<number, number>()
    addTo(weights, choice, 2 ** -bits)
    countries.set(country, weights)
  }
  if (bits <= CELL_BITS) {
    for (let left = 2 ** (CELL_BITS - bits); left > 0; left -= 1) cells.push(cell)
    return
  }
  addTo(all, choice, 2 ** -bits)
  if (cell.peopled) addTo(peopled, choice, 2 ** -bits)
  if (!endsBlock(prefix, CELL_BITS, bits)) return
  const [most = choice] = heaviest(peopled.size > 0 ? peopled : all)
  cells.push({ choice: most, peopled: peopled.size > 0 })
  all.clear()
  peopled.clear()
}

function portionsOf(weights: Weights<number>): Portion[] {
  const shares = sharesOf(weights)
  return heaviest(shares).map(choice => ({ choice, share: shares.get(choice) ?? 0 }))
}
