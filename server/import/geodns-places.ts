/**
 * What geodns looks labels up by (abh/geodns, targeting and countries): the client's address, AS
 * number, region, group of regions, country and continent, written as the end of a label.
 */
import type { Level } from './choice.ts'
import { continentOf, isCountry } from './iso.ts'
import { prefixText } from './prefixes.ts'
import { familyOf } from './targets.ts'

/** One of the places that a label may be meant for. */
export type GeoTarget = {
  /** What `targeting` calls it. */
  readonly kind: 'ip' | 'asn' | 'region' | 'regiongroup' | 'country' | 'continent'
  /** The branches it stands for. */
  readonly level: Level
  readonly keys: readonly string[]
}

const CONTINENTS: Readonly<Record<string, string>> = {
  africa: 'AF',
  antarctica: 'AN',
  asia: 'AS',
  europe: 'EU',
  'north-america': 'NA',
  oceania: 'OC',
  'south-america': 'SA',
}

/** States of the groups that geodns knows; other countries have none. */
const GROUPS: Readonly<Record<string, string>> = {
  'us-west': 'ak az ca co hi id mt nm nv or ut wa wy',
  'us-central': 'ar ia il in ks la mn mo nd ne ok sd tx wi',
  'us-east': 'al ct dc de fl ga ky ma md me mi ms nc nh nj ny oh pa ri sc tn va vt wv',
}

/** What the end of a label stands for; `undefined` where it is an ordinary part of a name. */
export function targetOf(text: string): GeoTarget | undefined {
  const address = /^\[(.+)\]$/.exec(text)?.[1]
  if (address !== undefined) return addressTarget(address)
  const asn = /^as(\d{1,10})$/.exec(text)?.[1]
  const isAsn = Number(asn) > 0 && Number(asn) <= 0xffff_ffff
  if (isAsn) return { kind: 'asn', level: 'asns', keys: [`AS${asn}`] }
  const continent = CONTINENTS[text]
  if (continent !== undefined) return { kind: 'continent', level: 'continents', keys: [continent] }
  const group = GROUPS[text]?.split(' ').map(state => `US-${state.toUpperCase()}`)
  if (group !== undefined) return { kind: 'regiongroup', level: 'subdivisions', keys: group }
  const code = text.toUpperCase()
  if (isCountry(code)) return { kind: 'country', level: 'countries', keys: [code] }
  const country = /^([A-Z]{2})-[A-Z0-9]{1,3}$/.exec(code)?.[1]
  if (country === undefined || !isCountry(country)) return undefined
  return { kind: 'region', level: 'subdivisions', keys: [code] }
}

/** An address is itself; one that ends in 0 is its /24, and one in /48 is that. */
function addressTarget(address: string): GeoTarget | undefined {
  const family = familyOf(address)
  if (family === undefined) return undefined
  const wide = prefixText(`${address}/${family === 'ipv4' ? 24 : 48}`) ?? ''
  const exact = prefixText(address) ?? ''
  const isWide = wide.slice(0, wide.indexOf('/')) === exact.slice(0, exact.indexOf('/'))
  return { kind: 'ip', level: 'networks', keys: [isWide ? wide : exact] }
}

/** The ends of labels that are looked up for a client of a place, the closest first. */
export function endsOf(place: { region?: string; country?: string; continent?: string }): string[] {
  const region = place.region?.toLowerCase()
  const state = region?.startsWith('us-') ? region.slice(3) : undefined
  const group = Object.entries(GROUPS).find(([, states]) => states.split(' ').includes(state ?? ''))
  const country = place.country ?? place.region?.slice(0, 2)
  const continent = place.continent ?? (country && continentOf(country))
  const named = Object.entries(CONTINENTS).find(([, code]) => code === continent)
  return [region, group?.[0], country?.toLowerCase(), named?.[0]].flatMap(end => end ?? [])
}
