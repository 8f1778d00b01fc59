/** The world, each country of the panel in the colour of the answer most of its subnets got. */
import type { Judgement } from '../../judge/judgement.ts'
import { FINENESS, type World } from '../world.ts'
import { type Mark, placed, type Wish } from './marks.ts'
import { el, type Markup, type Piece } from './markup.ts'
import { fillOf } from './palette.ts'

export type Place = {
  readonly numeric: string
  readonly name: string
  readonly lat: number
  readonly lon: number
}
export type Places = ReadonlyMap<string, Place>

/** Letters of a country's subnets, most frequent first. */
export function lettersBy(one: Judgement): ReadonlyMap<string, readonly string[]> {
  const counts = new Map<string, Map<string, number>>()
  for (const { region, group } of one.scopes) {
    if (region === undefined || group === undefined) continue
    const there = counts.get(region) ?? new Map<string, number>()
    counts.set(region, there.set(group, (there.get(group) ?? 0) + 1))
  }
  const sorted = (of: ReadonlyMap<string, number>): readonly string[] =>
    [...of].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([letter]) => letter)
  return new Map([...counts].map(([region, of]) => [region, sorted(of)]))
}

/** Natural Earth's number as an id of the page. */
const idOf = (numeric: string): string => `land-${numeric}`

const SCALE = `scale(${1 / FINENESS})`

/** All land, once a page: each map refers to it. */
export function atlas(world: World): Markup {
  const named = new Set<string>()
  const shapes = world.shapes.map(({ id, path }) => {
    if (id === undefined || named.has(id)) return el('path', { d: path })
    named.add(id)
    return el('path', { id: idOf(id), d: path })
  })
  const land = el('g', { id: 'land', transform: SCALE }, ...shapes)
  return el('svg', { class: 'atlas', 'aria-hidden': 'true' }, el('defs', {}, land))
}

/** Heights of letters, in units of the map, on a page that is wide, middling or narrow. */
const SIZES = { wide: 14, middle: 21, narrow: 36 } as const

export function worldFigure(one: Judgement, world: World, places: Places): Markup | undefined {
  const letters = lettersBy(one)
  if (letters.size === 0) return undefined
  const there = [...letters].flatMap(([region, list]) => {
    const place = places.get(region)
    return place === undefined ? [] : [{ place, list }]
  })
  const drawn = new Set(world.shapes.map(({ id }) => id))
  const land = there
    .filter(({ place }) => drawn.has(place.numeric))
    .map(({ place, list: [letter = 'A'] }) =>
      el('use', { href: `#${idOf(place.numeric)}`, transform: SCALE, fill: fillOf(letter) }),
    )
  const wishes = there.map(({ place, list }) => wishOf(world, place, list))
  const marks = Object.entries(SIZES).map(([name, size]) =>
    el('g', { class: `marks ${name}`, 'font-size': size }, placed(wishes, world, size).map(markOf)),
  )
  const said = [...letters].map(
    ([region, list]) => `${places.get(region)?.name ?? region}: ${list.join(', ')}`,
  )
  const title = `World map of answers for ${one.name} ${one.type}`
  const box = { viewBox: `0 0 ${world.width} ${world.height}`, role: 'img', 'aria-label': title }
  const inner = [el('title', {}, title), el('desc', {}, said.join('; '))]
  const ground = el('use', { href: '#land', class: 'land' })
  return el('figure', { class: 'world' }, [
    el('svg', box, ...inner, el('g', { class: 'edge' }, ground, ...land), ...marks),
    legend(one),
  ])
}

function wishOf(world: World, place: Place, list: readonly string[]): Wish {
  const text = list.length > 2 ? `${list.slice(0, 2).join(' ')} …` : list.join(' ')
  return { spot: world.spotOf(place), text, letter: list[0] ?? 'A' }
}

function markOf({ spot, at, text, letter, width, height }: Mark): Piece {
  const color = fillOf(letter)
  const [x, y] = [at.x - width / 2, at.y - height / 2].map(value => value.toFixed(1))
  const box = {
    x,
    y,
    width: width.toFixed(1),
    height: height.toFixed(1),
    rx: (height / 2).toFixed(1),
  }
  const isMoved = at.x !== spot.x || at.y !== spot.y
  const line = `M${spot.x.toFixed(1)} ${spot.y.toFixed(1)}L${at.x.toFixed(1)} ${at.y.toFixed(1)}`
  const word = { x: at.x.toFixed(1), y: at.y.toFixed(1), dy: '.36em', 'text-anchor': 'middle' }
  return [
    isMoved ? el('path', { class: 'leader', d: line }) : [],
    el('rect', { ...box, class: 'mark', stroke: color, 'stroke-width': (height / 8).toFixed(1) }),
    el('text', word, text),
  ]
}

/** The colour of a group and its letter, so that neither is alone. */
export function chip(letter: string): Markup {
  const square = el('rect', { width: 16, height: 16, rx: 4, fill: fillOf(letter) })
  const swatch = el('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true' }, square)
  return el('span', { class: 'chip' }, swatch, letter)
}

/** More groups than this stand in the table of subnets alone. */
const LISTED = 12

function legend(one: Judgement): Markup {
  const items = one.groups.slice(0, LISTED).map(({ letter, answers, subnets }) => {
    const shown = answers.slice(0, 4).join(' ')
    const more = answers.length > 4 ? `and ${answers.length - 4} more, ` : ''
    const count = subnets.length === 1 ? '1 subnet' : `${subnets.length} subnets`
    const counted = el('span', { class: 'faint' }, `${more}${count}`)
    return el('li', {}, chip(letter), ' ', el('code', {}, shown || 'nothing'), ' ', counted)
  })
  const rest = one.groups.length - items.length
  const more =
    rest > 0 ? [el('li', { class: 'faint' }, `and ${rest} more groups, by subnet below`)] : []
  return el('ul', { class: 'legend' }, ...items, ...more)
}
