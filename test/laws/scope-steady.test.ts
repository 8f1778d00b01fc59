/**
 * Scopes are as wide as they can be and never move (spec P3, P4, P5, P7, P8): over random
 * configurations, from the operator's files to the octets of replies, in both families.
 */
import { beforeAll, expect, test } from 'vitest'
import { type Desk, openDesk } from '../../server/answer/desk.ts'
import { type Board, openBoard } from '../../server/steer/board.ts'
import { below, type Chance, chance } from '../../server/steer/chance.ts'
import { drawNames, type Name } from '../kit/configurations.ts'
import { drawAddress } from '../kit/edges.ts'
import { askFor, type Question, questionOf, type Told, told } from '../kit/octet-client.ts'
import { deskFrom, peerOf } from '../kit/world.ts'

const CONFIGURATIONS = 60
/** 120 names, five laws each: 420,000. */
const CLIENTS = 700
const WIDTH = { 4: 32, 6: 128 } as const

const drawn = chance(20_260_802)
const PEER = peerOf('198.51.100.53')
/** All who might carry the same question. */
const PEERS = [PEER, peerOf('2001:db8::53'), peerOf('198.51.100.53', 'tcp')]
const TYPES = ['A', 'AAAA', 'HTTPS', 'TXT']

const right = told()
const other = told()

const LAWS = {
  P3: 'minimal: no two halves of a block are of one class',
  P4: 'zero: SCOPE 0 exactly where the whole family has one class',
  P5: 'stable: neither class nor scope moves with health, load or caps',
  P7: 'the same everywhere: another server with these files, another seed',
  P8: 'family: the one told decides, never the transport or the type asked',
} as const
type Law = keyof typeof LAWS

const broken: Record<Law, string[]> = { P3: [], P4: [], P5: [], P7: [], P8: [] }
let wholes = 0

/** What one name is asked through. */
type Asking = {
  readonly name: Name
  readonly question: Question
  readonly questions: readonly Question[]
  /** Everything up, and everything anyhow. */
  readonly sick: Board
  readonly twin: Desk
  /** By family: all clients are of one class. */
  readonly isWhole: Readonly<Record<4 | 6, boolean>>
}

function askingOf(name: Name, index: number): Asking {
  const { steering } = name.desk.world
  // An alias is one for every type; other names have no TXT, and scope 0 for that.
  const types = steering.alias[name.slot] === 1 ? TYPES : TYPES.slice(0, 3)
  const isWhole = (family: 4 | 6): boolean => {
    const rankings = new Set(name.edges[family].map(({ ranking }) => ranking))
    rankings.delete('special')
    const [only = 0] = rankings
    const isSticky = steering.sticky[name.slot] === 1 && steering.rankingSticky[Number(only)] === 1
    return rankings.size === 1 && !isSticky
  }
  return {
    name,
    question: questionOf(name.name),
    questions: types.map(type => questionOf(name.name, type)),
    sick: openBoard(steering),
    twin: openDesk(deskFrom(name.configuration.files).world, chance(index, 99)),
    isWhole: { 4: isWhole(4), 6: isWhole(6) },
  }
}

/** Some targets down, loads and speeds as they come, verdicts that may change soon, answers capped. */
function sicken(draws: Chance, board: Board, slot: number): void {
  for (const [target] of board.up.entries()) {
    board.up[target] = below(draws, 2)
    board.load[target] = below(draws, 9)
    board.share[target] = 1 + below(draws, 9)
    board.latency[target] = 1 + below(draws, 90)
  }
  board.cap[slot] = below(draws, 40)
  for (const [pool] of board.flip.entries()) board.flip[pool] = below(draws, 40)
}

/** The pools preferred, without the targets that a client sticks to: those are for health to move. */
const rankingIn = ({ says }: Told): string => says.split(' ')[0] ?? ''

function check(asking: Asking, family: 4 | 6, address: Uint8Array): void {
  const { name, question, twin } = asking
  const { desk } = name
  const note = (law: Law, isKept: boolean) => {
    if (isKept) return
    const both = [right, other].map(one => `${one.says}/${one.scope}`).join(' and ')
    broken[law].push(`${name.title}, ${address.join('.')}: ${both}`)
  }
  askFor(desk, question, family, address, WIDTH[family], PEER, right)
  note('P4', (right.scope === 0) === asking.isWhole[family])
  note('P5', isSteady(asking, family, address))
  askFor(twin, question, family, address, WIDTH[family], PEER, other)
  note('P7', right.scope === other.scope && right.says === other.says)
  const peer = PEERS[below(drawn, PEERS.length)] ?? PEER
  const any = asking.questions[below(drawn, asking.questions.length)] ?? question
  askFor(desk, any, family, address, WIDTH[family], peer, other)
  note(
    'P8',
    right.scope === other.scope && (right.isSpecial || rankingIn(right) === rankingIn(other)),
  )
  if (right.scope > 0) note('P3', isApart(asking, family, address))
}

function isSteady(
  { name: { desk, slot }, question, sick }: Asking,
  family: 4 | 6,
  address: Uint8Array,
) {
  const { board } = desk
  sicken(drawn, sick, slot)
  desk.board = sick
  askFor(desk, question, family, address, WIDTH[family], PEER, other)
  desk.board = board
  return right.scope === other.scope && rankingIn(right) === rankingIn(other)
}

/** Whether the other half of the block that the one of the client is half of differs. */
function isApart(
  { name: { desk }, question }: Asking,
  family: 4 | 6,
  address: Uint8Array,
): boolean {
  if (right.says.includes(' ')) return true // every block that hashing tells apart is a class of its own
  const bit = right.scope - 1
  address[bit >> 3]! ^= 0x80 >> (bit & 7)
  askFor(desk, question, family, address, WIDTH[family], PEER, other)
  const isSame = right.says === other.says && right.isSpecial === other.isSpecial
  return !isSame || other.scope !== right.scope
}

beforeAll(() => {
  const rooms = { 4: new Uint8Array(4), 6: new Uint8Array(16) }
  for (let index = 0; index < CONFIGURATIONS; index += 1) {
    for (const asking of drawNames(drawn, index).map(name => askingOf(name, index))) {
      if (asking.isWhole[4] !== asking.isWhole[6] || asking.isWhole[4]) wholes += 1
      for (let i = 0; i < CLIENTS; i += 1) {
        const family = i % 2 === 0 ? 4 : 6
        drawAddress(drawn, asking.name.edges, family, rooms[family])
        check(asking, family, rooms[family])
      }
    }
  }
}, 240_000)

test.each(Object.entries(LAWS) as [Law, string][])('%s %s', law => {
  expect([broken[law].length, ...broken[law].slice(0, 10)]).toEqual([0])
})

test('P4 was tried both ways', () => {
  expect(wholes).toBeGreaterThan(5)
  expect(wholes).toBeLessThan(2 * CONFIGURATIONS - 5)
})
