/**
 * gdnsd's metafo and geoip resources, and what their datacenters stand for
 * (gdnsd-plugin-metafo(8)): every resource becomes a choice over pools. Knows how resources name
 * each other.
 */
import { type Choice, leavesOf, mapLeaves, pools, sequence } from './choice.ts'
import { freeName } from './draft.ts'
import { groupChoice, lonePool } from './gdnsd-group.ts'
import { type Gdnsd, type GeoMap, pluginAt } from './gdnsd-house.ts'
import { mapOf } from './gdnsd-map.ts'
import { listed, specialKeys } from './gdnsd-pool.ts'
import {
  inherited,
  textOf,
  textsOf,
  truthOf,
  type Vscf,
  type VscfHash,
  valueAt,
} from './gdnsd-syntax.ts'
import { changed, exact, type Spot, unsupported } from './ledger.ts'

/** Keys that are not handed down to the datacenters of a resource. */
const META = [
  'maps',
  'resources',
  'undefined_datacenters_ok',
  'dcmap',
  'map',
  'datacenters',
  'skip_first',
]

/** The choice of `plugin!resource` or `plugin!resource/datacenter`; `undefined`: there is none. */
export function resourceChoice(gdnsd: Gdnsd, plugin: string, name: string): Choice | undefined {
  const key = `${plugin}!${name}`
  if (gdnsd.resources.has(key)) return gdnsd.resources.get(key)
  gdnsd.resources.set(key, undefined) // a resource that leads back to itself has nothing there
  const choice = readResource(gdnsd, plugin, name)
  gdnsd.resources.set(key, choice)
  return choice
}

function readResource(gdnsd: Gdnsd, plugin: string, name: string): Choice | undefined {
  const config = pluginAt(gdnsd, plugin)
  if (plugin === 'metafo' || plugin === 'geoip') return metaResource(gdnsd, plugin, config, name)
  const value = valueAt(config, name)
  if (value === undefined) return undefined
  if (plugin === 'static')
    return lonePool(gdnsd, { plugin, name, ...none(value) }, textOf(value) ?? '')
  const special = {
    ...config,
    entries: config.entries.filter(({ key }) => specialKeys(plugin).includes(key)),
  }
  const hash = inherited(value.kind === 'hash' ? value : listed(value), special)
  return groupChoice(gdnsd, { plugin, name, at: value.at, hash })
}

function none({ at }: Vscf): { readonly at: Spot; readonly hash: VscfHash } {
  return { at, hash: { kind: 'hash', at, entries: [] } }
}

/** A resource of metafo or geoip, with all that its datacenters inherit. */
type Meta = {
  readonly gdnsd: Gdnsd
  readonly plugin: string
  readonly name: string
  readonly hash: VscfHash
}

function metaResource(
  gdnsd: Gdnsd,
  plugin: string,
  config: VscfHash,
  name: string,
): Choice | undefined {
  const [resource = '', datacenter] = name.split('/', 2)
  const all = valueAt(config, 'resources')
  const own = all?.kind === 'hash' ? valueAt(all, resource) : undefined
  if (own?.kind !== 'hash') return undefined
  const meta = { gdnsd, plugin, name: resource, hash: inherited(own, config, META) }
  if (datacenter !== undefined) return datacenterChoice(meta, datacenter)
  return plugin === 'metafo' ? metafo(meta) : geoip(meta)
}

/** One datacenter behind the other. */
function metafo(meta: Meta): Choice | undefined {
  const names = textsOf(valueAt(meta.hash, 'datacenters'))
  return inOrder(meta, skipping(meta, names))
}

function inOrder(meta: Meta, datacenters: readonly string[]): Choice {
  const choices = datacenters.flatMap(name => datacenterChoice(meta, name) ?? [])
  noteLost(meta, choices)
  return choices.reduce(sequence, pools())
}

/** The list of a map's place, with pools for its datacenters. */
function geoip(meta: Meta): Choice | undefined {
  const { gdnsd, name, hash } = meta
  const mapName = textOf(valueAt(hash, 'map')) ?? ''
  const map = mapOf(gdnsd, mapName)
  if (map === undefined) {
    unsupported(gdnsd.ledger, hash.at, `map ${mapName} of geoip ${name}`, 'left out: no such map')
    return undefined
  }
  const defined = map.datacenters.filter(one => datacenterChoice(meta, one) !== undefined)
  for (const one of map.datacenters) {
    if (defined.includes(one)) continue
    const here = `left out of every list of map ${mapName} for this resource`
    changed(gdnsd.ledger, hash.at, `datacenter ${one} of geoip ${name} has no addresses`, here)
  }
  return mapLeaves(map.choice, leaf => {
    if (leaf.kind === 'nearest') return nearestPools(meta, map, leaf)
    const names = leaf.kind === 'pools' ? leaf.pools.filter(one => defined.includes(one)) : []
    return inOrder(meta, skipping(meta, names))
  })
}

/** `skip_first` leaves the first of several out. */
function skipping({ hash }: Meta, names: readonly string[]): readonly string[] {
  return truthOf(valueAt(hash, 'skip_first')) && names.length > 1 ? names.slice(1) : names
}

