/** The files that compiling is measured on: a large country database, and rules over it. */
import { readFileSync } from 'node:fs'
import { wrong } from '../../../server/fault.ts'
import { readCountries } from '../../../server/geo/countries.ts'
import { type Loaded, load } from '../../../server/load.ts'
import { below, type Chance, chance, draw } from '../../../server/steer/chance.ts'
import { writeDatabase } from '../../kit/mmdb.ts'
import { countryNetworks } from '../../kit/mmdb-large.ts'

export const COUNTRIES = readCountries(readFileSync('data/geo/countries.csv', 'utf8'))
export const CODES = [...COUNTRIES.keys()]
export const NETWORKS = 400_000

/** Networks of one country each, neighbours of different ones. */
export const LISTED = countryNetworks(NETWORKS, CODES)
export const DATABASE = writeDatabase({ networks: LISTED })
/** Of a network: its country, as the database has it. */
export const countryOf = ([, record]: (typeof LISTED)[number]): string =>
  (record as { readonly country_code: string }).country_code

const POOLS = 6

/** Which pool a rule has for a country. */
export function poolOf(country: number, rule: number): string {
  return `p${below(chance(country, rule), POOLS)}`
}

/** The first six octets of an address among the networks of a family, as one number. */
export function drawAmong(drawn: Chance, family: 4 | 6): number {
  const { first, last } = REACH[family]
  return first + Math.floor((draw(drawn) / 2 ** 32) * (last - first))
}

/** From the first network of a family to the last, as six octets. */
const REACH = {
  4: reachOf(/^(\d+)\.(\d+)\.(\d+)/, 10, 8),
  6: reachOf(/^(\w+):(\w+):(\w+)::/, 16, 16),
}

function reachOf(pattern: RegExp, base: number, width: number): { first: number; last: number } {
  const starts = LISTED.flatMap(([cidr]) => {
    const parts = pattern
      .exec(cidr)
      ?.slice(1)
      .map(part => Number.parseInt(part, base))
    if (parts === undefined) return []
    return [parts.reduce((sum, part) => sum * 2 ** width + part, 0) * 2 ** (48 - 3 * width)]
  })
  return { first: starts[0] ?? 0, last: starts.at(-1) ?? 0 }
}

const ZONE =
  '$ORIGIN example.com.\n$TTL 60\n@ SOA ns1 admin 1 3600 600 86400 60\n@ NS ns1\nns1 A 192.0.2.53\n'

/** Loads so many rules over the database, each with a branch for every country: no two part alike. */
export function loadRules(count: number): Loaded {
  const pools = Array.from({ length: POOLS }, (_, i) => [
    `p${i}`,
    { targets: [`192.0.2.${i + 1}`] },
  ])
  const rules = Array.from({ length: count }, (_, rule) => {
    const branches = CODES.map((code, country) => [code, [poolOf(country, rule)]])
    const by = { countries: Object.fromEntries(branches), default: ['p0'] }
    return [`r${rule}.example.com`, { by }]
  })
  const yaml = {
    listen: ['127.0.0.1:5353'],
    zones: ['a.zone'],
    geo: { database: 'geo.mmdb' },
    pools: Object.fromEntries(pools),
    steer: Object.fromEntries(rules),
  }
  const files: Readonly<Record<string, Buffer>> = {
    'lbdns.yaml': Buffer.from(JSON.stringify(yaml)),
    'a.zone': Buffer.from(ZONE),
    'geo.mmdb': DATABASE,
  }
  const machine = { version: 'bench', host: 'bench' }
  return load('lbdns.yaml', machine, file => files[file] ?? wrong(`${file} does not exist`))
}
