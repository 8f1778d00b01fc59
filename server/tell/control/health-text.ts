/** What checks find: a line a watch, those that are down first; or a line for each that changed. */
import { table } from '../columns.ts'
import { counted } from '../figures.ts'
import { ageText } from './age.ts'
import { roughSpan } from './span.ts'
import { latencyText, numberText } from './states-text.ts'
import type { Health, WatchTold } from './told.ts'

const HEAD = [
  ...['now', 'for', 'check', 'kind', 'place', 'in a row', 'steady', 'latency'],
  ...['load', 'capacity', 'targets', 'last try'],
]
const FIGURES = ['for', 'steady', 'latency', 'load', 'capacity']

/** @param now milliseconds */
export function healthText({ watches }: Health, now: number): string[] {
  if (watches.length === 0) return ['nothing is checked']
  const rank = (watch: WatchTold) => (watch.now === 'down' ? 0 : watch.proven ? 2 : 1)
  const rows = watches.toSorted((a, b) => rank(a) - rank(b)).map(watch => cells(watch, now))
  return table(HEAD, rows, FIGURES)
}

function cells(watch: WatchTold, now: number): string[] {
  const { capacity, check, failures, kind, latency_ms: latency, load, passes, place } = watch
  const row = failures > 0 ? counted(failures, 'failure') : passes > 0 ? passesText(passes) : ''
  return [
    ...[nowText(watch), ageText(watch.since, now), check, kind, place, row],
    roughSpan(watch.steady_s),
    latencyText(latency),
    ...[load, capacity].map(numberText),
    ...[watch.targets.join(', '), watch.why ?? ''],
  ]
}

function passesText(passes: number): string {
  return `${passes} ${passes === 1 ? 'pass' : 'passes'}`
}

function nowText({ now, proven }: Pick<WatchTold, 'now' | 'proven'>): string {
  return proven ? now : `${now}, unproven`
}

/** How many of all are up. */
export function healthHead({ watches }: Health): string {
  return `${watches.filter(({ now }) => now === 'up').length} of ${watches.length} up`
}

/** Watches that say another thing than before; before the first time, all of them do. */
export function changed(before: Health | undefined, { watches }: Health): WatchTold[] {
  const old = new Map(before?.watches.map(watch => [keyOf(watch), nowText(watch)]))
  return watches.filter(watch => old.get(keyOf(watch)) !== nowText(watch))
}

function keyOf({ check, place }: WatchTold): string {
  return JSON.stringify([check, place])
}

/** `2026-11-30T21:04:11Z down web 192.0.2.10 (fra/192.0.2.10): connection refused` */
export function changeLine(watch: WatchTold): string {
  const { check, place, since, targets, why } = watch
  const because = why === undefined ? '' : `: ${why}`
  return `${since} ${nowText(watch)} ${check} ${place} (${targets.join(', ')})${because}`
}
