/**
 * The map of a steered name as one picture, an SVG document that needs nothing else: IPv4 along a
 * Hilbert curve, the world, and what the colours mean. Readable on light paper and on dark, whichever
 * the reader prefers. Puts the parts in their places; draws none of them.
 */
import { type Atlas, worldMap } from '../../../probe/tell/world.ts'
import type { Point } from '../../geo/record.ts'
import type { Basis } from '../clients.ts'
import { shareText } from '../figures.ts'
import { tierText } from '../ranking.ts'
import { cellsPicture, nobodyPattern } from './cells.ts'
import { legendPicture } from './legend.ts'
import { huesOf, styleText } from './palette.ts'
import { poolsPicture } from './pools.ts'
import { element, escaped, textElement } from './svg.ts'
import type { Territory } from './territory.ts'
import { type Countries, worldPicture } from './world.ts'

export type Pictured = {
  readonly territory: Territory
  readonly basis: Basis
  readonly title: string
  readonly subtitle: readonly string[]
  readonly countries: Countries
  readonly atlas: Atlas
  /** Where the pools of the name stand, by their names. */
  readonly points: ReadonlyMap<string, Point>
}

/** In units of the drawing. */
const MARGIN = 28
const TOP = 96
const SQUARE = 512
const GUTTER = 36
const WORLD = 568
const WIDTH = MARGIN + SQUARE + GUTTER + WORLD + MARGIN
const HEIGHT = TOP + SQUARE + 60

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif"

/** Draws it. */
export function pictureText(pictured: Pictured): string {
  const { title, subtitle } = pictured
  const { patterns, drawn } = bodyOf(pictured)
  const document = element(
    'svg',
    ROOT,
    element('title', { id: 'title' }, escaped(title)),
    element('desc', { id: 'about' }, escaped(aboutText(pictured))),
    element('style', {}, styleText()),
    element('defs', {}, patterns),
    element('rect', { class: 'paper', width: WIDTH, height: HEIGHT, rx: 12, fill: 'currentColor' }),
    element(
      'g',
      { class: 'ink', fill: 'currentColor' },
      textElement(title, { x: MARGIN, y: 46, 'font-size': 26, 'font-weight': 600 }),
      caption(subtitle, MARGIN, 74),
      drawn,
    ),
  )
  return `${document}\n`
}

const ROOT = {
  xmlns: 'http://www.w3.org/2000/svg',
  width: WIDTH,
  height: HEIGHT,
  viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
  role: 'img',
  'aria-labelledby': 'title about',
  'font-family': FONT,
  'font-size': 15,
}

/** The square on the left, the world on the right, the legend under it. */
function bodyOf({ territory, basis, countries, atlas, points }: Pictured) {
  const { choices, cells } = territory
  const hues = huesOf(choices.map(({ clients }) => clients[4] + clients[6]))
  const world = worldMap(atlas, WORLD)
  const { patterns, drawn } = worldPicture(world, territory, hues, countries)
  const left = MARGIN + SQUARE + GUTTER
  const under = TOP + world.height + 44
  const frame = { width: WORLD, height: TOP + SQUARE + 26 - under }
  const parts = [
    placed(MARGIN, TOP, cellsPicture(cells, hues, SQUARE)),
    caption(CELLS_CAPTION, MARGIN, TOP + SQUARE + 22),
    placed(left, TOP, drawn + poolsPicture(world, territory, hues, points)),
    caption(WORLD_CAPTION, left, TOP + world.height + 20),
    placed(left, under, legendPicture(choices, hues, basis, frame)),
  ]
  return { patterns: nobodyPattern() + patterns, drawn: parts.join('') }
}

const CELLS_CAPTION = [
  'IPv4, a /16 a cell along a Hilbert curve; figures are first octets.',
  'Pale: no client known. Hatched: private, special, reserved.',
]
const WORLD_CAPTION = ['What most addresses of a country get first; striped: two share it.']

function placed(x: number, y: number, drawn: string): string {
  return element('g', { transform: `translate(${x} ${y})` }, drawn)
}

/** Small lines of text. */
function caption(lines: readonly string[], x: number, y: number): string {
  const texts = lines.map((words, i) => textElement(words, { x, y: y + 20 * i }))
  return element('g', { class: 'faint', 'font-size': 14 }, ...texts)
}

/** The picture in a sentence or two, for whoever cannot see it. */
function aboutText({ subtitle, territory, basis }: Pictured): string {
  const shares = territory.choices.map(
    ({ pools, clients }) => `${tierText(pools)} ${shareText(clients[4])}`,
  )
  return `${subtitle.join('. ')}. Comes first, of ${basis} IPv4 addresses: ${shares.join(', ')}.`
}
