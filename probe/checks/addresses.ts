/**
 * Holds addresses against lists and prefixes. A pool that rotates is never seen whole for certain: an
 * address that did not come up fails an assertion only where chance would hardly have hidden it.
 */
import type { Judgement } from '../judge/judgement.ts'
import { isAddressType, networkOf, sameFamily, tidy, within } from './address.ts'
import type { WishedSet } from './check.ts'
import { type Evidence, isSilent, type Said, said } from './evidence.ts'

/** What was seen of a pool, and how hard it was looked at. */
type Seen = {
  readonly list: readonly string[]
  /** Addresses drawn, one by one, from a pool that rotates; absent: every answer is whole. */
  readonly draws: number | undefined
  /** Whether there was a reply at all. */
  readonly answered: boolean
}

/** Chance taken that an address is merely hidden by rotation. */
const HIDDEN = 0.01

/** All addresses seen, from any client. */
export function ruleAddresses(set: WishedSet, type: string, evidence: Evidence): Said {
  return ruleSet(set, type, seenBy(evidence))
}

/** Those that clients in one country were given. */
export function ruleCountry(
  country: string,
  set: WishedSet,
  type: string,
  { ecs }: Evidence,
): Said {
  const rows = ecs.flatMap(({ scopes }) => scopes.filter(({ region }) => region === country))
  const answered = rows.filter(({ echo }) => echo !== 'unanswered')
  if (answered.length === 0) {
    const why = rows.length === 0 ? 'was asked for' : 'got an answer'
    return said('inconclusive', expectedText(set), `no subnet in ${country} ${why}`)
  }
  const rotates = answered.some(({ sets }) => sets > 1)
  const rounds = Math.max(0, ...ecs.map(({ verdict: { evidence: on } }) => roundsOf(on)))
  const list = tidy(answered.flatMap(({ answers }) => answers))
  const draws = rotates ? rounds * answered.length : undefined
  return ruleSet(set, type, { list, draws, answered: true })
}

/** How many there are: a rotating pool may hold more than came up. */
export function ruleLeast(least: number, evidence: Evidence): Said {
  const { list, draws, answered } = seenBy(evidence)
  const expected = `${least} or more`
  if (!answered) return said('inconclusive', expected, 'no reply')
  const seen = `${list.length}${list.length === 0 ? '' : `: ${list.join(' ')}`}`
  if (list.length >= least) return said('pass', expected, seen)
  if (draws === undefined || hidden(least, draws) <= HIDDEN) return said('fail', expected, seen)
  return said('inconclusive', expected, `${seen}; a pool that rotates may hold more`)
}

function ruleSet(set: WishedSet, type: string, { list, draws, answered }: Seen): Said {
  const wished = isAddressType(type) ? set.list.filter(one => sameFamily(one, type)) : set.list
  const expected = expectedText({ ...set, list: wished })
  if (!answered) return said('inconclusive', expected, 'no reply')
  if (set.how === 'within') return ruleWithin(wished, list, expected)
  const known = tidy(wished)
  const missing = known.filter(one => !list.includes(one))
  const extra = set.how === 'exactly' ? list.filter(one => !known.includes(one)) : []
  const seen = [
    list.join(' ') || 'no address',
    ...(extra.length > 0 ? [`too many: ${extra.join(' ')}`] : []),
    ...(missing.length > 0 ? [`missing: ${missing.join(' ')}`] : []),
  ].join('; ')
  if (extra.length === 0 && missing.length === 0) return said('pass', expected, seen)
  const size = Math.max(known.length, list.length)
  const isHidden = draws !== undefined && hidden(size, draws) > HIDDEN
  if (extra.length > 0 || !isHidden) return said('fail', expected, seen)
  return said('inconclusive', expected, `${seen} (rotates, so it may not have come up)`)
}

function ruleWithin(prefixes: readonly string[], list: readonly string[], expected: string): Said {
  const networks = prefixes.flatMap(prefix => networkOf(prefix) ?? [])
  const outside = list.filter(one => !networks.some(network => within(one, network)))
  if (list.length === 0) {
    return said(prefixes.length === 0 ? 'pass' : 'fail', expected, 'no address')
  }
  if (outside.length === 0) return said('pass', expected, list.join(' '))
  return said('fail', expected, `${list.join(' ')}; outside: ${outside.join(' ')}`)
}

function expectedText({ how, list }: WishedSet): string {
  return `${how} ${list.join(' ') || 'none'}`
}

/** Chance that one of a pool of equal shares at least does not come up in so many draws. */
function hidden(pool: number, draws: number): number {
  return Math.min(1, pool * (1 - 1 / pool) ** draws)
}

/** By `dns2` and, where it was measured too, by `ecs`. */
function seenBy({ rotation, ecs, rotationSeen }: Evidence): Seen {
  const all = [...rotation, ...ecs]
  const drawn = all.flatMap(one => drawsOf(one) ?? [])
  const rows = ecs.flatMap(({ scopes }) => scopes.flatMap(({ answers }) => answers))
  return {
    list: tidy([...rotationSeen.flatMap(({ answers }) => answers), ...rows]),
    draws: drawn.length === 0 ? undefined : drawn.reduce((sum, draws) => sum + draws, 0),
    answered: all.some(one => !isSilent(one)),
  }
}

/** Undefined where each answer is the whole pool. */
function drawsOf(one: Judgement): number | undefined {
  const { evidence } = one.verdict
  if (evidence.kind === 'rotation') {
    const whole = evidence.perAnswer.min === evidence.atLeast
    return whole ? undefined : (evidence.replies - evidence.empty) * evidence.perAnswer.min
  }
  const rotates = one.scopes.some(({ sets }) => sets > 1)
  return rotates ? evidence.rounds * evidence.subnets : undefined
}

function roundsOf(evidence: Judgement['verdict']['evidence']): number {
  return evidence.kind === 'ecs' ? evidence.rounds : 0
}
