/**
 * From the checked file to what steers: names become indices, owners wire octets, and every part
 * gets its place. Knows nothing of what is wise; `warn.ts` does.
 */
import { TYPE } from '../dns/rrtype.ts'
import { type At, isWrong } from '../fault.ts'
import type { Point } from '../geo/record.ts'
import type { LastResort, Network, Policy, Pool, Rule, Service } from '../steer/rule.ts'
import type { Countries } from './country.ts'
import type { Named } from './named.ts'
import { ownerFrom, ownerKey } from './owner.ts'
import { choiceOf, type Numbers, numberOf } from './policy-choose.ts'
import type { Shape } from './shape.ts'
import { type Path, placeOf, type Source } from './source.ts'

type WrittenPool = Shape['pools'][string]
type WrittenRule = Shape['steer'][string]

/** Builds the policy of a file without mistakes. */
export function policyOf(shape: Shape, source: Source, named: Named, countries: Countries): Policy {
  const at = (path: Path): At => placeOf(source, path, 'key')
  const latencies = named.latencies.map(({ latency }) => latency)
  const pools = Object.entries(shape.pools).map(([name, pool]) =>
    poolOf(name, pool, shape, countries, source),
  )
  const networks = Object.entries(shape.networks).map(
    ([name, written]): Network => ({
      name,
      prefixes: named.networks.get(name) ?? inline(name, written, at),
    }),
  )
  const numbers: Numbers = {
    pools: numbered(pools),
    networks: numbered(networks),
    rules: new Map(Object.keys(shape.steer).map((owner, index) => [ownerKey(owner), index])),
    latencies: numbered(latencies),
    told: named.latencies.map(({ told }) => told),
    bias: pools.map(({ bias }) => bias ?? 0),
    at,
  }
  const rules = Object.entries(shape.steer).map(([owner, rule]) => ruleOf(owner, rule, numbers))
  return { pools, networks, latencies, rules }
}

function numbered(items: readonly { readonly name: string }[]): ReadonlyMap<string, number> {
  return new Map(items.map(({ name }, index) => [name, index]))
}

function poolOf(
  name: string,
  written: WrittenPool,
  { checks }: Shape,
  countries: Countries,
  source: Source,
): Pool {
  const { targets, bias, quorum, spill, slow_start: slowStart, loads } = written
  const path = ['pools', name]
  const point = pointOf(written.at, countries)
  const check = checkOf(written.check, checks)
  return {
    name,
    targets,
    at: placeOf(source, path, 'key'),
    ...(check && { check }),
    ...(point && { point }),
    ...(bias !== undefined && { bias }),
    ...(quorum && { quorum }),
    ...(spill !== undefined && { spill }),
    ...(slowStart !== undefined && { slowStart }),
    ...(loads && {
      loads: {
        path: loads.file,
        maxAge: loads.max_age,
        at: placeOf(source, [...path, 'loads', 'file'], 'value'),
      },
    }),
  }
}

function checkOf(name: string | undefined, checks: Shape['checks']): Pool['check'] {
  const written = name === undefined ? undefined : checks[name]
  if (name === undefined || written === undefined) return undefined
  if (written.kind === 'one') return { name, need: 1, of: [{ name, ...written.check }] }
  const of = written.of.flatMap(one => checkOf(one, checks)?.of ?? [])
  return { name, need: written.need, of }
}

/** Coordinates win over the middle of a country. */
function pointOf(place: WrittenPool['at'], countries: Countries): Point | undefined {
  const { lat, lon, country } = place ?? {}
  if (lat !== undefined && lon !== undefined) return { lat, lon }
  return country === undefined ? undefined : countries.get(country)?.point
}

function inline(
  name: string,
  written: Shape['networks'][string],
  at: (path: Path) => At,
): Network['prefixes'] {
  if (!Array.isArray(written)) return []
  return written.map((prefix, index) => ({ ...prefix, at: at(['networks', name, index]) }))
}

function ruleOf(text: string, written: WrittenRule, numbers: Numbers): Rule {
  const owner = ownerFrom(text)
  if (isWrong(owner)) throw new Error(owner.wrong)
  const { ttl, pick, answers, truncate, spread, quantum, quorum, spill } = written
  const path = ['steer', text]
  const settings = { ttl, pick, answers, truncate, spread, quantum, quorum, spill }
  return {
    owner,
    at: numbers.at(path),
    ...settings,
    lastResort: resortOf(written.last_resort, numbers),
    services: servicesOf(written),
    choose: choiceOf(written, path, numbers),
  }
}

function resortOf(written: string | undefined, { pools }: Numbers): LastResort | undefined {
  if (written === undefined) return undefined
  if (written === 'all') return { kind: 'all' }
  if (written === 'none-healthy-pool') return { kind: 'healthiest' }
  return { kind: 'pool', pool: numberOf(pools, written) }
}

function servicesOf({ https, svcb }: WrittenRule): readonly Service[] | undefined {
  const services = [
    ...(https ? [{ type: TYPE.HTTPS, ...https }] : []),
    ...(svcb ? [{ type: TYPE.SVCB, ...svcb }] : []),
  ]
  return services.length === 0 ? undefined : services
}
