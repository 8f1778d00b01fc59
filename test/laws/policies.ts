/**
 * What each policy makes of what it knows: 99th percentiles of time in the system, held to those of
 * the queueing models that the project starts from.
 */
import { addresses } from '../kit/draws.ts'
import { about, above, type Figure, SEEDS, type Wanted } from './figure.ts'
import { type Model, type Outcome, SERVERS, simulate, type Traffic, trafficOf } from './queueing.ts'

/** In mean services. */
const AGE = 2

const never = () => 0
const fresh = (now: number) => now
/**
 * All loads are reported at once and then stand for AGE. That is what the source means by a snapshot
 * so old: this has its figures, and loads of exactly that age do not.
 */
const reported = (now: number) => now - (now % AGE)
const delayed = (now: number) => now - AGE

const USUAL = { targets: addresses(SERVERS), slowness: 1, seenAt: never, clients: 0 } as const
const SLOW = { ...USUAL, slowness: 4 } as const
/** In proportion to the speed of these. */
const WEIGHTED = USUAL.targets.map((target, i) => `${target}=${i === 0 ? 1 : 4}`)
const FEW: Model = { ...USUAL, pick: 'hash', clients: 500 }
/** What 5,000 clients have; 500 have more than three times its most. */
const MANY = about(26.9, 30)

type Row = readonly [name: string, model: Model, wanted?: Wanted, of?: keyof Outcome]

// biome-ignore format: table
const ROWS: readonly Row[] = [
  ['random',                             { ...USUAL, pick: 'random' },                      about(25.07, 8)],
  ['rotate',                             { ...USUAL, pick: 'rotate' },                      about(17, 8)],
  ['two, fresh loads',                   { ...USUAL, pick: 'two', seenAt: fresh },          about(8.86, 8)],
  ['least, fresh loads',                 { ...USUAL, pick: 'least', seenAt: fresh },        about(6.06, 8)],
  ['two, reports every 2',               { ...USUAL, pick: 'two', seenAt: reported },       about(10.52, 8)],
  ['least, reports every 2',             { ...USUAL, pick: 'least', seenAt: reported },     about(19.95, 8)],
  ['two, each load 2 old',               { ...USUAL, pick: 'two', seenAt: delayed }],
  ['least, each load 2 old',             { ...USUAL, pick: 'least', seenAt: delayed }],
  ['hash, 5,000 clients',                { ...USUAL, pick: 'hash', clients: 5000 },         MANY],
  ['hash, 500 clients',                  FEW,                                               above('three times that', 3 * MANY.most)],
  ['load of the busiest of these',       FEW,                                               above('1', 1), 'busiest'],
  ['one 4 × slower: least, fresh loads', { ...SLOW, pick: 'least', seenAt: fresh },         about(7.7, 8)],
  ['one 4 × slower: two, fresh loads',   { ...SLOW, pick: 'two', seenAt: fresh }],
  ['one 4 × slower: smooth, by speed',   { ...SLOW, pick: 'smooth', targets: WEIGHTED }],
]

export const POLICIES: readonly Figure[] = ROWS.map(([name, model, wanted, of = 'ninetyNinth']) => {
  return { name, wanted, measure: () => outcomesOf(model).map(outcome => outcome[of]) }
})

const traffic: Traffic[] = []
const known = new Map<Model, readonly Outcome[]>()

/** Simulated when they are first asked for. */
function outcomesOf(model: Model): readonly Outcome[] {
  if (traffic.length === 0) traffic.push(...SEEDS.map(trafficOf))
  const outcomes = known.get(model) ?? traffic.map(each => simulate(model, each))
  known.set(model, outcomes)
  return outcomes
}
