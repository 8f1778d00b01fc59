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

export function controlFindings(about: readonly Observation[]): readonly Finding[] {
  const held = about.filter(holdsAnswer)
  return [...sourceZero(held), ...privateSubnets(held)]
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
  const bare = held.filter(({ sent }) => sent === undefined)
  for (const server of new Set(zero.map(seen => seen.server))) {
    const named = constantOf(zero.filter(seen => seen.server === server))
    const plain = constantOf(bare.filter(seen => seen.server === server))
    if (named === undefined || plain === undefined || named === plain) continue
    found.push(finding('ECS014', 'source 0 is answered unlike a query without the option', server))
  }
  return found
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
