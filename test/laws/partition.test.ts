/**
 * The scope law (spec P1–P6, P8) over random maps of every policy, both families, special blocks and
 * IPv4 inside IPv6. What is right comes from `kit/oracle.ts`, a scan of lists.
 */
import { describe, expect, test } from 'vitest'
import { address } from '../../server/dns/address.ts'
import { clientSubnet } from '../../server/dns/subnet.ts'
import { type Board, openBoard } from '../../server/steer/board.ts'
import { below, type Chance, chance } from '../../server/steer/chance.ts'
import { decision } from '../../server/steer/decision.ts'
import { leavesOf } from '../../server/steer/leaves.ts'
import { steer } from '../../server/steer/steer.ts'
import { isTailored, type Steering, tiersOf } from '../../server/steer/steering.ts'
import { startTurns, type Turns } from '../../server/steer/turns.ts'
import {
  depthOf,
  embeddedIn,
  holdsEmbedded,
  type Run,
  runAt,
  runsOf,
  type Span,
  spanOf,
  WIDTH,
} from '../kit/blocks.ts'
import { anyNumber, drawMap, type Family, octetsOf, oneOf, textOf } from '../kit/maps.ts'
import { classOf, classOfNobody, edgesOf, textOf as tierText } from '../kit/oracle.ts'
import { compiled } from '../kit/steering.ts'

const MAPS = 200
/** LAW_SCALE=5 makes a million checks of it. */
const CLIENTS = 500 * Number(process.env.LAW_SCALE ?? 1)
const FAMILIES = [4, 6] as const
const QUANTUM = { ipv4: 24, ipv6: 48 }

/** One rule of a random map, compiled, and what it should say. */
type Drawn = {
  readonly steering: Steering
  readonly slot: number
  readonly board: Board
  readonly turns: Turns
  readonly isSticky: (says: string) => boolean
  readonly runs: Readonly<Record<Family, readonly Run[]>>
  readonly nobody: string
}

/** Every third map hashes: then clients of pools with several targets are told apart further. */
function drawRules(drawn: Chance, index: number): Drawn[] {
  const isHash = index % 3 === 0
  const { policy, places, lying } = drawMap(drawn, {
    ...(isHash ? { pick: 'hash', quantum: QUANTUM } : { pick: 'rotate' }),
  })
  const { steering, said } = compiled(policy, places)
  expect(said.problems).toEqual([])
  const several = new Set([0, 1]) // the pools of a map that have two targets of a family
  const isSticky = (says: string): boolean =>
    isHash && says.split(/[ =]/).some(index => several.has(Number(index)))
  return policy.rules.map(({ choose }, slot) => {
    const says = (family: Family) => ({
      edges: edgesOf(family, lying[family]),
      says: (at: bigint) => classOf(policy, choose, family, lying[family], at),
    })
    const turns = startTurns(steering, drawn)
    const nobody = classOfNobody(policy, choose)
    const runs = runsOf(says(4), says(6), isSticky)
    return { steering, slot, board: openBoard(steering), turns, isSticky, runs, nobody }
  })
}

const SUBNET = clientSubnet()
const PEER = address()
const MADE = decision()
const DRAWS = chance(7)
PEER.octets.set([10, 0, 0, 1]) // of whom nothing is known

/** What the server says of a subnet: its class, and the scope. */
function ask({ steering, slot, board, turns }: Drawn, family: Family, span: Span): string {
  SUBNET.family = family
  SUBNET.source = span.bits
  SUBNET.address.set(octetsOf(family, span.start))
  steer(steering, board, slot, 4, SUBNET, PEER, turns, DRAWS, MADE)
  return `${MADE.special ? 'special' : tierText(tiersOf(steering, MADE.ranking))}/${MADE.scope}`
}

/** What it should say. */
function expected({ runs, isSticky }: Drawn, family: Family, at: bigint): [string, number] {
  const run = runAt(runs[family], at)
  const depth = depthOf(family, run, at)
  const bits = isSticky(run.says) ? Math.max(depth, quantumAt(family, at)) : depth
  return [run.says, bits]
}

