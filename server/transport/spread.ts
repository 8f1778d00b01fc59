/**
 * Which addresses a listen list means: wildcards become the addresses of the machine. Pure: the
 * interfaces are an argument. Opens nothing.
 */
import type { NetworkInterfaceInfo } from 'node:os'
import { addressText, ipv6FromText } from '../dns/address.ts'
import { Fault } from '../fault.ts'
import { placeText } from './refusal.ts'

/** An entry of the operator's list. */
export type Wanted = {
  /** An address, with its zone if it needs one; 0.0.0.0 and :: stand for all. */
  readonly host: string
  readonly port: number
  readonly ecs: boolean
}

/** One address to bind. */
export type Place = {
  readonly address: string
  readonly port: number
  readonly ecs: boolean
  /** It came out of a wildcard. */
  readonly isSpread: boolean
  /** The entry it came from, as it was written. */
  readonly asked: string
}

/** As `os.networkInterfaces()` gives them. */
export type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>

/**
 * Spreads wildcards; each address and port comes once, and what an entry says of it by name counts
 * for more than what a wildcard says.
 *
 * @returns in the order of the list; throws a `Fault` where a wildcard stands for nothing
 */
export function spread(wanted: readonly Wanted[], interfaces: Interfaces): Place[] {
  const places = new Map<string, Place>()
  for (const place of wanted.flatMap(entry => placesOf(entry, interfaces))) {
    const key = placeText(place.address, place.port)
    const known = places.get(key)
    if (known === undefined || (known.isSpread && !place.isSpread)) places.set(key, place)
  }
  return [...places.values()]
}

function placesOf({ host, port, ecs }: Wanted, interfaces: Interfaces): Place[] {
  const named = normalText(host)
  const asked = placeText(host, port)
  const families = WILDCARDS[named]
  if (families === undefined) return [{ address: named, port, ecs, isSpread: false, asked }]
  const addresses = families.flatMap(family => addressesOf(family, interfaces))
  if (addresses.length > 0) {
    return addresses.map(address => ({ address, port, ecs, isSpread: true, asked }))
  }
  throw new Fault(
    'ADDRESS_UNAVAILABLE',
    `cannot listen on ${asked}: no interface of this machine has such an address` +
      ' · bring one up, or name an address',
    { about: asked },
  )
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
