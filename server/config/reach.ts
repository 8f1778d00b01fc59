/**
 * What rules name, read from the file as it is written, whatever else is wrong with it: the pools of
 * each rule and its branches, the rules it follows, the latency files it reads.
 */
import { ownerKey } from './owner.ts'
import { isMapping, keysAt, type Path, type Source, valueAt } from './source.ts'

/** So many branches may stand in each other, and so many rules follow each other. */
export const MOST_DEEP = 16

/** What one rule names, its branches included. */
export type Naming = {
  /** Paths below it begin with this. */
  readonly path: readonly ['steer', string]
  readonly pools: Set<string>
  readonly follows: Follow[]
  readonly latencies: LatencyMention[]
  /** Where branches stand in each other once too often. */
  readonly tooDeep: Path[]
}

/** A rule named by another, by the canonical text of its owner. */
export type Follow = { readonly key: string; readonly path: Path }

export type LatencyMention = {
  readonly file: string
  /** Of `latency.file`. */
  readonly path: Path
  /** No `nearest` beside it says which pools: all those of the file are meant. */
  readonly alone: boolean
  /** Pools that `bias` beside it names. */
  readonly biased: readonly string[]
}

/** What each rule names, by the canonical text of its owner. */
export type Namings = ReadonlyMap<string, Naming>

export function namingsIn(source: Source): Namings {
  const owners = keysAt(source, ['steer'])
  return new Map(owners.map(owner => [ownerKey(owner), namingOf(source, owner)]))
}

const CHOOSING = ['pools', 'by', 'nearest', 'latency', 'rule']

function namingOf(source: Source, owner: string): Naming {
  const path = ['steer', owner] as const
  const naming: Naming = { path, pools: new Set(), follows: [], latencies: [], tooDeep: [] }
  const rule = valueAt(source, path)
  if (!isMapping(rule)) return naming
  for (const key of CHOOSING) gather(rule, [...path, key], 0, naming)
  return naming
}

/**
 * Adds what the last key of `path` holds, as far as it means something in any of its places.
 *
 * @param deep how many `by` it stands in
 */
function gather(
  holder: Readonly<Record<string, unknown>>,
  path: readonly string[],
  deep: number,
  into: Naming,
): void {
  const key = path.at(-1) ?? ''
  const value = holder[key]
  if (key === 'rule' && typeof value === 'string') into.follows.push({ key: ownerKey(value), path })
  const pools: readonly unknown[] = Array.isArray(value) ? value : []
  for (const pool of pools) if (typeof pool === 'string') into.pools.add(pool)
  if (!isMapping(value)) return
  if (key === 'latency') gatherLatency(holder, [...path, 'file'], value.file, into)
  const below = key === 'by' ? deep + 1 : deep
  if (below > MOST_DEEP) into.tooDeep.push(path)
  else for (const inner of Object.keys(value)) gather(value, [...path, inner], below, into)
}

function gatherLatency(
  { nearest, bias }: Readonly<Record<string, unknown>>,
  path: Path,
  file: unknown,
  into: Naming,
): void {
  if (typeof file !== 'string') return
  const biased = isMapping(bias) ? Object.keys(bias) : []
  into.latencies.push({ file, path, alone: nearest === undefined, biased })
}

/** The pools that a rule comes to, by itself or by the rules it follows. */
export function poolsReached(namings: Namings, key: string): ReadonlySet<string> {
  const pools = new Set<string>()
  const rules = new Set([key])
  for (const rule of rules) {
    const naming = namings.get(rule)
    for (const pool of naming?.pools ?? []) pools.add(pool)
    // A set that grows while it is walked is walked to its new end.
    for (const follow of naming?.follows ?? []) rules.add(follow.key)
  }
  return pools
}
