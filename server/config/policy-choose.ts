/**
 * From a way to choose as it is written to one that steers: every name becomes an index, and every
 * branch gets its place.
 */
import type { At } from '../fault.ts'
import type { Branch, Branches, Choose, Nearest } from '../steer/rule.ts'
import { asnFrom } from './asn.ts'
import type { WrittenBy } from './shape-by.ts'
import type { Written, WrittenBranch } from './shape-choose.ts'
import type { Path } from './source.ts'

/** What names stand for. */
export type Numbers = {
  readonly pools: ReadonlyMap<string, number>
  readonly networks: ReadonlyMap<string, number>
  /** Rules by the canonical text of their owner. */
  readonly rules: ReadonlyMap<string, number>
  readonly latencies: ReadonlyMap<string, number>
  /** Of each latency file, the pools it tells of. */
  readonly told: readonly (readonly number[])[]
  /** Of each pool, its own bias. */
  readonly bias: readonly number[]
  /** Where a key is written. */
  readonly at: (path: Path) => At
}

/** @param path of what is written */
export function choiceOf(written: WrittenBranch, path: Path, numbers: Numbers): Choose {
  if (isList(written)) return { kind: 'all', pools: poolsOf(written, numbers) }
  const { pools, by, latency, nearest, rule } = written
  if (by !== undefined) return { kind: 'by', by: branchesOf(by, [...path, 'by'], numbers) }
  if (rule !== undefined) return { kind: 'rule', rule: numberOf(numbers.rules, rule) }
  if (latency === undefined) {
    if (nearest === undefined) return { kind: 'all', pools: poolsOf(pools ?? [], numbers) }
    return nearestOf(poolsOf(nearest, numbers), written, numbers)
  }
  const number = numberOf(numbers.latencies, latency.file)
  const named = nearest && poolsOf(nearest, numbers)
  const among = nearestOf(named ?? numbers.told[number] ?? [], written, numbers)
  return { kind: 'latency', latency: number, nearest: among }
}

function isList(written: WrittenBranch): written is readonly string[] {
  return Array.isArray(written)
}

function nearestOf(pools: readonly number[], { bias, limit }: Written, numbers: Numbers): Nearest {
  const own = new Map(
    Object.entries(bias ?? {}).map(([name, percent]) => [numberOf(numbers.pools, name), percent]),
  )
  return {
    kind: 'nearest',
    pools: pools.map(pool => ({ pool, bias: own.get(pool) ?? numbers.bias[pool] ?? 0 })),
    limit,
  }
}

function branchesOf(by: WrittenBy, path: Path, numbers: Numbers): Branches {
  const branch = (to: WrittenBranch, below: Path): Branch => ({
    to: choiceOf(to, below, numbers),
    at: numbers.at(below),
  })
  const named = (held: { readonly [key: string]: WrittenBranch | undefined }, below: Path) =>
    Object.entries(held).flatMap(([key, to]): [string, Branch][] =>
      to === undefined ? [] : [[key, branch(to, [...below, key])]],
    )
  return {
    networks: named(by.networks, [...path, 'networks']).map(([name, held]) => ({
      network: numberOf(numbers.networks, name),
      ...held,
    })),
    asns: new Map(named(by.asns, [...path, 'asns']).map(([text, held]) => [asnOf(text), held])),
    fields: Object.entries(by.fields).map(([field, values]) => {
      const below = [...path, 'fields', field]
      return { path: field, at: numbers.at(below), values: new Map(named(values, below)) }
    }),
    cities: new Map(named(by.cities, [...path, 'cities'])),
    subdivisions: new Map(named(by.subdivisions, [...path, 'subdivisions'])),
    countries: new Map(named(by.countries, [...path, 'countries'])),
    continents: new Map(named(by.continents, [...path, 'continents'])),
    default: choiceOf(by.default, [...path, 'default'], numbers),
  }
}

function asnOf(text: string): number {
  const asn = asnFrom(text)
  if (typeof asn !== 'number') throw new Error(asn.wrong)
  return asn
}

function poolsOf(names: readonly string[], numbers: Numbers): number[] {
  return names.map(name => numberOf(numbers.pools, name))
}

export function numberOf(numbers: ReadonlyMap<string, number>, name: string): number {
  const number = numbers.get(name)
  if (number === undefined) throw new Error(`the schema let ${name} through`)
  return number
}
