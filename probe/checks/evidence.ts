/** What one check was measured to be, for one type: what its assertions are held against. */
import type { Judgement } from '../judge/judgement.ts'
import type { Observation } from '../judge/observation.ts'
import type { State } from '../judge/ruling.ts'

export type Evidence = {
  /** One for each server asked; empty where `dns2` was not needed. */
  readonly rotation: readonly Judgement[]
  readonly ecs: readonly Judgement[]
  /** What each of them was judged by, of this type. */
  readonly rotationSeen: readonly Observation[]
  readonly ecsSeen: readonly Observation[]
}

/** How one assertion came out. */
export type Said = { readonly state: State; readonly expected: string; readonly seen: string }

export function said(state: State, expected: string, seen: string): Said {
  return { state, expected, seen }
}

/** The same of several servers: what fails at one fails; all that is different is said. */
export function together(expected: string, all: readonly Said[]): Said {
  const states = all.map(({ state }) => state)
  const state = states.includes('fail')
    ? 'fail'
    : states.includes('inconclusive') || states.length === 0
      ? 'inconclusive'
      : 'pass'
  const telling = all.filter(one => state === 'pass' || one.state !== 'pass')
  const seen = [...new Set(telling.map(one => one.seen))].join('; ')
  return said(state, expected, seen === '' ? 'nothing was measured' : seen)
}

/** Whether not a single reply came. */
export function isSilent({ tally }: Judgement): boolean {
  return tally.replies === 0
}

/** `geo-unaggregated (rotates-within-region)`, or why nothing could be judged. */
export function codeText(one: Judgement): string {
  if (isSilent(one)) return `no reply from ${one.tally.servers.join(', ')}`
  const { code, modifiers } = one.verdict
  return modifiers.length === 0 ? code : `${code} (${modifiers.join(', ')})`
}

export function listText(words: readonly string[]): string {
  return words.join(' or ')
}
