/**
 * `explain` and `map`: an operator's question put to the very line that serves, without a socket.
 */
import { type Desk, openDesk } from './answer/desk.ts'
import type { Peer } from './answer/peer.ts'
import { serve } from './answer/serve.ts'
import type { World } from './answer/world.ts'
import type { Client, Down } from './asked.ts'
import type { AddressOctets } from './config/prefix.ts'
import { address } from './dns/address.ts'
import { endOpt, putOpt } from './dns/edns.ts'
import { HEADER, OPCODE, putCounts, putHeader } from './dns/message.ts'
import { nameBuffer, nameText, setName } from './dns/name.ts'
import { copyOctets, viewOf } from './dns/octets.ts'
import { CLASS, TYPE } from './dns/rrtype.ts'
import { clientSubnet, putClientSubnet } from './dns/subnet.ts'
import { type Wrong, wrong } from './fault.ts'
import type { Serving } from './load.ts'
import { type Board, openBoard } from './steer/board.ts'
import { chance } from './steer/chance.ts'
import type { Prefix } from './steer/rule.ts'
import { assumeSteady } from './steer/verdict.ts'
import { sharesIn } from './tell/explain/country.ts'
import type { Explanation, Supposed } from './tell/explain/explanation.ts'
import { explanationOf } from './tell/explain/line.ts'
import { find } from './zone/find.ts'
import { finding } from './zone/finding.ts'

/** What an operator asks. */
export type Asked = {
  /** Wire octets. */
  readonly name: Uint8Array
  readonly type: number
  readonly client: Client
  /** The resolver's address. */
  readonly source: AddressOctets
}

export type ExplainOptions = {
  /** For all that is drawn: with the same one, the same is drawn. */
  readonly seed: readonly number[]
  /** What is held to be down, for the sake of the question. */
  readonly down?: Down | undefined
  /** The state of targets; absent: all are up, and have been for long. It is not written to. */
  readonly board?: Board | undefined
}

/** As much of what is served as explaining needs. */
export type Explainable = Pick<Serving, 'world' | 'sites'> & {
  readonly config: Pick<Serving['config'], 'policy'>
  readonly geo: Pick<Serving['geo'], 'names'>
}

/** The size a resolver offers. */
const OFFERED = 1232

/** Explains what is answered. */
export function explain(serving: Explainable, asked: Asked, options: ExplainOptions): Explanation {
  const { config, geo, sites, world } = serving
  const { client, source } = asked
  const told = client.kind === 'none' ? undefined : client.prefix
  const query = new Uint8Array(512)
  const length = putQuery(viewOf(query), asked, told)
  const peer: Peer = {
    ...address(),
    family: source.family,
    transport: 'udp',
    ecs: true,
    port: 0,
    keepalive: 0,
  }
  peer.octets.set(source.octets)
  const board = boardWith(options.board ?? steadyBoard(serving), options.down)
  const desk = openDesk(world, chance(...options.seed), board)
  const reply = new Uint8Array(65_535)
  const octets = reply.subarray(0, serve(desk, query, length, reply, peer))
  const { policy } = config
  const supposed = supposedOf(desk, client, options.down)
  return explanationOf({ desk, peer, octets, told, supposed, policy, sites, databases: geo.names })
}

function steadyBoard({ config, world }: Explainable): Board {
  const board = openBoard(world.steering)
  assumeSteady(board, config.policy)
  return board
}

/** A copy of a board, some targets down. */
function boardWith(board: Board, down: Down | undefined): Board {
  if (down === undefined) return board
  const up = board.up.slice()
  for (const target of down.targets) up[target] = 0
  return { ...board, up }
}

function supposedOf(desk: Desk, client: Client, down: Down | undefined): Supposed | undefined {
  const isCountry = client.kind === 'country'
  if (!isCountry && down === undefined) return undefined
  return {
    ...(down === undefined ? {} : { down: down.named }),
    ...(isCountry ? { country: { ...client.told, rankings: sharesIn(desk, client.blocks) } } : {}),
  }
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
function putQuery(out: DataView, { name, type }: Asked, told: Prefix | undefined): number {
  putHeader(out, 0, 0, OPCODE.QUERY, 0)
  putCounts(out, 1, 0, 0, 1)
  const fixed = copyOctets(out, HEADER, name, 0, name.length)
  out.setUint16(fixed, type)
  out.setUint16(fixed + 2, CLASS.IN)
  const at = fixed + 4
  const end = putOpt(out, at, OFFERED, 0, 0)
  if (told === undefined) return end
  const subnet = clientSubnet()
  subnet.family = told.family
  subnet.source = told.bits
  subnet.address.set(told.octets)
  const after = putClientSubnet(out, end, subnet, 0)
  endOpt(out, at, after)
  return after
}
