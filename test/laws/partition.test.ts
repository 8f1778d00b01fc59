/**
 * The scope law (spec P1–P6) over random maps: networks and countries, both families, special blocks
 * and IPv4 inside IPv6. What is right comes from `kit/blocks.ts`, a scan of lists.
 */
import { describe, expect, test } from 'vitest'
import { address } from '../../server/dns/address.ts'
import { clientSubnet } from '../../server/dns/subnet.ts'
import { remarks } from '../../server/fault.ts'
import { openDatabase } from '../../server/geo/mmdb.ts'
import { compilePlaces } from '../../server/geo/places.ts'
import { below, type Chance, chance, draw } from '../../server/steer/chance.ts'
import { decision } from '../../server/steer/decision.ts'
import type { Network } from '../../server/steer/rule.ts'
import { steer } from '../../server/steer/steer.ts'
import { isTailored, leavesOf, poolsOf, type Steering } from '../../server/steer/steering.ts'
import {
  depthOf,
  isEmbedded,
  type Lists,
  type Run,
  runAt,
  runsOf,
  type Span,
  spanOf,
  WIDTH,
} from '../kit/blocks.ts'
import { writeDatabase } from '../kit/mmdb.ts'
import { compiled, pool, rule } from '../kit/steering.ts'

const MAPS = 200
const CLIENTS = 1000
const POOLS = ['a', 'b', 'c'].map((name, i) => pool(name, `192.0.2.${i}`, `2001:db8::${i}`))
const RANKINGS = [[0], [1], [0, 1], [1, 0], [2, 0, 1]]
const COUNTRIES = ['DE', 'FR', 'US', 'JP']
const CONTINENTS = new Map([
  ['DE', 'EU'],
  ['FR', 'EU'],
  ['US', 'NA'],
  ['JP', 'AS'],
])

type Family = 4 | 6
type Drawn = {
  readonly steering: Steering
  readonly runs: Readonly<Record<Family, readonly Run[]>>
}

function pick<T>(drawn: Chance, from: readonly T[]): T {
  const one = from[below(drawn, from.length)]
  if (one === undefined) throw new Error('nothing to pick from')
  return one
}

function anyNumber(drawn: Chance, family: Family): bigint {
  let number = BigInt(draw(drawn))
  while (family === 6 && number < 1n << 96n) number = (number << 32n) | BigInt(draw(drawn))
  return number & ((1n << BigInt(WIDTH[family])) - 1n)
}

/** Addresses where much happens: near special and embedded blocks, and two anywhere. */
function hotspots(drawn: Chance, family: Family): bigint[] {
  const any = [anyNumber(drawn, family), anyNumber(drawn, family)]
  if (family === 4) return [...any, 0x0a010203n, 0xc0a80101n, 0x08080808n]
  const inside = BigInt(draw(drawn))
  return [
    ...any,
    0x2002n << 112n,
    (0x2002n << 112n) | (inside << 80n),
    0xffff00000000n | inside,
    0xfc00n << 112n,
    0x20010db8n << 96n,
  ]
}

function spans(drawn: Chance, family: Family, count: number): Span[] {
  const hot = hotspots(drawn, family)
  return Array.from({ length: count }, () => {
    const bits = below(drawn, WIDTH[family] + 1)
    const flip = 1n << BigInt(below(drawn, WIDTH[family]))
    return spanOf(family, pick(drawn, hot) ^ (below(drawn, 2) === 0 ? flip : 0n), bits)
  })
}

function octetsOf(family: Family, number: bigint): Uint8Array {
  const digits = WIDTH[family] / 4
  return Uint8Array.from(Buffer.from(number.toString(16).padStart(digits, '0'), 'hex'))
}

function textOf(family: Family, { start, bits }: Span): string {
  const octets = octetsOf(family, start)
  if (family === 4) return `${octets.join('.')}/${bits}`
  return `${Buffer.from(octets).toString('hex').match(/..../g)?.join(':')}/${bits}`
}

/** A random map, compiled, and what it should say. */
function drawMap(drawn: Chance): Drawn {
  const rankings = RANKINGS.slice(0, 1 + below(drawn, RANKINGS.length))
  const says = (ranking: readonly number[]): string => ranking.join()
  const branches = COUNTRIES.map(country => [country, pick(drawn, rankings)] as const)
  const countries = new Map(branches.slice(below(drawn, 5)))
  const continents = new Map<string, readonly number[]>(
    below(drawn, 2) === 0 ? [['EU', pick(drawn, rankings)] as const] : [],
  )
  const rest = pick(drawn, rankings)
  const networks: Network[] = []
  const named: (readonly [number, readonly number[]])[] = []
  const records: (readonly [string, { country_code: string }])[] = []
  const lists = ([4, 6] as const).map((family): Lists => {
    const at = { file: 'n', line: 1, column: 1 }
    const taken = new Set<string>()
    const mine = spans(drawn, family, below(drawn, 10)).flatMap(span => {
      const text = textOf(family, span)
      if (taken.has(text) || (family === 6 && isEmbedded(span))) return []
      taken.add(text)
      const ranking = pick(drawn, rankings)
      const prefix = { family, octets: octetsOf(family, span.start), bits: span.bits, at }
      named.push([networks.length, ranking])
      networks.push({ name: text, prefixes: [prefix] })
      return [{ ...span, says: says(ranking) }]
    })
    const geo = spans(drawn, family, below(drawn, 8)).flatMap(span => {
      if (span.bits === 0 || (family === 6 && span.start < 1n << 120n)) return []
      const country = pick(drawn, COUNTRIES)
      records.push([textOf(family, span), { country_code: country }])
      const byContinent = continents.get(CONTINENTS.get(country) ?? '')
      return [{ ...span, says: says(countries.get(country) ?? byContinent ?? rest) }]
    })
    return { networks: mine, geo, rest: says(rest) }
  })
  const [ipv4, ipv6] = lists
  if (ipv4 === undefined || ipv6 === undefined) throw new Error('two families')
  const file = writeDatabase({ networks: records, aliased: below(drawn, 2) === 0 })
  const database = openDatabase(file, 'law.mmdb', remarks())
  const places = compilePlaces(database ? [database] : [], CONTINENTS, remarks())
  const text = { networks: named, default: rest }
  const codes = {
    countries: Object.fromEntries(countries),
    continents: Object.fromEntries(continents),
  }
  const { steering, said } = compiled(
    { pools: POOLS, networks, rules: [rule({ ...text, ...codes })] },
    places,
  )
  expect(said.problems).toEqual([])
  return { steering, runs: runsOf(ipv4, ipv6) }
}

