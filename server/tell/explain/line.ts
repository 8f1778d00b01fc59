/**
 * Reads an explanation off a desk: what each verb of the straight line left there after `serve`.
 * There is no second way of deciding in here, nor in the files that it calls.
 */
import type { Desk } from '../../answer/desk.ts'
import { KIND } from '../../answer/reply.ts'
import { addressText } from '../../dns/address.ts'
import { FLAG, type Message, rcodeText, readMessage } from '../../dns/message.ts'
import { nameOf, nameText } from '../../dns/name.ts'
import { TYPE, typeText } from '../../dns/rrtype.ts'
import { isTailored } from '../../steer/steering.ts'
import { nodeName, zoneName } from '../../zone/zones.ts'
import { prefixText } from '../prefix.ts'
import { recordText } from '../records.ts'
import { digLines } from './dig.ts'
import type { Explanation, Found, Replied } from './explanation.ts'
import type { Served } from './served.ts'
import { steered } from './steer.ts'

/** Explains what is on a desk. */
export function explanationOf(served: Served): Explanation {
  const { desk, octets, supposed } = served
  const message = readMessage(octets)
  return {
    schema: 'lbdns.explanation/2',
    ...(supposed === undefined ? {} : { supposed }),
    read: read(served),
    find: found(desk),
    ...(isSteered(desk) ? { steer: steered(served) } : {}),
    reply: replied(desk, message),
    write: { octets: octets.length, dig: message === undefined ? [] : digLines(message) },
  }
}

function read({ desk: { query }, peer, told }: Served): Explanation['read'] {
  return {
    name: nameText(nameOf(query.name)),
    type: typeText(query.type),
    source: addressText(peer.octets.slice(0, peer.family === 6 ? 16 : 4)),
    ...(told === undefined ? {} : { subnet: prefixText(told.octets, told.bits) }),
    limit: query.limit,
  }
}

function found(desk: Desk): Found {
  const { chain, finding, reply, world } = desk
  const names = chain.slice(0, reply.step + 1).map(buffer => nameText(nameOf(buffer)))
  const name = names.pop() ?? '.'
  const head = { name, aliases: names, kind: finding.kind, ...unsteered(desk), ...telling(desk) }
  if (finding.zone < 0) return head
  const zone = nameText(zoneName(world.zones, finding.zone))
  if (finding.node < 0) return { ...head, zone }
  return { ...head, zone, node: nameText(nodeName(world.zones, finding.node)) }
}

function unsteered(desk: Desk): Pick<Found, 'unsteered'> {
  const { finding, reply, world } = desk
  if (finding.kind !== 'steered' || isSteered(desk)) return {}
  const isLeft = reply.step > 0 && isTailored(world.steering, finding.slot)
  return { unsteered: isLeft ? 'asked anew' : 'no such addresses' }
}

function telling({ reply }: Desk): Pick<Found, 'tells'> {
  return reply.entries > 0 && reply.kind[0] === KIND.WHOAMI ? { tells: 'who asks' } : {}
}

const CHOSEN: readonly number[] = [KIND.ADDRESSES, KIND.HOST, KIND.SERVICE]

/** Tells whether a rule chose anything. */
export function isSteered({ reply }: Desk): boolean {
  return reply.kind.subarray(0, reply.entries).some(kind => CHOSEN.includes(kind))
}

function replied({ query, reply }: Desk, message: Message | undefined): Replied {
  const { answers = [], authorities = [], additionals = [] } = message ?? {}
  return {
    rcode: rcodeText(reply.rcode),
    authoritative: reply.authoritative,
    truncated: message !== undefined && (message.flags & FLAG.TC) !== 0,
    ...(query.subnet.family === 0 ? {} : { scope: reply.scope }),
    answer: answers.map(recordText),
    authority: authorities.map(recordText),
    additional: additionals.filter(({ type }) => type !== TYPE.OPT).map(recordText),
  }
}
