/**
 * A service of PowerDNS's geoip backend as branches over pools: its formats are tried in order, and
 * the names that exist are the branches there are.
 */
import {
  type Attribute,
  branching,
  type Deciding,
  type Known,
  OTHER,
  UNKNOWN,
} from './branching.ts'
import { type Choice, isHole, keysOf, leavesOf, over, pools } from './choice.ts'
import { freeName } from './draft.ts'
import { CONTINENTS, isContinent, isCountry } from './iso.ts'
import { changed, type Spot, unsupported } from './ledger.ts'
import { loneNetwork, type Net, networkBranches } from './net-groups.ts'
import { attributesOf, endlessIn, expand, fitting } from './pdns-format.ts'
import type { Domain, Pdns, Service } from './pdns-house.ts'
import { targetPool } from './pdns-pool.ts'
import { prefixText } from './prefixes.ts'
import { hostTarget } from './targets.ts'
import { isIn, parentOf } from './zone-names.ts'

/** In this order, so that what is larger stands outside. */
const ORDER: readonly Attribute[] = ['family', 'asn', 'continent', 'country', 'region', 'city']

/** Of these there are so few that each has a branch. */
const FEW: readonly Attribute[] = ['continent', 'family']

const DEFAULT = 'default'
const IPV6 = '::/0'

/**
 * The branches of a service.
 *
 * @param outer services that lead here
 */
export function serviceChoice(
  pdns: Pdns,
  domain: Domain,
  owner: string,
  service: Service,
  outer: readonly string[] = [],
): Choice {
  const above = [...outer, owner]
  const fallback = service.masks.find(({ mask }) => mask === DEFAULT)
  const others = service.masks.filter(({ mask }) => mask !== DEFAULT)
  const choiceOf = (formats: readonly string[], at: Spot) =>
    formatsChoice({ pdns, domain, owner, at, above, formats: usable(pdns, owner, formats, at) })
  const nets = others.flatMap(({ mask, at, formats }): Net[] => {
    const prefix = prefixText(mask)
    if (prefix !== undefined) return [{ prefix, to: choiceOf(formats, at) }]
    unsupported(pdns.ledger, at, `${mask} of service ${owner}`, 'left out: it is no network')
    return []
  })
  const branches = networkBranches(pdns.draft, owner, nets)
  if (fallback === undefined) noteNoDefault(pdns, owner, service.at)
  const rest = fallback === undefined ? pools() : choiceOf(fallback.formats, fallback.at)
  return over(branches, rest)
}

function noteNoDefault(pdns: Pdns, owner: string, at: Spot): void {
  const here = 'clients of no network got no answer; here they get one all the same'
  changed(pdns.ledger, at, `service ${owner} without default`, here)
}

/** Formats without those that no branch can stand for. */
function usable(pdns: Pdns, owner: string, formats: readonly string[], at: Spot): string[] {
  return formats.filter(format => {
    const endless = endlessIn(format)
    if (endless === undefined) return true
    const here =
      endless === '%na'
        ? 'left out: name the networks by asns: instead'
        : 'left out: an answer for every client or moment of its own has no branches'
    unsupported(pdns.ledger, at, `${endless} in ${format} of service ${owner}`, here)
    return false
  })
}

type Formats = {
  readonly pdns: Pdns
  readonly domain: Domain
  readonly owner: string
  readonly at: Spot
  readonly formats: readonly string[]
  /** This service and those that lead to it. */
  readonly above: readonly string[]
}

function formatsChoice(asked: Formats): Choice {
  const { pdns, domain, owner, at, formats } = asked
  const read = new Set(formats.flatMap(format => attributesOf(format, domain)))
  const fits = fitsOf(asked)
  const deciding: Deciding = {
    attributes: ORDER.filter(attribute => read.has(attribute)),
    values: (attribute, known) => valuesOf(asked, fits, attribute, known),
    outcome: known => outcomeOf(asked, known),
    branch: (attribute, value, known) => branchOf(asked, attribute, value, known),
    unlike: attribute => {
      const here = `those of whom no database tells the ${attribute} get what all others get`
      changed(pdns.ledger, at, `unknown ${attribute} in service ${owner}`, here)
    },
  }
  const choice = branching(deciding)
  if (leavesOf(choice).some(isHole)) noteHoles(asked)
  for (const city of keysOf(choice, 'cities')) {
    const here = 'correct the capitals where the database writes it otherwise'
    changed(pdns.ledger, at, `city ${city} in service ${owner}`, here)
  }
  return choice
}

function noteHoles({ pdns, domain, owner, at, formats }: Formats): void {
  const last = formats.at(-1)
  if (last === undefined) return
  const here = isIn(last.toLowerCase(), domain.name)
    ? 'clients that no record fits got a CNAME to a name that does not exist, or nothing'
    : 'left out: list the hosts that there are, as pools of their own'
  unsupported(pdns.ledger, at, `${last} of service ${owner}`, here)
}

/** What clients are like for whom some format, or lookup format, comes to something that exists. */
function fitsOf({ pdns, domain, formats }: Formats): Fit[] {
  const among = (format: string, texts: ReadonlyMap<string, unknown>) => {
    const key = `${domain.name} ${format}`
    const fits = pdns.fits.get(key) ?? fitting(format, texts.keys())
    pdns.fits.set(key, fits)
    return fits
  }
  const direct = formats.flatMap(format => among(format, domain.records))
  if (!formats.some(format => format.includes('%mp'))) return direct
  const mapped = domain.formats.flatMap(format => fitting(format, domain.mapping.keys()))
  return [...direct, ...mapped]
}

