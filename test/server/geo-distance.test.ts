import { geoDistance } from 'd3-geo'
import { describe, expect, test } from 'vitest'
import { biased, kilometres } from '../../server/geo/distance.ts'
import { chance, draw } from '../../server/steer/chance.ts'

/** Half the way around: π times the mean radius that the docstring names. */
const HALF = Math.PI * 6371.0088

function between(from: readonly [number, number], to: readonly [number, number]): number {
  return kilometres({ lat: from[0], lon: from[1] }, { lat: to[0], lon: to[1] })
}

describe('arithmetic on the sphere', () => {
  // biome-ignore format: table
  const TABLE = [
    // from and to (north, east)                         kilometres
    ['a point and itself',       [50.11, 8.68],   [50.11, 8.68],   0],
    ['pole to equator',          [90, 0],         [0, 77],         HALF / 2],
    ['pole to pole',             [90, 12],        [-90, -140],     HALF],
    ['antipodes on the equator', [0, 30],         [0, -150],       HALF],
    ['a degree of latitude',     [10, 20],        [11, 20],        HALF / 180],
    ['a degree of the equator',  [0, -0.5],       [0, 0.5],        HALF / 180],
    ['at 60° a third of a turn of longitude is cos 60° wide at the pole', [60, 0], [60, 180], HALF / 3],
    ['over the antimeridian',    [0, 179],        [0, -179],       HALF / 90],
    ['one pole, two longitudes', [-90, 0],        [-90, 90],       0],
    ['a metre',                  [0, 0],          [0, 0.00001],    HALF / 18_000_000],
  ] as const
  for (const [name, from, to, expected] of TABLE) {
    test(name, () => {
      expect(between(from, to)).toBeCloseTo(expected, 6)
      expect(between(to, from)).toBeCloseTo(expected, 6)
    })
  }
})

describe('published distances', () => {
  test('BNA to LAX, 2886.44444283799 km on a sphere of 6371 km (Rosetta Code, haversine formula)', () => {
    const expected = 2886.44444283799 * (6371.0088 / 6371)
    expect(between([36.12, -86.67], [33.94, -118.4])).toBeCloseTo(expected, 6)
  })
  // Between airports, as airlines publish them: on the ellipsoid, which differs by 0.5 % at most.
  // biome-ignore format: table
  const TABLE = [
    ['JFK to LHR', [40.64, -73.78], [51.47, -0.46],    5554],
    ['SIN to JFK', [1.36, 103.99],  [40.64, -73.78],  15349],
    ['SYD to LAX', [-33.95, 151.18], [33.94, -118.4], 12051],
  ] as const
  for (const [name, from, to, expected] of TABLE) {
    test(`${name}, ${expected} km`, () => {
      expect(Math.abs(between(from, to) / expected - 1)).toBeLessThan(0.005)
    })
  }
})

test('d3-geo finds the same between ten thousand pairs of points', () => {
  const drawn = chance(1)
  const degrees = (most: number): number => (draw(drawn) / 2 ** 31 - 1) * most
  for (let i = 0; i < 10_000; i += 1) {
    const from = [degrees(90), degrees(180)] as const
    const to = [degrees(90), degrees(180)] as const
    const expected = geoDistance([from[1], from[0]], [to[1], to[0]]) * 6371.0088
    expect(Math.abs(between(from, to) - expected)).toBeLessThan(1e-5)
  }
})

// biome-ignore format: table
const BIASES = [
  [0,   100],
  [50,   50],
  [-50, 200],
  [99,    1],
  [-99, 10_000],
] as const
test.each(BIASES)('Route 53: a bias of %d makes 100 km %d', (bias, expected) => {
  expect(biased(100, bias)).toBeCloseTo(expected, 6)
})
