/** Charts as inline SVG, each with a title and a description that say what it shows. */
import type { Observation } from '../../judge/observation.ts'
import { holdsAnswer } from '../../judge/reply.ts'
import { el, type Markup, type Piece } from './markup.ts'

const WIDTH = 360
const ROW = 24
const LABEL = 130

export type Bar = { readonly label: string; readonly count: number }

function svg(title: string, description: string, height: number, ...inner: Piece[]): Markup {
  const attributes = { viewBox: `0 0 ${WIDTH} ${height}`, role: 'img', 'aria-label': title }
  const named = [el('title', {}, title), el('desc', {}, description)]
  return el('figure', { style: 'margin:0' }, [
    el('h3', {}, title),
    el('svg', attributes, ...named, ...inner),
  ])
}

/** Horizontal bars, with their counts at the end. */
export function barChart(title: string, bars: readonly Bar[]): Markup {
  const most = Math.max(1, ...bars.map(({ count }) => count))
  const shown = bars.slice(0, 16)
  const rows = shown.map(({ label, count }, index) => {
    const width = Math.max(1, ((WIDTH - LABEL - 50) * count) / most)
    const y = index * ROW
    const short = label.length > 19 ? `${label.slice(0, 18)}…` : label
    return [
      el('text', { x: 0, y: y + 16 }, short),
      el('rect', { class: 'bar', x: LABEL, y: y + 4, width: width.toFixed(1), height: 16, rx: 3 }),
      el('text', { x: (LABEL + width + 6).toFixed(1), y: y + 16 }, `${count}`),
    ]
  })
  const said = shown.map(({ label, count }) => `${label}: ${count}`).join(', ')
  return svg(title, said, Math.max(1, shown.length) * ROW, rows)
}

/** TTL in seconds over the seconds of the measurement, from 0 up. */
export function ttlChart(seen: readonly Observation[]): Markup | undefined {
  const points = seen.flatMap(one =>
    one.ttl === undefined || !holdsAnswer(one) ? [] : [{ at: one.at / 1000, ttl: one.ttl }],
  )
  if (points.length === 0) return undefined
  const last = points.reduce((most, { at }) => Math.max(most, at), 0.001)
  const top = points.reduce((most, { ttl }) => Math.max(most, ttl), 1)
  const [left, right, base] = [44, WIDTH - 12, 150]
  const dots = points.map(({ at, ttl }) => {
    const cx = left + ((right - left) * at) / last
    const cy = base - (130 * ttl) / top
    return el('circle', { class: 'dot', cx: cx.toFixed(1), cy: cy.toFixed(1), r: 3 })
  })
  const axes = [
    el('path', { class: 'axis', d: `M${left} 20V${base}H${right}`, fill: 'none' }),
    el('text', { x: 0, y: 24 }, `${top} s`),
    el('text', { x: 0, y: base }, '0 s'),
    el('text', { x: left, y: base + 20 }, 'begin'),
    el('text', { x: right, y: base + 20, 'text-anchor': 'end' }, `after ${last.toFixed(1)} s`),
  ]
  const said = `${points.length} replies, TTL at most ${top} seconds, over ${last.toFixed(1)} seconds`
  return svg('TTL over time', said, base + 28, axes, dots)
}
