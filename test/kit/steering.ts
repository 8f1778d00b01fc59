/** Short ways to say policies, clients and what they get, for tests of steering. */
import { readFileSync } from 'node:fs'
import { Address4, Address6 } from 'ip-address'
import { type Address, address } from '../../server/dns/address.ts'
import { canonical } from '../../server/dns/name.ts'
import { type ClientSubnet, clientSubnet } from '../../server/dns/subnet.ts'
import { type At, type Remarks, remarks } from '../../server/fault.ts'
import { readCountries } from '../../server/geo/countries.ts'
import { openDatabase } from '../../server/geo/mmdb.ts'
import { compilePlaces, type Places } from '../../server/geo/places.ts'
import { NOWHERE } from '../../server/geo/record.ts'
import { type Board, openBoard } from '../../server/steer/board.ts'
import { chance } from '../../server/steer/chance.ts'
import { type Compiled, compileSteering } from '../../server/steer/compile.ts'
import { type Decision, decision } from '../../server/steer/decision.ts'
import type {
  Branches,
  Choose,
  Latency,
  Nearest,
  Network,
  Policy,
  Pool,
  Rule,
  Target,
} from '../../server/steer/rule.ts'
import { steer } from '../../server/steer/steer.ts'
import { type Steering, targetOctets, tiersOf } from '../../server/steer/steering.ts'
import type { Check, Checked } from '../../server/steer/trial.ts'
import { startTurns, type Turns } from '../../server/steer/turns.ts'
import { wantedOf } from '../../server/steer/wanted.ts'
import { type DatabaseText, writeDatabase } from './mmdb.ts'

export function octetsOf(text: string): Uint8Array {
  const isIpv6 = text.includes(':')
  const number = isIpv6 ? new Address6(text).bigInt() : new Address4(text).bigInt()
  return Uint8Array.from(Buffer.from(number.toString(16).padStart(isIpv6 ? 32 : 8, '0'), 'hex'))
}

/** A network, each prefix in a line of its own of the file called as it. */
export function network(name: string, ...prefixes: readonly string[]): Network {
  return { name, prefixes: prefixes.map((text, i) => prefix(name, text, i + 1)) }
}

