/** Random databases laid over each other, beside what `maxmind` reads in each of them. */
import { Reader, type Response } from 'maxmind'
import { describe, expect, test } from 'vitest'
import { remarks } from '../../server/fault.ts'
import { openDatabase } from '../../server/geo/mmdb.ts'
import { compilePlaces, type Places } from '../../server/geo/places.ts'
import { NO_WANTED, type Wanted } from '../../server/geo/record.ts'
import { leafValue, lookup } from '../../server/geo/tree.ts'
import { below, type Chance, chance } from '../../server/steer/chance.ts'
import { writeDatabase } from '../kit/mmdb.ts'
import { octetsOf } from '../kit/steering.ts'

type Flat = { readonly country_code?: string; readonly city?: string; readonly asn?: number }

const WANTED: Wanted = {
  ...NO_WANTED,
  country: true,
  cities: new Set(['Berlin', 'Bonn']),
  asns: new Set([64500]),
}
const DATABASES = 3
/** Addresses are drawn from few octets, so that networks meet. */
const OCTETS = [0, 1, 2, 64, 127, 128, 129, 255]

function pick<T>(drawn: Chance, from: readonly T[]): T {
  const one = from[below(drawn, from.length)]
  if (one === undefined) throw new Error('nothing to pick from')
  return one
}

/** A record that knows some fields: each of them with one chance in two. */
function drawRecord(drawn: Chance): Flat {
  return {
    ...(below(drawn, 2) === 0 ? { country_code: pick(drawn, ['DE', 'FR', 'US']) } : {}),
    ...(below(drawn, 2) === 0 ? { city: pick(drawn, ['Berlin', 'Bonn', 'Rome']) } : {}),
    ...(below(drawn, 2) === 0 ? { asn: pick(drawn, [64500, 64501]) } : {}),
  }
}

function drawIPv4(drawn: Chance): string {
  return [198, pick(drawn, OCTETS), pick(drawn, OCTETS), pick(drawn, OCTETS)].join('.')
}

function drawIPv6(drawn: Chance): string {
  const hextets = [0x2a00, 0, 0, 0].map(hextet => (hextet || pick(drawn, OCTETS) << 8).toString(16))
  return `${hextets.join(':')}::`
}

function drawDatabase(drawn: Chance): Buffer {
  const networks = Array.from({ length: 20 }, () => {
    const cidr =
      below(drawn, 2) === 0
        ? `${drawIPv4(drawn)}/${8 + below(drawn, 25)}`
        : `${drawIPv6(drawn)}/${16 + below(drawn, 49)}`
    return [cidr, drawRecord(drawn)] as const
  })
  return writeDatabase({ networks })
}

/** The first address of the block that an address is seen through. */
function firstOf(address: string): string {
  if (!address.includes(':')) return address.replace(/\.\d+$/, '.0')
  const [first, second, third, fourth = '0'] = address.split(':')
  const left = Number.parseInt(fourth, 16) & 0xff00
  return `${first}:${second}:${third}:${left.toString(16)}::`
}

/** What all readers say of an address, the first first. */
function expected(readers: readonly Reader<Response>[], address: string): Flat {
  const records = readers.map(reader => (reader.get(firstOf(address)) ?? {}) as Flat)
  const told: Flat = Object.assign({}, ...records.toReversed())
  return {
    ...(told.country_code ? { country_code: told.country_code } : {}),
    ...(told.city && WANTED.cities.has(told.city) ? { city: told.city } : {}),
    ...(told.asn && WANTED.asns.has(told.asn) ? { asn: told.asn } : {}),
  }
}

function found(places: Places, address: string): Flat {
  const octets = octetsOf(address)
  const root = octets.length === 4 ? places.root4 : places.root6
  const place = places.places[leafValue(lookup(places.cells, root, octets))]
  return {
    ...(place?.country ? { country_code: place.country } : {}),
    ...(place?.city ? { city: place.city } : {}),
    ...(place?.asn ? { asn: place.asn } : {}),
  }
}

function compiled(files: readonly Buffer[]): Places {
  const databases = files.flatMap((file, i) => openDatabase(file, `${i}.mmdb`, remarks()) ?? [])
  expect(databases.length).toBe(DATABASES)
  return compilePlaces(databases, WANTED, new Map(), remarks())
}

describe('three databases together', () => {
  const drawn = chance(1)
  for (let map = 0; map < 40; map += 1) {
    test(`draw ${map}`, () => {
      const files = Array.from({ length: DATABASES }, () => drawDatabase(drawn))
      const readers = files.map(file => new Reader<Response>(file))
      const places = compiled(files)
      for (let i = 0; i < 200; i += 1) {
        const address = i % 2 === 0 ? drawIPv4(drawn) : drawIPv6(drawn)
        expect([address, found(places, address)]).toEqual([address, expected(readers, address)])
      }
    })
  }
})

test('leaves are as wide as can be: no two halves of a block say the same', () => {
  const drawn = chance(2)
  const { cells } = compiled(Array.from({ length: DATABASES }, () => drawDatabase(drawn)))
  const nodes = Array.from({ length: cells.length / 2 }, (_, node) => node)
  expect(nodes.length).toBeGreaterThan(20)
  for (const node of nodes) expect(cells[2 * node]).not.toBe(cells[2 * node + 1])
})
