/**
 * The maps of gdnsd's geoip plugin as branches over datacenters (gdnsd-plugin-geoip(8), "MAPS"):
 * the hierarchy of continents, countries, subdivisions and cities stands as it is, one level in
 * another, so that what decides there decides here.
 */
import { type Branch, by, type Choice, over, pools } from './choice.ts'
import type { Gdnsd, GeoMap } from './gdnsd-house.ts'
import { pluginAt } from './gdnsd-house.ts'
import { netBranches } from './gdnsd-nets.ts'
import {
  emptyHash,
  textOf,
  textsOf,
  truthOf,
  type Vscf,
  type VscfHash,
  valueAt,
} from './gdnsd-syntax.ts'
import { isContinent, isCountry } from './iso.ts'
import { changed, exact, type Spot, unsupported } from './ledger.ts'
import { beside } from './paths.ts'

const KNOWN = [
  ...['geoip2_db', 'datacenters', 'ignore_ecs', 'nets', 'map'],
  ...['auto_dc_coords', 'auto_dc_limit'],
]
const USUAL_LIMIT = 3

/** A map by its name, read once. */
export function mapOf(gdnsd: Gdnsd, name: string): GeoMap | undefined {
  if (gdnsd.maps.has(name)) return gdnsd.maps.get(name)
  const maps = valueAt(pluginAt(gdnsd, 'geoip'), 'maps')
  const hash = maps?.kind === 'hash' ? valueAt(maps, name) : undefined
  const at = maps?.at ?? gdnsd.plugins.at
  const map = hash?.kind === 'hash' ? readMap(gdnsd, name, hash, at) : undefined
  gdnsd.maps.set(name, map)
  return map
}

/** What one level of a map has at hand. */
type Place = {
  readonly gdnsd: Gdnsd
  readonly map: string
  /** What `auto` stands for; `undefined` where it has no meaning. */
  readonly auto: Choice | undefined
  readonly country: string
  readonly subdivision: string
}

function readMap(gdnsd: Gdnsd, name: string, hash: VscfHash, at: Spot): GeoMap {
  const { ledger } = gdnsd
  const datacenters = textsOf(valueAt(hash, 'datacenters'))
  const points = pointsOf(gdnsd, name, hash)
  for (const { key, at } of hash.entries) {
    if (KNOWN.includes(key)) continue
    unsupported(ledger, at, `${key} of map ${name}`, 'left out: gdnsd 3 does not have it either')
  }
  const auto = points.size === 0 ? undefined : nearest(gdnsd, name, hash, datacenters, points)
  readDatabase(gdnsd, name, hash)
  if (truthOf(valueAt(hash, 'ignore_ecs'))) {
    const here = 'left out: the option can be switched off for a listen address or for all'
    unsupported(ledger, hash.at, `ignore_ecs of map ${name}`, here)
  }
  const tree = valueAt(hash, 'map')
  const root = tree?.kind === 'hash' ? tree : emptyHash(hash.at)
  const place = { gdnsd, map: name, auto, country: '', subdivision: '' }
  const geo = continents(place, root, auto ?? pools(...datacenters))
  const nets = valueAt(hash, 'nets')
  const choice = nets === undefined ? geo : over(netBranches(gdnsd, name, nets), geo)
  noteMaps(gdnsd, at)
  return { at: hash.at, datacenters, points, choice }
}

/** What all maps differ in, said once. */
function noteMaps(gdnsd: Gdnsd, at: Spot): void {
  const notes = [
    'scopes are the shortest that are true, at most /24 and /56 for database blocks',
    'scope 0 where nobody has an address of the family asked for',
    'a client in a private or special block that no network names is placed by its resolver',
    'scopes beside a private or special block end at it',
    'without a country or continent of its own, the registered country and its continent count',
  ]
  for (const note of notes) changed(gdnsd.ledger, at, 'maps of geoip', note)
}

