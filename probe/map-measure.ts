/**
 * A sweep of address space: the judge says which network comes next and what a reply is worth, here it
 * is asked for, several pieces of the space at once.
 */

import type { Server } from './ask/server.ts'
import { classOf, join, type Pools } from './judge/pools.ts'
import { setKey } from './judge/reply.ts'
import type { Purpose, Sighting } from './judge/sighting.ts'
import { lesser, ordinaryIn, type Range, type Span, sizeOf, spanAt } from './judge/span.ts'
import {
  anyIn, halvesOf, nextAt, placesIn, type Special, stretchOf,
} from './judge/sweep.ts' // biome-ignore format: list
import type { Stop, Swept } from './judge/swept.ts'
import { isEnded, type Run } from './ledger.ts'
import { desk, type MapDesk, seek } from './map-desk.ts'
import type { Subject } from './plan/rounds.ts'

export type MapWish = {
  /** What to go through: each is one walk. */
  readonly pieces: readonly Range[]
  /** SOURCE lengths, the usual one first. */
  readonly sources: readonly number[]
  /** Networks tried in each block beside the first. */
  readonly samples: number
  readonly special: Special
  readonly seed: number
  /** Most networks drawn where scopes never widen. */
  readonly draws: number
}

type Survey = {
  readonly desk: MapDesk
  readonly wish: MapWish
  readonly pools: Pools
  /** Each set met so far, and whether any network was given two. */
  readonly sets: Set<string>
  varies: boolean
  readonly stretches: { readonly range: Range; readonly seen: Sighting }[]
  readonly drawn: Sighting[]
  /** Networks without an answer: asked for once more at the end. */
  readonly holes: Range[]
  mode: 'swept' | 'sampled'
  /** Addresses gone through. */
  covered: bigint
}

/** Of the first server that answers. */
export async function measureMap(
  run: Run,
  subject: Subject,
  servers: readonly Server[],
  wish: MapWish,
): Promise<Swept | undefined> {
  let swept: Swept | undefined
  for (const server of servers) {
    const survey = surveyOf(desk(run, subject, server, wish.sources), wish)
    await sweep(survey)
    if (survey.mode === 'sampled') await drawAll(survey)
    swept = sweptOf(survey)
    if (swept.sightings.length > 0 || isEnded(run)) break
  }
  return swept
}

function surveyOf(at: MapDesk, wish: MapWish): Survey {
  return {
    desk: at,
    wish,
    pools: new Map(),
    sets: new Set(),
    varies: false,
    stretches: [],
    drawn: [],
    holes: [],
    mode: 'swept',
    covered: 0n,
  }
}

function sweptOf(survey: Survey): Swept {
  const { desk: at, wish, pools, stretches, drawn, mode, covered } = survey
  const stop: Stop | undefined = at.stop
  const space = spaceOf(wish)
  const { sightings, asked, lost, server } = at
  return { server, sightings, stretches, drawn, pools, mode, stop, covered, space, asked, lost }
}

function spaceOf({ pieces, special }: MapWish): bigint {
  return pieces.reduce((sum, piece) => sum + sizeIn(piece, special), 0n)
}

function sizeIn(range: Range, special: Special): bigint {
  return special === 'skipped' ? ordinaryIn(range) : range.to - range.from
}

/** Several walkers, each with a piece of its own. */
async function sweep(survey: Survey): Promise<void> {
  await walkAll(survey, survey.wish.pieces)
  await walkAll(survey, survey.holes.splice(0))
}

async function walkAll(survey: Survey, pieces: readonly Range[]): Promise<void> {
  const queue = pieces.values()
  const walker = async (): Promise<void> => {
    for (const piece of queue) {
      await walk(survey, piece, { splits: MOST_SPLITS, samples: survey.wish.samples })
      if (survey.desk.stop !== undefined || survey.mode === 'sampled') return
    }
  }
  await Promise.all(Array.from({ length: survey.desk.book.run.width }, walker))
}

/** How closely a piece is looked at. */
type Care = { splits: number; readonly samples: number }

/** Blocks of one piece that are cut where a reply proved untrue, at most. */
const MOST_SPLITS = 64
/** Networks tried in each part of a block that proved untrue, at least. */
const SUSPICIOUS = 8

async function walk(survey: Survey, piece: Range, care: Care): Promise<void> {
  const { special } = survey.wish
  let cursor = nextAt(piece, piece.from, special)
  while (cursor !== undefined && survey.desk.stop === undefined && survey.mode === 'swept') {
    const seen = await seek(survey.desk, piece.family, cursor, 'leaf')
    cursor = nextAt(piece, await settle(survey, piece, cursor, seen, care), special)
  }
}

