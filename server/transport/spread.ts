/**
 * Which addresses a listen list means. A wildcard stays one where the engine can reply from the
 * address that was asked and nothing else of the list is within it; else it becomes the addresses of
 * the machine. Pure: the interfaces are an argument. Opens nothing.
 */
import type { NetworkInterfaceInfo } from 'node:os'
import { isDeepStrictEqual } from 'node:util'
import { addressText, ipv6FromText } from '../dns/address.ts'
import { Fault } from '../fault.ts'
import type { PairFiles } from './certificates.ts'
import type { Over } from './connection.ts'
import { placeText } from './refusal.ts'

/** An entry of the operator's list. */
export type Wanted = {
  /** An address, with its zone if it needs one; 0.0.0.0 and :: stand for all. */
  readonly host: string
  readonly port: number
  readonly ecs: boolean
  /** Absent: UDP and TCP, and nobody speaks for others. */
  readonly stream?: Stream | undefined
}

/** What is spoken at a place, and how. */
export type Stream = {
  readonly over: Over
  /** What TLS is served with. */
  readonly tls?: PairFiles | undefined
  /** Of HTTPS: where queries are taken. */
  readonly path: string
  /** Who says whose connections they are: PROXY protocol. */
  readonly proxy: readonly Prefix[]
}

/** An address and how many of its bits count. */
export type Prefix = { readonly family: 4 | 6; readonly octets: Uint8Array; readonly bits: number }

/** One address to bind. */
export type Place = {
  readonly address: string
  readonly port: number
  readonly ecs: boolean
  readonly stream?: Stream | undefined
  /** It came out of a wildcard. */
  readonly isSpread: boolean
  /** The entry it came from, as it was written. */
  readonly asked: string
}

/** As `os.networkInterfaces()` gives them. */
export type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>

/** Tells whether somebody has handed us a socket of an address and a port. */
export type IsHanded = (address: string, port: number) => boolean

/** What is done with a wildcard: kept as one socket where that can be, or always spread. */
export type Wildcards = 'keep' | 'spread'

/**
 * Finds the places of a list; each address and port comes once, and what an entry says of it by name
 * counts for more than what a wildcard says.
 *
 * @param open     what is listened on already: a wildcard cannot be one socket beside a part of it
 * @param isHanded tells whether a socket is there already, as it is: a wildcard stays one then
 * @returns in the order of the list; throws a `Fault` where a wildcard stands for nothing
 */
export function spread(
  wanted: readonly Wanted[],
  interfaces: Interfaces,
  wildcards: Wildcards,
  open: readonly Place[] = [],
  isHanded: IsHanded = () => false,
): Place[] {
  const names = wanted.map(entry => ({ ...entry, named: normalText(entry.host) }))
  const list = names.map(entry => ({ ...entry, handed: handedTo(entry, names, isHanded) }))
  const parts = open.filter(({ address }) => !(address in WILDCARDS))
  const beside = [...list, ...parts.map(part => ({ ...part, named: part.address, host: '' }))]
  const places = new Map<string, Place>()
  for (const place of list.flatMap(entry => placesOf(entry, beside, interfaces, wildcards))) {
    const key = placeText(place.address, place.port)
    const known = places.get(key)
    if (known === undefined || (known.isSpread && !place.isSpread)) places.set(key, place)
  }
  return [...places.values()]
}

type Entry = Wanted & { readonly named: string }

/** The wildcard that is there as a socket for an entry; `::` takes IPv4 in, also of 0.0.0.0 beside it. */
function handedTo(
  { ecs, named, port }: Entry,
  list: readonly Entry[],
  isHanded: IsHanded,
): string | undefined {
  if (!(named in WILDCARDS)) return undefined
  if (isHanded(named, port)) return named
  const isBoth = list.some(
    other => other.named === '::' && other.port === port && other.ecs === ecs,
  )
  return isBoth && isHanded('::', port) ? '::' : undefined
}

function placesOf(
  entry: Entry & { readonly handed: string | undefined },
  list: readonly Entry[],
  interfaces: Interfaces,
  wildcards: Wildcards,
): Place[] {
  const { handed, host, named, port, ecs, stream } = entry
  const asked = placeText(host, port)
  const families = handed === undefined ? WILDCARDS[named] : undefined
  if (families === undefined) {
    return [{ address: handed ?? named, port, ecs, stream, isSpread: false, asked }]
  }
  const addresses = families.flatMap(family => addressesOf(family, interfaces))
  if (addresses.length > 0) {
    const whole = wildcards === 'keep' && isAlone(entry, list)
    const sockets = whole ? [wildcardOf(entry, list, interfaces)] : addresses
    return sockets.map(address => ({ address, port, ecs, stream, isSpread: !whole, asked }))
  }
  throw new Fault(
    'ADDRESS_UNAVAILABLE',
    `cannot listen on ${asked}: no interface of this machine has such an address` +
      ' · bring one up, or name an address',
    { about: asked },
  )
}

/** Tells whether a wildcard can be one socket: nothing of the list takes a part of it away. */
function isAlone(entry: Entry, list: readonly Entry[]): boolean {
  return list.every(
    other =>
      other.port !== entry.port ||
      !familiesOf(other).some(family => familiesOf(entry).includes(family)) ||
      (other.named in WILDCARDS &&
        other.ecs === entry.ecs &&
        isDeepStrictEqual(other.stream, entry.stream)),
  )
}

/** `::` takes IPv4 in, also where 0.0.0.0 stands beside it; without any IPv6 there is no `::`. */
function wildcardOf(
  { named, port }: Entry,
  list: readonly Entry[],
  interfaces: Interfaces,
): string {
  const isBoth = named === '::' || list.some(other => other.named === '::' && other.port === port)
  return isBoth && addressesOf('IPv6', interfaces).length > 0 ? '::' : '0.0.0.0'
}

/** A wildcard among `open`, kept as one socket, that takes a place in or lies within it. */
export function inTheWay(place: Place, open: readonly Place[]): Place | undefined {
  const families = familiesOf({ named: place.address })
  return open.find(
    ({ address, port }) =>
      (address in WILDCARDS || place.address in WILDCARDS) &&
      address !== place.address &&
      port === place.port &&
      familiesOf({ named: address }).some(family => families.includes(family)),
  )
}

function familiesOf({ named }: Pick<Entry, 'named'>): readonly Family[] {
  return WILDCARDS[named] ?? [named.includes(':') ? 'IPv6' : 'IPv4']
}

type Family = NetworkInterfaceInfo['family']

/** The families that each wildcard stands for. */
const WILDCARDS: Readonly<Record<string, readonly Family[]>> = {
  '0.0.0.0': ['IPv4'],
  '::': ['IPv6', 'IPv4'],
}

/** One spelling an address, so that two entries can be compared; one with a zone stays as it is. */
function normalText(host: string): string {
  const octets = ipv6FromText(host)
  return octets === undefined ? host : addressText(octets)
}

function addressesOf(family: Family, interfaces: Interfaces): string[] {
  return Object.entries(interfaces).flatMap(([name, infos = []]) =>
    infos.filter(info => info.family === family).map(info => addressOf(info, name)),
  )
}

/** A link-local address means nothing without its zone. RFC 4007 §11. */
function addressOf(info: NetworkInterfaceInfo, name: string): string {
  return info.family === 'IPv6' && info.scopeid !== 0 ? `${info.address}%${name}` : info.address
}
