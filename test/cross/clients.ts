/**
 * Clients for a map: at the edges of each of its networks, just outside, inside, near, and anywhere.
 * The same seed gives the same clients.
 */
import { Address4, Address6 } from 'ip-address'

export type Client = {
  readonly address: string
  /** What a resolver tells of it: /24, or /56. */
  readonly subnet: string
}

type Family = 4 | 6
type Point = { readonly family: Family; readonly value: bigint }

const BITS = { 4: 32n, 6: 128n } as const
const TOLD = { 4: 24n, 6: 56n } as const
/** IPv6 clients that are anywhere are below this: there is nothing to tell apart elsewhere. */
const DOCUMENTATION = 0x20010db8n << 96n

export function clientsOf(networks: readonly string[], count: number, seed: number): Client[] {
  const draw = generator(seed)
  const points = networks.flatMap(network => aroundOf(network, draw))
  while (points.length < count) points.push(draw.one() < 0.6 ? near(points, draw) : anywhere(draw))
  return shuffled(points, draw).map(clientAt)
}

function aroundOf(network: string, draw: Draw): Point[] {
  const family: Family = network.includes(':') ? 6 : 4
  const parsed = family === 6 ? new Address6(network) : new Address4(network)
  const first = parsed.startAddress().bigInt()
  const size = 1n << (BITS[family] - BigInt(parsed.subnetMask))
  const inside = Array.from({ length: 3 }, () => first + (draw.bits(128n) % size))
  const edges = [first - 1n, first, first + size - 1n, first + size]
  return [...edges, ...inside].map(value => ({ family, value }))
}

/** Another address that shares some leading bits with one we have. */
function near(points: readonly Point[], draw: Draw): Point {
  const { family, value } = points[draw.below(points.length)]!
  const length = BigInt(1 + draw.below(Number(BITS[family]) - 4))
  return { family, value: value ^ draw.bits(length) }
}

function anywhere(draw: Draw): Point {
  if (draw.one() < 0.5) return { family: 4, value: draw.bits(32n) }
  return { family: 6, value: DOCUMENTATION | draw.bits(96n) }
}

function clientAt({ family, value }: Point): Client {
  const host = BITS[family] - TOLD[family]
  return {
    address: textOf(family, value),
    subnet: `${textOf(family, (value >> host) << host)}/${TOLD[family]}`,
  }
}

function textOf(family: Family, value: bigint): string {
  const address = family === 6 ? Address6.fromBigInt(value) : Address4.fromBigInt(value)
  return address.correctForm()
}

function shuffled(points: readonly Point[], draw: Draw): Point[] {
  const keyed = points.map(point => ({ point, key: draw.one() }))
  return keyed.sort((a, b) => a.key - b.key).map(({ point }) => point)
}

type Draw = {
  /** A number in [0, 1). */
  readonly one: () => number
  readonly below: (limit: number) => number
  /** So many random bits. */
  readonly bits: (length: bigint) => bigint
}

/** Steele and Vigna's SplitMix64. */
function generator(seed: number): Draw {
  let state = BigInt(seed)
  function next(): bigint {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n)
    let mixed = BigInt.asUintN(64, (state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n)
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn)
    return mixed ^ (mixed >> 31n)
  }
  const one = () => Number(next() >> 11n) / 2 ** 53
  return {
    one,
    below: limit => Math.floor(one() * limit),
    bits: length => BigInt.asUintN(Number(length), (next() << 64n) | next()),
  }
}
