/**
 * Scopes are true (spec P1, P2, P6): over random configurations, from the operator's files to the
 * octets of replies, in both families. What one reply says of a block, every other one says too.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { below, type Chance, chance } from '../../server/steer/chance.ts'
import { drawNames, type Name } from '../kit/configurations.ts'
import { drawAddress, drawWithin, within } from '../kit/edges.ts'
import { askFor, questionOf, told } from '../kit/octet-client.ts'
import { peerOf } from '../kit/world.ts'

const CONFIGURATIONS = 100
/** Pairs of questions: 200 names, so 600,000. */
const PAIRS = 3_000
const WIDTH = { 4: 32, 6: 128 } as const

const PEER = peerOf('198.51.100.53')
const drawn = chance(20_260_801)
const one = told()
const other = told()

/** By family, room for two addresses of it. */
const ADDRESSES = {
  4: [new Uint8Array(4), new Uint8Array(4)],
  6: [new Uint8Array(16), new Uint8Array(16)],
} as const

type Blocks = { readonly 4: Set<string>; readonly 6: Set<string> }

/** What was found of one name. */
type Found = { readonly dishonest: string[]; readonly blocks: Blocks; readonly title: string }

/** Asks for a client, then for any other of the block that the scope says, with any SOURCE ≥ scope. */
function askPairs(draws: Chance, { desk, edges, name, title }: Name): Found {
  const question = questionOf(name, below(draws, 2) === 0 ? 'A' : 'AAAA')
  const found = {
    dishonest: [] as string[],
    blocks: { 4: new Set<string>(), 6: new Set<string>() },
    title,
  }
  for (let i = 0; i < PAIRS; i += 1) {
    const family = i % 2 === 0 ? 4 : 6
    const [address, near] = ADDRESSES[family]
    drawAddress(draws, edges, family, address)
    // Half of all resolvers tell the usual /24 or /56.
    const source = i % 4 < 2 ? (family === 4 ? 24 : 56) : 1 + below(draws, WIDTH[family])
    zeroPast(address, source)
    askFor(desk, question, family, address, source, PEER, one)
    const least = Math.max(1, one.scope)
    drawWithin(draws, address, one.scope, near)
    const longer = least + below(draws, WIDTH[family] - least + 1)
    askFor(desk, question, family, near, longer, PEER, other)
    const isSame = one.scope === other.scope && one.says === other.says
    if (!isSame || one.isSpecial !== other.isSpecial) {
      found.dishonest.push(
        `${title}: ${address}/${source} ${text(one)}, ${near}/${longer} ${text(other)}`,
      )
    }
    found.blocks[family].add(blockText(address, one.scope))
  }
  return found
}

const text = ({ says, scope }: typeof one): string => `is ${says} for /${scope}`

function zeroPast(address: Uint8Array, bits: number): void {
  const zeros = ZEROS[address.length === 4 ? 4 : 6]
  zeros.fill(0)
  within(address, bits, zeros)
  address.set(zeros)
}

const ZEROS = { 4: new Uint8Array(4), 6: new Uint8Array(16) } as const

/** A block as text that sorts by address, those that hold others first. */
function blockText(address: Uint8Array, bits: number): string {
  zeroPast(address, bits)
  return Buffer.from(address).toString('latin1') + String.fromCharCode(bits)
}

/** Blocks that overlap: in order, each must begin past the one before. */
function overlaps(blocks: ReadonlySet<string>): string[] {
  const sorted = [...blocks].sort()
  return sorted.slice(1).filter((block, i) => {
    const before = Buffer.from(sorted[i] ?? '', 'latin1')
    const bits = before.at(-1) ?? 0
    const base = Buffer.from(block, 'latin1').subarray(0, -1)
    return blockText(Uint8Array.from(base), bits) === sorted[i]
  })
}

let all: readonly Found[] = []

beforeAll(() => {
  all = Array.from({ length: CONFIGURATIONS }, (_, i) => drawNames(drawn, i))
    .flat()
    .map(name => askPairs(drawn, name))
}, 240_000)

describe(`${2 * CONFIGURATIONS * PAIRS} pairs of clients`, () => {
  test('P1, P6: any address of the block, with any SOURCE ≥ scope, has the same class and scope', () => {
    const wrong = all.flatMap(({ dishonest }) => dishonest)
    expect([wrong.length, ...wrong.slice(0, 10)]).toEqual([0])
  })

  test.each([4, 6] as const)('P2: blocks of IPv%i are equal or disjoint', family => {
    const met = all.map(({ blocks, title }) => [title, overlaps(blocks[family])] as const)
    expect(met.filter(([, found]) => found.length > 0).map(([title]) => title)).toEqual([])
    const count = all.reduce((sum, { blocks }) => sum + blocks[family].size, 0)
    expect(count).toBeGreaterThan(10 * all.length) // or there was little to overlap
  })
})

test('SOURCE 0 has scope 0, whoever asks', () => {
  for (const { desk, name } of drawNames(drawn, 0)) {
    for (const family of [4, 6] as const) {
      askFor(desk, questionOf(name), family, ADDRESSES[family][0], 0, PEER, one)
      expect(one.scope).toBe(0)
    }
  }
})
