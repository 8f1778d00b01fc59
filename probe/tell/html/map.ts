/** The world, each country of the panel in the colour of the answer most of its subnets got. */
import type { Judgement } from '../../judge/judgement.ts'
import { FINENESS, type World } from '../world.ts'
import { el, type Markup } from './markup.ts'
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

export function worldFigure(one: Judgement, world: World, places: Places): Markup | undefined {
  const letters = lettersBy(one)
  if (letters.size === 0) return undefined
  const byNumber = new Map(
    [...letters].flatMap(([code, list]) => {
      const place = places.get(code)
      return place === undefined ? [] : [[place.numeric, list[0] ?? ''] as const]
    }),
  )
  const land = world.shapes.map(shape => {
    const letter = byNumber.get(shape.id ?? '')
    const paint = letter === undefined ? { class: 'land' } : { fill: fillOf(letter) }
    return el('path', { ...paint, d: shape.path })
  })
  const marks = [...letters].flatMap(([code, list]) => markOf(world, places.get(code), list))
  const said = [...letters].map(
    ([code, list]) => `${places.get(code)?.name ?? code}: ${list.join(', ')}`,
  )
  const box = {
    viewBox: `0 0 ${world.width} ${world.height}`,
    role: 'img',
    'aria-label': 'World map of answers',
  }
  const scale = { class: 'edge', transform: `scale(${1 / FINENESS})` }
  return el('figure', {}, [
    el(
      'svg',
      box,
      el('title', {}, 'World map of answers'),
      el('desc', {}, said.join('; ')),
      el('g', scale, ...land),
      ...marks,
    ),
    legend(one),
  ])
}

function markOf(
  world: World,
  place: Place | undefined,
  letters: readonly string[],
): readonly Markup[] {
  if (place === undefined) return []
  const { x, y } = world.spotOf(place)
  const text = letters.length > 2 ? `${letters.slice(0, 2).join(' ')} …` : letters.join(' ')
  const width = 10 + 8 * text.length
  const at = { x: (x - width / 2).toFixed(1), y: (y - 9).toFixed(1), width, height: 18, rx: 9 }
  const style = `fill:var(--card);stroke:${fillOf(letters[0] ?? 'A')};stroke-width:3`
  const label = {
    x: x.toFixed(1),
    y: (y + 4).toFixed(1),
    'text-anchor': 'middle',
    'font-weight': 700,
  }
  return [el('rect', { ...at, style }), el('text', label, text)]
}

function legend(one: Judgement): Markup {
  const items = one.groups.map(({ letter, answers, subnets }) => {
    const swatch = el(
      'svg',
      { viewBox: '0 0 16 16', 'aria-hidden': 'true' },
      el('rect', { width: 16, height: 16, rx: 4, fill: fillOf(letter) }),
    )
    const shown = answers.slice(0, 4).join(' ')
    const more = answers.length > 4 ? ` and ${answers.length - 4} more` : ''
    return el(
      'li',
      {},
      swatch,
      el('strong', {}, letter),
      ` ${subnets.length} subnets: `,
      el('code', {}, `${shown || 'nothing'}${more}`),
    )
  })
  return el('ul', { class: 'legend' }, ...items)
}
