/**
 * The schema of `steer`: each steered name, and how it picks from the pools that it has chosen.
 */
import * as z from 'zod'
import { isWrong, type Wrong, wrong } from '../fault.ts'
import type { Pick } from '../steer/rule.ts'
import {
  ANY_MAPPING,
  BY_HAND,
  distinctKeys,
  keyed,
  named,
  OF_POOLS,
  reading,
  refuse,
  word,
} from './brick.ts'
import type { Known } from './facts.ts'
import { unknownWord } from './nearest.ts'
import { ownerFrom, ownerKey } from './owner.ts'
import { quorum, spill } from './shape-amount.ts'
import { chooseKeys, oneWay } from './shape-choose.ts'
import { onOff, span } from './shape-scalar.ts'
import { serviceShape } from './shape-service.ts'

const STRANGE = {
  said: new Map([
    ...BY_HAND,
    ...OF_POOLS,
    ['activate_at', wrong('activate_at is not of a rule', 'put it at the top of the file')],
    ['check', wrong('check is not of a rule', 'put it into each pool, under pools')],
    ['loads', wrong('loads is not of a rule', 'put it into each pool, under pools')],
  ]),
}

const PICKS = [
  ...(['shuffle', 'rotate', 'random', 'weighted', 'smooth'] as const),
  ...(['hash', 'two', 'least', 'feedback', 'fastest', 'multi'] as const),
] satisfies Pick[]

/** Words that `last_resort` takes beside the names of pools. */
const RESORTS = ['all', 'none-healthy-pool'] as const

/** Seconds, where a rule does not say. */
const DEFAULT_TTL = { max: 30, min: 10 }

export function steerShape(known: Known) {
  return named(ruleShape(known), flawOfOwner).superRefine(
    distinctKeys(ownerKey, 'the same name as'),
    ANY_MAPPING,
  )
}

function ruleShape(known: Known) {
  const rule = { ...answerKeys(), ...serviceKeys(), ...trustKeys(known), ...chooseKeys(known) }
  return keyed(rule, STRANGE)
    .superRefine(oneWay(known), ANY_MAPPING)
    .superRefine(quantumNeedsHash, ANY_MAPPING)
}

/** What an answer holds. */
function answerKeys() {
  return {
    ttl: ttlShape()
      .prefault({})
      .describe('How long an answer may be kept. One span, or max and min.'),
    pick: word('pick', PICKS)
      .prefault('shuffle')
      .describe(
        'shuffle: all, in random order. rotate: the next in turn. random: any. weighted: by ' +
          'chance and weight. smooth: by weight, spread evenly. hash: the same for the same client. ' +
          'two: the less loaded of two. least: the least loaded. feedback: by chance and capacity. ' +
          'fastest: by chance, the quicker the oftener. multi: each by itself, by chance and ' +
          'weight, the heaviest always.',
      ),
    answers: z
      .int()
      .min(1)
      .max(65_535)
      .optional()
      .describe(
        'At most so many addresses in an answer. Default: all for shuffle and multi, 1 otherwise.',
      ),
    truncate: onOff
      .prefault(false)
      .describe('on: answers may be larger than what fits one UDP reply; the rest comes over TCP.'),
    spread: word('spread', ['pools'])
      .optional()
      .describe('pools: the last address of an answer comes from the next pool that can serve.'),
    quantum: keyed({
      ipv4: z.int().min(1).max(32).prefault(24).describe('Bits of an IPv4 client.'),
      ipv6: z.int().min(1).max(128).prefault(48).describe('Bits of an IPv6 client.'),
    })
      .optional()
      .describe('How much of a client’s address pick: hash reads: its scope is at least that.'),
  }
}

/** Records beside the addresses. */
function serviceKeys() {
  return {
    https: serviceShape()
      .optional()
      .describe('An HTTPS record, with the addresses of the pool that serves as hints. RFC 9460.'),
    svcb: serviceShape()
      .optional()
      .describe('An SVCB record, with the addresses of the pool that serves as hints. RFC 9460.'),
  }
}

/** When a pool serves. */
function trustKeys({ pools }: Known) {
  return {
    quorum: quorum.optional().describe('Instead of what each pool says: see pools.'),
    spill: spill.optional().describe('Instead of what each pool says: see pools.'),
    last_resort: reading(z.string().meta({ examples: [...RESORTS] }), text => {
      const isWord = RESORTS.some(resort => resort === text)
      if (isWord && pools.has(text)) {
        return wrong(`${text} is a word here and a pool of yours`, 'give the pool another name')
      }
      if (isWord || pools.has(text)) return text
      return unknownWord(`${text || '""'} is no last resort`, text, [...RESORTS, ...pools.keys()])
    })
      .optional()
      .describe(
        'Who answers where no pool can serve. all: all of the first pool. none-healthy-pool: what ' +
          'is up in the pool that is the least unhealthy. Or the name of a pool. Default: all.',
      ),
  }
}

function quantumNeedsHash(
  rule: Readonly<Record<string, unknown>>,
  context: z.core.$RefinementCtx<unknown>,
): void {
  if (!Object.hasOwn(rule, 'quantum') || rule.pick === 'hash') return
  if (typeof rule.pick !== 'string') return // it is wrong already, and may have been meant as hash
  const reason = wrong('quantum without pick: hash', 'add pick: hash, or take quantum out')
  refuse(context, ['quantum'], { reason, spot: 'key' })
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

function flawOfOwner(text: string): Wrong | undefined {
  const owner = ownerFrom(text)
  return isWrong(owner) ? owner : undefined
}
