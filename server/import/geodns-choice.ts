/**
 * What geodns answers for a label, as branches over pools: the labels that have the client's place
 * at their end come first, the closest first, and stand behind one another where their servers are
 * checked.
 */
import { type Branch, by, type Choice, over, pools } from './choice.ts'
import { type DraftPool, freeName } from './draft.ts'
import type { Geodns, GeoZone, Label } from './geodns-house.ts'
import { endsOf, type GeoTarget, targetOf } from './geodns-places.ts'
import { continentOf } from './iso.ts'
import { loneNetwork } from './net-groups.ts'
import { blockOf, holds } from './prefixes.ts'

/** Aliases may lead so far. */
const MAX_DEPTH = 8

type Asked = { readonly geodns: Geodns; readonly zone: GeoZone; readonly label: string }

/** The branches of a label; a plain list where all clients get the same. */
export function labelChoice(geodns: Geodns, zone: GeoZone, label: string): Choice {
  const asked = { geodns, zone, label }
  const ends = endsBelow(zone, label)
  const places = ends.flatMap(end => {
    const target = targetOf(end)
    return target !== undefined && zone.targeting.has(target.kind) ? [{ end, target }] : []
  })
  const geo = geoChoice(asked, places, [])
  const asns = places.filter(({ target }) => target.kind === 'asn')
  const byAsn = asns.map(({ end, target }): Branch => {
    return { level: 'asns', key: target.keys[0] ?? '', to: geoChoice(asked, places, [end]) }
  })
  const ips = places.flatMap(({ end, target }) => {
    const block = target.kind === 'ip' ? blockOf(target.keys[0] ?? '') : undefined
    return block === undefined ? [] : [{ end, block }]
  })
  const byIp = ips.map(({ block }): Branch => {
    const around = ips.filter(other => holds(other.block, block))
    const near = around.toSorted((a, b) => b.block.bits - a.block.bits).map(({ end }) => end)
    const key = loneNetwork(geodns.draft, block.text)
    return { level: 'networks', key, to: geoChoice(asked, places, near) }
  })
  return over([...byIp, ...byAsn], geo)
}

/** All ends of labels that lie right below a label, or below one that it is an alias of. */
function endsBelow({ labels }: GeoZone, label: string): string[] {
  const bases = [label]
  for (const base of bases.values()) {
    const alias = labels.get(base)?.alias
    if (alias !== undefined && !bases.includes(alias) && bases.length < MAX_DEPTH) bases.push(alias)
  }
  const found = bases.flatMap(base =>
    [...labels.keys()].flatMap(name => {
      if (base === '') return name === '' ? [] : [name]
      return name.startsWith(`${base}.`) ? [name.slice(base.length + 1)] : []
    }),
  )
  return [...new Set(found)]
}

type Placed = { readonly end: string; readonly target: GeoTarget }

/** Branches by region, country and continent, behind ends that come before all of them. */
function geoChoice(asked: Asked, places: readonly Placed[], first: readonly string[]): Choice {
  const levels = ['subdivisions', 'countries', 'continents'] as const
  const branches = levels.flatMap(level => {
    const keys = places
      .filter(({ target }) => target.level === level)
      .flatMap(one => one.target.keys)
    return [...new Set(keys)].map((key): Branch => {
      return { level, key, to: ranking(asked, [...first, ...endsFor(level, key)]) }
    })
  })
  return by(branches, ranking(asked, first))
}

function endsFor(level: 'subdivisions' | 'countries' | 'continents', key: string): string[] {
  if (level === 'continents') return endsOf({ continent: key })
  const country = key.slice(0, 2)
  const continent = continentOf(country) ?? ''
  return endsOf(
    level === 'countries' ? { country, continent } : { region: key, country, continent },
  )
}

/** Pools of all labels that match, until both families are answered by what is never down. */
function ranking({ geodns, zone, label }: Asked, ends: readonly string[]): Choice {
  const used = ends.filter(end => {
    const target = targetOf(end)
    return target !== undefined && zone.targeting.has(target.kind)
  })
  const open = new Set(['ipv4', 'ipv6'])
  const names = matches(zone, label, used, 0).flatMap(match => {
    const kinds = new Set(match.targets.map(({ kind }) => kind))
    const isAlias = kinds.has('host')
    if (open.size === 0 || (!isAlias && ![...kinds].some(kind => open.has(kind)))) return []
    if (match.check === undefined)
      for (const kind of isAlias ? ['ipv4', 'ipv6'] : kinds) open.delete(kind)
    return [poolOf(geodns, zone, match)]
  })
  return pools(...names)
}

/** The labels with addresses or a host name that match, the closest first. */
function matches(zone: GeoZone, label: string, ends: readonly string[], depth: number): Label[] {
  if (depth > MAX_DEPTH) return []
  const names = ends.map(end => (label === '' ? end : `${label}.${end}`))
  const whole = zone.targeting.has('@') ? [...names, label] : names
  return whole.flatMap(name => {
    const found = zone.labels.get(name)
    if (found === undefined) return []
    const behind = found.alias === undefined ? [] : matches(zone, found.alias, ends, depth + 1)
    return found.targets.length > 0 ? [...behind, found] : behind
  })
}

/** The pool of a label, added to the draft once. */
function poolOf({ draft }: Geodns, zone: GeoZone, label: Label): string {
  const name = label.name === '' ? zone.name : label.name
  const count = (kind: string) => label.targets.filter(target => target.kind === kind).length
  const most = Math.max(count('ipv4'), count('ipv6'))
  const isHost = count('host') > 0
  const answers = isHost ? 1 : label.maxHosts
  const serves: DraftPool['serves'] =
    most <= answers && !isHost
      ? { kind: 'all' }
      : answers === 1
        ? { kind: 'one' }
        : { kind: 'some', answers }
  const pool: DraftPool = {
    targets: label.targets,
    serves,
    ...(label.check ? { check: label.check } : {}),
    note: '',
  }
  const known = draft.pools.get(name)
  if (known !== undefined && JSON.stringify(known) === JSON.stringify(pool)) return name
  const own = known === undefined ? name : freeName(draft.pools, `${name}.${zone.name}`)
  draft.pools.set(own, pool)
  return own
}
