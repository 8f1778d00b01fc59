/**
 * IPv4 as a picture: cells along a Hilbert curve, in the colour of the group that most of their
 * addresses are in, with a legend. Readable on light paper and on dark. A document of its own.
 */
import type { MapGroup, MapJudgement } from '../judge/map.ts'
import { spanAt } from '../judge/span.ts'
import { hilbertBox, hilbertPaths } from './hilbert.ts'
import { mapSentence } from './map-words.ts'
import { percent } from './number.ts'

/** In units of the drawing. */
const SQUARE = 512
const MARGIN = 24
const TOP = 72
const LEGEND = 300
const ROW = 24
const WIDTH = MARGIN + SQUARE + MARGIN + LEGEND + MARGIN
const HEIGHT = TOP + SQUARE + MARGIN

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"

/** Told apart in every kind of sight; further groups share one grey. */
const HUES = [
  '#0072b2',
  '#e69f00',
  '#009e73',
  '#cc79a7',
  '#56b4e9',
  '#d55e00',
  '#f0e442',
  '#6f5bd8',
]
const OTHERS = '#8a949e'

const STYLE = `text{font:14px ${FONT};fill:#1f2328}.paper{fill:#fff}.faint{fill:#59636e}.head{font-size:20px;font-weight:600}.label{font-size:9px;fill:#fff;stroke:#000;stroke-opacity:.45;stroke-width:2;paint-order:stroke;text-anchor:middle}.grid{stroke:#fff}
@media(prefers-color-scheme:dark){text{fill:#f0f6fc}.paper{fill:#0d1117}.faint{fill:#9198a1}.grid{stroke:#0d1117}}`

/** Cells of each group, by its number from 1; 0 is not known. */
type Square = {
  readonly order: number
  readonly bits: number
  readonly classes: Uint16Array
}

export function mapSvg(one: MapJudgement): string {
  const square = squareOf(one)
  const title = `${one.name} ${one.type}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-labelledby="title about">
<title id="title">${escaped(title)}</title>
<desc id="about">${escaped(`${mapSentence(one)}. One cell is a /${square.bits + 2 * square.order}.`)}</desc>
<style>${STYLE}</style>
<rect class="paper" width="${WIDTH}" height="${HEIGHT}" rx="12"/>
<text class="head" x="${MARGIN}" y="34">${escaped(title)}</text>
<text class="faint" x="${MARGIN}" y="56">${escaped(mapSentence(one))}</text>
<g transform="translate(${MARGIN} ${TOP})">${cells(square)}</g>
<g transform="translate(${MARGIN + SQUARE + MARGIN} ${TOP})">${legend(one.groups)}</g>
</svg>
`
}

/** The square of even length that holds all parts, and which group each of its cells is in. */
function squareOf({ parts, groups }: MapJudgement): Square {
  const first = parts[0]?.range.from ?? 0n
  const last = (parts.at(-1)?.range.to ?? 1n) - 1n
  let bits = 16
  while (bits > 0 && spanAt(1, first, bits).at !== spanAt(1, last, bits).at) bits -= 2
  const order = Math.min(8, (24 - bits) / 2)
  const base = spanAt(1, first, bits).at
  const numbers = new Map(groups.map(({ letter }, at) => [letter, at + 1]))
  const classes = new Uint16Array(4 ** order)
  const sizes = new Float64Array(classes.length)
  const cell = 2 ** (32 - bits - 2 * order)
  for (const { range, letter } of parts) {
    const [from, to] = [Number(range.from - base), Number(range.to - base)]
    for (let at = Math.floor(from / cell); at * cell < to; at += 1) {
      const size = Math.min(to, (at + 1) * cell) - Math.max(from, at * cell)
      if (size <= (sizes[at] ?? 0)) continue
      sizes[at] = size
      classes[at] = numbers.get(letter) ?? 0
    }
  }
  return { order, bits, classes }
}

function cells(square: Square): string {
  const { order, classes } = square
  const side = 2 ** order
  const drawn = [...hilbertPaths(order, classes)].map(([of, d]) => {
    const opacity = of === 0 ? ' stroke-opacity=".2"' : ''
    return `<path d="${d}" stroke="${colorOf(of)}"${opacity}/>`
  })
  const scaled = `<g transform="scale(${SQUARE / side})" fill="none" stroke-width="1" shape-rendering="crispEdges">${drawn.join('')}</g>`
  return `${scaled}${labels(square)}`
}

/** The first octet of every /8, where all of IPv4 is drawn. */
function labels({ order, bits }: Square): string {
  if (bits > 0) return ''
  const unit = SQUARE / 2 ** order
  const texts = Array.from({ length: 256 }, (_, octet) => {
    const { x, y, width, height } = hilbertBox(order, octet * 4 ** (order - 4), 8)
    const [across, down] = [(x + width / 2) * unit, (y + height / 2) * unit + 3]
    return `<text class="label" x="${across}" y="${down}">${octet}</text>`
  })
  return texts.join('')
}

function legend(groups: readonly MapGroup[]): string {
  const most = Math.floor(SQUARE / (2 * ROW)) - 1
  const shown = groups.slice(0, most)
  const rows = shown.map(({ letter, share, answers }, at) => {
    const y = at * 2 * ROW
    const text = answers.length === 0 ? 'nothing' : answers.join(' ')
    return `<rect x="0" y="${y + 4}" width="14" height="14" rx="3" fill="${colorOf(at + 1)}"/><text x="24" y="${y + 16}">${letter} · ${percent(share)}</text><text class="faint" x="24" y="${y + 35}">${escaped(text.length > 36 ? `${text.slice(0, 35)}…` : text)}</text>`
  })
  const rest = groups.length - shown.length
  const more = `<text class="faint" x="24" y="${shown.length * 2 * ROW + 16}">and ${rest} more groups</text>`
  return rows.join('') + (rest > 0 ? more : '')
}

function colorOf(group: number): string {
  return HUES[group - 1] ?? OTHERS
}

function escaped(text: string): string {
  return text.replace(/[&<>"]|\p{C}/gu, char => `&#${printableCode(char)};`)
}

/** XML 1.0 knows no other control characters than these. */
function printableCode(char: string): number {
  const code = char.codePointAt(0) ?? 0
  return code >= 32 || code === 9 || code === 10 || code === 13 ? code : 0xfffd
}
