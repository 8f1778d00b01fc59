/** The drawn world: which countries are on it, and whether they lie where they should. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { type Atlas, FINENESS, type Shape, type Spot, worldMap } from '../../probe/tell/world.ts'

const require = createRequire(import.meta.url)
const atlas = (scale: string): Atlas =>
  JSON.parse(readFileSync(require.resolve(`world-atlas/countries-${scale}.json`), 'utf8'))
const WORLD = worldMap(atlas('50m'), 600)

const shape = (id: string): Shape => {
  const found = WORLD.shapes.find(one => one.id === id)
  if (found === undefined) throw new Error(`no country ${id}`)
  return found
}

/** The rings of a path, in units of the drawing. */
function ringsOf({ path }: Shape): Spot[][] {
  expect(path).toMatch(/^(M-?\d+ ?-?\d+l(-?\d+ ?)+z)+$/)
  return path.split('z').flatMap(ring => {
    const steps = (ring.match(/-?\d+/g) ?? []).map(Number)
    let [x, y] = [0, 0]
    const spots: Spot[] = []
    for (let at = 0; at + 1 < steps.length; at += 2) {
      x += steps[at] ?? 0
      y += steps[at + 1] ?? 0
      spots.push({ x: x / FINENESS, y: y / FINENESS })
    }
    return spots.length > 0 ? [spots] : []
  })
}

/** How many borders lie east of a spot: inside, an odd number. */
function isInside(rings: readonly (readonly Spot[])[], { x, y }: Spot): boolean {
  const crossed = rings.flatMap(ring =>
    ring.filter((a, i) => {
      const b = ring[(i + 1) % ring.length] ?? a
      return a.y > y !== b.y > y && x < a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x)
    }),
  )
  return crossed.length % 2 === 1
}

function areaOf(rings: readonly (readonly Spot[])[]): number {
  const area = (ring: readonly Spot[]) =>
    ring.reduce((sum, a, i) => {
      const b = ring[(i + 1) % ring.length] ?? a
      return sum + (a.x * b.y - b.x * a.y) / 2
    }, 0)
  return Math.abs(rings.reduce((sum, ring) => sum + area(ring), 0))
}

describe('places', () => {
  // biome-ignore format: table
  const TOWNS = [
    ['Frankfurt',    '276', 50.11,    8.68], ['Paris',     '250',  48.86,   2.35],
    ['Chicago',      '840', 41.88,  -87.63], ['Brasília',  '076', -15.79, -47.88],
    ['Nagano',       '392', 36.65,  138.18], ['Canberra',  '036', -35.28, 149.13],
    ['Novosibirsk',  '643', 55.03,   82.92], ['Delhi',     '356',  28.61,  77.21],
    ['Johannesburg', '710', -26.2,   28.05], ['Ürümqi',    '156',  43.83,  87.62],
  ] as const

  test.each(TOWNS)('%s lies in its country, and in no other', (_, id, lat, lon) => {
    const spot = WORLD.spotOf({ lat, lon })
    const around = TOWNS.filter(([, other]) => isInside(ringsOf(shape(other)), spot))
    expect(around.map(([, other]) => other)).toEqual([id])
  })

  test('lie inside the drawing, and north is up', () => {
    const [north, south] = [WORLD.spotOf({ lat: 70, lon: 0 }), WORLD.spotOf({ lat: -50, lon: 0 })]
    expect(north.y).toBeGreaterThan(0)
    expect(south.y).toBeGreaterThan(north.y)
    expect(south.y).toBeLessThan(WORLD.height)
  })
})

test('areas are true: the projection keeps them', () => {
  // Thousands of square kilometres: CIA World Factbook, France with its overseas regions.
  // biome-ignore format: table
  const KNOWN = {
    '012': 2382, '032': 2780, '036': 7741, '076': 8516, 180: 2345,
    250: 644, 276: 357, 356: 3287, 398: 2725, 710: 1219,
  }
  const ratios = Object.entries(KNOWN).map(([id, area]) => areaOf(ringsOf(shape(id))) / area)
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length
  for (const ratio of ratios) expect(Math.abs(ratio / mean - 1)).toBeLessThan(0.05)
})

describe('countries', () => {
  test('even the smallest is to be seen: a dot where it would be less than one', () => {
    for (const id of ['702', '336', '470', '048']) {
      expect(shape(id)).toMatchObject({
        path: expect.stringMatching(/^M-?\d+ -?\d+a/),
        isDot: true,
      })
    }
    expect(shape('276').isDot).toBe(false)
    expect(WORLD.shapes.filter(({ path }) => path === '')).toEqual([])
  })

  test('none is Antarctica, and the smallest are drawn last', () => {
    expect(WORLD.shapes.some(({ id }) => id === '010')).toBe(false)
    const at = (id: string) => WORLD.shapes.indexOf(shape(id))
    expect(at('710')).toBeLessThan(at('426')) // Lesotho lies inside South Africa
    expect(at('380')).toBeLessThan(at('336')) // the Vatican inside Italy
  })

  test('the coarser atlas will do as well', () => {
    const coarse = worldMap(atlas('110m'), 600)
    expect(coarse.shapes.length).toBeGreaterThan(170)
    expect(Math.abs(coarse.height - WORLD.height)).toBeLessThan(10)
  })

  test('all of them are no more than a picture may weigh', () => {
    const size = WORLD.shapes.reduce((sum, { path }) => sum + path.length, 0)
    expect(size).toBeLessThan(80_000)
  })
})