function prefix(file: string, text: string, line: number): Network['prefixes'][number] {
  const [base = '', bits] = text.split('/')
  const octets = octetsOf(base)
  const family = octets.length === 4 ? 4 : 6
  return { family, octets, bits: Number(bits), at: { file, line, column: 1 } }
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

/** A ranking, or any other way to choose. */
export type To = readonly number[] | Choose

export type RuleText = Partial<Omit<Rule, 'owner' | 'choose'>> & {
  readonly owner?: string
  readonly networks?: readonly (readonly [network: number, to: To])[]
  readonly asns?: Readonly<Record<number, To>>
  readonly fields?: Readonly<Record<string, Readonly<Record<string, To>>>>
  readonly cities?: Readonly<Record<string, To>>
  readonly subdivisions?: Readonly<Record<string, To>>
  readonly countries?: Readonly<Record<string, To>>
  readonly continents?: Readonly<Record<string, To>>
  readonly default?: To
  /** Instead of all branches. */
  readonly all?: readonly number[]
  readonly choose?: Choose
}

export function rule({ owner = 'www.example.com.', ...text }: RuleText): Rule {
  const { all, choose, networks, asns, fields, cities, subdivisions, ...more } = text
  const { countries, continents, default: rest, ...own } = more
  const branches = { networks, asns, fields, cities, subdivisions, countries, continents }
  return {
    owner: canonical(wire(owner)),
    at: { file: 'rules', line: 1, column: 1 },
    ttl: { max: 30, min: 10 },
    pick: 'shuffle',
    answers: undefined,
    truncate: false,
    ...own,
    choose: all ? { kind: 'all', pools: all } : (choose ?? by({ ...branches, default: rest })),
  }
}

type BranchesText = {
  readonly [key in keyof Branches]?: RuleText[key] | undefined
}

/** Branches, each list of them in a line of its own of the file `rules`. */
export function by(text: BranchesText): Choose {
  const mapped = <Key>(entries: readonly (readonly [Key, To])[], line: number) =>
    new Map(entries.map(([key, to]) => [key, { to: chooseOf(to), at: ruleLine(line) }] as const))
  const branches: Branches = {
    networks: (text.networks ?? []).map(([network, to]) => {
      return { network, to: chooseOf(to), at: ruleLine(2) }
    }),
    asns: mapped(
      Object.entries(text.asns ?? {}).map(([asn, to]) => [Number(asn), to] as const),
      3,
    ),
    fields: Object.entries(text.fields ?? {}).map(([path, values]) => {
      return { path, values: mapped(Object.entries(values), 4), at: ruleLine(4) }
    }),
    cities: mapped(Object.entries(text.cities ?? {}), 5),
    subdivisions: mapped(Object.entries(text.subdivisions ?? {}), 6),
    countries: mapped(Object.entries(text.countries ?? {}), 7),
    continents: mapped(Object.entries(text.continents ?? {}), 8),
    default: chooseOf(text.default ?? [0]),
  }
  return { kind: 'by', by: branches }
}

function ruleLine(line: number): At {
  return { file: 'rules', line, column: 1 }
}

function chooseOf(to: To): Choose {
  return 'kind' in to ? to : { kind: 'all', pools: to }
}

/** Pools by index, nearest first; `bias` by pool. */
export function nearest(
  pools: readonly number[],
  more: { readonly bias?: Readonly<Record<number, number>>; readonly limit?: number } = {},
): Nearest {
  const { bias = {}, limit } = more
  return { kind: 'nearest', pools: pools.map(pool => ({ pool, bias: bias[pool] ?? 0 })), limit }
}

/** A latency file: rows of a prefix and the milliseconds of pools. */
export function latency(
  name: string,
  ...rows: readonly (readonly [cidr: string, times: Readonly<Record<number, number>>])[]
): Latency {
  return {
    name,
    rows: rows.map(([cidr, told], i) => {
      const times = Object.entries(told).map(([pool, ms]) => [Number(pool), ms] as const)
      return { ...prefix(name, cidr, i + 1), times: new Map(times) }
    }),
  }
}

/** A policy of which only some parts matter. */
export function policyOf(text: Partial<Policy>): Policy {
  return { pools: [], networks: [], latencies: [], rules: [], ...text }
}

/** Places of no database: everybody is nowhere. They claim to hold all that a rule may read. */
export const NO_PLACES: Places = {
  cells: new Int32Array(0),
  root4: -1,
  root6: -1,
  places: [NOWHERE],
  built: '',
  names: [],
  holds: ['country', 'subdivision', 'city', 'asn', 'point'],
}

/** The places of one database, as far as the rules of a policy read them. */
export function placesFor(text: Partial<Policy>, ...databases: readonly DatabaseText[]): Places {
  const said = remarks()
  const opened = databases.flatMap((database, i) => {
    return openDatabase(writeDatabase(database), `test${i}.mmdb`, said) ?? []
  })
  return compilePlaces(opened, wantedOf(policyOf(text)), COUNTRIES, said)
}

const COUNTRIES = readCountries(readFileSync('data/geo/countries.csv', 'utf8'))

export function compiled(
  text: Partial<Policy>,
  places: Places = NO_PLACES,
): Compiled & { readonly said: Remarks } {
  const said = remarks()
  return { ...compileSteering(policyOf(text), places, said), said }
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
  told: {
    readonly peer?: string
    readonly slot?: number
    readonly family?: 4 | 6
    readonly seed?: number
    readonly board?: Board
    readonly turns?: Turns
  } = {},
): Decision {
  const { peer = '192.0.2.53', slot = 0, family = 4, seed = 1 } = told
  const made = decision()
  const drawn = chance(seed)
  const { board = openBoard(steering), turns = startTurns(steering, drawn) } = told
  steer(steering, board, slot, family, subnetOf(subnet), peerOf(peer), turns, drawn, made)
  return made
}

/** A ranking in words: `A+B`, and `A=B` where two are equally good. */
export function rankingText(steering: Steering, ranking: number): string {
  const tiers = tiersOf(steering, ranking)
  return tiers.map(tier => tier.map(pool => steering.poolNames[pool]).join('=')).join('+')
}

/** The pools a decision prefers and its scope: `A+B/25`. */
export function answered(steering: Steering, made: Decision): string {
  return `${rankingText(steering, made.ranking)}/${made.scope}`
}

/** The chosen targets, as hex. */
export function chosen(steering: Steering, made: Decision): string[] {
  const targets = [...made.targets.subarray(0, made.count)]
  return targets.map(target => Buffer.from(targetOctets(steering, target)).toString('hex'))
}

/** A pool's check, of which only its pace counts. */
export function checked(name: string, pace: Partial<Check> = {}): Checked {
  const times = { every: 10, fastEvery: 10, timeout: 2, maxAge: 30 }
  const usual = { ...times, fall: 3, rise: 2, initial: 'last' } as const
  return { name, need: 1, of: [{ name, ...usual, trial: { kind: 'tcp', port: 80 }, ...pace }] }
}
