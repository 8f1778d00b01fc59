/**
 * IPv4 as a picture: one cell a /16 along a Hilbert curve, in the colour of what comes first there.
 */
import { hilbertBox, hilbertPaths } from '../../../probe/tell/hilbert.ts'
import { type Hues, hueClass } from './palette.ts'
import { element, textElement } from './svg.ts'
import type { Cell } from './territory.ts'

/** 2⁸ cells a side, 2¹⁶ in all. */
const ORDER = 8
const SIDE = 1 << ORDER
/** 224.0.0.0/3: multicast and reserved (RFC 5771, RFC 1112 §4). No client has such an address. */
const RESERVED_FROM = 224 << 8

/** What a cell may be beside a choice. */
const NOBODY = 0

/**
 * Draws the square.
 *
 * @param hues  by choice
 * @param width of the square, in units of the drawing
 */
export function cellsPicture(cells: readonly Cell[], hues: Hues, width: number): string {
  const classes = cells.map(({ choice, peopled }, at) =>
    choice === 'special' || at >= RESERVED_FROM ? NOBODY : 2 * choice + (peopled ? 1 : 2),
  )
  const strokes = [...hilbertPaths(ORDER, classes)].map(([of, d]) =>
    element('path', { d, ...strokeOf(of, hues) }),
  )
  const drawn = { fill: 'none', 'stroke-width': 1, 'shape-rendering': 'crispEdges' }
  const labels = Array.from({ length: RESERVED_FROM >> 8 }, (_, octet) =>
    octetText(octet, classes[octet << 8] === NOBODY ? 'faint' : 'octet'),
  )
  return element(
    'g',
    { transform: `scale(${width / SIDE})`, 'text-anchor': 'middle', 'font-size': 3.7 },
    element('g', drawn, ...strokes),
    gridLines(),
    ...labels,
    reservedText(),
  )
}

/** What cells without clients are filled with. */
export function nobodyPattern(): string {
  const size = 3
  const pattern = { id: 'nobody', width: size, height: size, patternUnits: 'userSpaceOnUse' }
  const lines = { class: 'faint', stroke: 'currentColor', 'stroke-width': 0.4 }
  return element(
    'pattern',
    { ...pattern, patternTransform: 'rotate(45)' },
    element('rect', { class: 'land', width: size, height: size, fill: 'currentColor' }),
    element('path', { ...lines, d: `M0 0V${size}` }),
  )
}

function strokeOf(of: number, hues: Hues) {
  if (of === NOBODY) return { stroke: 'url(#nobody)' }
  const hue = hues[(of - 1) >> 1] ?? 'others'
  const quiet = of % 2 === 0
  return {
    class: hueClass(hue),
    stroke: 'currentColor',
    'stroke-opacity': quiet ? 0.3 : undefined,
  }
}

/** The borders of /8s. */
function gridLines(): string {
  const at = Array.from({ length: 15 }, (_, i) => 16 * (i + 1))
  const d = at.map(place => `M${place} 0V${SIDE}M0 ${place}H${SIDE}`).join('')
  return element('path', { class: 'paper', d, stroke: 'currentColor', 'stroke-width': 0.3 })
}

/** The first octet of a /8, in its middle. */
function octetText(octet: number, name: string): string {
  const { x, y, width, height } = hilbertBox(ORDER, octet << 8, 8)
  return textElement(String(octet), { class: name, x: x + width / 2, y: y + height / 2 + 1.3 })
}

/** Says what the great hatched block is. */
function reservedText(): string {
  const { x, y, width, height } = hilbertBox(ORDER, RESERVED_FROM, 3)
  const place = { class: 'faint', x: x + width / 2, y: y + height / 2 + 2, 'font-size': 6 }
  return textElement('224–255: multicast, reserved', place)
}