type Fit = ReadonlyMap<Attribute, string>

function valuesOf(
  { domain, formats }: Formats,
  fits: readonly Fit[],
  attribute: Attribute,
  known: Known,
): string[] {
  const possible = fits.filter(fit =>
    [...known].every(([key, value]) => (fit.get(key) ?? value) === value),
  )
  const found = possible.flatMap(fit => fit.get(attribute) ?? [])
  const last = formats.at(-1) ?? ''
  const all = last.includes('%cn') && !isIn(last.toLowerCase(), domain.name)
  const more = attribute === 'continent' && all ? CONTINENTS.map(code => code.toLowerCase()) : []
  return [...new Set([...found, ...more])].filter(value => isValue(attribute, value))
}

/** What a placeholder can come to: other labels only look like it. */
function isValue(attribute: Attribute, value: string): boolean {
  switch (attribute) {
    case 'family':
      return value === 'v4' || value === 'v6'
    case 'asn':
      return /^[1-9]\d{0,9}$/.test(value) && Number(value) <= 0xffff_ffff
    case 'continent':
      return isContinent(value.toUpperCase())
    case 'country':
      return isCountry(value.toUpperCase())
    case 'region':
      return /^[a-z0-9]{1,3}$/.test(value)
    default:
      return value !== 'unknown'
  }
}

/** The first format that comes to a name that exists; the last one, whether it does or not. */
function outcomeOf(asked: Formats, known: Known): Choice {
  const { pdns, domain, owner, formats } = asked
  for (const format of formats) {
    const name = expand(format, known, domain)
    if (!domain.records.has(name)) continue
    const pool = targetPool(pdns, domain, owner, name)
    return pool === undefined ? pools() : pools(pool)
  }
  const last = formats.at(-1)
  if (last === undefined) return pools()
  return aliasOf(asked, expand(last, known, domain), last)
}

/** A name without records is an alias: answered by what it leads to, where that is known here. */
function aliasOf(asked: Formats, name: string, format: string): Choice {
  const { pdns, domain, owner, at, above } = asked
  const wild = wildcardOf(domain, name)
  const service = above.includes(name) ? undefined : domain.services.get(name)
  if (wild !== undefined || service !== undefined) {
    const here = `answered with the addresses of ${wild ?? name}, without a CNAME before them`
    changed(pdns.ledger, at, `${format} of service ${owner}`, here)
  }
  if (service !== undefined) return serviceChoice(pdns, domain, name, service, above)
  const pool = wild === undefined ? undefined : targetPool(pdns, domain, owner, wild)
  if (pool !== undefined) return pools(pool)
  const endless = attributesOf(format, domain).some(read => !FEW.includes(read))
  const fixed = !endless && !name.includes(OTHER) && !isIn(name, domain.name)
  return fixed ? hostPool(pdns, name) : pools()
}

/** The wildcard that answers for a name that does not exist. RFC 4592 §3.3.1. */
function wildcardOf({ name: apex, records }: Domain, name: string): string | undefined {
  for (let parent = name; isIn(parent, apex) && parent !== apex; ) {
    parent = parentOf(parent)
    if (records.has(`*.${parent}`)) return `*.${parent}`
    if (records.has(parent)) return undefined
  }
  return undefined
}

function hostPool({ draft, pools: known }: Pdns, name: string): Choice {
  const target = hostTarget(name)
  if (target === undefined) return pools()
  const key = `host ${name}`
  const pool = known.get(key) ?? freeName(draft.pools, name)
  known.set(key, pool)
  draft.pools.set(pool, {
    targets: [target],
    serves: { kind: 'all' },
    note: '',
  })
  return pools(pool)
}

function branchOf(asked: Formats, attribute: Attribute, value: string, known: Known) {
  const place = (key: Attribute) => {
    const found = known.get(key)
    return found === undefined || found === OTHER || found === UNKNOWN ? undefined : found
  }
  const country = place('country')?.toUpperCase()
  const region = place('region')?.toUpperCase()
  switch (attribute) {
    case 'family':
      return { level: 'networks', key: loneNetwork(asked.pdns.draft, IPV6) } as const
    case 'asn':
      return { level: 'asns', key: `AS${value}` } as const
    case 'continent':
      return { level: 'continents', key: value.toUpperCase() } as const
    case 'country':
      return { level: 'countries', key: value.toUpperCase() } as const
    case 'region': {
      const key = value.toUpperCase()
      if (country === undefined) return { level: 'field subdivisions/0/iso_code', key } as const
      return { level: 'subdivisions', key: `${country}-${key}` } as const
    }
    default: {
      const city = capitalized(value)
      const inside = region === undefined ? country : country && `${country}-${region}`
      return { level: 'cities', key: inside === undefined ? city : `${inside}/${city}` } as const
    }
  }
}

/** Databases write cities with capitals, and formats without. */
function capitalized(value: string): string {
  return value.replace(/(^|[ -])(\p{L})/gu, found => found.toUpperCase())
}
