/** Holds verdicts, scopes and TTLs against what was wished. */
import type { Judgement } from '../judge/judgement.ts'
import type { TtlPolicy } from './check.ts'
import { codeText, isSilent, listText, type Said, said, together } from './evidence.ts'

/** What `dns2` or `ecs` says, by code or by plain answer. What is unclear does not fail. */
export function ruleCode(words: readonly string[], judgements: readonly Judgement[]): Said {
  const expected = listText(words)
  return together(
    expected,
    judgements.map(one => {
      const { code, answer } = one.verdict
      if (isSilent(one)) return said('inconclusive', expected, codeText(one))
      if (words.includes(code) || words.includes(answer)) {
        return said('pass', expected, codeText(one))
      }
      return said(answer === 'unclear' ? 'inconclusive' : 'fail', expected, codeText(one))
    }),
  )
}

/** The scopes of replies that returned the option as it was sent. */
export function ruleScope(
  bound: 'min' | 'max',
  bits: number,
  judgements: readonly Judgement[],
): Said {
  const expected = bound === 'min' ? `/${bits} or longer` : `/${bits} or shorter`
  return together(
    expected,
    judgements.map(one => {
      const { evidence } = one.verdict
      const scopes = evidence.kind === 'ecs' ? Object.keys(evidence.scopes).map(Number) : []
      if (isSilent(one)) return said('inconclusive', expected, codeText(one))
      if (scopes.length === 0) return said('fail', expected, 'no option came back as it was sent')
      const met = scopes.every(scope => (bound === 'min' ? scope >= bits : scope <= bits))
      return said(met ? 'pass' : 'fail', expected, spanText(scopes, '/'))
    }),
  )
}

/** A cache lowers every TTL, so that one below `min` says nothing of the zone. */
export function ruleTtl(
  bound: 'min' | 'max',
  seconds: number,
  judgements: readonly Judgement[],
): Said {
  const expected = bound === 'min' ? `${seconds} s or more` : `${seconds} s or less`
  return together(
    expected,
    judgements.map(one => {
      const seen = ttlOf(one)
      if (seen === undefined) return said('inconclusive', expected, noTtl(one))
      const met = bound === 'min' ? seen.min >= seconds : seen.max <= seconds
      const cached = bound === 'min' && seen.countsDown
      return said(met ? 'pass' : cached ? 'inconclusive' : 'fail', expected, ttlText(seen))
    }),
  )
}

/** Under so many replies in which the TTL stood still, it may still be a cache's. */
const FEW = 5

export function ruleTtlPolicy(policy: TtlPolicy, judgements: readonly Judgement[]): Said {
  return together(
    policy,
    judgements.map(one => {
      const seen = ttlOf(one)
      if (seen === undefined) return said('inconclusive', policy, noTtl(one))
      if (policy === 'counting-down') {
        return said(seen.countsDown ? 'pass' : 'fail', policy, ttlText(seen))
      }
      if (seen.min !== seen.max) return said('fail', policy, ttlText(seen))
      return said(seen.replies < FEW ? 'inconclusive' : 'pass', policy, ttlText(seen))
    }),
  )
}

type Ttl = {
  readonly min: number
  readonly max: number
  readonly countsDown: boolean
  readonly replies: number
}

function ttlOf({ verdict: { evidence } }: Judgement): Ttl | undefined {
  if (evidence.kind !== 'rotation' || evidence.ttl === undefined) return undefined
  return { ...evidence.ttl, countsDown: evidence.countsDown, replies: evidence.replies }
}

function ttlText({ min, max, countsDown }: Ttl): string {
  const span = min === max ? `${max} s` : `${min} to ${max} s`
  return countsDown ? `${span}, counting down` : span
}

function noTtl(one: Judgement): string {
  return isSilent(one) ? codeText(one) : 'no record, so no TTL'
}

function spanText(values: readonly number[], sign: string): string {
  const least = Math.min(...values)
  const most = Math.max(...values)
  return least === most ? `${sign}${most}` : `${sign}${least} to ${sign}${most}`
}
