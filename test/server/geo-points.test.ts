/**
 * The countries' points against a map: `data/geo/README.md` says how they were made, this that they
 * are where they should be. The lists of exceptions are exact: one that is none fails.
 */
import { readFileSync } from 'node:fs'
import { geoArea, geoCentroid, geoContains, geoDistance, geoInterpolate } from 'd3-geo'
import type { Feature, FeatureCollection, MultiPolygon, Polygon } from 'geojson'
import { feature } from 'topojson-client'
import type { Topology } from 'topojson-specification'
import { describe, expect, test } from 'vitest'
import { readCountries } from '../../server/geo/countries.ts'
import type { Point } from '../../server/geo/record.ts'

type Shape = Feature<Polygon | MultiPolygon, { readonly name: string }>

const EARTH = 6371.0088
const COUNTRIES = readCountries(readFileSync('data/geo/countries.csv', 'utf8'))
const ATLAS = JSON.parse(readFileSync('node_modules/world-atlas/countries-50m.json', 'utf8'))
const SHAPES = shapesOf(ATLAS as Topology)

/** What has no shape of its own: the shape that it is drawn with, by the atlas's name. */
const DRAWN_WITHIN: Readonly<Record<string, string>> = {
  BQ: 'Netherlands',
  CC: 'Indian Ocean Ter.',
  CX: 'Indian Ocean Ter.',
  GF: 'France',
  GP: 'France',
  MQ: 'France',
  RE: 'France',
  SJ: 'Norway',
  XK: 'Kosovo', // a shape of its own, but no number
  YT: 'France',
}

/** Too small for a map of 1 : 50 million. */
const NOT_DRAWN = ['BV', 'GI', 'TK', 'TV', 'UM']

/** Farther from the land of the country than this, in kilometres, and why. */
const NEAR = 25
const ISLANDS = 'islands far apart: the mean lies in the sea between them'
const OUT_OF_LAND: Readonly<Record<string, string>> = {
  BQ: ISLANDS,
  BS: ISLANDS,
  CV: ISLANDS,
  EH: 'the atlas draws the part east of the wall, the towns lie west of it',
  FM: ISLANDS,
  GQ: 'half on the mainland, half on an island',
  ID: ISLANDS,
  KI: ISLANDS,
  KM: ISLANDS,
  LA: 'bent around a corner of Thailand',
  MH: ISLANDS,
  MV: ISLANDS,
  MY: 'two halves with a sea between them',
  PN: ISLANDS,
  SH: ISLANDS,
  TC: ISLANDS,
  TO: ISLANDS,
  VN: 'bent around Laos, with most people at both ends',
  VU: ISLANDS,
  WF: ISLANDS,
}

/**
 * Farther from the middle of the shape than it is wide: 1.25 radii of a circle of its area, or 100
 * kilometres where that is more. And why.
 */
const WIDE = 1.25
const LEAST = 100
const OFF_CENTRE: Readonly<Record<string, string>> = {
  BS: ISLANDS,
  EH: 'the atlas draws the part without towns',
  FK: 'nearly all in one town at one end',
  FR: 'drawn with its departments overseas',
  GQ: 'half on the mainland, half on an island',
  KI: ISLANDS,
  MY: 'the west is small and full, the east large and empty',
  NO: 'drawn with Svalbard, and long',
  PF: ISLANDS,
  PN: ISLANDS,
  SH: ISLANDS,
}

function shapesOf(atlas: Topology): readonly Shape[] {
  const { countries } = atlas.objects
  if (countries === undefined) throw new Error('no countries in the atlas')
  return (feature(atlas, countries) as FeatureCollection).features as Shape[]
}

function shapeOf(code: string): Shape | undefined {
  const within = DRAWN_WITHIN[code]
  if (within !== undefined) return SHAPES.find(({ properties }) => properties.name === within)
  return SHAPES.find(({ id }) => id === COUNTRIES.get(code)?.numeric)
}

function positionOf({ lat, lon }: Point): [number, number] {
  return [lon, lat]
}

/** Kilometres to the land of a shape, 0 inside it. */
function kilometresTo(shape: Shape, at: [number, number]): number {
  if (geoContains(shape, at)) return 0
  const { geometry } = shape
  const rings = geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat()
  return EARTH * Math.min(...rings.map(ring => toRing(ring as [number, number][], at)))
}

/** To the nearest of points that lie on a ring, at most three kilometres from each other. */
function toRing(ring: readonly [number, number][], at: [number, number]): number {
  let least = Number.POSITIVE_INFINITY
  ring.slice(1).forEach((to, i) => {
    const from = ring[i] ?? to
    const along = geoInterpolate(from, to)
    const steps = Math.ceil((geoDistance(from, to) * EARTH) / 3)
    for (let step = 0; step <= steps; step += 1) {
      least = Math.min(least, geoDistance(at, along(step / Math.max(1, steps))))
    }
  })
  return least
}

const DRAWN = [...COUNTRIES].flatMap(([code, { point }]) => {
  const shape = shapeOf(code)
  return shape === undefined ? [] : [{ code, shape, at: positionOf(point) }]
})

describe('numbers', () => {
  test('all of the atlas are ours', () => {
    const ours = new Set([...COUNTRIES.values()].map(({ numeric }) => numeric))
    const strangers = SHAPES.filter(({ id }) => id !== undefined && !ours.has(String(id)))
    expect(strangers.map(({ properties }) => properties.name)).toEqual([])
  })
  test('all of ours are in the atlas, but for those without a shape', () => {
    const missing = [...COUNTRIES.keys()].filter(code => shapeOf(code) === undefined)
    expect(missing).toEqual(NOT_DRAWN)
    const ids = new Set(SHAPES.map(({ id }) => id))
    const unnumbered = [...COUNTRIES].filter(([, { numeric }]) => !ids.has(numeric))
    const expected = [...Object.keys(DRAWN_WITHIN), ...NOT_DRAWN].sort()
    expect(unnumbered.map(([code]) => code)).toEqual(expected)
  })
})

describe('points', () => {
  test(`lie in their country or ${NEAR} km from it, but for those listed`, () => {
    const far = DRAWN.filter(({ shape, at }) => kilometresTo(shape, at) > NEAR)
    expect(far.map(({ code }) => code)).toEqual(Object.keys(OUT_OF_LAND))
  })
  test(`lie ${WIDE} radii or ${LEAST} km from the middle at most, but for those listed`, () => {
    const off = DRAWN.filter(({ code, shape, at }) => {
      const radius = EARTH * Math.sqrt(geoArea(shape) / Math.PI)
      const distance = EARTH * geoDistance(at, geoCentroid(shape))
      return !(code in DRAWN_WITHIN) && distance > Math.max(LEAST, WIDE * radius)
    })
    expect(off.map(({ code }) => code)).toEqual(Object.keys(OFF_CENTRE))
  })
  test('would not, were north and east exchanged, or rows', () => {
    const inside = (moved: readonly { shape: Shape; at: [number, number] }[]): number =>
      moved.filter(({ shape, at }) => geoContains(shape, at)).length
    const others = DRAWN.map(({ shape }, i) => ({ shape, at: DRAWN.at(i - 1)?.at ?? [0, 0] }))
    const exchanged = DRAWN.map(({ shape, at: [lon, lat] }) => ({
      shape,
      at: [lat, lon] as [number, number],
    }))
    expect(inside(DRAWN)).toBeGreaterThan(190)
    expect(inside(others)).toBeLessThan(5)
    expect(inside(exchanged)).toBeLessThan(5)
  })
})
