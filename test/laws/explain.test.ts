/**
 * What `explain` says is what is served: the same targets, scope and TTL, on random questions over
 * random maps, with every way to pick and targets down. Replies come over UDP, or for other sources
 * out of the line, and dns-packet reads them; the ranking is held against `kit/oracle.ts` as well.
 */
import { createSocket } from 'node:dgram'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Desk } from '../../server/answer/desk.ts'
import { serve } from '../../server/answer/serve.ts'
import { chance } from '../../server/steer/chance.ts'
import { startTurns } from '../../server/steer/turns.ts'
import type { Explanation, Steered } from '../../server/tell/explain/explanation.ts'
import { dgramEngine } from '../../server/transport/dgram.ts'
import type { UdpSocket } from '../../server/transport/engine.ts'
import { serviceOf } from '../kit/service.ts'
import { explained } from '../kit/serving.ts'
import {
  type Drawn,
  drawQuestion,
  drawServing,
  type Question,
  rightRanking,
} from '../kit/servings.ts'
import { exchange, peerOf, queryOf, type Said, said } from '../kit/world.ts'

const MAPS = 50
const QUESTIONS = 200

let socket: UdpSocket
let now: Drawn
let seed: readonly number[] = []
const client = createSocket('udp4')

/** The desk of the map as if it were fresh, with the draws that the question is to have. */
function deskNow(): Desk {
  const { desk, serving } = now
  desk.chance.set(chance(...seed))
  desk.turns = startTurns(serving.world.steering, desk.chance)
  return desk
}

beforeAll(async () => {
  socket = await dgramEngine.open(
    '127.0.0.1',
    0,
    (query, length, reply, peer) => serve(deskNow(), query, length, reply, peer),
    { ecs: true, onFault: cause => client.emit('error', cause) },
  )
})
afterAll(async () => {
  client.close()
  await socket.close()
})

function overUdp(query: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    client.removeAllListeners()
    client.once('error', reject)
    client.once('message', octets => resolve(new Uint8Array(octets)))
    client.send(query, socket.port, '127.0.0.1')
  })
}

async function served({ name, source, subnet, type }: Question): Promise<Said> {
  const query = queryOf(name, { type, ...(subnet && { subnet }) })
  if (source === '127.0.0.1') return said(await overUdp(query))
  return said(exchange(deskNow(), query, peerOf(source)) ?? new Uint8Array())
}

function explainedNow({ subnet, ...question }: Question): Explanation {
  const { board, serving } = now
  return explained(serving, { ...question, board, ...(subnet && { client: subnet }) })
}

/** What both sides have to say, in the same words. */
type Account = {
  readonly targets: readonly string[]
  readonly ttls: readonly number[]
  readonly scope: number | undefined
  readonly rcode: string
  readonly octets: number
  readonly ranking: string
  /** How long the block is that decided, where the subnet did. */
  readonly bits: number | undefined
}

function accountOf(answer: Said, question: Question, by: Steered['locate']['by']): Account {
  const { octets, rcode, scope } = answer
  const ttls = new Set(answer.answer.map(line => Number(line.split(' ')[1])))
  const bits = by === 'subnet' ? scope : undefined
  const ranking = rightRanking(now, question, by)
  return {
    targets: targetsOf(answer, question),
    ttls: [...ttls],
    scope,
    rcode,
    octets,
    ranking,
    bits,
  }
}

/** As a set: what is answered or hinted at. */
function targetsOf(answer: Said, { type }: Question): string[] {
  if (type !== 'HTTPS') return answer.answer.map(line => line.split(' ')[3] ?? '').sort()
  const { ipv4, ipv6 } = serviceOf(answer)
  return [...ipv4, ...ipv6].sort()
}

function accountTold({ reply, steer, write }: Explanation): Account {
  const { locate, picks, ranking, ttl } = steer ?? fail()
  const targets = picks.flatMap(pick => pick.targets.map(({ target }) => target))
  const bits = locate.by === 'subnet' ? Number(locate.leaf?.prefix.split('/')[1]) : undefined
  const index = (pool: string) => now.policy.pools.findIndex(({ name }) => name === pool)
  return {
    targets: targets.map(target => target.replace(/\.$/, '')).sort(),
    ttls: [ttl.seconds],
    scope: reply.scope,
    rcode: reply.rcode,
    octets: write.octets,
    ranking: ranking.map(tier => tier.map(index).join('=')).join(' '),
    bits,
  }
}

function fail(): never {
  throw new Error('not steered')
}

test(`explain says what is served, ${MAPS * QUESTIONS} times`, async () => {
  const drawn = chance(20_260_617)
  const met = new Set<string>()
  for (let map = 0; map < MAPS; map += 1) {
    now = drawServing(drawn, map)
    for (let index = 0; index < QUESTIONS; index += 1) {
      const question = drawQuestion(drawn, now.isAlias, index)
      seed = question.seed
      const answer = await served(question)
      const explanation = explainedNow(question)
      const right = accountOf(answer, question, explanation.steer?.locate.by ?? fail())
      const told = accountTold(explanation)
      // Comparing texts first saves most of the time.
      if (JSON.stringify(told) !== JSON.stringify(right)) {
        expect({ ...told, question }).toEqual({ ...right, question })
      }
      for (const word of wordsOf(explanation)) met.add(word)
    }
  }
  expect([...met].sort()).toEqual([...ALL].sort())
}, 120_000)

/** All that an explanation can say of steering: the questions meet every word of it. */
// biome-ignore format: table
const ALL: readonly string[] = [
  'because all', 'because alike', 'because asn', 'because city', 'because continent',
  'because country', 'because default', 'because field', 'because latency', 'because nearest',
  'because network', 'because rule', 'because subdivision',
  'by nobody', 'by source', 'by subnet',
  'passed over: not tailored', 'passed over: not told', 'passed over: source 0', 'passed over: special',
  'pick fastest', 'pick feedback', 'pick hash', 'pick least', 'pick multi', 'pick random',
  'pick rotate', 'pick shuffle', 'pick smooth', 'pick two', 'pick weighted',
  'of IPv4', 'of IPv6', 'of host',
  'pool: serves', 'pool: not needed', 'pool: none up', 'pool: below quorum',
  'pool: gave this client away', 'pool: gives the last target', 'pool: last resort',
  'resort all', 'resort healthiest', 'resort pool',
]

function wordsOf({ steer }: Explanation): string[] {
  const { locate, picks, pools, resort } = steer ?? fail()
  return [
    ...locate.because.map(({ kind }) => `because ${kind}`),
    `by ${locate.by}`,
    ...(locate.passed === undefined ? [] : [`passed over: ${locate.passed}`]),
    ...picks.flatMap(({ kind, policy }) => [`pick ${policy}`, `of ${kind}`]),
    ...pools.map(({ why }) => `pool: ${why}`),
    ...(resort === undefined ? [] : [`resort ${resort.rule}`]),
  ]
}
