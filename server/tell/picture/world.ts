/**
 * The world as a picture: each country in the colour of what comes first for most of its addresses,
 * striped where something else comes first for many.
 */
import { FINENESS, type Shape, type World } from '../../../probe/tell/world.ts'
import type { Country } from '../../geo/countries.ts'
import { shareText } from '../figures.ts'
import { tierText } from '../ranking.ts'
import { type Hues, hueClass } from './palette.ts'
import { element, titleElement } from './svg.ts'
import type { Portion, Territory } from './territory.ts'

export type Countries = ReadonlyMap<string, Country>

/** Draws the countries, and the patterns that they need. */
export function worldPicture(
  { shapes }: World,
  { choices, countries }: Territory,
  hues: Hues,
  known: Countries,
): { readonly patterns: string; readonly drawn: string } {
  const codes = codesOf(known)
  const patterns = new Map<string, string>()
  const drawn = shapes.map(shape => {
    const code = codes.get(shape.id ?? shape.name) ?? ''
    const portions = countries.get(code) ?? []
    if (shape.isDot && portions.length === 0) return '' // a dot of nobody would only be in the way
    const said = portions.map(
      ({ choice, share }) => `${tierText(choices[choice]?.pools ?? [])} ${shareText(share)}`,
    )
    const name = known.get(code)?.name ?? shape.name
    const words = titleElement(`${name}: ${said.join(', ') || 'no addresses'}`)
    return element('path', { ...fillOf(portions, hues, patterns), d: shape.path }, words)
  })
  const group = {
    class: 'edge',
    transform: `scale(${1 / FINENESS})`,
    'stroke-width': 0.6 * FINENESS,
    'stroke-linejoin': 'round',
  }
  return { patterns: [...patterns.values()].join(''), drawn: element('g', group, ...drawn) }
}

/** Codes by number and by name: what ISO does not number goes by its name. */
function codesOf(known: Countries): ReadonlyMap<Shape['name'], string> {
  return new Map(
    [...known].flatMap(([code, { numeric, name }]) => [
      [numeric, code],
      [name, code],
    ]),
  )
}

/** A second choice is shown from this share on, in a stripe of one of two widths. */
const NARROW_FROM = 0.1
const WIDE_FROM = 0.35
const PERIOD = 6 * FINENESS

function fillOf([first, second]: readonly Portion[], hues: Hues, patterns: Map<string, string>) {
  if (first === undefined) return { class: 'land', fill: 'currentColor' }
  const hueOf = ({ choice }: Portion) => hueClass(hues[choice] ?? 'others')
  const under = hueOf(first)
  const over = hueOf(second ?? first)
  const share = second?.share ?? 0
  if (share < NARROW_FROM || under === over) return { class: under, fill: 'currentColor' }
  const width = share < WIDE_FROM ? PERIOD / 4 : PERIOD / 2
  const id = `${under}-${over}-${width}`
  patterns.set(id, stripes(id, under, over, width))
  return { fill: `url(#${id})` }
}

/** Stripes of one colour over another. */
function stripes(id: string, under: string, over: string, width: number): string {
  const pattern = {
    id,
    width: PERIOD,
    height: PERIOD,
    patternUnits: 'userSpaceOnUse',
    patternTransform: 'rotate(45)',
  }
  const whole = { width: PERIOD, height: PERIOD, fill: 'currentColor' }
  return element(
    'pattern',
    pattern,
    element('rect', { class: under, ...whole }),
    element('rect', { class: over, ...whole, width }),
  )
}
