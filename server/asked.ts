/**
 * What an operator writes on a command line, held against what is served: clients by address, prefix
 * or country, and what is to be held to be down.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { countryFlaw } from './config/country.ts'
import { unknownWord } from './config/nearest.ts'
import { addressFrom, looksLikeAddress, prefixFrom } from './config/prefix.ts'
import { canonical, nameFromText, sameName } from './dns/name.ts'
import { sameOctets } from './dns/octets.ts'
import { isWrong, type Wrong, wrong } from './fault.ts'
import { type Country, readCountries } from './geo/countries.ts'
import type { Place } from './geo/record.ts'
import type { Serving } from './load.ts'
import { groundOf } from './steer/leaves.ts'
import type { Prefix } from './steer/rule.ts'
import { KINDS, type Steering, targetOctets } from './steer/steering.ts'
import type { OfCountry } from './tell/explain/explanation.ts'
import { prefixText } from './tell/prefix.ts'

const COUNTRIES = createRequire(import.meta.url).resolve('#data/geo/countries.csv')

/** As much of what is served as a word of the command line is held against. */
type Held = Pick<Serving, 'sites' | 'world'>

/** Of whom a resolver tells. */
export type Client =
  | { readonly kind: 'none' }
  | { readonly kind: 'prefix'; readonly prefix: Prefix }
  | {
      readonly kind: 'country'
      /** One of its clients, as long as resolvers tell. */
      readonly prefix: Prefix
      /** All blocks of the ground there, of the family of the prefix. */
      readonly blocks: readonly Prefix[]
      readonly told: Omit<OfCountry, 'rankings'>
    }

/** Reads `192.0.2.1`, `2001:db8::/32`, `DE` or `none`. */
export function clientFrom(text: string, serving: Held): Client | Wrong {
  if (text === 'none') return { kind: 'none' }
  if (/^[A-Za-z]+$/.test(text)) return clientIn(text, serving)
  const prefix = prefixFrom(text)
  if (!isWrong(prefix)) return { kind: 'prefix', prefix }
  return looksLikeAddress(text) ? prefix : wrong(prefix.wrong, 'or a country like DE, or none')
}

/** What public resolvers tell of a client at most. RFC 7871 §11.1. */
const TOLD = { 4: 24, 6: 56 } as const

/** A client of a country: at the beginning of its largest block. */
function clientIn(code: string, { sites, world }: Held): Client | Wrong {
  const countries = readCountries(readFileSync(COUNTRIES, 'utf8'))
  const country = countries.get(code)
  if (country === undefined) return countryFlaw(code, countries) ?? wrong(`${code} is no country`)
  const isThere = sites.map(({ place }) => isIn(place, code, country))
  if (!isThere.includes(true)) {
    const what = `no address is known to be in ${country.name}`
    return wrong(what, 'name an address or a prefix: perhaps no rule reads countries')
  }
  const ipv4 = blocksWhere(world.steering, 4, isThere)
  const blocks = ipv4.length > 0 ? ipv4 : blocksWhere(world.steering, 6, isThere)
  const block = blocks.reduce((best, one) => (one.bits < best.bits ? one : best))
  const prefix = { ...block, bits: Math.max(block.bits, TOLD[block.family]) }
  const told = { code, name: country.name, block: prefixText(block.octets, block.bits) }
  return { kind: 'country', prefix, blocks, told }
}

/** Where no rule reads countries, the point of a country may still tell. */
function isIn(place: Place, code: string, { point }: Country): boolean {
  if (place.country !== undefined) return place.country === code
  return place.point?.lat === point.lat && place.point?.lon === point.lon
}

function blocksWhere(steering: Steering, family: 4 | 6, isThere: readonly boolean[]): Prefix[] {
  const blocks: Prefix[] = []
  for (const { bits, prefix, site } of groundOf(steering, family)) {
    if (isThere[site] === true) blocks.push({ family, octets: prefix, bits })
  }
  return blocks
}

/** Targets that are held to be down, and how they were named. */
export type Down = { readonly named: readonly string[]; readonly targets: readonly number[] }

/** Reads names of pools, and addresses or host names of targets. */
export function downFrom(texts: readonly string[], { world }: Pick<Held, 'world'>): Down | Wrong {
  const targets: number[] = []
  for (const text of texts) {
    const found = targetsNamed(text, world.steering)
    if (isWrong(found)) return found
    targets.push(...found)
  }
  return { named: texts, targets }
}

function targetsNamed(text: string, steering: Steering): number[] | Wrong {
  const pool = steering.poolNames.indexOf(text)
  const all = Array.from({ length: steering.targets }, (_, target) => target)
  if (pool >= 0) {
    const [from, to] = [KINDS * pool, KINDS * (pool + 1)].map(list => steering.listStart[list])
    return all.slice(from, to)
  }
  const address = addressFrom(text)
  const host = nameFromText(text.endsWith('.') ? text : `${text}.`, undefined)
  const isNamed = (target: number): boolean => {
    const octets = targetOctets(steering, target)
    if (!isWrong(address)) return sameOctets(octets, address.octets)
    return !isWrong(host) && sameName(canonical(octets), canonical(host))
  }
  const found = all.filter(isNamed)
  if (found.length > 0) return found
  return unknownWord(`${text} is no pool and no target`, text, steering.poolNames)
}
