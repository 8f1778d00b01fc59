/** The keys that all checks have: how often, how long, and how many tries make a state. */
import * as z from 'zod'
import { wrong } from '../fault.ts'
import type { Check } from '../steer/trial.ts'
import { ANY_MAPPING, keyed, refuse, type Strange } from './brick.ts'
import { span } from './shape-scalar.ts'

const STRANGE: Strange = {
  later: ['load_max_age', 'address', 'slow_start'],
  said: new Map([
    ['interval', wrong('how often is said with every', 'write every: 10s')],
    ['retries', wrong('nothing is tried twice: fall and rise count tries', 'take it out')],
  ]),
}

/** A mapping with the keys of one kind of check, and with those of all. */
export function paced<Keys extends z.ZodRawShape>(keys: Keys) {
  return keyed({ ...keys, ...paceKeys() }, STRANGE).superRefine(timely, ANY_MAPPING)
}

function paceKeys() {
  const times = z.int().min(1).max(1000)
  return {
    every: someTime.prefault('10s').describe('How often.'),
    fast_every: someTime
      .optional()
      .describe('How often while it fails, and until it is up again. Default: every.'),
    timeout: someTime.prefault('2s').describe('How long a try may take.'),
    fall: times.prefault(3).describe('Failures in a row that make a target down.'),
    rise: times.prefault(2).describe('Passes in a row that make a target up.'),
    initial: z
      .enum(['up', 'down', 'last'])
      .prefault('last')
      .describe(
        'What a target is until it is known. last: what was known before a restart, else up.',
      ),
  }
}

type WrittenPace = z.output<z.ZodObject<ReturnType<typeof paceKeys>>>

/** The pace of a check. */
export function paceOf(written: WrittenPace): Omit<Check, 'name' | 'trial'> {
  const { every, fall, fast_every: fastEvery = every, initial, rise, timeout } = written
  return { every, fall, fastEvery, initial, rise, timeout }
}

/** At least a second. */
const someTime = span.superRefine((seconds, context) => {
  if (seconds > 0) return
  refuse(context, [], { reason: wrong('no time at all', 'at least 1s'), spot: 'value' })
})

function timely(check: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx): void {
  const { every, fast_every: fast } = check
  if (typeof every !== 'number' || typeof fast !== 'number' || fast <= every) return
  const reason = wrong(`fast_every ${fast} s is more than every ${every} s`, 'make it shorter')
  refuse(context, ['fast_every'], { reason, spot: 'value' })
}
