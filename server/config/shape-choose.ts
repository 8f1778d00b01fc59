/**
 * The schema of choosing: the ways in which a rule, or a branch of one, comes to its pools. A branch
 * may hold all that a rule may, so the schema holds itself; how deep that goes, `reach.ts` says.
 */
import * as z from 'zod'
import { isWrong, type Wrong, wrong } from '../fault.ts'
import {
  ANY_LIST,
  ANY_MAPPING,
  distinct,
  flawOfReference,
  keyed,
  named,
  reading,
  reference,
  refuse,
} from './brick.ts'
import type { Known } from './facts.ts'
import { unknownWord } from './nearest.ts'
import { ownerFrom, ownerKey } from './owner.ts'
import { bias } from './shape-amount.ts'
import { byShape, type WrittenBy } from './shape-by.ts'
import { path } from './shape-scalar.ts'

/** One way to choose: one of the first five keys, or `latency` and `nearest` together. */
export type Written = {
  readonly pools?: readonly string[] | undefined
  readonly by?: WrittenBy | undefined
  readonly nearest?: readonly string[] | undefined
  readonly latency?: { readonly file: string } | undefined
  /** The canonical text of an owner. */
  readonly rule?: string | undefined
  /** Percent by pool. */
  readonly bias?: Readonly<Record<string, number>> | undefined
  readonly limit?: number | undefined
}

/** A list is the pools themselves. */
export type WrittenBranch = readonly string[] | Written

const WAYS = ['pools', 'by', 'nearest', 'latency', 'rule'] as const

/** The keys of choosing, for a rule to have beside its own. `oneWay` checks them together. */
export function chooseKeys(known: Known) {
  const branch: z.ZodType<WrittenBranch> = z
    .lazy(() =>
      z.union([ranking, chooser], { error: 'a list of pools, or a mapping that chooses' }),
    )
    .meta({ id: 'branch' })
  const ranking = listShape(reference('pool', known.pools))
  const by = byShape(known, branch)
  // Made twice: what is used in two places is published under a name, and loses what it is for.
  const keys = () => ({
    pools: ranking.optional().describe('The same pools for everybody, best first.'),
    by: by.optional().describe('Other pools for other clients.'),
    nearest: listShape(placed(known))
      .optional()
      .describe('These pools, the nearest to the client first, as the crow flies.'),
    latency: keyed({ file: path.describe('Rows of prefix,pool,ms; # begins a comment.') })
      .optional()
      .describe('Pools by measured latency; for what was not measured, the nearest.'),
    rule: reading(z.string(), name => ruleNamed(name, known))
      .optional()
      .describe('As another steered name does.'),
    bias: named(bias, name => flawOfReference('pool', name, known.pools))
      .optional()
      .describe('Percent by pool, for nearest: 50 halves its distance, -50 doubles it.'),
    limit: z.int().min(1).optional().describe('Only so many of the nearest pools. Default: all.'),
  })
  const chooser = keyed(keys()).superRefine(oneWay(known), ANY_MAPPING)
  return keys()
}

/** Checks that there is one way to choose, and that what goes with it is there. */
export function oneWay({ pools }: Known) {
  return (entries: Entries, context: z.core.$RefinementCtx<unknown>): void => {
    checkWays(entries, context)
    checkNeeds(entries, context)
    checkBias(entries, pools, context)
  }
}

type Entries = Readonly<Record<string, unknown>>

function checkWays(entries: Entries, context: z.core.$RefinementCtx<unknown>): void {
  const has = (key: string): boolean => Object.hasOwn(entries, key)
  const [first, second] = WAYS.filter(way => has(way) && !(way === 'nearest' && has('latency')))
  if (first === undefined) {
    const reason = wrong('nothing to choose from', 'add pools: [POOL], or by: with a default')
    refuse(context, [], { reason, spot: 'key', absent: WAYS })
  } else if (second !== undefined) {
    const reason = wrong(`both ${first} and ${second}`, 'keep the one that is to choose')
    refuse(context, [second], { reason, spot: 'key' })
  }
}

function checkNeeds(entries: Entries, context: z.core.$RefinementCtx<unknown>): void {
  const needs = ['nearest', 'latency']
  if (needs.some(key => Object.hasOwn(entries, key))) return
  for (const key of ['bias', 'limit']) {
    if (!Object.hasOwn(entries, key)) continue
    const reason = wrong(`${key} without nearest`, `add nearest: [POOL], or take ${key} out`)
    refuse(context, [key], { reason, spot: 'key', needs })
  }
}

/** Pools that there are not have been told already. */
function checkBias(
  { nearest, bias }: Entries,
  pools: Known['pools'],
  context: z.core.$RefinementCtx<unknown>,
): void {
  if (!isListOfText(nearest) || typeof bias !== 'object' || bias === null) return
  for (const pool of Object.keys(bias)) {
    if (nearest.includes(pool) || !pools.has(pool)) continue
    const reason = wrong(`${pool} is not in nearest`, 'add it there, or take its bias out')
    refuse(context, ['bias', pool], { reason, spot: 'key' })
  }
}

/** False for one with mistakes: they are told by themselves. */
function isListOfText(list: unknown): list is readonly string[] {
  return Array.isArray(list) && list.every(item => typeof item === 'string')
}

/** Pools in order of preference. */
function listShape(pool: z.ZodType<string>) {
  const twice = (name: string) => wrong(`${name} stands here twice`, 'name each pool once')
  const keyOf = (name: unknown) => (typeof name === 'string' ? name : undefined)
  return z.array(pool).min(1).superRefine(distinct(keyOf, twice), ANY_LIST)
}

/** The name of a pool that stands somewhere. */
function placed({ pools }: Known): z.ZodType<string> {
  return reading(z.string(), name => {
    const flaw = flawOfReference('pool', name, pools)
    if (flaw !== undefined || pools.get(name)?.placed) return flaw ?? name
    return wrong(`pool ${name} does not say where it stands`, `give ${name} at: {country: …}`)
  })
}

function ruleNamed(text: string, { owners }: Known): string | Wrong {
  const owner = ownerFrom(text)
  if (isWrong(owner)) return owner
  const key = ownerKey(text)
  if (owners.has(key)) return key
  return unknownWord(`no name ${text} is steered`, text, [...owners.values()])
}