/** Datacenters by distance: each is one pool, and stands somewhere. */
function nearestPools(
  meta: Meta,
  map: GeoMap,
  leaf: Choice & { readonly kind: 'nearest' },
): Choice {
  const { gdnsd, name, hash } = meta
  if (truthOf(valueAt(hash, 'skip_first'))) {
    const here = 'left out: the nearest is not skipped'
    unsupported(gdnsd.ledger, hash.at, `skip_first of geoip ${name}`, here)
  }
  const names = leaf.pools.flatMap(datacenter => {
    const choice = datacenterChoice(meta, datacenter)
    const [first, ...more] = choice?.kind === 'pools' ? choice.pools : []
    const point = map.points.get(datacenter)
    if (first === undefined || point === undefined) return []
    if (more.length > 0) {
      const here = `${first} alone: ${more.join(', ')} has no place in a list by distance`
      changed(gdnsd.ledger, hash.at, `datacenter ${datacenter} of geoip ${name}`, here)
    }
    return [placed(gdnsd, first, point)]
  })
  return { ...leaf, pools: [...new Set(names)] }
}

/** The pool with a point: itself, or a copy where it stands elsewhere already. */
function placed(gdnsd: Gdnsd, name: string, point: { lat: number; lon: number }): string {
  const { draft } = gdnsd
  const pool = draft.pools.get(name)
  if (pool === undefined) return name
  const there = pool.point
  if (there?.lat === point.lat && there.lon === point.lon) return name
  const own = there === undefined ? name : freeName(draft.pools, name)
  draft.pools.set(own, { ...pool, point })
  return own
}

/** What the addresses, host name, hash or reference of a datacenter stand for. */
function datacenterChoice(meta: Meta, datacenter: string): Choice | undefined {
  const { gdnsd, plugin, name } = meta
  const key = `${plugin}!${name}/${datacenter}`
  if (gdnsd.resources.has(key)) return gdnsd.resources.get(key)
  gdnsd.resources.set(key, undefined)
  const choice = readDatacenter(meta, datacenter)
  gdnsd.resources.set(key, choice)
  return choice
}

function readDatacenter(meta: Meta, datacenter: string): Choice | undefined {
  const { gdnsd, hash } = meta
  const dcmap = valueAt(hash, 'dcmap')
  const value = dcmap?.kind === 'hash' ? valueAt(dcmap, datacenter) : undefined
  if (value === undefined) return undefined
  const name = `${meta.name}-${datacenter}`
  const usual = textOf(valueAt(hash, 'plugin')) ?? 'multifo'
  const shared = inherited({ kind: 'hash', at: value.at, entries: [] }, hash, META)
  if (value.kind === 'hash') {
    const whole = inherited(value, shared)
    const plugin = textOf(valueAt(whole, 'plugin')) ?? 'multifo'
    return synthesized(gdnsd, plugin, name, inherited(emptyOf(whole), whole, ['plugin']))
  }
  const text = textOf(value)
  const reference = /^(?:%([^!]*))?!(.*)$/.exec(text ?? '')
  if (reference !== null) {
    return resourceChoice(gdnsd, reference[1] ?? usual, reference[2] ?? '')
  }
  if (text?.endsWith('.'))
    return lonePool(gdnsd, { plugin: meta.plugin, name, at: value.at, hash: shared }, text)
  const addresses = inherited(listed(value), onlyOf(shared, specialKeys('multifo')))
  return groupChoice(gdnsd, { plugin: 'multifo', name, at: value.at, hash: addresses })
}

function emptyOf(hash: VscfHash): VscfHash {
  return { ...hash, entries: [] }
}

function onlyOf(hash: VscfHash, keys: readonly string[]): VscfHash {
  return { ...hash, entries: hash.entries.filter(({ key }) => keys.includes(key)) }
}

function synthesized(
  gdnsd: Gdnsd,
  plugin: string,
  name: string,
  hash: VscfHash,
): Choice | undefined {
  if (plugin === 'metafo') return metafo({ gdnsd, plugin, name, hash })
  return groupChoice(gdnsd, { plugin, name, at: hash.at, hash })
}

/** Only the first of several can rank by distance. */
function noteLost({ gdnsd, plugin, name, hash }: Meta, choices: readonly Choice[]): void {
  const later = choices.slice(1).flatMap(leavesOf)
  if (!later.some(({ kind }) => kind === 'nearest')) return
  const here = 'the list before it alone: nothing by distance stands behind another list'
  unsupported(gdnsd.ledger, hash.at, `failover of ${plugin} ${name} to a map by distance`, here)
}

/** Says what became of each resource: those that no zone names are not in the draft. */
export function noteResources(gdnsd: Gdnsd): void {
  for (const plugin of ['multifo', 'simplefo', 'weighted', 'static', 'metafo', 'geoip']) {
    for (const { key, at } of resourcesOf(gdnsd, plugin)) {
      const met = isMet(gdnsd, `${plugin}!${key}`)
      const what = `${plugin} ${key}`
      if (met) exact(gdnsd.ledger, at, what)
      else unsupported(gdnsd.ledger, at, what, 'left out: no zone names it')
    }
  }
}

/** A zone names it, or one of its datacenters. */
function isMet({ resources }: Gdnsd, key: string): boolean {
  return [...resources].some(
    ([name, choice]) => choice !== undefined && (name === key || name.startsWith(`${key}/`)),
  )
}

function resourcesOf(gdnsd: Gdnsd, plugin: string): readonly { key: string; at: Spot }[] {
  const config = pluginAt(gdnsd, plugin)
  if (plugin !== 'metafo' && plugin !== 'geoip') {
    return config.entries.filter(({ key }) => !specialKeys(plugin).includes(key))
  }
  const all = valueAt(config, 'resources')
  return all?.kind === 'hash' ? all.entries : []
}
