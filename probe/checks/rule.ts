/**
 * Holds every assertion of a check against what was measured: one ruling each, for each type. Pure:
 * judgements and observations in, rulings out.
 */
import type { Ruling } from '../judge/ruling.ts'
import { ruleAddresses, ruleCountry, ruleLeast } from './addresses.ts'
import type { Check, Wish } from './check.ts'
import { ruleCode, ruleScope, ruleTtl, ruleTtlPolicy } from './codes.ts'
import { type Evidence, isSilent, type Said, said, together } from './evidence.ts'
import { ruleAllNs } from './servers.ts'

export function ruleCheck(check: Check, type: string, evidence: Evidence): readonly Ruling[] {
  return check.wishes.map(wish => ({
    name: check.name,
    type,
    assertion: wish.label,
    at: wish.at,
    ...ruleWish(wish, type, evidence),
  }))
}

function ruleWish(wish: Wish, type: string, evidence: Evidence): Said {
  switch (wish.kind) {
    case 'rotation':
      return ruleCode(wish.codes, evidence.rotation)
    case 'verdict':
      return ruleCode(wish.words, evidence.ecs)
    case 'addresses':
      return ruleAddresses(wish.set, type, evidence)
    case 'country':
      return ruleCountry(wish.country, wish.set, type, evidence)
    case 'least':
      return ruleLeast(wish.addresses, evidence)
    case 'scope':
      return ruleScope(wish.bound, wish.bits, evidence.ecs)
    case 'ttl':
      return ruleTtl(wish.bound, wish.seconds, evidence.rotation)
    case 'ttl-policy':
      return ruleTtlPolicy(wish.policy, evidence.rotation)
    case 'all-ns':
      return ruleAllNs(evidence)
    case 'forbid':
      return ruleForbidden(wish.id, evidence)
  }
}

/** What was not measured to the end may still hide it. */
function ruleForbidden(id: string, { rotation, ecs }: Evidence): Said {
  const expected = `no ${id}`
  return together(
    expected,
    [...rotation, ...ecs].map(one => {
      const found = one.findings.find(finding => finding.id === id)
      if (found !== undefined) {
        const where = found.where === undefined ? '' : ` (${found.where})`
        return said('fail', expected, `${found.message}${where}`)
      }
      return isSilent(one)
        ? said('inconclusive', expected, 'no reply')
        : said('pass', expected, 'not found')
    }),
  )
}
