/**
 * A small world for tests of importers: a city database in which every place has all that rules may
 * read, with blocks no finer than /24 and /56, and clients for it. The same seed gives the same.
 */
import { Address4, Address6 } from 'ip-address'
import { type DatabaseText, type Fields, writeDatabase } from '../kit/mmdb.ts'
import { type Client, clientsOf } from './clients.ts'

/** continent, country, subdivision, city, latitude, longitude, AS number, its organization */
// biome-ignore format: table
const PLACES = [
  ['EU', 'DE', 'BE', 'Berlin',      52.52,  13.41, 64500, 'Nord Net'],
  ['EU', 'DE', 'BY', 'Munich',      48.14,  11.58, 64501, 'Sued Net'],
  ['EU', 'FR', 'IDF', 'Paris',      48.85,   2.35, 64502, 'Ouest'],
  ['EU', 'FR', 'PAC', 'Nice',       43.71,   7.26, 64500, 'Nord Net'],
  ['EU', 'CH', 'GE', 'Geneva',      46.21,   6.14, 64503, 'Lac'],
  ['NA', 'US', 'CA', 'Los Angeles', 34.05, -118.24, 64510, 'West Coast'],
  ['NA', 'US', 'CA', 'San Jose',    37.34, -121.89, 64511, 'Valley'],
  ['NA', 'US', 'TX', 'Dallas',      32.78, -96.81, 64512, 'South'],
  ['NA', 'CA', 'ON', 'Toronto',     43.71, -79.41, 64513, 'Lake'],
  ['SA', 'BR', 'SP', 'Sao Paulo',   -23.55, -46.64, 64520, 'Sul'],
  ['AS', 'JP', '13', 'Tokyo',       35.69, 139.69, 64530, 'Kanto'],
  ['AS', 'SG', '01', 'Singapore',    1.29, 103.85, 64531, 'Strait'],
  ['OC', 'NZ', 'OTA', 'Dunedin',   -45.87, 170.51, 64540, 'Otago'],
  ['OC', 'NZ', 'AUK', 'Auckland',  -36.85, 174.76, 64541, 'Hauraki'],
  ['AF', 'ZA', 'WC', 'Cape Town',  -33.93,  18.42, 64550, 'Table'],
] as const

/** What is known of a client. */
export type Place = {
  readonly continent: string
  readonly country: string
  readonly subdivision: string
  readonly city: string
  readonly asn: number
}

export type World = {
  /** The database as octets of its file. */
  readonly octets: Buffer
  readonly networks: readonly string[]
  /** Where an address is: by the longest network, one after the other. */
  readonly placeOf: (address: string) => Place | undefined
}

/** A world of so many networks. */
export function smallWorld(count: number, seed: number): World {
  const draw = generator(seed)
  const networks = [
    ...new Set(Array.from({ length: count }, (_, at) => (at % 3 === 2 ? ipv6(draw) : ipv4(draw)))),
  ]
  const placed = networks.map(network => [network, PLACES[draw(PLACES.length)]!] as const)
  const text: DatabaseText = {
    networks: placed.map(([network, place]) => [network, record(place)]),
    metadata: { database_type: 'Test-City' },
  }
  return { octets: writeDatabase(text), networks, placeOf: address => placeAmong(placed, address) }
}

type Placed = readonly (readonly [network: string, place: (typeof PLACES)[number]])[]

function placeAmong(placed: Placed, address: string): Place | undefined {
  const holding = placed.filter(([network]) => isWithin(address, network))
  const [found] = holding.toSorted(([a], [b]) => blockOf(b).bits - blockOf(a).bits)
  if (found === undefined) return undefined
  const [continent, country, subdivision, city, , , asn] = found[1]
  return { continent, country, subdivision, city, asn }
}

/** Whether an address, or the first of a prefix, is in a network. */
export function isWithin(address: string, network: string): boolean {
  const [inner, outer] = [blockOf(address), blockOf(network)]
  return inner.width === outer.width && inner.first >> outer.host === outer.first >> outer.host
}

type Block = {
  readonly width: 32 | 128
  readonly bits: number
  readonly first: bigint
  /** How many bits vary inside. */
  readonly host: bigint
}

const blocks = new Map<string, Block>()

function blockOf(text: string): Block {
  const known = blocks.get(text)
  if (known !== undefined) return known
  const [address = '', length] = text.split('/')
  const width = text.includes(':') ? 128 : 32
  const first = width === 128 ? new Address6(address).bigInt() : new Address4(address).bigInt()
  const bits = Number(length ?? width)
  const block = { width, bits, first, host: BigInt(width - bits) } as const
  blocks.set(text, block)
  return block
}

/** Clients at the edges of networks, inside and anywhere, none in a special block. */
export function ordinaryClients(
  networks: readonly string[],
  count: number,
  seed: number,
): Client[] {
  const clients = clientsOf(networks, 2 * count, seed).filter(({ address }) => !isSpecial(address))
  return clients.slice(0, count)
}

/** Addresses that are answered as if they were not told: the closed list of the product decisions. */
export function isSpecial(address: string): boolean {
  if (address.includes(':')) return /^(::|[0-9a-f]{1,2}:|2001:0?:|2001::|f[cdef])/.test(address)
  const [a = 0, b = 0] = address.split('.').map(Number)
  if (a === 100) return b >= 64 && b < 128
  if (a === 169) return b === 254
  if (a === 172) return b >= 16 && b < 32
  if (a === 192) return b === 168
  return a === 0 || a === 10 || a === 127
}

function record(place: (typeof PLACES)[number]): Fields {
  const [continent, country, subdivision, city, latitude, longitude, asn, organization] = place
  return {
    continent: { code: continent },
    country: { iso_code: country },
    subdivisions: [{ iso_code: subdivision }],
    city: { names: { en: city } },
    location: { latitude, longitude },
    autonomous_system_number: asn,
    autonomous_system_organization: organization,
  }
}

function ipv4(draw: (below: number) => number): string {
  const bits = 6 + draw(19)
  const first = [20, 45, 80, 101, 130, 185, 203, 212][draw(8)]! * 2 ** 24 + draw(2 ** 24)
  const start = Math.floor(first / 2 ** (32 - bits)) * 2 ** (32 - bits)
  return `${[24, 16, 8, 0].map(shift => Math.floor(start / 2 ** shift) % 256).join('.')}/${bits}`
}

function ipv6(draw: (below: number) => number): string {
  const bits = 36 + draw(21)
  const low = draw(2 ** 24) * 2 ** 8 + draw(256)
  const start = Math.floor(low / 2 ** (64 - bits)) * 2 ** (64 - bits)
  return `2001:db8:${Math.floor(start / 65_536).toString(16)}:${(start % 65_536).toString(16)}::/${bits}`
}

/** Whole numbers below a limit, at most 2²⁴, in a sequence of its seed (a Lehmer generator). */
function generator(seed: number): (below: number) => number {
  let state = seed % 2_147_483_647
  return below => {
    state = (state * 48_271) % 2_147_483_647
    return Math.floor((state / 2_147_483_647) * below)
  }
}
