/**
 * Findings about client subnets, ECS001 … ECS019, as far as `ecs` can see them. The verdict does not
 * depend on them; both are read from the same facts.
 */
import { besideFindings } from './beside.ts'
import { blockText } from './block.ts'
import { controlFindings } from './controls.ts'
import type { Facts } from './facts.ts'
import { type Finding, finding, findingAt, many } from './finding.ts'
import { subnetOf } from './grid.ts'
import type { Observation } from './observation.ts'
import { oddities } from './oddity.ts'
import { rateLimits } from './rate-limited.ts'
import { echoState, holdsAnswer, isCopied, isRefused, setOf } from './reply.ts'
import { serverFindings } from './servers.ts'
import { unsolicited } from './unsolicited.ts'
import type { EcsCode } from './verdict.ts'

/** Places named in one finding; the rest are counted. */
const PLACES = 3

export function inspect(facts: Facts, code: EcsCode): readonly Finding[] {
  return [
    ...echoFindings(facts),
    ...unsolicited(facts.about),
    ...scopeFindings(facts, code),
    ...sourceFindings(facts),
    ...negativeFindings(facts.about),
    ...serverFindings(facts.about, facts.treatments),
    ...controlFindings(facts.about, facts.beside),
    ...besideFindings(facts.beside),
    ...oddities(facts.about),
    ...rateLimits(facts.about),
  ]
}

function echoFindings(facts: Facts): readonly Finding[] {
  const { about, echoes, levels, resolved } = facts
  const found: Finding[] = []
  const held = about.filter(seen => (seen.sent?.source ?? 0) > 0 && holdsAnswer(seen))
  const missing = held.filter(seen => echoState(seen) === 'missing')
  if (missing.length > 0 && (echoes.exact > 0 || levels.dependent)) {
    const what = `${many(missing.length, 'reply lacks', 'replies lack')} the option`
    found.push(finding('ECS001', what, places(missing)))
  }
  const mismatch = held.filter(seen => echoState(seen) === 'mismatch')
  const other = mismatch.filter(seen => !isCopied(seen))
  if (other.length > 0) {
    const what = `${many(other.length, 'reply carries', 'replies carry')} another subnet than was sent`
    found.push(finding('ECS002', what, places(other)))
  }
  const beyond = mismatch.filter(isCopied)
  if (beyond.length > 0) {
    const scope = `scope ${beyond[0]?.echo?.scope}, past the end of an address`
    const what = `${many(beyond.length, 'reply has', 'replies have')} ${scope}`
    found.push(finding('ECS002', what, places(beyond)))
  }
  if (resolved) {
    const what = 'asked through a resolver: its option shows what it says, not what it passed on'
    found.push(finding('ECS018', what, facts.grid.server))
  }
  return [...found, ...refusals(about)]
}

/** Errors to queries with the option, where the same without it succeeds. */
function refusals(about: readonly Observation[]): readonly Finding[] {
  const refused = about.filter(isRefused)
  const bare = about.filter(seen => seen.sent === undefined && seen.error === undefined)
  if (refused.length === 0 || bare.length === 0 || !bare.every(holdsAnswer)) return []
  const codes = [...new Set(refused.map(({ rcode }) => rcode ?? 'FORMERR'))].join(', ')
  const what = `${codes} to ${many(refused.length, 'query', 'queries')} with a client subnet`
  return [finding('ECS017', what, places(refused))]
}

function scopeFindings({ scope, levels }: Facts, code: EcsCode): readonly Finding[] {
  const found: Finding[] = []
  if (levels.dependent && scope.zero.length > 0) {
    const what =
      'scope 0 says that the answer is for everybody, but others are answered differently'
    found.push(finding('ECS004', what, list(scope.zero)))
  }
  if (code === 'scope-theatre') {
    found.push(finding('ECS005', 'scopes are above 0, yet all answers are alike'))
  }
  for (const { outer, inner } of scope.overlaps.slice(0, PLACES)) {
    const what = `overlaps ${blockText(inner)}: the order of queries decides what is cached`
    found.push(finding('ECS006', what, blockText(outer)))
  }
  for (const { block, networks } of levels.dependent ? scope.short.slice(0, PLACES) : []) {
    const what = `holds networks that are answered differently: ${list(networks)}`
    found.push(finding('ECS006', what, blockText(block)))
  }
  return found
}

/** SCOPE past SOURCE: the answer wants more bits than it was told. RFC 7871 §7.2.1. */
function sourceFindings({ grid }: Facts): readonly Finding[] {
  const past = grid.replies.filter(({ sent, echo }) => {
    return sent !== undefined && sent.source > 0 && (echo?.scope ?? 0) > sent.source
  })
  const [first] = past
  if (first?.echo === undefined || echoState(first) !== 'exact') return []
  const what = `scope ${first.echo.scope} for a source of ${first.echo.source} (${past.length}×)`
  const usual = first.echo.family === 1 ? 24 : 56
  const level = first.echo.scope > usual ? 'warning' : 'note'
  return [findingAt(level, 'ECS007', what, places(past))]
}

function negativeFindings(about: readonly Observation[]): readonly Finding[] {
  const found: Finding[] = []
  const scoped = about.filter(seen => holdsAnswer(seen) && (seen.echo?.scope ?? 0) > 0)
  const referrals = scoped.filter(({ referral }) => referral !== undefined)
  if (referrals.length > 0) {
    const what = `${many(referrals.length, 'referral has', 'referrals have')} a scope above 0`
    found.push(finding('ECS009', what, places(referrals)))
  }
  const negative = scoped.filter(seen => setOf(seen).length === 0 && seen.referral === undefined)
  if (negative.length > 0) {
    const what = `${many(negative.length, 'negative answer has', 'negative answers have')} a scope above 0`
    found.push(finding('ECS008', what, places(negative)))
  }
  const chained = scoped.filter(
    ({ chain, answers }) => chain.length > 1 || (chain.length > 0 && answers.length > 0),
  )
  if (chained.some(({ flags }) => flags.aa)) {
    const what = 'a tailored answer goes on past its first alias'
    found.push(finding('ECS010', what, places(chained)))
  }
  return found
}

function places(observations: readonly Observation[]): string {
  return list([...new Set(observations.map(subnetOf))])
}

function list(names: readonly string[]): string {
  const more = names.length > PLACES ? ` and ${names.length - PLACES} more` : ''
  return names.slice(0, PLACES).join(', ') + more
}
