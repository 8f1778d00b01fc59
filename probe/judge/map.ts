/**
 * What a sweep of address space shows: the groups of answers and who gets them, the blocks and whether
 * they are true, how much was seen and what may be missed, and what caches make of it.
 */
import { type Finding, finding, many } from './finding.ts'
import { letter, natural } from './groups.ts'
import { unseenShare } from './odds.ts'
import { type OracleReport, oracle } from './oracle.ts'
import { type Leaf, leavesOf, mergedCount, type Overlap, overlapsOf } from './partition.ts'
import { classOf } from './pools.ts'
import { setKey } from './reply.ts'
import type { Sighting } from './sighting.ts'
import { type Range, type Span, spanText } from './span.ts'
import type { Swept } from './swept.ts'
import { type Trust, weighedBy } from './trust.ts'

export type MapKind =
  /** Blocks that are true, as far as they were tried. */
  | 'partition'
  /** Blocks that lie in others, or hold networks that are answered differently. */
  | 'untrue'
  /** One answer for everybody. */
  | 'same'
  /** Scopes never widen: a sample instead of a sweep. */
  | 'sampled'
  /** No option ever came back as it was sent. */
  | 'no-ecs'
  | 'unanswered'

export type MapGroup = {
  readonly letter: string
  readonly answers: readonly string[]
  /** Different sets among its replies: more than one where it rotates. */
  readonly sets: number
  /** Of what was seen: 0 … 1. */
  readonly share: number
  readonly blocks: number
}

export type MapLeaf = Omit<Leaf, 'groups'> & { readonly letters: readonly string[] }

export type MapJudgement = {
  readonly name: string
  readonly type: string
  readonly kind: MapKind
  readonly swept: Swept
  readonly groups: readonly MapGroup[]
  readonly leaves: readonly MapLeaf[]
  /** The space in order, each part with the letter of its group. */
  readonly parts: readonly { readonly range: Range; readonly letter: string }[]
  readonly overlaps: readonly Overlap[]
  /** Blocks that hold networks which are answered differently. */
  readonly short: readonly Span[]
  /** Blocks there are for each that the answers need; absent where blocks overlap. */
  readonly fragmentation: number | undefined
  /** Leaves by SCOPE PREFIX-LENGTH. */
  readonly scopes: ReadonlyMap<number, number>
  /** Part of the space gone through, 0 … 1; and, of networks, the part answered otherwise that such a sample misses once in twenty. */
  readonly coverage: number
  readonly missable: number | undefined
  /** Networks tried beside the first in blocks that have room for it. */
  readonly samples: number
  /** Fewest networks tried in a block that has more of them; absent where none has. */
  readonly least: number | undefined
  readonly oracle: OracleReport
  readonly findings: readonly Finding[]
  /** What trying the resolver showed that it was made through; absent: none was tried. */
  readonly calibration: Trust | undefined
}

export type MapOptions = {
  readonly name: string
  readonly type: string
  readonly seed: number
  readonly orders: number
  /** SOURCE lengths that were used. */
  readonly sources: readonly number[]
  readonly trust?: Trust | undefined
}

export function judgeMap(swept: Swept, options: MapOptions): MapJudgement {
  const groupOf = remembered(set => classOf(swept.pools, set))
  const leaves = leavesOf(swept.sightings, groupOf, Math.max(...options.sources))
  const groups = groupsOf(swept, leaves, groupOf)
  const letterOf = (key: string): string => groups.get(key)?.letter ?? '?'
  const overlaps = overlapsOf(leaves)
  const short = leaves.filter(leaf => leaf.groups.length > 1).map(({ span }) => span)
  const base = { swept, leaves, groups: [...groups.values()], overlaps, short }
  const kind = kindOf(base)
  return {
    name: options.name,
    type: options.type,
    kind,
    ...base,
    leaves: leaves.map(({ span, groups: keys, tried }) => {
      return { span, tried, letters: keys.map(letterOf).sort() }
    }),
    parts: partsOf(swept, set => letterOf(groupOf(set))),
    fragmentation: finenessOf(base),
    scopes: scopesOf(leaves),
    coverage: ratio(swept.covered, swept.space),
    missable: swept.mode === 'sampled' ? unseenShare(swept.drawn.length) : undefined,
    ...triedIn(leaves, options.sources),
    oracle: oracle(swept.sightings, groupOf, options),
    findings: weighedBy(options.trust, findingsOf(base, kind)),
    calibration: options.trust,
  }
}

/** The key of a set's group, worked out once a set. */
function remembered(
  groupOf: (set: readonly string[]) => string,
): (set: readonly string[]) => string {
  const memo = new Map<string, string>()
  return set => {
    const key = setKey(set)
    const known = memo.get(key) ?? groupOf(set)
    memo.set(key, known)
    return known
  }
}

function partsOf(
  { stretches }: Swept,
  letterOf: (set: readonly string[]) => string,
): MapJudgement['parts'] {
  const parts = stretches.map(({ range, seen }) => ({ range, letter: letterOf(seen.set) }))
  return parts.sort((one, other) => (one.range.from < other.range.from ? -1 : 1))
}

function finenessOf({ swept, leaves, overlaps }: Base): number | undefined {
  if (overlaps.length > 0 || leaves.length === 0 || swept.mode === 'sampled') return undefined
  return leaves.length / mergedCount(leaves)
}

