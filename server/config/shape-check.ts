/**
 * The schema of `checks`: what is tried of targets, how often, and what makes them up or down; or
 * which checks count together.
 */
import * as z from 'zod'
import { type Wrong, wrong } from '../fault.ts'
import {
  ANY_LIST,
  ANY_MAPPING,
  distinct,
  flawOfReference,
  keyed,
  named,
  reading,
  refuse,
} from './brick.ts'
import type { Known } from './facts.ts'
import type { Authorities } from './outside.ts'
import { singleShapes, type WrittenTrial } from './shape-trial.ts'

/** A check but for its name: one that tries something, or several that count together. */
export type WrittenCheck =
  | WrittenTrial
  /** Up while at least `need` of them are. */
  | { readonly kind: 'several'; readonly of: readonly string[]; readonly need: number }

/** What is tried, and what counts together. */
export function checksShape(known: Known['checks'], authorities: Authorities) {
  const kinds = [...singleShapes(authorities), ...severalShapes(known)] as const
  return named(z.discriminatedUnion('type', kinds, { error: 'check' }))
}

/** Checks that count together: they try nothing of their own. */
function severalShapes(known: Known['checks']) {
  const twice = (name: string) => wrong(`${name} stands here twice`, 'name each check once')
  const keyOf = (name: unknown) => (typeof name === 'string' ? name : undefined)
  const of = z
    .array(reading(z.string(), name => flawOfSingle(name, known) ?? name))
    .min(1)
    .superRefine(distinct(keyOf, twice), ANY_LIST)
    .describe('Checks that try something.')
  const atLeast = z.int().min(1).describe('How many of them must say that a target is up.')
  return [
    keyed({ type: z.literal('all').describe('Up where all of them are.'), of }).transform(
      ({ of }): WrittenCheck => ({ kind: 'several', of, need: of.length }),
    ),
    keyed({ type: z.literal('any').describe('Up where one of them is.'), of }).transform(
      ({ of }): WrittenCheck => ({ kind: 'several', of, need: 1 }),
    ),
    keyed({
      type: z.literal('some').describe('Up where enough of them are.'),
      of,
      at_least: atLeast,
    })
      .superRefine(reachable, ANY_MAPPING)
      .transform(({ of, at_least: need }): WrittenCheck => ({ kind: 'several', of, need })),
  ] as const
}

/** Counted together is what tries something: there are no circles then. */
function flawOfSingle(name: string, known: Known['checks']): Wrong | undefined {
  if (known.get(name)?.joins !== true) return flawOfReference('check', name, known)
  return wrong(`${name} tries nothing itself`, 'name the checks that it counts')
}

function reachable(check: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx): void {
  const { of, at_least: need } = check
  if (!Array.isArray(of) || typeof need !== 'number' || need <= of.length) return
  const reason = wrong(`at least ${need} of ${of.length} is never met`, `at most ${of.length}`)
  refuse(context, ['at_least'], { reason, spot: 'value' })
}
