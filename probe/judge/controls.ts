/**
 * Findings from the control queries: no option, SOURCE 0, and private subnets, whose answers all
 * must be what the resolver's own address would get.
 */
import { type Block, blockOf, blockText, contains } from './block.ts'
import { type Finding, finding } from './finding.ts'
import type { Observation } from './observation.ts'
import { echoState, holdsAnswer, setKey, setOf } from './reply.ts'

/** RFC 1918 and RFC 4193, whose scope must cover the whole private block. RFC 7871 §10. */
const PRIVATE: readonly Block[] = [
  blockOf(1, '0a', 8),
  blockOf(1, 'ac10', 12),
  blockOf(1, 'c0a8', 16),
  blockOf(2, 'fc', 7),
]

/** @param beside private subnets that were asked for on purpose */
export function controlFindings(
  about: readonly Observation[],
  beside: readonly Observation[],
): readonly Finding[] {
  const held = about.filter(holdsAnswer)
  const hidden = beside.filter(seen => seen.purpose === 'private' && holdsAnswer(seen))
  return [...sourceZero(held), ...privateSubnets([...held, ...hidden]), ...unlike(held, hidden)]
}

/** SOURCE 0 asks not to be located: as without the option, and scope 0. RFC 7871 §7.1.2. */
function sourceZero(held: readonly Observation[]): readonly Finding[] {
  const found: Finding[] = []
  const zero = held.filter(({ sent }) => sent?.source === 0)
  const scoped = zero.find(seen => (seen.echo?.scope ?? 0) > 0)
  if (scoped !== undefined) {
    const what = `a query with source 0 is answered with scope ${scoped.echo?.scope}`
    found.push(finding('ECS014', what, scoped.sent?.text))
  }
  for (const [server, text, own] of bySubnet(zero)) {
    const plain = constantOf(bare(held, server))
    if (own === undefined || plain === undefined || own === plain) continue
    const what = `${text} is answered unlike a query without the option`
    found.push(finding('ECS014', what, server))
  }
  return found
}

/**
 * A private subnet is nobody's place: it should get what the resolver's own address would. RFC 7871
 * §10. The answer for SOURCE 0 will do too, where the address that asked is located.
 */
function unlike(held: readonly Observation[], hidden: readonly Observation[]): readonly Finding[] {
  const exact = hidden.filter(seen => echoState(seen) === 'exact')
  return bySubnet(exact).flatMap(([server, text, own]) => {
    const zero = held.filter(seen => seen.server === server && seen.sent?.source === 0)
    const plain = [constantOf(bare(held, server)), constantOf(zero)]
    if (own === undefined || plain[0] === undefined || plain.includes(own)) return []
    return [finding('ECS012', 'is answered unlike a query without the option', text)]
  })
}

function bare(held: readonly Observation[], server: string): readonly Observation[] {
  return held.filter(seen => seen.server === server && seen.sent === undefined)
}

/** Server, subnet, and the one set it was given, if it was one. */
function bySubnet(
  held: readonly Observation[],
): readonly (readonly [server: string, subnet: string, set: string | undefined])[] {
  const pairs = new Map(
    held.map(({ server, sent }) => [`${server} ${sent?.text}`, { server, sent }]),
  )
  return [...pairs.values()].map(({ server, sent }) => {
    const own = held.filter(seen => seen.server === server && seen.sent?.text === sent?.text)
    return [server, sent?.text ?? '', constantOf(own)]
  })
}

/** The one set that at least three replies all held, or undefined: rotation is no disagreement. */
function constantOf(held: readonly Observation[]): string | undefined {
  const keys = new Set(held.map(seen => setKey(setOf(seen))))
  return held.length >= 3 && keys.size === 1 ? [...keys][0] : undefined
}

function privateSubnets(held: readonly Observation[]): readonly Finding[] {
  const found = new Map<string, Finding>()
  for (const { sent, echo } of held.filter(seen => echoState(seen) === 'exact')) {
    if (sent === undefined || echo === undefined || sent.source === 0) continue
    const block = PRIVATE.find(on => contains(on, blockOf(sent.family, sent.address, sent.source)))
    if (block === undefined || echo.scope <= block.bits) continue
    const what = `scope ${echo.scope} does not cover the private block ${blockText(block)}`
    found.set(sent.text, finding('ECS012', what, sent.text))
  }
  return [...found.values()]
}
