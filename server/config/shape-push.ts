/** The schema of a check that tries nothing, as something else pushes what it would find. */
import * as z from 'zod'
import { type Wrong, wrong } from '../fault.ts'
import { keyed, type Strange } from './brick.ts'
import { initial, someTime } from './shape-pace.ts'
import type { WrittenTrial } from './shape-trial.ts'

const UNTRIED = wrong('nothing is tried: something pushes', 'say expires: 30s')
const UNCOUNTED = wrong('one push decides, as does one that is missing', 'take it out')
const SAID: readonly (readonly [words: readonly string[], said: Wrong])[] = [
  [['every', 'fast_every', 'timeout', 'interval', 'retries'], UNTRIED],
  [['fall', 'rise'], UNCOUNTED],
  [['load_max_age'], wrong('what is pushed counts as long as the push', 'say expires: 30s')],
]

const STRANGE: Strange = {
  later: ['address', 'slow_start'],
  said: new Map(SAID.flatMap(([words, said]) => words.map(word => [word, said] as const))),
}

export function pushShape() {
  const keys = {
    type: z
      .literal('push')
      .describe('Tries nothing: a target is up while something pushes that it is.'),
    expires: someTime
      .prefault('30s')
      .describe('How long a push counts. Where none comes in that time, a target is down.'),
    initial,
  }
  return keyed(keys, STRANGE).transform(({ expires, initial }): WrittenTrial => {
    const times = { every: expires, fastEvery: expires, timeout: 0, maxAge: expires }
    const pace = { ...times, fall: 1, rise: 1, initial }
    return { kind: 'one', check: { ...pace, trial: { kind: 'push' } } }
  })
}
