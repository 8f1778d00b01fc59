/**
 * A row of replies to one question, asked again and again by one client, as figures. Decides
 * nothing: `rotation.ts` does.
 */
import { inOrder, isAbout, mostAsked } from './about.ts'
import { chance, draw } from './chance.ts'
import { driftChance } from './drift.ts'
import { instanceChance, instanceOf } from './instance.ts'
import type { Observation } from './observation.ts'
import { chao, countOf, unseenShare } from './odds.ts'
import type { RotationOptions } from './options.ts'
import { wheelChance } from './order.ts'
import { holdsAnswer, setKey, setOf } from './reply.ts'
import { countsDown, moments } from './ttl.ts'
import { type Counter, regularity } from './turn.ts'
import { uniformity } from './uniform.ts'
import type { RotationEvidence } from './verdict.ts'

export type Series = {
  /** All observations of the name and type, in order of sending. */
  readonly asked: readonly Observation[]
  /** Those that hold at least one record. */
  readonly answers: readonly Observation[]
  readonly evidence: RotationEvidence
  /** Whether every reply held the same set. */
  readonly sameSet: boolean
  /** Chance of orders that are only turns of a wheel; chance of steps as regular as a counter's. */
  readonly wheel: number
  readonly steps: number
  /** Whether each instance by itself always answers the same. */
  readonly constantByInstance: boolean
}

export function seriesOf(all: readonly Observation[], options: RotationOptions): Series {
  const sent = inOrder(all)
  const asked = sent.filter(seen => isAbout(seen, options))
  const held = asked.filter(holdsAnswer)
  const answers = held.filter(seen => setOf(seen).length > 0)
  const orders = answers.map(orderOf)
  const sets = answers.map(seen => setKey(setOf(seen)))
  const sameSet = new Set(sets).size <= 1
  const seeds = chance(options.seed)
  const wheel = sameSet ? wheelChance(orders) : 1
  const steps = stepsChance(sent, answers, options, draw(seeds))
  const instances = answers.map(instanceOf)
  const keys = orders.map(setKey)
  const evidence = {
    ...figures(asked, held, answers),
    cyclic: keys.length < 2 ? undefined : Math.min(1, 2 * Math.min(wheel, steps)),
    uniform:
      keys.length < 2
        ? undefined
        : uniformity(
            firsts(orders).map(([, n]) => n),
            draw(seeds),
          ),
    drift: keys.length < 2 ? undefined : driftChance(sameSet ? keys : sets),
    instance: keys.length < 2 ? undefined : instanceChance(instances, keys, draw(seeds)),
  }
  const distinct = new Set(instances.map((instance, at) => `${instance} ${keys[at]}`)).size
  const constantByInstance = distinct === new Set(instances).size
  return { asked, answers, evidence, sameSet, wheel, steps, constantByInstance }
}

/** The answer in the order it came; an unfollowed alias counts as one record. */
export function orderOf(seen: Observation): readonly string[] {
  return seen.answers.length > 0 ? seen.answers : setOf(seen)
}

type Figures = Omit<RotationEvidence, 'uniform' | 'cyclic' | 'drift' | 'instance'>

function figures(
  asked: readonly Observation[],
  held: readonly Observation[],
  answers: readonly Observation[],
): Figures {
  const orders = answers.map(orderOf)
  const keys = orders.map(setKey)
  const sizes = orders.map(order => order.length)
  const seen = countOf(answers.flatMap(setOf))
  const isWhole = sizes.every(size => size === seen.size)
  const ttls = answers.flatMap(({ ttl }) => (ttl === undefined ? [] : [ttl]))
  const rcodes = [...countOf(asked.flatMap(({ rcode }) => rcode ?? []))]
  return {
    kind: 'rotation',
    queries: asked.length,
    replies: held.length,
    empty: held.length - answers.length,
    rcode: rcodes.sort((a, b) => b[1] - a[1])[0]?.[0],
    atLeast: seen.size,
    probably: isWhole ? undefined : chao([...seen.values()]),
    unseen: unseenShare(answers.length),
    perAnswer: { min: least(sizes), max: most(sizes) },
    orders: new Set(keys).size,
    orderChanges: keys.filter((key, at) => at > 0 && key !== keys[at - 1]).length,
    first: firsts(orders).map(([address, count]) => ({ address, count })),
    constant: new Set(keys).size === 1 ? 0.5 ** (keys.length - 1) : undefined,
    ttl: ttls.length === 0 ? undefined : { min: least(ttls), max: most(ttls) },
    countsDown: countsDown(moments(answers)),
    authoritative: held.some(({ flags }) => flags.aa),
  }
}

/** First addresses and how often each came first, most often first. */
function firsts(orders: readonly (readonly string[])[]): [string, number][] {
  const counts = [...countOf(orders.flatMap(order => order.slice(0, 1)))]
  return counts.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
}

/** Tests for turns, on the answers of the server asked most: each server counts for itself. */
function stepsChance(
  sent: readonly Observation[],
  answers: readonly Observation[],
  about: RotationOptions,
  seed: number,
): number {
  const server = mostAsked(answers)
  const there = sent.filter(seen => seen.server === server)
  const mine = answers.filter(seen => seen.server === server)
  const counters: Counter[] = [
    standings(
      there.filter(seen => isAbout(seen, about)),
      mine,
    ),
    standings(
      there.filter(seen => seen.name === about.name),
      mine,
    ),
    standings(there, mine),
  ]
  return regularity(
    mine.map(seen => setKey(orderOf(seen))),
    counters,
    seed,
  )
}

/** Where a counter of `counted` queries stood at each of the answers. */
function standings(counted: readonly Observation[], answers: readonly Observation[]): Counter {
  const place = new Map(counted.map((seen, at) => [seen.sequence, at]))
  return answers.map(({ sequence }) => place.get(sequence) ?? 0)
}

function least(numbers: readonly number[]): number {
  return numbers.reduce((min, number) => Math.min(min, number), numbers[0] ?? 0)
}

function most(numbers: readonly number[]): number {
  return numbers.reduce((max, number) => Math.max(max, number), 0)
}
