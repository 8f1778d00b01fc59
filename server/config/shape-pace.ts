/**
 * The keys that all checks have: how often, how long, and how many tries make a state; and the one of
 * those that tell of loads.
 */
import * as z from 'zod'
import { wrong } from '../fault.ts'
import type { Check } from '../steer/trial.ts'
import { ANY_MAPPING, keyed, refuse, type Strange } from './brick.ts'
import { span } from './shape-scalar.ts'

const STRANGE: Strange = {
  later: ['address', 'slow_start'],
  said: new Map([
    ['interval', wrong('how often is said with every', 'write every: 10s')],
    ['retries', wrong('nothing is tried twice: fall and rise count tries', 'take it out')],
    ['load_max_age', wrong('a check of this type tells no load', 'take it out')],
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
    initial,
  }
}

/** Of checks that may tell how loaded a target is. */
export function ageKeys() {
  return {
    load_max_age: someTime
      .optional()
      .describe('How long a load or capacity counts that it told. Default: 3 × every.'),
  }
}

type WrittenPace = z.output<z.ZodObject<ReturnType<typeof paceKeys>>> &
  Partial<z.output<z.ZodObject<ReturnType<typeof ageKeys>>>>

/** The pace of a check. */
export function paceOf(written: WrittenPace): Omit<Check, 'name' | 'trial'> {
  const { every, fall, fast_every: fastEvery = every, initial, rise, timeout } = written
  return {
    every,
    fall,
    fastEvery,
    initial,
    rise,
    timeout,
    maxAge: written.load_max_age ?? 3 * every,
  }
}

export const initial = z
  .enum(['up', 'down', 'last'])
  .prefault('last')
  .describe('What a target is until it is known. last: what was known before a restart, else up.')

/** At least a second. */
export const someTime = span.superRefine((seconds, context) => {
  if (seconds > 0) return
  refuse(context, [], { reason: wrong('no time at all', 'at least 1s'), spot: 'value' })
})

/** How long something counts that a check tells nowhere. */
export function tells(check: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx) {
  if (!Object.hasOwn(check, 'load_max_age') || 'load' in check || 'capacity' in check) return
  const reason = wrong('it tells neither load nor capacity', 'add load: or capacity:')
  refuse(context, ['load_max_age'], { reason, spot: 'key', needs: ['load', 'capacity'] })
}

function timely(check: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx): void {
  const { every, fast_every: fast, load_max_age: age } = check
  if (typeof every !== 'number') return
  if (typeof fast === 'number' && fast > every) {
    const reason = wrong(`fast_every ${fast} s is more than every ${every} s`, 'make it shorter')
    refuse(context, ['fast_every'], { reason, spot: 'value' })
  }
  if (typeof age === 'number' && age < every) {
    const what = `load_max_age ${age} s is less than every ${every} s`
    const reason = wrong(`${what}: nothing would be known between two tries`, 'make it longer')
    refuse(context, ['load_max_age'], { reason, spot: 'value' })
  }
}