type Base = {
  readonly swept: Swept
  readonly leaves: readonly Leaf[]
  readonly groups: readonly MapGroup[]
  readonly overlaps: readonly Overlap[]
  readonly short: readonly Span[]
}

function kindOf({ swept, groups, overlaps, short }: Base): MapKind {
  if (swept.sightings.length === 0) return 'unanswered'
  if (swept.sightings.every(({ scope }) => scope === undefined)) return 'no-ecs'
  if (groups.length > 1 && (overlaps.length > 0 || short.length > 0)) return 'untrue'
  if (swept.mode === 'sampled') return 'sampled'
  return groups.length > 1 ? 'partition' : 'same'
}

/** By key, the group with the most addresses first. */
function groupsOf(
  swept: Swept,
  leaves: readonly Leaf[],
  groupOf: (set: readonly string[]) => string,
): ReadonlyMap<string, MapGroup> {
  const drafts = new Map<string, { sets: Map<string, readonly string[]>; size: number }>()
  for (const { set } of swept.sightings) {
    const key = groupOf(set)
    const draft = drafts.get(key) ?? { sets: new Map(), size: 0 }
    drafts.set(key, draft)
    draft.sets.set(setKey(set), set)
  }
  for (const { seen, weight } of weighted(swept)) {
    const draft = drafts.get(groupOf(seen.set))
    if (draft !== undefined) draft.size += weight
  }
  const all = [...drafts.values()].reduce((sum, { size }) => sum + size, 0)
  const blocks = new Map<string, number>()
  for (const { groups } of leaves) {
    for (const key of groups) blocks.set(key, (blocks.get(key) ?? 0) + 1)
  }
  const sorted = [...drafts].sort(
    ([a, one], [b, other]) => other.size - one.size || a.localeCompare(b, 'en', { numeric: true }),
  )
  return new Map(
    sorted.map(([key, { sets, size }], at) => [
      key,
      {
        letter: letter(at),
        answers: natural([...sets.values()].flat()),
        sets: sets.size,
        share: all === 0 ? 0 : size / all,
        blocks: blocks.get(key) ?? 0,
      },
    ]),
  )
}

/** What stands for the space: the stretches by their size, or networks drawn, all alike. */
function weighted({
  mode,
  drawn,
  stretches,
}: Swept): readonly { seen: Sighting; weight: number }[] {
  if (mode === 'sampled') return drawn.map(seen => ({ seen, weight: 1 }))
  return stretches.map(({ range, seen }) => ({ seen, weight: Number(range.to - range.from) }))
}

function scopesOf(leaves: readonly Leaf[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const { span } of leaves) counts.set(span.bits, (counts.get(span.bits) ?? 0) + 1)
  return new Map([...counts].sort(([one], [other]) => one - other))
}

function triedIn(
  leaves: readonly Leaf[],
  sources: readonly number[],
): Pick<MapJudgement, 'samples' | 'least'> {
  const wide = leaves.filter(({ span, tried }) => span.bits < (sources[0] ?? 0) && tried > 1)
  const samples = wide.reduce((sum, { tried }) => sum + tried - 1, 0)
  const least = wide.reduce((low, { span, tried }) => {
    // a block of few networks that were all tried hides nothing
    const all = tried >= 2 ** ((sources[0] ?? 0) - span.bits)
    return all ? low : Math.min(low, tried)
  }, Number.POSITIVE_INFINITY)
  return { samples, least: Number.isFinite(least) ? least - 1 : undefined }
}

function ratio(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number((part * 1_000_000_000n) / whole) / 1e9
}

/** Places named in one finding. */
const PLACES = 3

function findingsOf({ swept, groups, overlaps, short, leaves }: Base, kind: MapKind): Finding[] {
  const found: Finding[] = []
  const missing = swept.sightings.filter(({ scope }) => scope === undefined)
  if (missing.length > 0 && (kind !== 'no-ecs' || groups.length > 1)) {
    const what = `${many(missing.length, 'reply lacks', 'replies lack')} the option as it was sent`
    found.push(finding('ECS001', what, listed(missing.map(({ network }) => network))))
  }
  const zero = swept.sightings.filter(({ scope }) => scope === 0)
  if (groups.length > 1 && zero.length > 0) {
    const what =
      'scope 0 says that the answer is for everybody, but others are answered differently'
    found.push(finding('ECS004', what, listed(zero.map(({ network }) => network))))
  }
  if (groups.length === 1 && leaves.some(({ span }) => span.bits > 0)) {
    found.push(finding('ECS005', 'scopes are above 0, yet all answers are alike'))
  }
  if (groups.length > 1 && overlaps.length > 0) {
    const what = `${many(overlaps.length, 'block lies', 'blocks lie')} in another: the order of queries decides what is cached`
    const where = overlaps.map(({ inner, outer }) => `${spanText(inner)} in ${spanText(outer)}`)
    found.push(finding('ECS006', what, listedTexts(where)))
  }
  const mixed = short.filter(({ bits }) => bits > 0)
  if (mixed.length > 0) {
    const what = `${many(mixed.length, 'block holds', 'blocks hold')} networks that are answered differently`
    found.push(finding('ECS006', what, listed(mixed)))
  }
  return found
}

function listed(spans: readonly Span[]): string {
  return listedTexts(spans.slice(0, PLACES).map(spanText), spans.length)
}

function listedTexts(texts: readonly string[], count = texts.length): string {
  const more = count > PLACES ? ` and ${count - PLACES} more` : ''
  return texts.slice(0, PLACES).join(', ') + more
}
