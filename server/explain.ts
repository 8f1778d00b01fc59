/**
 * `explain` and `map`: an operator's question put to the very line that serves, without a socket.
 */
import { openDesk } from './answer/desk.ts'
import type { Peer } from './answer/peer.ts'
import { serve } from './answer/serve.ts'
import type { World } from './answer/world.ts'
import type { AddressOctets } from './config/prefix.ts'
import { address } from './dns/address.ts'
import { endOpt, putOpt } from './dns/edns.ts'
import { HEADER, OPCODE, putCounts, putHeader } from './dns/message.ts'
import { nameBuffer, nameText, setName } from './dns/name.ts'
import { putOctets, putU16 } from './dns/octets.ts'
import { CLASS, TYPE } from './dns/rrtype.ts'
import { clientSubnet, putClientSubnet } from './dns/subnet.ts'
import { type Wrong, wrong } from './fault.ts'
import { chance } from './steer/chance.ts'
import type { Prefix } from './steer/rule.ts'
import { type Explanation, explanation } from './tell/explanation.ts'
import { find } from './zone/find.ts'
import { finding } from './zone/finding.ts'

/** What an operator asks. */
export type Asked = {
  /** Wire octets. */
  readonly name: Uint8Array
  readonly type: number
  /** Absent: no client subnet is told. */
  readonly client?: Prefix | undefined
  /** The resolver's address. */
  readonly source: AddressOctets
}

/** The size a resolver offers. */
const OFFERED = 1232

/**
 * Explains what `world` answers.
 *
 * @param seed for the order of what is shuffled
 */
export function explain(world: World, asked: Asked, seed: readonly number[]): Explanation {
  const { source } = asked
  const query = new Uint8Array(512)
  const length = putQuery(query, asked)
  const peer: Peer = { ...address(), family: source.family, transport: 'udp', ecs: true }
  peer.octets.set(source.octets)
  const desk = openDesk(world, chance(...seed))
  const reply = new Uint8Array(65_535)
  const octets = serve(desk, query, length, reply, peer)
  return explanation(desk, peer, reply.subarray(0, octets))
}

/** The steered slot of a name, wildcards included, or why there is none. */
export function slotOf(world: World, name: Uint8Array): number | Wrong {
  const buffer = nameBuffer()
  setName(buffer, name, 0)
  const found = finding()
  find(world.zones, buffer, TYPE.A, found)
  if (found.kind === 'steered') return found.slot
  const fix = 'name one that stands under steer: in the configuration'
  return wrong(`${nameText(name)} is not steered`, fix)
}

/** The query a resolver would send: EDNS, and the client's subnet where there is one. */
function putQuery(out: Uint8Array, { name, type, client }: Asked): number {
  putHeader(out, 0, 0, OPCODE.QUERY, 0)
  putCounts(out, 1, 0, 0, 1)
  let at = putOctets(out, HEADER, name, 0, name.length)
  at = putU16(out, putU16(out, at, type), CLASS.IN)
  const end = putOpt(out, at, OFFERED, 0, 0)
  if (client === undefined) return end
  const subnet = clientSubnet()
  subnet.family = client.family
  subnet.source = client.bits
  subnet.address.set(client.octets)
  const after = putClientSubnet(out, end, subnet, 0)
  endOpt(out, at, after)
  return after
}
