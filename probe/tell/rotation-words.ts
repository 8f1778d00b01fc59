/** The one sentence about what `dns2` saw. */
import type { Judgement } from '../judge/judgement.ts'
import type { RotationCode, RotationEvidence } from '../judge/verdict.ts'
import { REFERS } from './ecs-words.ts'
import { counted, many, noun } from './number.ts'

export function rotationSentence(
  one: Judgement,
  code: RotationCode,
  seen: RotationEvidence,
): string {
  const { modifiers } = one.verdict
  const has = (modifier: string) => modifiers.includes(modifier)
  const sentence = SENTENCES[code](seen, one.type, has)
  const where = has('by-instance') ? '; it depends on which instance answers' : ''
  const whose = has('not-authoritative') && code !== 'cached' && code !== 'empty'
  return sentence + where + (whose ? '; asked through a resolver, so that may be its doing' : '')
}

type Sentence = (seen: RotationEvidence, type: string, has: (modifier: string) => boolean) => string

const SENTENCES: Readonly<Record<RotationCode, Sentence>> = {
  'shuffled-list': ({ atLeast }, _type, has) =>
    `gives the whole list of ${atLeast} and shuffles it${evenly(has)}: the client chooses`,
  'cyclic-list': ({ atLeast }, _type, has) =>
    has('random-start')
      ? `gives the whole list of ${atLeast}, begun at a random place: the client chooses`
      : `gives the whole list of ${atLeast} and turns it each time: the client chooses`,
  'fixed-list': ({ atLeast, first }) =>
    `gives the whole list of ${atLeast} in one order, ${first[0]?.address ?? ''} first: the client chooses, and most take the first`,
  'rotating-one': (seen, type, has) =>
    has('cyclic')
      ? `gives one ${noun(1, type)} at a time, ${seen.atLeast} in turn: the server chooses`
      : `gives one of ${poolText(seen, type)}, another one each time${evenly(has)}: the server chooses`,
  'rotating-subset': (seen, type, has) =>
    `gives ${rangeText(seen.perAnswer)} of ${poolText(seen, type)}, ${has('cyclic') ? 'in turn' : `others each time${evenly(has)}`}: the server chooses which, the client among them`,
  single: (_seen, type) => `gives one ${noun(1, type)}, always the same`,
  cached: ({ countsDown, ttl }) =>
    countsDown
      ? `comes out of a cache (the TTL counts down from ${ttl?.max ?? 0}): order and choice are the cache's`
      : "comes through a resolver and was never fetched anew: order and choice may be its cache's",
  drifting: () => 'changed while it was asked, and stayed changed: a deploy, or a health check',
  empty: ({ rcode }, type, has) => {
    if (has('referral')) return REFERS
    return rcode === 'NXDOMAIN'
      ? 'answers NXDOMAIN: there is no such name'
      : `answers NODATA: the name has no ${type} record`
  },
  unclear: unclear,
}

function unclear(seen: RotationEvidence, type: string): string {
  if (seen.replies > 0) {
    const what = `gave the same ${counted(seen.atLeast, type)} in ${many(seen.replies, 'reply', 'replies')}`
    return `${what}: too few to tell constant from rotating`
  }
  return seen.rcode === undefined
    ? `no usable reply to ${many(seen.queries, 'query', 'queries')}`
    : `answers ${seen.rcode}, nothing else`
}

function evenly(has: (modifier: string) => boolean): string {
  return has('weighted') ? ', some more often than others' : ''
}

/** `at least 12 addresses, probably about 17` */
export function poolText(seen: RotationEvidence, type: string): string {
  const least = `at least ${counted(seen.atLeast, type)}`
  if (seen.probably === undefined) return `${least}, too many to estimate`
  return seen.probably > seen.atLeast ? `${least}, probably about ${seen.probably}` : least
}

function rangeText({ min, max }: RotationEvidence['perAnswer']): string {
  return min === max ? `${min}` : `${min} to ${max}`
}
