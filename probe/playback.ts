/**
 * A recording as what a run remembers: each question is answered as it was then, and in the order in
 * which the replies came, so that a measurement which several walkers make takes the same turns.
 */

import { setImmediate } from 'node:timers/promises'
import { serverText } from './ask/server.ts'
import type { Observation } from './judge/observation.ts'
import type { Remembered } from './ledger.ts'
import type { Question } from './plan/question.ts'

type Waiting = { readonly key: string; readonly go: (place: number | undefined) => void }

/**
 * Gives each question the first reply that was not given out before.
 *
 * @param kept  in the order they came
 * @param fresh how many questions that are not in it may be sent
 * @param over  called when one more would be
 */
export function remembering(
  kept: readonly Observation[],
  fresh: number,
  over: () => void,
): Remembered {
  const places = placesOf(kept)
  const waiting: Waiting[] = []
  let cursor = 0
  let left = fresh
  const turn = (): void => {
    while (cursor < kept.length && places.get(keyAt(kept, cursor))?.[0] !== cursor) cursor += 1
    const next = waiting.findIndex(({ key }) => places.get(key)?.[0] === cursor)
    const known = next >= 0 ? next : waiting.findIndex(({ key }) => places.get(key)?.length)
    const [one] = known >= 0 ? waiting.splice(known, 1) : []
    if (one !== undefined) one.go(places.get(one.key)?.shift())
    else for (const { go } of waiting.splice(0)) unknown(go)
  }
  const unknown = (go: Waiting['go']): void => {
    if (left <= 0) over()
    left -= 1
    go(undefined)
  }
  const turns = async (): Promise<void> => {
    for (; waiting.length > 0; turn()) await setImmediate()
  }
  return async (question, server) => {
    const place = await new Promise<number | undefined>(go => {
      waiting.push({ key: keyOf(question, serverText(server)), go })
      if (waiting.length === 1) void turns()
    })
    return place === undefined ? undefined : [kept[place] as Observation]
  }
}

/** Where each question stands, the first first. */
function placesOf(kept: readonly Observation[]): ReadonlyMap<string, number[]> {
  const places = new Map<string, number[]>()
  for (const place of kept.keys()) {
    const list = places.get(keyAt(kept, place))
    if (list === undefined) places.set(keyAt(kept, place), [place])
    else list.push(place)
  }
  return places
}

function keyAt(kept: readonly Observation[], place: number): string {
  const { name, type, server, sent } = kept[place] as Observation
  return `${name} ${type} ${server} ${sent?.text ?? ''}`
}

function keyOf({ name, type, subnet }: Question, server: string): string {
  return `${name} ${type} ${server} ${subnet?.text ?? ''}`
}
