/** Short ways to say policies, clients and what they get, for tests of steering. */
import { Address4, Address6 } from 'ip-address'
import { type Address, address } from '../../server/dns/address.ts'
import { canonical } from '../../server/dns/name.ts'
import { type ClientSubnet, clientSubnet } from '../../server/dns/subnet.ts'
import { type Remarks, remarks } from '../../server/fault.ts'
import { compilePlaces, type Places } from '../../server/geo/places.ts'
import { chance } from '../../server/steer/chance.ts'
import { compileSteering } from '../../server/steer/compile.ts'
import { type Decision, decision } from '../../server/steer/decision.ts'
import type { Branches, Network, Policy, Pool, Rule, Target } from '../../server/steer/rule.ts'
import { steer } from '../../server/steer/steer.ts'
import { poolsOf, type Steering, targetOctets } from '../../server/steer/steering.ts'
import { startTurns } from '../../server/steer/turns.ts'

export function octetsOf(text: string): Uint8Array {
  const isIpv6 = text.includes(':')
  const number = isIpv6 ? new Address6(text).bigInt() : new Address4(text).bigInt()
  return Uint8Array.from(Buffer.from(number.toString(16).padStart(isIpv6 ? 32 : 8, '0'), 'hex'))
}

/** A network, each prefix in a line of its own of the file called as it. */
export function network(name: string, ...prefixes: readonly string[]): Network {
  return {
    name,
    prefixes: prefixes.map((text, i) => {
      const [base = '', bits] = text.split('/')
      const octets = octetsOf(base)
      const at = { file: name, line: i + 1, column: 1 }
      return { family: octets.length === 4 ? 4 : 6, octets, bits: Number(bits), at }
    }),
  }
}

/** Targets: addresses, or host names with a dot at the end; `=3` behind one is its weight. */
export function pool(name: string, ...targets: readonly string[]): Pool {
  return { name, targets: targets.map(target), at: { file: 'pools', line: 1, column: 1 } }
}

function target(text: string): Target {
  const [what = '', weight = '1'] = text.split('=')
  if (what.endsWith('.')) return { kind: 'host', name: wire(what), weight: Number(weight) }
  const octets = octetsOf(what)
  const family = octets.length === 4 ? 4 : 6
  return { kind: 'address', family, octets, weight: Number(weight) }
}

export function wire(name: string): Uint8Array {
  const labels = name.split('.').filter(label => label !== '')
  const pieces = labels.map(label => Buffer.from([label.length, ...Buffer.from(label)]))
  return Uint8Array.from(Buffer.concat([...pieces, Buffer.from([0])]))
}

export type RuleText = Partial<Omit<Rule, 'owner' | 'choose'>> & {
  readonly owner?: string
  readonly networks?: readonly (readonly [network: number, ranking: readonly number[]])[]
  readonly countries?: Readonly<Record<string, readonly number[]>>
  readonly continents?: Readonly<Record<string, readonly number[]>>
  readonly default?: readonly number[]
  /** Instead of all branches. */
  readonly all?: readonly number[]
}

export function rule(text: RuleText): Rule {
  const { owner = 'www.example.com.', all, ...rest } = text
  const by: Branches = {
    networks: (text.networks ?? []).map(([index, ranking]) => ({ network: index, ranking })),
    countries: new Map(Object.entries(text.countries ?? {})),
    continents: new Map(Object.entries(text.continents ?? {})),
    default: text.default ?? [0],
  }
  return {
    owner: canonical(wire(owner)),
    at: rest.at ?? { file: 'rules', line: 1, column: 1 },
    ttl: rest.ttl ?? { max: 30, min: 10 },
    pick: rest.pick ?? 'shuffle',
    answers: rest.answers,
    truncate: rest.truncate ?? false,
    choose: all ? { kind: 'all', ranking: all } : { kind: 'by', by },
  }
}

/** Places of no database: everybody is nowhere. */
export const NO_PLACES: Places = compilePlaces([], new Map(), remarks())

export function compiled(
  policy: Policy,
  places: Places = NO_PLACES,
): { readonly steering: Steering; readonly said: Remarks } {
  const said = remarks()
  return { steering: compileSteering(policy, places, said), said }
}

/** A network prefix as a Client Subnet; '' is none. */
export function subnetOf(text: string): ClientSubnet {
  const subnet = clientSubnet()
  if (text === '') return subnet
  const [base = '', bits] = text.split('/')
  const octets = octetsOf(base)
  subnet.family = octets.length === 4 ? 4 : 6
  subnet.address.set(octets)
  subnet.source = Number(bits)
  return subnet
}

export function peerOf(text: string): Address {
  const peer = address()
  const octets = octetsOf(text)
  peer.family = octets.length === 4 ? 4 : 6
  peer.octets.set(octets)
  return peer
}

/** One decision; the peer is a documentation address unless told. */
export function decide(
  steering: Steering,
  subnet: string,
  told: { peer?: string; slot?: number; family?: 4 | 6; seed?: number } = {},
): Decision {
  const { peer = '192.0.2.53', slot = 0, family = 4, seed = 1 } = told
  const made = decision()
  const drawn = chance(seed)
  const turns = startTurns(steering, drawn)
  steer(steering, slot, family, subnetOf(subnet), peerOf(peer), turns, drawn, made)
  return made
}

/** The pools a decision prefers and its scope: `A/25`. */
export function answered(steering: Steering, made: Decision): string {
  const pools = poolsOf(steering, made.ranking).map(number => steering.poolNames[number])
  return `${pools.join('+')}/${made.scope}`
}

/** The chosen targets, as hex. */
export function chosen(steering: Steering, made: Decision): string[] {
  const order = [...made.order.subarray(0, made.count)]
  return order.map(at => Buffer.from(targetOctets(steering, made.first + at)).toString('hex'))
}
