/** A policy served from a small zone, past the configuration: what `explain` explains. */
import { clientFrom } from '../../server/asked.ts'
import { addressFrom } from '../../server/config/prefix.ts'
import { typeFromText } from '../../server/dns/rrtype.ts'
import { type Explainable, type ExplainOptions, explain } from '../../server/explain.ts'
import { isWrong, wrongText } from '../../server/fault.ts'
import type { Places } from '../../server/geo/places.ts'
import type { Policy } from '../../server/steer/rule.ts'
import type { Explanation } from '../../server/tell/explain/explanation.ts'
import { compiled, NO_PLACES, wire } from './steering.ts'
import { worldWith } from './world.ts'

const ZONE = `$ORIGIN example.com.
$TTL 60
@ SOA ns1 hostmaster 7 7200 900 1209600 60
@ NS ns1
ns1 A 192.0.2.251
`

/** Problems fail the test. */
export function servingOf(policy: Policy, places: Places = NO_PLACES, more = ''): Explainable {
  const { steering, sites, said } = compiled(policy, places)
  const world = worldWith(ZONE + more, policy, steering, said)
  return { world, sites, config: { policy }, geo: { names: places.names } }
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
