/**
 * Whatever is up or down: there is an answer, its scope is what it was, and what is down is answered
 * only where a client's pools have nothing else. Over random configurations and random health.
 */
import { beforeAll, expect, test } from 'vitest'
import { openBoard } from '../../server/steer/board.ts'
import { below, type Chance, chance } from '../../server/steer/chance.ts'
import type { Quorum } from '../../server/steer/rule.ts'
import { KIND, KINDS } from '../../server/steer/steering.ts'
import { drawNames, type Name } from '../kit/configurations.ts'
import { drawAddress } from '../kit/edges.ts'
import { askFor, type Question, questionOf, told } from '../kit/octet-client.ts'
import { peerOf } from '../kit/world.ts'

const CONFIGURATIONS = 60
/** 120 names, each with so many clients, each at a health of its own. */
const CLIENTS = 400
const WIDTH = { 4: 32, 6: 128 } as const
const TYPES = ['A', 'AAAA', 'HTTPS'] as const
const PEER = peerOf('198.51.100.53')

const LAWS = {
  positive: 'as many kinds of answers as when all is up: never NODATA, never an error',
  steady: 'the scope is that of the client, never of health',
  last: 'a target that is down is answered only where no pool of its client is usable',
} as const
type Law = keyof typeof LAWS

const broken: Record<Law, string[]> = { positive: [], steady: [], last: [] }
const drawn = chance(20_260_803)
const well = told()
const ill = told()
/** How often a target that is down was answered, and one that is up. */
const answered = { down: 0, up: 0 }

type Sick = Name & { readonly board: ReturnType<typeof openBoard> }

/** From all down to all up, evenly. */
function sicken(draws: Chance, { up }: Sick['board']): void {
  const share = below(draws, 6)
  for (const [target] of up.entries()) up[target] = below(draws, 5) < share ? 1 : 0
}

function check(name: Sick, question: Question, type: string, family: 4 | 6, address: Uint8Array) {
  const { board, desk, title } = name
  const ask = (into: typeof well) => {
    askFor(desk, question, family, address, WIDTH[family], PEER, into)
    return desk.counts[0] ?? 0
  }
  const note = (law: Law, isKept: boolean) => {
    if (!isKept) broken[law].push(`${title}, ${type}, ${address.join('.')}, up ${board.up}`)
  }
  const sound = desk.board
  const before = ask(well)
  desk.board = board
  const after = ask(ill)
  note('positive', before > 0 === after > 0)
  note('steady', well.scope === ill.scope)
  if (after > 0 && type !== 'HTTPS') note('last', isLast(name, type))
  desk.board = sound
}

/** Tells of the decision that was made last whether it answers what is down for want of all else. */
function isLast(name: Sick, type: string): boolean {
  const { board, configuration, desk, slot } = name
  const { decision, world } = desk
  const { rankingPools, rankingStart } = world.steering
  const chosen = [...decision.targets.subarray(0, decision.count)]
  const down = chosen.filter(target => board.up[target] === 0)
  answered.down += down.length
  answered.up += chosen.length - down.length
  if (down.length === 0) return true
  const { policy } = configuration
  const [from, to] = [rankingStart[decision.ranking] ?? 0, rankingStart[decision.ranking + 1] ?? 0]
  const isUsable = (pool: number) => {
    const quorum = policy.rules[slot]?.quorum ?? policy.pools[pool]?.quorum
    return isServing(name, pool, type, quorum)
  }
  return !rankingPools.subarray(from, to).some(isUsable)
}

function isServing({ board, desk }: Sick, pool: number, type: string, quorum?: Quorum): boolean {
  const { alias, listStart } = desk.world.steering
  const isAlias = alias[desk.decision.slot] === 1
  const kind = isAlias ? KIND.host : type === 'A' ? KIND.ipv4 : KIND.ipv6
  const bounds = (list: number) => [listStart[list] ?? 0, listStart[list + 1] ?? 0] as const
  const upIn = (from: number, to: number) =>
    board.up.subarray(from, to).reduce((sum, up) => sum + up, 0)
  const [start] = bounds(KINDS * pool)
  const [, end] = bounds(KINDS * pool + KINDS - 1)
  const most = quorum?.kind === 'share' ? quorum.share * (end - start) - 1e-9 : quorum?.count
  const need = Math.max(1, Math.ceil(most ?? 1))
  return upIn(...bounds(KINDS * pool + kind)) > 0 && upIn(start, end) >= need
}

beforeAll(() => {
  const rooms = { 4: new Uint8Array(4), 6: new Uint8Array(16) }
  for (let index = 0; index < CONFIGURATIONS; index += 1) {
    for (const name of drawNames(drawn, index)) {
      const sick = { ...name, board: openBoard(name.desk.world.steering) }
      const questions = TYPES.map(type => [type, questionOf(name.name, type)] as const)
      for (let i = 0; i < CLIENTS; i += 1) {
        const family = i % 2 === 0 ? 4 : 6
        sicken(drawn, sick.board)
        drawAddress(drawn, name.edges, family, rooms[family])
        const [type, question] = questions[below(drawn, questions.length)]!
        check(sick, question, type, family, rooms[family])
      }
    }
  }
}, 120_000)

test.each(Object.entries(LAWS) as [Law, string][])('%s: %s', law => {
  expect([broken[law].length, ...broken[law].slice(0, 10)]).toEqual([0])
})

test('what is down was answered, and far more often what is up', () => {
  expect(answered.down).toBeGreaterThan(1000)
  expect(answered.up).toBeGreaterThan(10_000)
})
