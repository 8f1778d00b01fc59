/** What a large map takes in memory: bounds that are arithmetic; `npm run bench` has the seconds. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readCountries } from '../../server/geo/countries.ts'
import { chance } from '../../server/steer/chance.ts'
import { JUMP_SIZE, type Steering } from '../../server/steer/steering.ts'
import { oneOf } from '../kit/maps.ts'
import { countryNetworks } from '../kit/mmdb-large.ts'
import { compiled, placesFor, pool, rule } from '../kit/steering.ts'

const NETWORKS = 40_000
const CODES = [...readCountries(readFileSync('data/geo/countries.csv', 'utf8')).keys()]
const POOLS = [0, 1, 2, 3, 4].map(i => pool(`p${i}`, `192.0.2.${i}`))
const DATABASE = { networks: countryNetworks(NETWORKS, CODES) }

/** So many rules over the database, each with a pool for every country, drawn. */
function steeringOf(rules: number): Steering {
  const drawn = chance(rules)
  const each = Array.from({ length: rules }, (_, i) => {
    const countries = Object.fromEntries(CODES.map(code => [code, [oneOf(drawn, [0, 1, 2, 3, 4])]]))
    return rule({ owner: `r${i}.example.com.`, countries, default: [0] })
  })
  const policy = { pools: POOLS, rules: each }
  return compiled(policy, placesFor(policy, DATABASE)).steering
}

function octetsOf(steering: Steering): number {
  const columns = Object.values(steering).filter(column => ArrayBuffer.isView(column))
  return columns.reduce((sum, { byteLength }) => sum + byteLength, 0)
}

/** Tables for jumping are of one size, however large the map is. */
const JUMP = 2 * 4 * JUMP_SIZE

test('40,000 networks of a country each are a rule of 1 MB at most: 400,000 of 10', () => {
  expect(octetsOf(steeringOf(1)) - JUMP).toBeLessThanOrEqual((10e6 * NETWORKS) / 400_000)
})

test('each further rule takes a bit a node, a class a site, and tables', () => {
  const [one, twenty] = [steeringOf(1), steeringOf(20)]
  const each = (octetsOf(twenty) - octetsOf(one)) / 19
  const nodes = twenty.cells.length / 2
  expect(twenty.merged.length / twenty.mergedWords).toBe(20) // no two part clients alike
  expect(each).toBeLessThan(nodes / 8 + 4 * twenty.sites + JUMP + 8 * CODES.length)
})
