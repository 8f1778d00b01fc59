/**
 * From the checked file to what steers: names become indices, owners wire octets, and every part
 * gets its place. Knows nothing of what is wise; `warn.ts` does.
 */
import { type At, isWrong } from '../fault.ts'
import type { Country } from '../geo/countries.ts'
import type { Branch, Branches, Choose, Network, Policy, Pool, Rule } from '../steer/rule.ts'
import { ownerFrom } from './owner.ts'
import type { Shape } from './shape.ts'
import { type Path, placeOf, type Source } from './source.ts'

type Prefixes = Network['prefixes']
type Steer = Shape['steer'][string]
type By = NonNullable<Steer['by']>

/**
 * Builds the policy of a file without mistakes.
 *
 * @param files what the networks files hold, by the network's name
 */
export function policyOf(
  shape: Shape,
  source: Source,
  files: ReadonlyMap<string, Prefixes>,
  countries: ReadonlyMap<string, Country>,
): Policy {
  const at = (path: Path): At => placeOf(source, path, 'key')
  const pools = Object.entries(shape.pools).map(([name, { at: place, targets }]): Pool => {
    const point =
      place?.lat !== undefined && place.lon !== undefined
        ? { lat: place.lat, lon: place.lon }
        : countries.get(place?.country ?? '')?.point
    return { name, targets, at: at(['pools', name]), ...(point && { point }) }
  })
  const networks = Object.entries(shape.networks).map(
    ([name, written]): Network => ({
      name,
      prefixes: files.get(name) ?? inline(name, written, at),
    }),
  )
  const numbers = { pools: numbered(pools), networks: numbered(networks), at }
  const rules = Object.entries(shape.steer).map(([owner, steer]) => ruleOf(owner, steer, numbers))
  return { pools, networks, latencies: [], rules }
}

type Numbers = {
  readonly pools: ReadonlyMap<string, number>
  readonly networks: ReadonlyMap<string, number>
  readonly at: (path: Path) => At
}

function numbered(items: readonly { readonly name: string }[]): ReadonlyMap<string, number> {
  return new Map(items.map(({ name }, index) => [name, index]))
}

function inline(
  name: string,
  written: Shape['networks'][string],
  at: (path: Path) => At,
): Prefixes {
  if (!Array.isArray(written)) return []
  return written.map((prefix, index) => ({ ...prefix, at: at(['networks', name, index]) }))
}

function ruleOf(text: string, steer: Steer, numbers: Numbers): Rule {
  const owner = ownerFrom(text)
  if (isWrong(owner)) throw new Error(owner.wrong)
  const { ttl, pick, answers, truncate, by, pools } = steer
  const path = ['steer', text]
  const choose: Choose =
    by === undefined
      ? rankingOf(pools ?? [], numbers)
      : { kind: 'by', by: branchesOf(by, [...path, 'by'], numbers) }
  return { owner, at: numbers.at(path), ttl, pick, answers, truncate, choose }
}

function branchesOf(by: By, path: Path, numbers: Numbers): Branches {
  const byKey = (key: string, branches: Readonly<Record<string, readonly string[] | undefined>>) =>
    new Map(
      Object.entries(branches).map(([code, pools]): [string, Branch] => [
        code,
        { to: rankingOf(pools ?? [], numbers), at: numbers.at([...path, key, code]) },
      ]),
    )
  return {
    networks: Object.entries(by.networks).map(([name, pools]) => ({
      network: numberOf(numbers.networks, name),
      to: rankingOf(pools, numbers),
      at: numbers.at([...path, 'networks', name]),
    })),
    asns: new Map(),
    fields: [],
    cities: new Map(),
    subdivisions: new Map(),
    countries: byKey('countries', by.countries),
    continents: byKey('continents', by.continents as Readonly<Record<string, string[]>>),
    default: rankingOf(by.default, numbers),
  }
}

function rankingOf(pools: readonly string[], numbers: Numbers): Choose {
  return { kind: 'all', pools: pools.map(pool => numberOf(numbers.pools, pool)) }
}

function numberOf(numbers: ReadonlyMap<string, number>, name: string): number {
  const number = numbers.get(name)
  if (number === undefined) throw new Error(`the schema let ${name} through`)
  return number
}
