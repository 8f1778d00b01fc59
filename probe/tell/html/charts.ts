/** Charts: bars as a table that is read as one, and TTL over time as a picture with its words. */
import type { Observation } from '../../judge/observation.ts'
import { holdsAnswer } from '../../judge/reply.ts'
import { percent } from '../number.ts'
import { code, el, type Markup } from './markup.ts'

const MOST_BARS = 12
/** Longer labels are broken, in characters. */
const WIDEST = 20

export type Bar = { readonly label: string; readonly count: number }

/** Horizontal bars, with their counts and shares at the end. */
export function barChart(
  title: string,
  head: readonly [string, string],
  bars: readonly Bar[],
): Markup {
  const shown = gathered(bars)
  const most = shown.reduce((top, { count }) => Math.max(top, count), 1)
  const all = shown.reduce((sum, { count }) => sum + count, 0)
  const rows = shown.map(({ label, count }) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, code(label)),
      el('td', {}, [
        el('span', { class: 'bar', style: `--share:${(count / most).toFixed(3)}` }),
        el('span', { class: 'count' }, `${count} `, el('small', {}, percent(count / all))),
      ]),
    ),
  )
  const cells = head.map(text => el('th', { scope: 'col' }, text))
  const inner = [
    el('caption', {}, el('h3', {}, title)),
    el('thead', {}, el('tr', {}, ...cells)),
    el('tbody', {}, ...rows),
  ]
  const wide = shown.reduce((most, { label }) => Math.max(most, label.length), 0)
  return el('table', { class: 'bars', style: `--wide:${Math.min(wide, WIDEST)}` }, ...inner)
}

/** What would be too many bars, with the last of them as one. */
function gathered(bars: readonly Bar[]): readonly Bar[] {
  if (bars.length <= MOST_BARS) return bars
  const rest = bars.slice(MOST_BARS - 1)
  const count = rest.reduce((sum, bar) => sum + bar.count, 0)
  return [...bars.slice(0, MOST_BARS - 1), { label: `${rest.length} others`, count }]
}

/** The plot's own units: stretched to whatever room there is, while dots and lines stay as they are. */
const PLOT = { width: 400, height: 100 } as const

/** TTL in seconds over the seconds of the measurement, from 0 up. */
export function ttlChart(seen: readonly Observation[]): Markup | undefined {
  const points = seen.flatMap(one =>
    one.ttl === undefined || !holdsAnswer(one) ? [] : [{ at: one.at / 1000, ttl: one.ttl }],
  )
  if (points.length === 0) return undefined
  const last = points.reduce((most, { at }) => Math.max(most, at), 0.001)
  const top = points.reduce((most, { ttl }) => Math.max(most, ttl), 1)
  const least = points.reduce((few, { ttl }) => Math.min(few, ttl), top)
  const span = least === top ? `${top} s throughout` : `${least} to ${top} s`
  const said = `${points.length} replies, TTL ${span}, over ${timeText(last)}`
  const spots = points.map(
    ({ at, ttl }) =>
      `M${Math.round((PLOT.width * at) / last)} ${Math.round(PLOT.height * (1 - ttl / top))}h0`,
  )
  const box = { viewBox: `0 0 ${PLOT.width} ${PLOT.height}`, preserveAspectRatio: 'none' }
  const picture = el('svg', { ...box, role: 'img', 'aria-label': 'TTL over time' }, [
    el('title', {}, 'TTL over time'),
    el('desc', {}, said),
    el('path', { class: 'axis', d: `M0 0H${PLOT.width}M0 50H${PLOT.width}M0 100H${PLOT.width}` }),
    // where several replies are at one spot, one dot says so
    el('path', { class: 'dots', d: [...new Set(spots)].join('') }),
  ])
  return el('figure', { class: 'plot' }, [
    el('h3', {}, 'TTL over time'),
    el(
      'div',
      { class: 'upwards', 'aria-hidden': 'true' },
      ticks([top, top / 2, 0].map(secondsText)),
    ),
    picture,
    el('div', { class: 'along', 'aria-hidden': 'true' }, ticks([0, last / 2, last].map(timeText))),
    el('figcaption', { class: 'faint' }, said),
  ])
}

function ticks(texts: readonly string[]): readonly Markup[] {
  return texts.map(text => el('span', {}, text))
}

const secondsText = (seconds: number): string => `${seconds} s`

/** A short run is told in milliseconds, so that no two ticks read alike. */
function timeText(seconds: number): string {
  return seconds < 2 ? `${Math.round(1000 * seconds)} ms` : `${seconds.toFixed(1)} s`
}
