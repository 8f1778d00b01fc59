/**
 * One line of the query log: a JSON document with the keys of `QueryLine`, in that order, ASCII but
 * for names of pools. What clients chose stands in it escaped, so no name can end a line or a text.
 */
import type { Transport } from '../answer/peer.ts'
import type { Sampled } from '../answer/sampled.ts'
import { prefixText } from '../config/prefix.ts'
import { rcodeText } from '../dns/message.ts'
import { type Name, nameText, sameName } from '../dns/name.ts'
import { typeText } from '../dns/rrtype.ts'

/** The keys are stable: other programs read them. New ones may be added. */
export type QueryLine = {
  /** RFC 3339, UTC, milliseconds: when the line was made, at most some 250 ms after the query. */
  readonly time: string
  /** A prefix, at most a /24 or a /48; `0.0.0.0/0` or `::/0` where the client would not be located. */
  readonly client: string
  /** Who told of the client: `ecs` the client subnet option, `peer` the query's source. */
  readonly from: 'ecs' | 'peer'
  /** As asked but in lower case, and as master files write it, RFC 1035 §5.1. Absent, as `type` is,
   *  where no question could be read. */
  readonly name?: string
  /** Such as `A`, `TYPE65280`. */
  readonly type?: string
  /** Such as `NXDOMAIN`, `RCODE12`. */
  readonly rcode: string
  /** SCOPE PREFIX-LENGTH, RFC 7871 §6; 0 too where no option was sent. */
  readonly scope: number
  /** The pool that served. Absent, as `steer` is, where nothing was steered, or no pool serves. */
  readonly pool?: string
  /** The steered name that chose it, where that is not the name asked: a wildcard, an alias's end. */
  readonly steer?: string
  readonly transport: Transport
  /** Octets of the reply. */
  readonly size: number
  /** The chance that a query had to be here: each line stands for 1 ÷ sample of them. */
  readonly sample: number
}

/** What numbers in records mean that were written while one World was served. */
export type Meaning = {
  readonly share: number
  readonly owners: readonly Name[]
  readonly poolNames: readonly string[]
}

/** The line, with its end. */
export function queryLine(sampled: Sampled, meaning: Meaning, time: string): string {
  const { client, from, name, rcode, scope, size, transport, type } = sampled
  const line: QueryLine = {
    time,
    client: prefixText(client),
    from,
    ...(name && { name: nameText(name), type: typeText(type) }),
    rcode: rcodeText(rcode),
    scope,
    ...steeredBy(sampled, meaning),
    transport,
    size,
    sample: meaning.share,
  }
  return `${JSON.stringify(line)}\n`
}

function steeredBy(
  { name, pool, slot }: Sampled,
  { owners, poolNames }: Meaning,
): Pick<QueryLine, 'pool' | 'steer'> {
  const owner = slot === undefined ? undefined : owners[slot]
  const served = pool === undefined ? undefined : poolNames[pool]
  if (owner === undefined || served === undefined) return {}
  if (name !== undefined && sameName(name, owner)) return { pool: served }
  return { pool: served, steer: nameText(owner) }
}
