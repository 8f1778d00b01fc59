/** What `watch` has to tell, as words: changes, moments, spans of time. */
import type { Change, Place, Said } from '../judge/watch-state.ts'
import { many, printable } from './number.ts'

/** Answers named in one line; the rest are counted. */
const NAMED = 6

/** What a pass asks, and of whom: the line that comes before all others. */
export function planText(
  { name, type }: { readonly name: string; readonly type: string },
  subnets: number,
  samples: number,
  everyMs: number,
  server: string,
): string {
  const every = everyMs < 1000 ? `${everyMs / 1000} s` : spanText(everyMs)
  const more = `up to ${samples} more inside the blocks that scopes claim`
  return `${printable(name)} ${type} @${server}: every ${every} ${many(subnets, 'subnet', 'subnets')}, and ${more}`
}

/** One change in one line, without time and name. */
export function changeText(change: Change): string {
  switch (change.kind) {
    case 'learned':
      return `${many(change.groups.length, 'group', 'groups')} of clients: ${change.groups
        .map(({ letter, regions, subnets }) => `${letter} ${regions.join(' ') || subnets.length}`)
        .join(' · ')}`
    case 'moved':
      return `${placesText(change.subnets)}: ${change.from} → ${change.to} (${answersText(change.answers)})`
    case 'replaced':
      return `${change.letter}: ${turnText(change)} (${placesText(change.subnets)})`
    case 'scope':
      return `${placesText(change.subnets)}: scope /${change.from} → /${change.to}`
    case 'untrue':
      return `scope ${change.block} is not true: ${change.network} is answered otherwise`
    case 'true-again':
      return `scope ${change.block} is true again`
    case 'verdict':
      return verdictText(change.from, change.to)
    case 'silent':
      return `no reply (${change.why})`
    case 'back':
      return `answers again, after ${spanText(change.at - change.since)}`
  }
}

function verdictText(from: string | undefined, { answer, code }: Said): string {
  return from === undefined ? `verdict: ${answer} ${code}` : `verdict: ${from} → ${answer} ${code}`
}

function turnText({ gone, come }: { gone: readonly string[]; come: readonly string[] }): string {
  const less = gone.length === 0 ? [] : [`−${answersText(gone)}`]
  const more = come.length === 0 ? [] : [`+${answersText(come)}`]
  return [...less, ...more].join(' ')
}

/** `192.0.2.1 192.0.2.2 and 3 more` */
export function answersText(answers: readonly string[]): string {
  const rest = answers.length > NAMED ? ` and ${answers.length - NAMED} more` : ''
  return printable(answers.slice(0, NAMED).join(' ')) + rest
}

/** `DE 5 subnets`, `US DE 10 subnets`, `198.51.100.0/24` */
export function placesText(places: readonly Place[]): string {
  const [only] = places
  if (places.length === 1 && only !== undefined) {
    return only.region === undefined ? only.subnet : `${only.region} ${only.subnet}`
  }
  const regions = [...new Set(places.flatMap(({ region }) => region ?? []))]
  return [...regions, many(places.length, 'subnet', 'subnets')].join(' ')
}

/** `21:04:11Z` */
export function clockText(at: number): string {
  return `${new Date(at).toISOString().slice(11, 19)}Z`
}

/** `2026-11-30T21:04:11Z` */
export function momentText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`
}

/** `45 s`, `4 min 5 s`, `3 h 10 min`, `2 d 4 h` */
export function spanText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return pair(Math.floor(seconds / 60), 'min', seconds % 60, 's')
  const minutes = Math.floor(seconds / 60)
  if (minutes < 1440) return pair(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
  return pair(Math.floor(minutes / 1440), 'd', Math.floor((minutes % 1440) / 60), 'h')
}

function pair(big: number, unit: string, small: number, part: string): string {
  return small === 0 ? `${big} ${unit}` : `${big} ${unit} ${small} ${part}`
}

/** TTL in as few characters as it takes: `30 s`, `5 min`, `2 h`, `7 d`. */
export function ttlText(seconds: number): string {
  if (seconds >= 86_400 && seconds % 86_400 === 0) return `${seconds / 86_400} d`
  if (seconds >= 3600 && seconds % 3600 === 0) return `${seconds / 3600} h`
  if (seconds >= 300 && seconds % 60 === 0) return `${seconds / 60} min`
  return `${seconds} s`
}
