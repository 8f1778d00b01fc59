/**
 * By what name a watch is known, over any reload: its place and what is tried there. So one address in
 * many pools is watched once, its numbers may change without its history being lost, and the name of
 * its check does not matter, unless that is what pushes go by.
 */
import type { Check, Trial } from '../steer/trial.ts'
import type { Wanted } from './watch.ts'

type PushedAs = { readonly kind: 'push'; readonly name: string }

/** The key of a trial at a place, or of what is pushed there. */
export function watchKey(place: string, trial: Trial | PushedAs): string {
  return `${place} ${JSON.stringify(trial, sorted)}`
}

/**
 * Gives each its key. Where one trial at one place has several sets of numbers, each is a watch of its
 * own: the second has ` #2` at the end of its key, and so on in the order given.
 */
export function keyed(list: readonly { place: string; check: Check }[]): Wanted[] {
  const numbers = new Map<string, string[]>()
  return list.map(({ place, check }) => {
    const key = watchKey(place, watched(check))
    const known = numbers.get(key) ?? []
    numbers.set(key, known)
    const mine = numbersOf(check)
    if (!known.includes(mine)) known.push(mine)
    const at = known.indexOf(mine)
    return { key: at === 0 ? key : `${key} #${at + 1}`, place, check }
  })
}

/** What is tried; where nothing is, under which name something pushes. */
function watched({ name, trial }: Check): Trial | PushedAs {
  return trial.kind === 'push' ? { ...trial, name } : trial
}

function numbersOf({ every, fastEvery, timeout, fall, rise, initial, maxAge }: Check): string {
  return [every, fastEvery, timeout, fall, rise, initial, maxAge].join(' ')
}

/** Makes equal data equal text: keys in order, octets as numbers. What is in a file does not count. */
function sorted(name: string, value: unknown): unknown {
  if (name === 'pem') return undefined
  if (value instanceof Uint8Array) return [...value]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
