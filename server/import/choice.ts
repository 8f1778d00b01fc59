/**
 * How a steered name tells clients apart, as an importer builds it: lists of pools at the leaves of
 * a tree of branches. Knows how trees are put together, not where they come from.
 */

export type Level = 'networks' | 'asns' | 'cities' | 'subdivisions' | 'countries' | 'continents'

export type Choice =
  /** Pools in order of preference, by name. */
  | { readonly kind: 'pools'; readonly pools: readonly string[] }
  | Nearest
  /** As the rule of that owner. */
  | { readonly kind: 'rule'; readonly owner: string }
  | By

export type Nearest = {
  readonly kind: 'nearest'
  readonly pools: readonly string[]
  readonly limit?: number
  /** Pools for where none of those is usable. */
  readonly after?: readonly string[]
}

export type By = {
  readonly kind: 'by'
  readonly branches: readonly Branch[]
  readonly default: Choice
}

/** Under one level no key stands twice. */
export type Branch = {
  /** `field …` is a path of a database's records. */
  readonly level: Level | `field ${string}`
  readonly key: string
  readonly to: Choice
}

export function pools(...names: readonly string[]): Choice {
  return { kind: 'pools', pools: [...new Set(names)] }
}

/** Branches with a default; the default alone where there is no branch. */
export function by(branches: readonly Branch[], otherwise: Choice): Choice {
  return branches.length === 0 ? otherwise : { kind: 'by', branches, default: otherwise }
}

/** Branches that come before all that a choice says. */
export function over(first: readonly Branch[], choice: Choice): Choice {
  if (choice.kind !== 'by') return by(first, choice)
  return by([...first, ...choice.branches], choice.default)
}

/** The same tree with other leaves. */
export function mapLeaves(choice: Choice, change: (leaf: Choice) => Choice): Choice {
  if (choice.kind !== 'by') return change(choice)
  const branches = choice.branches.map(branch => ({
    ...branch,
    to: mapLeaves(branch.to, change),
  }))
  return { kind: 'by', branches, default: mapLeaves(choice.default, change) }
}

export function leavesOf(choice: Choice): readonly Choice[] {
  if (choice.kind !== 'by') return [choice]
  return [...choice.branches.flatMap(({ to }) => leavesOf(to)), ...leavesOf(choice.default)]
}

/** All pools that some client may get, each once. */
export function poolsOf(choice: Choice): string[] {
  const names = leavesOf(choice).flatMap(leaf => ('pools' in leaf ? leaf.pools : []))
  return [...new Set(names)]
}

/** The keys of all branches of a level, however deep. */
export function keysOf(choice: Choice, level: Level): string[] {
  if (choice.kind !== 'by') return []
  const own = choice.branches.filter(branch => branch.level === level).map(({ key }) => key)
  const deeper = [...choice.branches.map(({ to }) => to), choice.default]
  return [...own, ...deeper.flatMap(inner => keysOf(inner, level))]
}

/** All levels that branches are of, however deep. */
export function levelsOf(choice: Choice): string[] {
  if (choice.kind !== 'by') return []
  const inner = [...choice.branches.map(({ to }) => to), choice.default].flatMap(levelsOf)
  return [...new Set([...choice.branches.map(({ level }) => level), ...inner])]
}

/** First what one says, then, where that fails, what the other says. */
export function sequence(first: Choice, then: Choice): Choice {
  return mapLeaves(first, leaf => mapLeaves(then, after => behind(leaf, after)))
}

function behind(leaf: Choice, after: Choice): Choice {
  if (leaf.kind === 'pools') {
    if (leaf.pools.length === 0) return after
    if (after.kind === 'pools') return pools(...leaf.pools, ...after.pools)
    // No list goes before one by distance: what it would have fallen back on is lost.
    return leaf
  }
  if (leaf.kind !== 'nearest' || after.kind !== 'pools') return leaf
  return { ...leaf, after: [...(leaf.after ?? []), ...after.pools] }
}

/** The same for all clients, whatever the tree. */
export function isSame(a: Choice, b: Choice): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** The tree without branches that change nothing. */
export function pruned(choice: Choice): Choice {
  if (choice.kind !== 'by') return choice
  const otherwise = pruned(choice.default)
  const branches = choice.branches.map(branch => ({ ...branch, to: pruned(branch.to) }))
  if (branches.every(({ to }) => isSame(to, otherwise))) return otherwise
  const needed = branches.filter(
    ({ level, to }) => level !== 'continents' || !isSame(to, otherwise),
  )
  return { kind: 'by', branches: withoutParts(needed), default: otherwise }
}

/** A part of a country that gets what the country gets needs no branch. */
function withoutParts(branches: readonly Branch[]): Branch[] {
  return branches.filter(({ level, key, to }) => {
    if (level !== 'subdivisions') return true
    const country = branches.find(one => one.level === 'countries' && key.startsWith(`${one.key}-`))
    return country === undefined || !isSame(country.to, to)
  })
}

/** A list of nothing: clients without an answer. */
export function isHole(leaf: Choice): boolean {
  return 'pools' in leaf && leaf.pools.length === 0
}
