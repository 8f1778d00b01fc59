/** A policy served from a small zone, past the configuration: what `explain` explains. */
import { ecsPolicy } from '../../server/answer/ecs.ts'
import { clientFrom } from '../../server/asked.ts'
import { addressFrom } from '../../server/config/prefix.ts'
import { typeFromText } from '../../server/dns/rrtype.ts'
import { type Explainable, type ExplainOptions, explain } from '../../server/explain.ts'
import { isWrong, problemText, remarks, wrong, wrongText } from '../../server/fault.ts'
import type { Places } from '../../server/geo/places.ts'
import type { Policy, Rule } from '../../server/steer/rule.ts'
import { isTailored, type Steering } from '../../server/steer/steering.ts'
import type { Explanation } from '../../server/tell/explain/explanation.ts'
import { compileZones, type SteeredOwner } from '../../server/zone/compile.ts'
import { parseZone } from '../../server/zone/master.ts'
import { compiled, NO_PLACES, wire } from './steering.ts'

const ZONE = `$ORIGIN example.com.
$TTL 60
@ SOA ns1 hostmaster 7 7200 900 1209600 60
@ NS ns1
ns1 A 192.0.2.251
`

/** Problems fail the test. */
export function servingOf(policy: Policy, places: Places = NO_PLACES, more = ''): Explainable {
  const { steering, sites, said } = compiled(policy, places)
  const found = remarks()
  const include = () => wrong('no includes here')
  const records = parseZone({ file: 'a.zone', text: ZONE + more, include }, found)
  const owners = policy.rules.map((rule, slot) => ownerOf(steering, rule, slot))
  const zones = compileZones(records === undefined ? [] : [records], owners, found)
  const problems = [...said.problems, ...found.problems]
  if (problems.length > 0) throw new Error(problems.map(problemText).join('\n'))
  const ecs = ecsPolicy({ enabled: true, allow: [], deny: [] })
  const world = { zones, steering, ecs, chaos: [], digest: '' }
  return { world, sites, config: { policy }, geo: { names: places.names } }
}

function ownerOf(
  steering: Steering,
  { at, owner, services = [] }: Rule,
  slot: number,
): SteeredOwner {
  const answers = steering.alias[slot] === 1 ? 'alias' : 'addresses'
  const types = [1, 28, ...services.map(({ type }) => type)]
  return { owner, slot, answers, types, tailored: isTailored(steering, slot), at }
}

export type Question = {
  readonly name?: string
  readonly type?: string
  /** As on the command line; default: none. */
  readonly client?: string
  readonly source?: string
} & Partial<ExplainOptions>

/** Explains one question; what is wrong with it fails the test. */
export function explained(serving: Explainable, question: Question = {}): Explanation {
  const { client = 'none', name = 'www.example.com.', type = 'A' } = question
  const { source = '127.0.0.1', seed = [7], ...options } = question
  const told = clientFrom(client, serving)
  const from = addressFrom(source)
  if (isWrong(told)) throw new Error(wrongText(told))
  if (isWrong(from)) throw new Error(wrongText(from))
  const asked = { name: wire(name), type: typeFromText(type) ?? 0, client: told, source: from }
  return explain(serving, asked, { ...options, seed })
}
