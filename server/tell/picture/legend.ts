/**
 * The legend of a picture: what each colour is, and for what part of the clients it comes first.
 */
import type { Basis } from '../clients.ts'
import { shareText } from '../figures.ts'
import { tierText } from '../ranking.ts'
import { type Hues, hueClass } from './palette.ts'
import { element, textElement } from './svg.ts'
import type { Choice } from './territory.ts'

/** In units of the drawing. */
export type Frame = { readonly width: number; readonly height: number }

type Row = {
  readonly hue: number | 'others'
  readonly text: string
  readonly clients: Choice['clients']
}

/** In units of the drawing. */
const MOST_HIGH = 34
const SWATCH = 14
/** Where columns are, as parts of the width; those of figures end there. */
const COLUMN = { bar: 0.36, barEnd: 0.7, ipv4: 0.85, ipv6: 1 }
/** Longer names are cut. */
const LONGEST = 22

/** Draws it: a head, then a row for each colour, the most clients first. */
export function legendPicture(
  choices: readonly Choice[],
  hues: Hues,
  basis: Basis,
  { width, height }: Frame,
): string {
  const rows = rowsOf(choices, hues)
  const high = Math.min(MOST_HIGH, height / (rows.length + 1))
  const most = Math.max(...rows.map(({ clients }) => clients[4]))
  const drawn = rows.map((row, i) => rowPicture(row, (i + 1.5) * high, width, most))
  return element('g', { class: 'legend' }, headPicture(basis, high / 2, width), ...drawn)
}

function headPicture(basis: Basis, middle: number, width: number): string {
  const cell = (words: string, x: number, anchor: 'start' | 'end') =>
    textElement(words, { x, y: middle + 5, 'text-anchor': anchor })
  return element(
    'g',
    { class: 'faint', fill: 'currentColor' },
    cell('comes first', 0, 'start'),
    cell(`of ${basis} addresses: IPv4`, COLUMN.ipv4 * width, 'end'),
    cell('IPv6', COLUMN.ipv6 * width, 'end'),
  )
}

function rowPicture({ hue, text, clients }: Row, middle: number, width: number, most: number) {
  const color = { class: hueClass(hue), fill: 'currentColor' }
  const bar = (COLUMN.barEnd - COLUMN.bar) * width
  const box = { y: middle - SWATCH / 2, height: SWATCH, rx: 3 }
  const y = middle + 5
  const figure = (family: 4 | 6, x: number) =>
    textElement(shareText(clients[family]), { x, y, 'text-anchor': 'end' })
  const name = text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
  return [
    element('rect', { ...color, ...box, x: 0, width: SWATCH }),
    textElement(name, { x: SWATCH + 10, y, 'font-weight': 600 }),
    element('rect', {
      ...color,
      ...box,
      x: COLUMN.bar * width,
      width: (bar * clients[4]) / (most || 1),
    }),
    figure(4, COLUMN.ipv4 * width),
    figure(6, COLUMN.ipv6 * width),
  ].join('')
}

/** Choices without a colour of their own are one row. */
function rowsOf(choices: readonly Choice[], hues: Hues): Row[] {
  const rows = choices.map(({ pools, clients }, i): Row => {
    return { hue: hues[i] ?? 'others', text: tierText(pools), clients }
  })
  const own = rows.filter(({ hue }) => hue !== 'others')
  const others = rows.filter(({ hue }) => hue === 'others')
  const sum = (family: 4 | 6) => others.reduce((total, { clients }) => total + clients[family], 0)
  const ordered = own.toSorted((a, b) => b.clients[4] - a.clients[4])
  if (others.length === 0) return ordered
  return [
    ...ordered,
    { hue: 'others', text: `${others.length} others`, clients: { 4: sum(4), 6: sum(6) } },
  ]
}