function readDatabase(gdnsd: Gdnsd, map: string, hash: VscfHash): void {
  const value = valueAt(hash, 'geoip2_db')
  const path = textOf(value)
  if (value === undefined || path === undefined) return
  const { databases } = gdnsd.draft
  const file = beside(gdnsd.file, path.startsWith('/') ? path : `geoip/${path}`)
  if (!databases.includes(file)) databases.push(file)
  const what = `geoip2_db ${path} of map ${map}`
  if (databases.length > 1) {
    const here = 'all rules read all databases; the first that knows a field wins'
    changed(gdnsd.ledger, value.at, what, here)
  } else if (file.startsWith('/')) exact(gdnsd.ledger, value.at, what, `geo.database: ${file}`)
  else changed(gdnsd.ledger, value.at, what, `geo.database: ${file}, seen from lbdns.yaml`)
}

function pointsOf(gdnsd: Gdnsd, map: string, hash: VscfHash): GeoMap['points'] {
  const points = new Map<string, { lat: number; lon: number }>()
  const coords = valueAt(hash, 'auto_dc_coords')
  for (const { key, at, value } of coords?.kind === 'hash' ? coords.entries : []) {
    const [lat = Number.NaN, lon = Number.NaN] = textsOf(value).map(Number)
    if (Math.abs(lat) <= 90 && Math.abs(lon) <= 180) points.set(key, { lat, lon })
    else unsupported(gdnsd.ledger, at, `coordinates of ${key} in map ${map}`, 'left out: no place')
  }
  return points
}

function nearest(
  gdnsd: Gdnsd,
  map: string,
  hash: VscfHash,
  datacenters: readonly string[],
  points: GeoMap['points'],
): Choice {
  const names = datacenters.filter(name => points.has(name))
  const limit = Number(textOf(valueAt(hash, 'auto_dc_limit')) ?? USUAL_LIMIT)
  const here = [
    'nearest: database points are rounded to 0.01 degrees, equal distances share,',
    'a place without a point counts as the point of its country (there: 0 N 0 E);',
    'a client of unknown place gets the first of the datacenters as listed, not all of them',
  ].join(' ')
  changed(gdnsd.ledger, hash.at, `auto_dc_coords of map ${map}`, here)
  if ((limit === 0 || limit > names.length) && names.length < datacenters.length) {
    const lost = datacenters.filter(name => !points.has(name)).join(', ')
    const less = `${lost} have no coordinates, so they do not end the list of the nearest`
    changed(gdnsd.ledger, hash.at, `auto_dc_limit ${limit} of map ${map}`, less)
  }
  return { kind: 'nearest', pools: names, ...(limit > 0 && limit < names.length ? { limit } : {}) }
}

function continents(place: Place, hash: VscfHash, otherwise: Choice): Choice {
  const known = keysThat(place, hash, isContinent)
  return level(place, known, otherwise, (key, value, inherited) => {
    const code = key.toUpperCase()
    return { level: 'continents', key: code, to: below(place, value, inherited, countries) }
  })
}

function countries(place: Place, hash: VscfHash, otherwise: Choice): Choice {
  const known = keysThat(place, hash, isCountry)
  return level(place, known, otherwise, (key, value, inherited) => {
    const country = key.toUpperCase()
    const inside = { ...place, country }
    return { level: 'countries', key: country, to: below(inside, value, inherited, regions) }
  })
}

/** A level without keys that name no place. */
function keysThat(
  { gdnsd, map }: Place,
  hash: VscfHash,
  isPlace: (code: string) => boolean,
): VscfHash {
  const entries = hash.entries.filter(({ key, at }) => {
    if (key === 'default' || key === 'skip_level' || isPlace(key.toUpperCase())) return true
    unsupported(gdnsd.ledger, at, `${key} in map ${map}`, 'left out: there is no such place')
    return false
  })
  return { ...hash, entries }
}

