/**
 * The countries of the world as SVG path data: Natural Earth's borders in the Equal Earth projection,
 * which keeps areas true, drawn no finer than they will be looked at. The atlas is `world-atlas`'s
 * file, read by whoever draws. Knows nothing of what the countries mean.
 */
import { type GeoContext, type GeoProjection, geoEqualEarth, geoPath } from 'd3-geo'
import { feature } from 'topojson-client'

/** `countries-50m.json` or `countries-110m.json` of `world-atlas`, parsed. */
export type Atlas = Parameters<typeof feature>[0]

export type Shape = {
  /** ISO 3166-1 numeric, three digits; absent where Natural Earth has none. */
  readonly id: string | undefined
  /** As Natural Earth calls it. */
  readonly name: string
  /** Path data, in `FINENESS` steps a unit. */
  readonly path: string
  /** Too small to be drawn as it is: a dot. */
  readonly isDot: boolean
}

export type World = {
  readonly width: number
  readonly height: number
  /** The smallest last, so that none hides another. */
  readonly shapes: readonly Shape[]
  readonly spotOf: (point: { readonly lat: number; readonly lon: number }) => Spot
}

/** In units from the top left corner. */
export type Spot = { readonly x: number; readonly y: number }

/** Paths have whole numbers only: so many steps are one unit. */
export const FINENESS = 2

/** It would take a sixth of the height, and hardly anybody asks from there. */
const ANTARCTICA = '010'

/** What would be narrower than this many units is drawn as a dot this wide. */
const DOT = 3.5

/**
 * Draws the world.
 *
 * @param width in units of the drawing
 */
export function worldMap(atlas: Atlas, width: number): World {
  const features = countriesOf(atlas).filter(({ id }) => id !== ANTARCTICA)
  const land = { type: 'FeatureCollection' as const, features }
  const projection = geoEqualEarth().fitWidth(width, land)
  const [, [, bottom]] = geoPath(projection).bounds(land)
  const drawn = features.map(country => shapeOf(country, projection))
  const shapes = drawn.toSorted((a, b) => b.size - a.size).map(({ shape }) => shape)
  const spotOf = ({ lat, lon }: { lat: number; lon: number }): Spot => {
    const [x, y] = projection([lon, lat]) ?? [0, 0]
    return { x, y }
  }
  return { width, height: Math.ceil(bottom), shapes, spotOf }
}

function countriesOf(atlas: Atlas) {
  const { countries } = atlas.objects
  if (countries === undefined) throw new Error('the atlas has no countries')
  const found = feature(atlas, countries)
  return 'features' in found ? found.features : [found]
}

type Country = ReturnType<typeof countriesOf>[number]

function shapeOf(country: Country, projection: GeoProjection): { shape: Shape; size: number } {
  const measure = geoPath(projection)
  const [[left, top], [right, bottom]] = measure.bounds(country)
  const size = Math.max(right - left, bottom - top)
  const id = country.id === undefined ? undefined : String(country.id)
  const name = String(country.properties?.name ?? '')
  const pen = coarsePen()
  if (size >= DOT) geoPath(projection, pen)(country)
  const borders = pen.path()
  const isDot = borders === ''
  const path = isDot ? dotAt(measure.centroid(country)) : borders
  return { shape: { id, name, path, isDot }, size }
}

function dotAt([x, y]: readonly [number, number]): string {
  const radius = (DOT / 2) * FINENESS
  const arc = `a${radius} ${radius} 0 1 0 `
  const left = Math.round(x * FINENESS - radius)
  return `M${left} ${Math.round(y * FINENESS)}${arc}${2 * radius} 0${arc}${-2 * radius} 0z`
}

type Step = readonly [x: number, y: number]

/** Points of a border nearer than this to the one before, in steps, are left out. */
const NEAR = 2

/** A pen on a grid: it leaves out what nobody would see, and rings without an inside. */
function coarsePen(): GeoContext & { readonly path: () => string } {
  let path = ''
  let ring: Step[] = []
  const lineTo = (x: number, y: number): void => {
    const to: Step = [Math.round(x * FINENESS), Math.round(y * FINENESS)]
    const before = ring.at(-1)
    const far = before && Math.hypot(to[0] - before[0], to[1] - before[1])
    if (far === undefined || far >= NEAR) ring.push(to)
  }
  const closePath = (): void => {
    if (ring.length > 2) path += ringPath(ring)
    ring = []
  }
  const moveTo = (x: number, y: number): void => {
    ring = []
    lineTo(x, y)
  }
  return { moveTo, lineTo, closePath, beginPath: () => {}, arc: () => {}, path: () => path }
}

/** Steps are relative, and a minus sign parts numbers as well as a blank does. */
function ringPath([first = [0, 0], ...rest]: readonly Step[]): string {
  let [x, y] = first
  const steps = rest.map(([toX, toY]) => {
    const step = `${toX - x} ${toY - y}`
    x = toX
    y = toY
    return step
  })
  return `M${first[0]} ${first[1]}l${steps.join(' ').replaceAll(' -', '-')}z`
}
