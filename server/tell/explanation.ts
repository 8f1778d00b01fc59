/**
 * Why one answer is what it is, as plain data: what each verb of the straight line left on the desk
 * after `serve`. There is no second way of deciding in here, only reading.
 */

import type { Desk } from '../answer/desk.ts'
import type { Peer } from '../answer/peer.ts'
import { KIND } from '../answer/reply.ts'
import { addressText } from '../dns/address.ts'
import { FLAG, type Message, rcodeText, readMessage } from '../dns/message.ts'
import { nameOf, nameText } from '../dns/name.ts'
import { TYPE, typeText } from '../dns/rrtype.ts'
import { isTailored, PICK, poolsOf, targetOctets } from '../steer/steering.ts'
import { nodeName, zoneName } from '../zone/zones.ts'
import { blockText } from './prefix.ts'
import { recordText } from './records.ts'

export type Explanation = {
  readonly schema: 'lbdns.explanation/1'
  readonly read: {
    readonly name: string
    readonly type: string
    /** The resolver's address. */
    readonly source: string
    /** The client subnet told; absent without the option. */
    readonly subnet?: string
    /** Most octets the reply may have. */
    readonly limit: number
  }
  readonly find: {
    /** The name that decided, at the end of the aliases. */
    readonly name: string
    readonly aliases: number
    readonly kind: string
    readonly zone?: string
    readonly node?: string
  }
  /** Absent where nothing was steered. */
  readonly steer?: Steered
  readonly reply: {
    readonly rcode: string
    readonly authoritative: boolean
    readonly truncated: boolean
    readonly scope: number
    readonly answer: readonly string[]
    readonly authority: readonly string[]
    readonly additional: readonly string[]
  }
  readonly write: { readonly octets: number }
}

export type Steered = {
  readonly rule: string
  /** Whether answers of this rule read the client at all. */
  readonly tailored: boolean
  /** Whose address chose; where it is nobody's, the default branch did. */
  readonly located: 'subnet' | 'peer' | 'nobody'
  /** The block for which the same holds; absent where nobody's address was read. */
  readonly block?: string
  /** The subnet is in a block that says nothing of the client, so the source's address chose. */
  readonly special: boolean
  readonly scope: number
  readonly ranking: readonly string[]
  readonly pool: string
  readonly pick: string
  readonly targets: readonly string[]
  readonly ttl: number
}

/**
 * Explains what is on a desk.
 *
 * @param octets the reply that `serve` wrote for it
 */
export function explanation(desk: Desk, peer: Peer, octets: Uint8Array): Explanation {
  const { query, reply } = desk
  const message = readMessage(octets)
  const steer = isSteered(desk) ? steered(desk, peer) : undefined
  return {
    schema: 'lbdns.explanation/1',
    read: {
      name: nameText(nameOf(query.name)),
      type: typeText(query.type),
      source: addressText(octetsOf(peer.octets, peer.family)),
      ...subnetOf(desk),
      limit: query.limit,
    },
    find: found(desk),
    ...(steer === undefined ? {} : { steer }),
    reply: {
      rcode: rcodeText(reply.rcode),
      authoritative: reply.authoritative,
      truncated: message !== undefined && (message.flags & FLAG.TC) !== 0,
      scope: reply.scope,
      ...sections(message),
    },
    write: { octets: octets.length },
  }
}

function octetsOf(address: Uint8Array, family: 0 | 4 | 6): Uint8Array {
  return address.slice(0, family === 6 ? 16 : 4)
}

function subnetOf({ query: { subnet } }: Desk): { readonly subnet?: string } {
  if (subnet.family === 0) return {}
  return { subnet: blockText(octetsOf(subnet.address, subnet.family), subnet.source) }
}

function found({ chain, finding, reply, world }: Desk): Explanation['find'] {
  const last = chain[reply.step]
  const name = last === undefined ? '.' : nameText(nameOf(last))
  const head = { name, aliases: reply.step, kind: finding.kind }
  if (finding.zone < 0) return head
  const zone = nameText(zoneName(world.zones, finding.zone))
  if (finding.node < 0) return { ...head, zone }
  return { ...head, zone, node: nameText(nodeName(world.zones, finding.node)) }
}

function isSteered({ reply }: Desk): boolean {
  const kinds = reply.kind.subarray(0, reply.entries)
  return kinds.includes(KIND.ADDRESSES) || kinds.includes(KIND.HOST)
}

function steered(desk: Desk, peer: Peer): Steered {
  const { decision, query, world } = desk
  const { steering } = world
  const bySubnet = decision.located === 'subnet' || decision.special
  const address = bySubnet
    ? octetsOf(query.subnet.address, query.subnet.family)
    : octetsOf(peer.octets, peer.family)
  const isRead = bySubnet && decision.scope > 0
  return {
    rule: nameText(steering.owners[decision.slot] ?? Uint8Array.of(0)),
    tailored: isTailored(steering, decision.slot),
    located: decision.located,
    ...(isRead ? { block: blockText(address, decision.scope) } : {}),
    special: decision.special,
    scope: decision.scope,
    ranking: poolsOf(steering, decision.ranking).map(pool => steering.poolNames[pool] ?? ''),
    pool: steering.poolNames[decision.pool] ?? '',
    pick: steering.pick[decision.slot] === PICK.rotate ? 'rotate' : 'shuffle',
    targets: targetsOf(desk),
    ttl: decision.ttl,
  }
}

function targetsOf({ decision, world: { steering } }: Desk): string[] {
  const chosen = [...decision.order.subarray(0, decision.count)]
  return chosen.map(place => {
    const octets = targetOctets(steering, decision.first + place)
    return decision.alias ? nameText(octets) : addressText(octets)
  })
}

type Sections = Pick<Explanation['reply'], 'answer' | 'authority' | 'additional'>

function sections(message: Message | undefined): Sections {
  const additionals = message?.additionals ?? []
  return {
    answer: (message?.answers ?? []).map(recordText),
    authority: (message?.authorities ?? []).map(recordText),
    additional: additionals.filter(record => record.type !== TYPE.OPT).map(recordText),
  }
}
