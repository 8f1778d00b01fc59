/**
 * The pools on the map of the world: a dot where each stands, and its name beside it where there is
 * room. Whoever points at a dot is told its name.
 */
import type { Spot, World } from '../../../probe/tell/world.ts'
import type { Point } from '../../geo/record.ts'
import { type Hues, hueClass } from './palette.ts'
import { element, textElement, titleElement } from './svg.ts'
import type { Territory } from './territory.ts'

/** In units of the drawing; a letter is more or less that wide. */
const RADIUS = 5
const LETTER = { width: 8.5, height: 14 }

/** What text must not hide: from the left top corner. */
type Box = Spot & { readonly width: number; readonly height: number }

/**
 * Draws them.
 *
 * @param points by name of pool; others than the slot's are not drawn
 */
export function poolsPicture(
  { spotOf }: World,
  { choices, pools }: Territory,
  hues: Hues,
  points: ReadonlyMap<string, Point>,
): string {
  const spots = pools.flatMap(name => {
    const point = points.get(name)
    return point === undefined ? [] : [{ name, spot: spotOf(point) }]
  })
  const taken = spots.map(({ spot }) => dotBox(spot))
  const dots = spots.map(({ name, spot }) => {
    const choice = choices.findIndex(first => first.pools.includes(name))
    return dotPicture(name, spot, choice < 0 ? 'faint' : hueClass(hues[choice] ?? 'others'))
  })
  const labels = spots.map(({ name, spot }) => {
    const box = roomFor(name, spot, taken)
    if (box === undefined) return ''
    taken.push(box)
    return textElement(name, { x: box.x, y: box.y + 0.8 * LETTER.height })
  })
  return element('g', { class: 'pool' }, ...dots, ...labels)
}

function dotPicture(name: string, { x, y }: Spot, hue: string): string {
  const circle = { class: `${hue} ring`, cx: x, cy: y, r: RADIUS, fill: 'currentColor' }
  return element('circle', circle, titleElement(name))
}

function dotBox({ x, y }: Spot): Box {
  return { x: x - RADIUS, y: y - RADIUS, width: 2 * RADIUS, height: 2 * RADIUS }
}

/** Right of the dot, left of it, above, below: the first that hides nothing. */
function roomFor(name: string, { x, y }: Spot, taken: readonly Box[]): Box | undefined {
  const width = name.length * LETTER.width
  const { height } = LETTER
  const gap = RADIUS + 3
  const places: Spot[] = [
    { x: x + gap, y: y - height / 2 },
    { x: x - gap - width, y: y - height / 2 },
    { x: x - width / 2, y: y - gap - height },
    { x: x - width / 2, y: y + gap },
  ]
  const boxes = places.map(place => ({ ...place, width, height }))
  return boxes.find(box => !taken.some(other => meet(box, other)))
}

function meet(a: Box, b: Box): boolean {
  const beside = a.x + a.width <= b.x || b.x + b.width <= a.x
  return !beside && a.y < b.y + b.height && b.y < a.y + a.height
}
