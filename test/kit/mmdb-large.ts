/**
 * A country database with as many networks as those that are sold, made up from a seed: three of
 * five networks are IPv4, most of those /24, most of IPv6 /32 to /48; neighbours differ, and there
 * are gaps.
 */
import { below, type Chance, chance } from '../../server/steer/chance.ts'
import type { DatabaseText, Fields } from './mmdb.ts'

/** Prefix lengths, as often as they are drawn. */
const LENGTHS4 = [24, 24, 24, 24, 24, 24, 23, 23, 22, 22, 21, 20, 19, 18, 17, 16]
const LENGTHS6 = [48, 48, 48, 48, 44, 44, 40, 40, 36, 36, 32, 32, 32, 32, 32, 29]

/**
 * The networks of a database.
 *
 * @param count up to 500,000
 * @param codes what they are said to be in
 */
export function countryNetworks(
  count: number,
  codes: readonly string[],
  seed: number = 1,
): DatabaseText['networks'] {
  const drawn = chance(seed)
  const records = codes.map(code => ({ country_code: code }))
  const ipv4 = Math.floor(0.6 * count)
  const family4 = { first: 0x010000, lengths: LENGTHS4, width: 24, textOf: textOf4 }
  const family6 = { first: 0x2001_0200_0000, lengths: LENGTHS6, width: 48, textOf: textOf6 }
  return along(drawn, ipv4, family4, records).concat(along(drawn, count - ipv4, family6, records))
}

type Family = {
  /** The first block, counted in units of `width` bits, as all are. */
  readonly first: number
  readonly lengths: readonly number[]
  readonly width: number
  readonly textOf: (start: number) => string
}

/** Blocks one after the other; each leaves a gap behind it. */
function along(
  drawn: Chance,
  count: number,
  { first, lengths, width, textOf }: Family,
  records: readonly Fields[],
): (readonly [string, Fields])[] {
  let next = first
  const bitsHere = (): number =>
    Math.max(lengths[below(drawn, lengths.length)] ?? width, width - zerosOf(next))
  return Array.from({ length: count }, () => {
    const bits = bitsHere()
    const cidr = `${textOf(next)}/${bits}`
    next += 2 ** (width - bits)
    next += 2 ** (width - bitsHere())
    return [cidr, records[below(drawn, records.length)] ?? {}]
  })
}

/** How many bits at the end of a number are zero, up to 24. */
function zerosOf(number: number): number {
  const low = number % 2 ** 24
  return low === 0 ? 24 : 31 - Math.clz32(low & -low)
}

function textOf4(start: number): string {
  return `${start >>> 16}.${(start >>> 8) & 255}.${start & 255}.0`
}

function textOf6(start: number): string {
  const hextets = [start / 2 ** 32, start / 2 ** 16, start]
  return `${hextets.map(value => (Math.floor(value) % 2 ** 16).toString(16)).join(':')}::`
}