const SUBNET = clientSubnet()
const PEER = address()
const MADE = decision()
const TURNS = new Uint32Array(64)
const DRAWS = chance(7)
PEER.octets.set([192, 0, 2, 53])

/** What the server says of a subnet: its class, and the scope. */
function ask(steering: Steering, family: Family, number: bigint, source: number): string {
  const { start } = spanOf(family, number, source)
  SUBNET.family = family
  SUBNET.source = source
  SUBNET.address.set(octetsOf(family, start))
  steer(steering, 0, 4, SUBNET, PEER, TURNS, DRAWS, MADE)
  const said = MADE.special ? 'special' : poolsOf(steering, MADE.ranking).join()
  return `${said}/${MADE.scope}`
}

/** An address anywhere, or at the edge of a run. */
function anyClient(drawn: Chance, family: Family, runs: readonly Run[]): bigint {
  if (below(drawn, 2) === 0) return anyNumber(drawn, family)
  const { start, end } = pick(drawn, runs)
  return below(drawn, 2) === 0 ? start : end - 1n
}

const drawn = chance(20260617)
const maps = Array.from({ length: MAPS }, () => drawMap(drawn))

/** Every partition of every map, block after block. */
const covers = maps.flatMap(({ steering }) =>
  ([4, 6] as const).map(family => ({
    family,
    blocks: Array.from(leavesOf(steering, 0, family), ({ prefix, bits, ranking }) => {
      const start = BigInt(`0x${Buffer.from(prefix).toString('hex')}`)
      return { ...spanOf(family, start, bits), ranking }
    }),
  })),
)

describe(`${MAPS} random maps, ${CLIENTS} random clients each`, () => {
  test('class and scope are those of the lists: P1, P3, P4; and of any SOURCE ≥ scope: P6', () => {
    const wrong: string[] = []
    for (const { steering, runs } of maps) {
      for (let i = 0; i < CLIENTS; i += 1) {
        const family = i % 2 === 0 ? 4 : 6
        const client = anyClient(drawn, family, runs[family])
        const run = runAt(runs[family], client)
        const depth = depthOf(family, run, client)
        // SOURCE 0 is another question (§7.1.2): the peer answers.
        const source = Math.max(1, depth + below(drawn, WIDTH[family] - depth + 1))
        const expected = `${run.says}/${depth}`
        const said = ask(steering, family, client, source)
        if (said !== expected)
          wrong.push(`${textOf(family, spanOf(family, client, source))}: ${said}, not ${expected}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('P1 honesty: any other address of the scope has the same class and scope', () => {
    for (const { steering, runs } of maps) {
      for (let i = 0; i < 50; i += 1) {
        const family = i % 2 === 0 ? 4 : 6
        const client = anyClient(drawn, family, runs[family])
        const said = ask(steering, family, client, WIDTH[family])
        const { start, end } = spanOf(family, client, Number(said.split('/')[1]))
        const other = start + (anyNumber(drawn, family) & (end - start - 1n))
        expect(ask(steering, family, other, WIDTH[family])).toBe(said)
      }
    }
  })

  test('P2 partition: blocks follow each other without gap or overlap, up to the end', () => {
    const wrong: string[] = []
    for (const { family, blocks } of covers) {
      let next = 0n
      for (const block of blocks) {
        if (block.start !== next) wrong.push(textOf(family, block))
        next = block.end
      }
      expect(next).toBe(1n << BigInt(WIDTH[family]))
    }
    expect(wrong).toEqual([])
  })

  test('P3 minimality: no two halves of a block are of one class', () => {
    const wrong: string[] = []
    for (const { family, blocks } of covers) {
      blocks.slice(1).forEach((block, i) => {
        const before = blocks[i]
        if (before?.bits !== block.bits || before.ranking !== block.ranking) return
        const parent = spanOf(family, block.start, block.bits - 1)
        if (parent.start === before.start) wrong.push(textOf(family, parent))
      })
    }
    expect(wrong).toEqual([])
  })

  test('P4 zero: SCOPE 0 exactly where the whole family has one class', () => {
    let single = 0
    for (const { steering, runs } of maps) {
      for (const family of [4, 6] as const) {
        const isWhole = steering[family === 4 ? 'roots4' : 'roots6'].at(0)! < 0
        expect(isWhole).toBe(runs[family].length === 1)
        if (isWhole) single += 1
      }
      const whole = runs[4].length === 1 && runs[6].length === 1
      expect(isTailored(steering, 0)).toBe(!whole)
    }
    expect(single).toBeGreaterThan(10) // or the law was not tried
    expect(single).toBeLessThan(MAPS)
  })
})
