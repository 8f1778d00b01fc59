/**
 * The types of a dynamic name put together: one set of branches for its A and AAAA records, each of
 * which may have rules of its own. A pool without addresses of the family asked for is passed over,
 * so that rankings of both can stand behind one another.
 */
import { type Branch, by, type Choice, type Level, over, pools } from './choice.ts'
import { freeName } from './draft.ts'
import { type Net, networkBranches } from './net-groups.ts'
import { checkOf } from './octodns-check.ts'
import type { Octodns, OctoName, OctoRecord } from './octodns-house.ts'
import { BACKUP, type Geo, type Side, type SideRule, sideOf } from './octodns-side.ts'
import { type Block, holds } from './prefixes.ts'

/** The branches of a name whose records these are. */
export function dynamicChoice(
  octodns: Octodns,
  name: OctoName,
  records: readonly OctoRecord[],
): Choice {
  const sides = records.map(record => sideOf(octodns, `${record.type} ${name.owner}`, record))
  const poolName = addPools(octodns, name, records, sides)
  const rank = (side: Side, pool: string) => ranking(side, pool).map(one => poolName(side, one))
  const decided = (decide: (side: Side) => string) =>
    pools(...sides.flatMap(side => rank(side, decide(side))))
  const geos = sides.flatMap(({ rules }) => rules.flatMap(rule => rule.geos))
  const geoChoice = (fixed: (side: Side) => string | undefined): Choice => {
    const branches = distinct(geos).map((geo): Branch => {
      const to = decided(side => fixed(side) ?? poolFor(side, geo))
      return { ...placeOf(geo), to }
    })
    const otherwise = decided(side => fixed(side) ?? poolFor(side, undefined))
    return by(branches, otherwise)
  }
  const subnets = sides.flatMap(({ rules }) => rules.flatMap(rule => rule.subnets))
  const nets = subnets.map((block): Net => {
    return { prefix: block.text, to: geoChoice(side => subnetPool(side, block)) }
  })
  const networks = networkBranches(octodns.draft, name.owner, nets)
  return over(
    networks,
    geoChoice(() => undefined),
  )
}

/** The pool of a rule, those that it falls back on, and the backup behind them. */
function ranking(side: Side, first: string): string[] {
  const list: string[] = []
  for (let name: string | undefined = first; name !== undefined && !list.includes(name); ) {
    list.push(name)
    name = side.pools.get(name)?.fallback
  }
  const known = [...list, BACKUP].filter(name => (side.pools.get(name)?.targets.length ?? 0) > 0)
  return [...new Set(known)]
}

/** The pool of the first rule that fits a place. */
function poolFor(side: Side, place: Geo | undefined): string {
  const fits = ({ geos, subnets }: SideRule) =>
    geos.length === 0
      ? subnets.length === 0
      : place !== undefined && geos.some(geo => covers(geo, place))
  return side.rules.find(fits)?.pool ?? BACKUP
}

function covers(geo: Geo, place: Geo): boolean {
  if (geo.country === undefined) return geo.continent === place.continent
  return geo.country === place.country && (geo.region === undefined || geo.region === place.region)
}

/** The pool of the longest subnet that holds another. */
function subnetPool(side: Side, subnet: Block): string | undefined {
  const holding = side.rules.flatMap(({ subnets, pool }) =>
    subnets.filter(one => holds(one, subnet)).map(({ bits }) => ({ bits, pool })),
  )
  return holding.toSorted((a, b) => b.bits - a.bits)[0]?.pool
}

function placeOf({ continent, country, region }: Geo): { level: Level; key: string } {
  if (country === undefined) return { level: 'continents', key: continent }
  if (region === undefined) return { level: 'countries', key: country }
  return { level: 'subdivisions', key: `${country}-${region}` }
}

function distinct(geos: readonly Geo[]): Geo[] {
  const keys = geos.map(geo => placeOf(geo).key)
  const levels = geos.map(geo => placeOf(geo).level)
  return geos.filter((_, at) => {
    return keys.findIndex((key, other) => key === keys[at] && levels[other] === levels[at]) === at
  })
}

/**
 * Adds the pools to the draft: one for both types where they are made alike, else one each.
 *
 * @returns how a pool of a side is called
 */
function addPools(
  octodns: Octodns,
  name: OctoName,
  records: readonly OctoRecord[],
  sides: readonly Side[],
): (side: Side, pool: string) => string {
  const alike = sides.every(side => shapeOf(side) === shapeOf(sides[0] ?? side))
  const base = name.name === '' ? name.owner : name.name
  const names = new Map<string, string>()
  const keyOf = (side: Side, pool: string) => (alike ? pool : `${side.type} ${pool}`)
  for (const [at, side] of sides.entries()) {
    const record = records[at]
    if (record === undefined) continue
    for (const [pool, { targets, serves, checked }] of side.pools) {
      if (targets.length === 0) continue
      const key = keyOf(side, pool)
      const last = pool === BACKUP ? 'values' : pool
      const wish = alike ? `${base}-${last}` : `${base}-${side.type}-${last}`
      const called = names.get(key) ?? freeName(octodns.draft.pools, wish)
      names.set(key, called)
      const before = octodns.draft.pools.get(called)?.targets ?? []
      const check = checked ? checkOf(octodns, name, record) : undefined
      octodns.draft.pools.set(called, {
        targets: [...before, ...targets],
        serves: { kind: serves },
        ...(check === undefined ? {} : { check }),
        note: '',
      })
    }
  }
  return (side, pool) => names.get(keyOf(side, pool)) ?? pool
}

/** Two sides with the same shape may share their pools. */
function shapeOf({ pools: all, rules }: Side): string {
  const shape = [...all].map(([name, { fallback, serves }]) => [name, fallback, serves])
  const decided = rules.map(({ geos, subnets, pool }) => [
    geos,
    subnets.map(({ text }) => text),
    pool,
  ])
  return JSON.stringify([shape, decided])
}
