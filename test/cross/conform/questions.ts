/**
 * Questions drawn from a seed over zones: names that are there, not there, above, beside and below,
 * what wildcards cover, targets elsewhere; types, classes, flags, sizes and transports. Reads the
 * zones' texts only as far as to see their owners and types.
 */
import { below, type Chance, chance } from '../../../server/steer/chance.ts'
import { oneOf } from '../../kit/maps.ts'
import { nameOctets, type Question } from './wire.ts'
import type { ZoneText } from './zone-texts.ts'

export type Owner = {
  /** Absolute, with escapes. */
  readonly name: string
  readonly types: readonly number[]
}

// biome-ignore format: table
export const TYPES: Readonly<Record<string, number>> = {
  A: 1, NS: 2, CNAME: 5, SOA: 6, WKS: 11, PTR: 12, HINFO: 13, MINFO: 14, MX: 15, TXT: 16, RP: 17, AFSDB: 18,
  X25: 19, ISDN: 20, RT: 21, NSAP: 22, PX: 26, AAAA: 28, LOC: 29, SRV: 33, NAPTR: 35, KX: 36, CERT: 37,
  DNAME: 39, APL: 42, DS: 43, SSHFP: 44, IPSECKEY: 45, DNSKEY: 48, DHCID: 49, TLSA: 52, SMIMEA: 53, CDS: 59,
  OPENPGPKEY: 61, CSYNC: 62, ZONEMD: 63, SVCB: 64, HTTPS: 65, SPF: 99, NID: 104, L32: 105, L64: 106, LP: 107,
  EUI48: 108, EUI64: 109, URI: 256, CAA: 257, AVC: 258,
}

/** Types asked anywhere; the meta-types and those of signed zones more rarely. */
// biome-ignore format: table
const COMMON = [1, 1, 1, 28, 16, 15, 2, 6, 5, 39, 43, 33, 12, 64, 65, 257]
// biome-ignore format: table
const RARE = [46, 47, 48, 50, 51, 59, 60, 99, 32769, 65280, 65281, 65534, 0, 10, 41, 128, 249, 250, 251, 252, 253, 254, 255, 255, 255, 255]
/** Not CH: BIND answers three of those a second. */
const CLASSES = [4, 254, 255, 0, 2, 65535]
const SIZES = [0, 511, 512, 513, 1232, 1232, 1232, 1400, 4096, 65535]

export function drawnQuestions(
  zones: readonly ZoneText[],
  count: number,
  seed: number,
): Question[] {
  const draw = chance(seed)
  const all = zones.map(zone => ({ zone, owners: ownersOf(zone) }))
  return Array.from({ length: count }, () => {
    const { zone, owners } = oneOf(draw, all)
    const owner = oneOf(draw, owners)
    const name = mixed(draw, nameOctets(nameFrom(draw, owner.name, zone.origin)))
    return { name, type: typeFrom(draw, owner), ...manner(draw) }
  }).filter(({ name }) => name.length <= 255)
}

function manner(draw: Chance): Omit<Question, 'name' | 'type'> {
  const flags = (below(draw, 3) === 0 ? 0x100 : 0) | oneOf(draw, [0, 0, 0, 0x10, 0x20, 0x30])
  const edns =
    below(draw, 3) === 0 ? undefined : { size: oneOf(draw, SIZES), isDo: below(draw, 3) === 0 }
  return {
    class: below(draw, 40) === 0 ? oneOf(draw, CLASSES) : 1,
    flags,
    edns,
    over: below(draw, 10) === 0 ? 'tcp' : 'udp',
  }
}

/** Owners as they stand at the beginning of lines, and the origin. */
export function ownersOf({ origin, text }: ZoneText): Owner[] {
  const owners = new Map<string, Set<number>>([[origin, new Set([2, 6])]])
  for (const line of text.split('\n')) {
    const [owner = '', ...words] = line.trim().split(/\s+/)
    if (owner === '' || owner.startsWith('$') || owner.startsWith(';')) continue
    const whole = absolute(owner, origin)
    const type = words.map(typeOf).find(found => found !== undefined)
    const types = owners.get(whole) ?? new Set()
    owners.set(whole, type === undefined ? types : types.add(type))
  }
  return [...owners].map(([name, types]) => ({ name, types: [...types] }))
}

function typeOf(word: string): number | undefined {
  const numbered = /^TYPE([0-9]+)$/.exec(word)
  return numbered === null ? TYPES[word] : Number(numbered[1])
}

function absolute(owner: string, origin: string): string {
  if (owner === '@') return origin
  if (/(^|[^\\])\.$/.test(owner)) return owner
  return origin === '.' ? `${owner}.` : `${owner}.${origin}`
}

function typeFrom(draw: Chance, { types }: Owner): number {
  const which = below(draw, 10)
  if (which < 4 && types.length > 0) return oneOf(draw, types)
  return which < 9 ? oneOf(draw, COMMON) : oneOf(draw, RARE)
}

const LABELS = ['a', 'b', 'x', 'zz', '*', '*', '0', '_tcp', 'ns', 'www']

/** The owner, or a name near it. */
function nameFrom(draw: Chance, name: string, origin: string): string {
  const parent = () => (name === origin ? name : name.replace(/^(\\.|[^\\.])+\.(?=.)/, ''))
  const under = (other: string) => `${oneOf(draw, LABELS)}.${other === '.' ? '' : other}`
  const starless = name.replaceAll('*', () => oneOf(draw, ['a', 'foo', 'q.r']))
  switch (below(draw, 12)) {
    case 0:
      return under(name)
    case 1:
      return under(under(name))
    case 2:
      return parent()
    case 3:
      return under(parent())
    case 4:
      return under(starless)
    case 5:
      return oneOf(draw, [under(origin), origin, `${oneOf(draw, LABELS)}.invalid.`])
    case 6:
    case 7:
      return starless
    case 8:
      return below(draw, 4) === 0 ? `${'y'.repeat(63)}.${'y'.repeat(63)}.${name}` : under(starless)
    default:
      return name
  }
}

/** Letters in either case, in one name of four. RFC 4343. */
function mixed(draw: Chance, name: Uint8Array): Uint8Array {
  if (below(draw, 4) !== 0) return name
  let at = 0
  const made = Uint8Array.from(name)
  while (at < made.length) {
    const size = made[at] ?? 0
    for (let octet = at + 1; octet <= at + size; octet += 1) {
      const value = made[octet] ?? 0
      const isLetter = (value | 32) >= 0x61 && (value | 32) <= 0x7a
      if (isLetter && below(draw, 2) === 0) made[octet] = value ^ 32
    }
    at += 1 + size
  }
  return made
}