/** How far hashing tells clients apart: no block of it has IPv4 inside beside other addresses. */
function quantumAt(family: Family, at: bigint): number {
  if (family === 4) return QUANTUM.ipv4
  const embedded = embeddedIn(at)
  if (embedded !== undefined) return embedded.bits + QUANTUM.ipv4
  let bits = QUANTUM.ipv6
  while (holdsEmbedded(spanOf(6, at, bits))) bits += 1
  return bits
}

/** An address anywhere, or at the edge of a run. */
function anyClient(drawn: Chance, family: Family, runs: readonly Run[]): bigint {
  if (below(drawn, 2) === 0) return anyNumber(drawn, family)
  const { start, end } = oneOf(drawn, runs)
  return below(drawn, 2) === 0 ? start : end - 1n
}

const drawn = chance(20260617)
const rules = Array.from({ length: MAPS }, (_, i) => drawRules(drawn, i)).flat()

/** Every partition of every rule, block after block. */
const covers = rules.flatMap(({ steering, slot }) =>
  FAMILIES.map(family => ({
    family,
    blocks: Array.from(leavesOf(steering, slot, family), ({ prefix, bits, ranking }) => {
      const start = BigInt(`0x${Buffer.from(prefix).toString('hex')}`)
      return { ...spanOf(family, start, bits), ranking }
    }),
  })),
)

describe(`${rules.length} random rules, ${CLIENTS} random clients each`, () => {
  test('class and scope are those of the lists: P1, P3, P4, P8; and of any SOURCE ≥ scope: P6', () => {
    const wrong: string[] = []
    for (const each of rules) {
      for (let i = 0; i < CLIENTS; i += 1) {
        const family = i % 2 === 0 ? 4 : 6
        const client = anyClient(drawn, family, each.runs[family])
        const [says, bits] = expected(each, family, client)
        // SOURCE 0 is another question (§7.1.2): the peer answers.
        const source = Math.max(1, bits + below(drawn, WIDTH[family] - bits + 1))
        const span = spanOf(family, client, source)
        const said = ask(each, family, span)
        if (said !== `${says}/${bits}`)
          wrong.push(`${textOf(family, span)}: ${said}, not ${says}/${bits}`)
      }
    }
    expect(wrong.slice(0, 20)).toEqual([])
  }, 300_000)

  test('P1 honesty: any other address of the scope has the same class, scope and targets', () => {
    const wrong: string[] = []
    const saidOf = (each: Drawn, family: Family, at: bigint): [string, readonly number[]] => {
      const said = ask(each, family, spanOf(family, at, WIDTH[family]))
      return [said, each.isSticky(said.split('/')[0] ?? '') ? [...MADE.targets.slice(0, 1)] : []]
    }
    for (const each of rules) {
      for (let i = 0; i < 100; i += 1) {
        const family = i % 2 === 0 ? 4 : 6
        const client = anyClient(drawn, family, each.runs[family])
        const said = saidOf(each, family, client)
        const { start, end } = spanOf(family, client, Number(said[0].split('/')[1]))
        const other = start + (anyNumber(drawn, family) & (end - start - 1n))
        const again = saidOf(each, family, other)
        if (`${said}` !== `${again}`) wrong.push(`${said}, but ${again}`)
      }
    }
    expect(wrong.slice(0, 20)).toEqual([])
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
    for (const { steering, slot, runs } of rules) {
      for (const family of FAMILIES) {
        const blocks = leavesOf(steering, slot, family)
        const isWhole = blocks.next().value?.bits === 0
        expect(isWhole).toBe(runs[family].length === 1)
        if (isWhole) single += 1
      }
      const whole = runs[4].length === 1 && runs[6].length === 1
      expect(isTailored(steering, slot)).toBe(!whole)
    }
    expect(single).toBeGreaterThan(50) // or the law was not tried
    expect(single).toBeLessThan(rules.length)
  })

  test('P5 a client of whom nothing is known gets the branch that asks nothing', () => {
    for (const each of rules) {
      const { runs } = each
      const whole = runs[4].length === 1 && runs[6].length === 1
      const said = ask(each, 4, spanOf(4, 0n, 0))
      const own = runAt(runs[4], 0x0a000001n).says
      expect(said).toBe(`${whole || own !== 'special' ? own : each.nobody}/0`)
    }
  })
})
