/**
 * The schema of `steer`: how each steered name chooses and picks, and what a later version will add.
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
  reference,
  refuse,
  word,
} from './brick.ts'
import { countryFlaw } from './country.ts'
import { ownerFrom, ownerKey } from './owner.ts'
import type { Known } from './shape.ts'
import { onOff, span } from './shape-scalar.ts'

/** Keys that choose a ranking, in a version to come. */
const LATER_CHOICES = ['nearest', 'latency', 'rule']
const LATER_IN_RULE = [
  ...LATER_CHOICES,
  ...['bias', 'fields', 'spill', 'quorum', 'last_resort', 'spread', 'quantum', 'hash', 'load'],
  ...['slow_start', 'activate_at', 'sticky'],
]
const LATER_IN_BY = ['asn', 'asns', 'subdivision', 'subdivisions', 'city', 'cities', 'fields']
const LATER_PICKS = ['random', 'weighted', 'smooth', 'hash', 'two', 'least', 'feedback', 'fastest']

/** Seconds, where a rule does not say. */
const DEFAULT_TTL = { max: 30, min: 10 }

export function steerShape(known: Known) {
  return named(ruleShape(known), flawOfOwner).superRefine((rules, context) => {
    const seen = new Map<string, string>()
    for (const owner of Object.keys(rules)) {
      const first = seen.get(ownerKey(owner))
      if (first === undefined) {
        seen.set(ownerKey(owner), owner)
        continue
      }
      const reason = wrong(`${owner} is the same name as ${first}`, 'keep one of them')
      refuse(context, [owner], { reason, spot: 'key' })
    }
  }, ANY_MAPPING)
}

function ruleShape(known: Known) {
  const ranking = rankingShape(known.pools)
  const rule = {
    ttl: ttlShape()
      .prefault({})
      .describe('How long an answer may be kept. One span, or max and min.'),
    pick: word('pick', ['shuffle', 'rotate'], LATER_PICKS)
      .prefault('shuffle')
      .describe('shuffle: all addresses in random order. rotate: one, the next in turn.'),
    answers: z
      .int()
      .min(1)
      .max(65_535)
      .optional()
      .describe('At most so many addresses in an answer. Default: all for shuffle, 1 for rotate.'),
    truncate: onOff
      .prefault(false)
      .describe('on: answers may be larger than what fits one UDP reply; the rest comes over TCP.'),
    by: byShape(known, ranking)
      .optional()
      .describe('Tailored: the longest network, then the country, the continent, the default.'),
    pools: ranking.optional().describe('Not tailored: the same pools for everybody, best first.'),
  }
  return keyed(rule, LATER_IN_RULE).superRefine(oneChoice, ANY_MAPPING)
}

function byShape(known: Known, ranking: ReturnType<typeof rankingShape>) {
  const continent = (name: string) => ranking.optional().describe(name)
  return keyed(
    {
      networks: named(ranking, name => flawOfReference('network', name, known.networks))
        .prefault({})
        .describe('Pools by the name of a network.'),
      countries: named(ranking, code => countryFlaw(code, known.countries))
        .prefault({})
        .describe('Pools by ISO 3166-1 code.'),
      continents: keyed({
        AF: continent('Africa'),
        AN: continent('Antarctica'),
        AS: continent('Asia'),
        EU: continent('Europe'),
        NA: continent('North America'),
        OC: continent('Oceania'),
        SA: continent('South America'),
      })
        .prefault({})
        .describe('Pools by continent.'),
      default: ranking.describe('Pools for every other client.'),
    },
    LATER_IN_BY,
  )
}

/** Pools in order of preference. */
function rankingShape(pools: readonly string[]) {
  const twice = (pool: string) => wrong(`${pool} stands here twice`, 'name each pool once')
  const keyOf = (pool: unknown) => (typeof pool === 'string' ? pool : undefined)
  return z.array(reference('pool', pools)).min(1).superRefine(distinct(keyOf, twice), ANY_LIST)
}

function ttlShape() {
  const both = keyed({
    max: span.optional().describe('The most. Default: 30s.'),
    min: span.optional().describe('The least. Default: 10s, or max where that is less.'),
  }).transform((ttl, context) => {
    const max = ttl.max ?? DEFAULT_TTL.max
    const min = ttl.min ?? Math.min(DEFAULT_TTL.min, max)
    if (min <= max) return { max, min }
    const reason = wrong(`min ${min} s is more than max ${max} s`, 'make min at most max')
    refuse(context, ['min'], { reason, spot: 'value' })
    return z.NEVER
  })
  const one = span.transform(seconds => ({ max: seconds, min: seconds }))
  return z.union([one, both], { error: 'a span of time, like 30s, or a mapping with max and min' })
}

function oneChoice(rule: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx): void {
  const by = Object.hasOwn(rule, 'by')
  const pools = Object.hasOwn(rule, 'pools')
  if (by && pools) {
    const reason = wrong('both by and pools', 'keep by to tailor, pools to answer all alike')
    refuse(context, ['pools'], { reason, spot: 'key' })
  }
  // A choice that this version lacks has its own Problem already.
  if (by || pools || LATER_CHOICES.some(choice => Object.hasOwn(rule, choice))) return
  const reason = wrong('nothing to choose from', 'add pools: [POOL], or by: with a default')
  refuse(context, [], { reason, spot: 'key', absent: ['by', 'pools'] })
}

function flawOfOwner(text: string): Wrong | undefined {
  const owner = ownerFrom(text)
  return isWrong(owner) ? owner : undefined
}