/** Goes on from one reply; returns where the cursor comes to stand. */
async function settle(
  survey: Survey,
  piece: Range,
  cursor: bigint,
  seen: Sighting | undefined,
  care: Care,
): Promise<bigint> {
  if (seen === undefined) {
    const hole = {
      ...piece,
      from: cursor,
      to: lesser(piece.to, afterNetwork(survey, piece, cursor)),
    }
    survey.holes.push(hole)
    return hole.to
  }
  const stretch = stretchOf(piece, cursor, seen)
  await learn(survey, seen)
  const halves = halvesOf(stretch, seen.network.bits)
  const isTrue = await isHonest(survey, seen, stretch, care.samples)
  if (isTrue || halves.length === 0 || care.splits <= 0) {
    keep(survey, stretch, seen)
    return stretch.to
  }
  care.splits -= halves.length
  const closer = { splits: care.splits, samples: Math.max(SUSPICIOUS, care.samples) }
  for (const half of halves) await walk(survey, half, closer)
  care.splits = closer.splits
  return stretch.to
}

function afterNetwork({ wish }: Survey, piece: Range, cursor: bigint): bigint {
  const bits = wish.sources[0] ?? 0
  return spanAt(piece.family, cursor, bits).at + sizeOf(piece.family, bits)
}

/** Replies after which it is clear that scopes never get wider than what is asked for. */
const ENOUGH = 512

function keep(survey: Survey, range: Range, seen: Sighting): void {
  const { stretches, wish, desk: at } = survey
  if (at.stop !== undefined) return
  stretches.push({ range, seen })
  survey.covered += sizeIn(range, wish.special)
  if (stretches.length < ENOUGH || at.widens) return
  const left = spaceOf(wish) - survey.covered
  const networks = left / sizeOf(range.family, wish.sources[0] ?? 0)
  if (networks > BigInt(Math.max(0, at.book.run.budget.queries - at.asked))) survey.mode = 'sampled'
}

/** Times a network is asked again when its answer is new; more often once a name is known to rotate. */
const REPEATS = { steady: 3, varying: 8 } as const
/** Answers that this is done for, where nothing rotates. */
const MOST_LEARNED = 64

/** An answer never met before: does the same network get it again? */
async function learn(survey: Survey, seen: Sighting): Promise<void> {
  const { sets } = survey
  const isKnown = sets.has(setKey(seen.set))
  sets.add(setKey(seen.set))
  if (isKnown || (sets.size > MOST_LEARNED && !survey.varies)) return
  for (let time = 0; time < REPEATS[survey.varies ? 'varying' : 'steady']; time += 1) {
    await again(survey, seen)
  }
}

async function again(survey: Survey, seen: Sighting): Promise<void> {
  const { network } = seen
  const other = await seek(survey.desk, network.family, network.at, 'again', network.bits)
  if (other === undefined || setKey(other.set) === setKey(seen.set)) return
  survey.varies = true
  survey.sets.add(setKey(other.set))
  join(survey.pools, seen.set, other.set)
}

/** Whether networks inside a stretch are given the same, with the same block. */
async function isHonest(
  survey: Survey,
  seen: Sighting,
  stretch: Range,
  count: number,
): Promise<boolean> {
  const { seed, special } = survey.wish
  for (const place of placesIn(stretch, seen.network.bits, { count, seed, special })) {
    const other = await sampled(survey, place)
    if (other === undefined) continue
    if (!isSameSpan(other.claim, seen.claim)) return false
    if (!(await isAlike(survey, seen, other))) return false
  }
  return true
}

async function sampled(survey: Survey, place: Span): Promise<Sighting | undefined> {
  const seen = await seek(survey.desk, place.family, place.at, 'sample', place.bits)
  if (seen !== undefined) await learn(survey, seen)
  return seen
}

function isSameSpan(one: Span, other: Span): boolean {
  return one.at === other.at && one.bits === other.bits
}

/** Rounds in which two networks are asked again before they count as different. */
const ROUNDS = { steady: 1, varying: 6 } as const

async function isAlike(survey: Survey, one: Sighting, other: Sighting): Promise<boolean> {
  const { pools } = survey
  const isSame = (): boolean => classOf(pools, one.set) === classOf(pools, other.set)
  for (let round = 0; !isSame(); round += 1) {
    if (round >= ROUNDS[survey.varies ? 'varying' : 'steady']) return false
    await again(survey, one)
    await again(survey, other)
  }
  return true
}

/** Random networks, as many from each piece. */
async function drawAll(survey: Survey): Promise<void> {
  const { wish, desk: at, drawn } = survey
  const { pieces, seed, special, sources } = wish
  const places = Array.from({ length: wish.draws }, (_, index) => {
    const piece = pieces[index % pieces.length]
    return piece && anyIn(piece, sources[0] ?? 0, seed + index, special)
  }).values()
  const walker = async (): Promise<void> => {
    for (const place of places) {
      const seen = place && (await seek(at, place.family, place.at, 'leaf' satisfies Purpose))
      if (at.stop !== undefined) return
      if (seen !== undefined) drawn.push(seen)
    }
  }
  await Promise.all(Array.from({ length: at.book.run.width }, walker))
}