/** Below a country stand codes of subdivisions and names of cities; a code that fits goes first. */
function regions(place: Place, hash: VscfHash, otherwise: Choice): Choice {
  const { gdnsd, map, country } = place
  const isCode = ({ key }: { readonly key: string }) => /^[A-Za-z0-9]{1,3}$/.test(key)
  const keys = hash.entries.filter(({ key }) => key !== 'default' && key !== 'skip_level')
  const names = { ...hash, entries: hash.entries.filter(entry => !isCode(entry)) }
  const cities = level(place, names, otherwise, (key, value, inherited, at) => {
    if (value.kind !== 'hash') return cityBranch(place, key, value)
    const here = 'left out: a city has nothing below it, and a code has at most three characters'
    unsupported(gdnsd.ledger, at, `${key} in ${country} of map ${map}`, here)
    return { level: 'cities', key, to: inherited }
  })
  if (names.entries.some(({ key }) => key !== 'default')) {
    const here = 'counts as it is written; gdnsd does not mind capitals'
    changed(gdnsd.ledger, hash.at, `cities of ${country} in map ${map}`, here)
  }
  const codes = keys.filter(isCode)
  const [first] = codes
  if (first === undefined) return cities
  const here = 'codes count as the first subdivision of a place; gdnsd looks at deeper ones too'
  changed(gdnsd.ledger, first.at, `subdivisions of ${country} in map ${map}`, here)
  const branches = codes.map(({ key, value }): Branch => {
    const subdivision = `${country}-${key.toUpperCase()}`
    const inside = { ...place, subdivision }
    const inherited = defaultOf(place, hash, otherwise)
    const to = below(inside, value, inherited, districts)
    return { level: 'subdivisions', key: subdivision, to }
  })
  return by(branches, cities)
}

/** Inside a subdivision stand deeper ones, and cities. */
function districts(place: Place, hash: VscfHash, otherwise: Choice): Choice {
  const { gdnsd, map, subdivision } = place
  return level(place, hash, otherwise, (key, value, inherited, at) => {
    if (value.kind !== 'hash' && !/^[A-Z0-9]{1,3}$/.test(key)) return cityBranch(place, key, value)
    if (value.kind === 'hash') {
      const here = 'only its default: there is no third level of subdivisions here'
      unsupported(gdnsd.ledger, at, `${key} in ${subdivision} of map ${map}`, here)
    }
    const to = below(place, value, inherited, (_, deeper, outer) => defaultOf(place, deeper, outer))
    return { level: 'field subdivisions/1/iso_code', key, to }
  })
}

function cityBranch(place: Place, name: string, value: Vscf): Branch {
  const inside = place.subdivision === '' ? place.country : place.subdivision
  return { level: 'cities', key: `${inside}/${name}`, to: listOf(place, value) }
}

/** One level of the hierarchy: its branches, and what it says where none fits. */
function level(
  place: Place,
  hash: VscfHash,
  otherwise: Choice,
  branch: (key: string, value: Vscf, inherited: Choice, at: Spot) => Branch,
): Choice {
  const inherited = defaultOf(place, hash, otherwise)
  const branches = hash.entries.flatMap(({ key, at, value }) => {
    if (key === 'default') return []
    if (key !== 'skip_level') return [branch(key, value, inherited, at)]
    const here = 'left out: levels are looked through without it'
    unsupported(place.gdnsd.ledger, at, `skip_level in map ${place.map}`, here)
    return []
  })
  return by(branches, inherited)
}

function defaultOf(place: Place, hash: VscfHash, otherwise: Choice): Choice {
  const value = valueAt(hash, 'default')
  return value === undefined ? otherwise : listOf(place, value)
}

function below(
  place: Place,
  value: Vscf,
  inherited: Choice,
  deeper: (place: Place, hash: VscfHash, inherited: Choice) => Choice,
): Choice {
  return value.kind === 'hash' ? deeper(place, value, inherited) : listOf(place, value)
}

function listOf({ auto }: Place, value: Vscf): Choice {
  const names = textsOf(value)
  if (names.length === 1 && names[0] === 'auto' && auto !== undefined) return auto
  return pools(...names)
}
