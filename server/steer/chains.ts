/**
 * What the prefixes around an address say together: networks and latency rows, from the longest
 * prefix to the shortest, as far as a longer one has not said the same already. Equal chains have
 * one number, so that equal sites meet; prefixes themselves are no part of it.
 */
import type { Measured } from './choose.ts'

/** What stands at one prefix. */
type Entry = { readonly networks: readonly number[]; readonly rows: readonly number[] }

export type Chain = {
  readonly networks: readonly (readonly number[])[]
  /** By number, one a latency. */
  readonly rows: readonly number[]
  readonly special: boolean
}

/** The chain that holds nothing, outside special blocks and inside one. */
export const OPEN = 0
export const SPECIAL_BLOCK = 1

export type Chains = {
  readonly entries: Roll<Entry>
  readonly chains: Roll<Chain>
  /** Latency rows by what they say. */
  readonly rows: Roll<Measured>
}

/** Things by number, equal ones once. */
type Roll<Thing> = {
  readonly list: Thing[]
  readonly numbers: Map<string, number>
  /** The number of one thing with another added, once it has been made. */
  readonly steps: Map<number, number>
}

export function newChains(): Chains {
  const chains: Chains = { entries: roll(), chains: roll(), rows: roll() }
  enter(chains.entries, { networks: [], rows: [] }) // 0: nothing stands there
  enter(chains.chains, { networks: [], rows: [], special: false })
  enter(chains.chains, { networks: [], rows: [], special: true })
  return chains
}

function roll<Thing>(): Roll<Thing> {
  return { list: [], numbers: new Map(), steps: new Map() }
}

function enter<Thing>(into: Roll<Thing>, thing: Thing): number {
  const key = JSON.stringify(thing)
  const known = into.numbers.get(key)
  if (known !== undefined) return known
  into.numbers.set(key, into.list.length)
  return into.list.push(thing) - 1
}

/** The number of a latency row: rows that order the same pools alike are one. */
export function rowNumber(chains: Chains, row: Measured): number {
  return enter(chains.rows, row)
}

export function withNetwork(chains: Chains, entry: number, network: number): number {
  return step(chains.entries, entry, 2 * network, ({ networks, rows }) => {
    return { networks: [...new Set([...networks, network])], rows }
  })
}

export function withRow(chains: Chains, entry: number, row: number): number {
  return step(chains.entries, entry, 2 * row + 1, ({ networks, rows }) => {
    return { networks, rows: [...rows, row] }
  })
}

/** The chain one prefix further in. */
export function extended(chains: Chains, chain: number, entry: number): number {
  const added = chains.entries.list[entry]
  if (added === undefined) throw new Error(`no entry ${entry}`)
  return step(chains.chains, chain, entry, ({ networks, rows, special }) => {
    const shadowed = new Set(added.networks)
    const outer = networks.map(names => names.filter(name => !shadowed.has(name)))
    const told = new Set(added.rows.map(row => latencyOf(chains, row)))
    return {
      networks: [added.networks, ...outer].filter(names => names.length > 0),
      rows: [...added.rows, ...rows.filter(row => !told.has(latencyOf(chains, row)))].sort(),
      special,
    }
  })
}

function latencyOf(chains: Chains, row: number): number {
  return chains.rows.list[row]?.latency ?? -1
}

const STEPS = 2 ** 26

function step<Thing>(
  into: Roll<Thing>,
  from: number,
  by: number,
  make: (thing: Thing) => Thing,
): number {
  const key = from * STEPS + by
  const known = into.steps.get(key)
  if (known !== undefined) return known
  const before = into.list[from]
  if (before === undefined) throw new Error(`nothing numbered ${from}`)
  const made = enter(into, make(before))
  into.steps.set(key, made)
  return made
}
