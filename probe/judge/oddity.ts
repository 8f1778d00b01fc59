/**
 * Turns what was odd about single replies into findings: broken EDNS, malformed or stray replies,
 * negative answers without a SOA. Says nothing of steering.
 */
import { type Finding, type FindingId, finding } from './finding.ts'
import type { Observation } from './observation.ts'
import { countOf } from './odds.ts'
import { fellBack, holdsAnswer, setOf } from './reply.ts'

// biome-ignore format: table
const ODDITIES: Readonly<Record<string, readonly [FindingId, string]>> = {
  'wrong-id':            ['DNS004', 'stray replies with another ID were ignored'],
  'wrong-question':      ['DNS004', 'replies to another question were ignored'],
  'wrong-source':        ['DNS004', 'replies from another address were ignored'],
  'other-owner':         ['DNS006', 'records of other owners were in the answer and were not counted'],
  'cname-after-address': ['DNS005', 'an alias comes after the records it leads to'],
  'cname-loop':          ['DNS005', 'the aliases form a loop'],
  'opt-misplaced':       ['DNS007', 'the OPT record is outside the additional section'],
  'two-subnets':         ['ECS002', 'the option comes twice in one reply, and the first is read'],
  'subnet-malformed':    ['ECS002', 'the option is shorter than its four fixed octets'],
  'options-malformed':   ['DNS003', 'the options of the OPT record are cut short'],
  'unknown-option-echoed': ['ECS019', 'an unknown option is echoed too, so the echo of the subnet proves nothing'],
}

/** One finding a kind of oddity and server, however often it was seen. */
export function oddities(observations: readonly Observation[]): readonly Finding[] {
  const servers = [...new Set(observations.map(seen => seen.server))]
  return servers.flatMap(server =>
    oddOf(
      server,
      observations.filter(on => on.server === server),
    ),
  )
}

function oddOf(server: string, observations: readonly Observation[]): readonly Finding[] {
  const found: Finding[] = []
  const names = countOf(observations.flatMap(seen => seen.oddities))
  for (const [name, count] of names) {
    const known = ODDITIES[name]
    if (known !== undefined) found.push(finding(known[0], `${known[1]} (${count}×)`, server))
  }
  const without = observations.filter(fellBack).length
  if (without > 0) {
    found.push(finding('DNS002', `answers only without EDNS (${without}×)`, server))
  }
  const broken = observations.filter(({ error }) => error === 'malformed' || error === 'truncated')
  if (broken.length > 0) {
    found.push(finding('DNS003', `replies are malformed or cut short (${broken.length}×)`, server))
  }
  const bare = observations.filter(isBareNegative).length
  if (bare > 0) found.push(finding('DNS001', `negative answers carry no SOA (${bare}×)`, server))
  return found
}

/** NODATA or NXDOMAIN without the SOA that says how long that holds. RFC 2308 §2.2, §3. */
function isBareNegative(seen: Observation): boolean {
  const isEmpty = setOf(seen).length === 0 && seen.referral === undefined
  return holdsAnswer(seen) && isEmpty && !seen.soa
}
