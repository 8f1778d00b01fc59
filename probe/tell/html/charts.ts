/** Charts as inline SVG, each with a title and a description that say what it shows. */
import type { Observation } from '../../judge/observation.ts'
import { holdsAnswer } from '../../judge/reply.ts'
import { el, type Markup, type Piece } from './markup.ts'

const WIDTH = 440
const ROW = 26
const LABEL = 130
/** Room at the right end, for a count. */
const ROOM = 50
const MOST_BARS = 12

export type Bar = { readonly label: string; readonly count: number }

function svg(title: string, description: string, height: number, ...inner: Piece[]): Markup {
  const attributes = { viewBox: `0 0 ${WIDTH} ${height}`, role: 'img', 'aria-label': title }
  const named = [el('title', {}, title), el('desc', {}, description)]
  return el('figure', {}, [el('h3', {}, title), el('svg', attributes, ...named, ...inner)])
}

/** Horizontal bars, with their counts at the end. */
export function barChart(title: string, bars: readonly Bar[], unit: string): Markup {
  const shown = gathered(bars)
  const most = shown.reduce((top, { count }) => Math.max(top, count), 1)
  const wide = WIDTH - LABEL - ROOM
  const rows = shown.map(({ label, count }, index) => {
    const width = Math.max(1, (wide * count) / most)
    const y = index * ROW
    const short = label.length > 19 ? `${label.slice(0, 18)}…` : label
    return [
      el('text', { x: 0, y: y + 18 }, short),
      el('rect', { class: 'bar', x: LABEL, y: y + 5, width: width.toFixed(1), height: 16, rx: 3 }),
      el('text', { x: (LABEL + width + 6).toFixed(1), y: y + 18 }, `${count}`),
    ]
  })
  const base = shown.length * ROW + 2
  const ends = [
    el('path', { class: 'axis', d: `M${LABEL} ${base + 5}V0M${LABEL} ${base}h${wide}v5` }),
    el('text', { class: 'tick', x: LABEL, y: base + 20, 'text-anchor': 'middle' }, '0'),
    el(
      'text',
      { class: 'tick', x: LABEL + wide, y: base + 20, 'text-anchor': 'middle' },
      `${most} ${unit}`,
    ),
  ]
  const said = shown.map(({ label, count }) => `${label}: ${count}`).join(', ')
  return svg(title, said, base + 26, ends, rows)
}

/** What would be too many bars, with the last of them as one. */
function gathered(bars: readonly Bar[]): readonly Bar[] {
  if (bars.length <= MOST_BARS) return bars
  const rest = bars.slice(MOST_BARS - 1)
  const count = rest.reduce((sum, bar) => sum + bar.count, 0)
  return [...bars.slice(0, MOST_BARS - 1), { label: `${rest.length} others`, count }]
}

const PLOT = { left: 52, right: WIDTH - 16, top: 12, base: 170 } as const

/** TTL in seconds over the seconds of the measurement, from 0 up. */
export function ttlChart(seen: readonly Observation[]): Markup | undefined {
  const points = seen.flatMap(one =>
    one.ttl === undefined || !holdsAnswer(one) ? [] : [{ at: one.at / 1000, ttl: one.ttl }],
  )
  if (points.length === 0) return undefined
  const last = points.reduce((most, { at }) => Math.max(most, at), 0.001)
  const top = points.reduce((most, { ttl }) => Math.max(most, ttl), 1)
  const { left, right, top: ceiling, base } = PLOT
  const dots = points.map(({ at, ttl }) => {
    const cx = left + ((right - left) * at) / last
    const cy = base - ((base - ceiling) * ttl) / top
    return el('circle', { class: 'dot', cx: cx.toFixed(1), cy: cy.toFixed(1), r: 3 })
  })
  const said = `${points.length} replies, TTL at most ${top} seconds, over ${last.toFixed(1)} seconds`
  return svg('TTL over time', said, base + 28, axes(top, last), dots)
}

/** A short run is told in milliseconds, so that no two ticks read alike. */
function timeText(seconds: number): string {
  return seconds < 2 ? `${Math.round(1000 * seconds)} ms` : `${seconds.toFixed(1)} s`
}

/** Lines and ticks at nothing, half and all: TTL upwards, time to the right. */
function axes(top: number, last: number): readonly Markup[] {
  const { left, right, top: ceiling, base } = PLOT
  return [0, 0.5, 1].flatMap(share => {
    const x = left + (right - left) * share
    const y = base - (base - ceiling) * share
    const anchor = share === 1 ? 'end' : 'middle'
    return [
      el('path', { class: 'axis', d: `M${left - 4} ${y}H${right}M${x} ${base}v5` }),
      el(
        'text',
        { class: 'tick', x: left - 8, y: y + 4, 'text-anchor': 'end' },
        `${top * share} s`,
      ),
      el('text', { class: 'tick', x, y: base + 20, 'text-anchor': anchor }, timeText(last * share)),
    ]
  })
}
