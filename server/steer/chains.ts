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
  /** Latency rows by the order they say. */
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
  enter(chains.entries, { networks: [], rows: [] }, '') // 0: nothing stands there
  for (const special of [false, true]) {
    const chain = { networks: [], rows: [], special }
    enter(chains.chains, chain, chainKey(chain))
  }
  return chains
}

function roll<Thing>(): Roll<Thing> {
  return { list: [], numbers: new Map(), steps: new Map() }
}

function enter<Thing>(into: Roll<Thing>, thing: Thing, key: string): number {
  const known = into.numbers.get(key)
  if (known !== undefined) return known
  into.numbers.set(key, into.list.length)
  return into.list.push(thing) - 1
}

/** The number of a latency row: rows that order the same pools alike are one. */
export function rowNumber(chains: Chains, row: Measured): number {
  return enter(chains.rows, row, `${row.latency} ${togetherKey(row.order)}`)
}

/** `1 0=2`: those that stand together are joined otherwise. */
function togetherKey(numbers: readonly (readonly number[])[]): string {
  return numbers.map(together => together.join('=')).join(' ')
}

function chainKey({ networks, rows, special }: Chain): string {
  return `${special} ${togetherKey(networks)};${rows.join(' ')}`
}

export function withNetwork(chains: Chains, entry: number, network: number): number {
  return changed(chains, entry, 2 * network, ({ networks, rows }) => {
    return { networks: [...new Set([...networks, network])], rows }
  })
}

export function withRow(chains: Chains, entry: number, row: number): number {
  return changed(chains, entry, 2 * row + 1, ({ networks, rows }) => {
    return { networks, rows: [...rows, row] }
  })
}

function changed(
  { entries }: Chains,
  entry: number,
  by: number,
  make: (before: Entry) => Entry,
): number {
  return step(entries, entry, by, before => {
    const made = make(before)
    return enter(entries, made, `${made.networks.join(' ')};${made.rows.join(' ')}`)
  })
}

/** The chain one prefix further in. */
export function extended(chains: Chains, chain: number, entry: number): number {
  const added = chains.entries.list[entry]
  if (added === undefined) throw new Error(`no entry ${entry}`)
  return step(chains.chains, chain, entry, ({ networks, rows, special }) => {
    const outer = networks.map(names => names.filter(name => !added.networks.includes(name)))
    const told = added.rows.map(row => latencyOf(chains, row))
    const others = rows.filter(row => !told.includes(latencyOf(chains, row)))
    const longer: Chain = {
      networks: [added.networks, ...outer].filter(names => names.length > 0),
      rows: [...added.rows, ...others].sort((a, b) => a - b),
      special,
    }
    return enter(chains.chains, longer, chainKey(longer))
  })
}

function latencyOf(chains: Chains, row: number): number {
  return chains.rows.list[row]?.latency ?? -1
}

const STEPS = 2 ** 26

/** Takes a step that may have been taken before. */
function step<Thing>(
  into: Roll<Thing>,
  from: number,
  by: number,
  make: (before: Thing) => number,
): number {
  const key = from * STEPS + by
  const known = into.steps.get(key)
  if (known !== undefined) return known
  const before = into.list[from]
  if (before === undefined) throw new Error(`nothing numbered ${from}`)
  const made = make(before)
  into.steps.set(key, made)
  return made
}
