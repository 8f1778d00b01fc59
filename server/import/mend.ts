/**
 * Puts a rule into a draft so that it loads: whatever the original, every client has a ranking, all
 * of them have the same families, and none mixes addresses with host names. What had to be mended
 * is noted. Knows the rules of steering, not the originals.
 */
import {
  type By,
  type Choice,
  isHole,
  leavesOf,
  mapLeaves,
  type Nearest,
  pools,
  poolsOf,
  pruned,
} from './choice.ts'
import type { Draft, DraftPool, DraftRule, DraftTarget } from './draft.ts'
import { changed, type Ledger, type Spot, unsupported } from './ledger.ts'

/** A rule as an original has it. */
export type Wish = {
  readonly owner: string
  readonly at: Spot
  /** What it is there. */
  readonly what: string
  readonly ttl: { readonly max: number; readonly min: number }
  readonly choose: Choice
  /** Without the last dot. */
  readonly zone: string
  /** Host names are no answer there. */
  readonly addressesOnly?: boolean
}

type Kind = DraftTarget['kind']

/** More addresses than this do not fit 1232 octets. */
const FITS = { ipv4: 60, ipv6: 35, host: 1 }

/** Adds a rule to the draft; returns false, and says so, where nothing is left of it. */
export function addRule(draft: Draft, ledger: Ledger, wish: Wish): boolean {
  const addresses = withoutHosts(draft, ledger, wish)
  const filled = withoutHoles(ledger, wish, addresses)
  if (filled === undefined) {
    unsupported(ledger, wish.at, wish.what, 'left out: nothing is left to answer with')
    return false
  }
  const choose = withFamilies(draft, ledger, wish, filled)
  const lastResort = lastResortOf(ledger, wish, choose)
  const rule: DraftRule = {
    at: wish.at,
    note: wish.what,
    ttl: wish.ttl,
    ...picked(draft, ledger, wish, choose),
    ...(lastResort === undefined ? {} : { lastResort }),
    choose: pruned(withoutAfter(choose)),
  }
  draft.rules.set(wish.owner, rule)
  return true
}

/** Rules that tell clients apart just as one before them does name that one. */
export function shareRules(draft: Draft): void {
  const owners = new Map<string, string>()
  for (const [owner, rule] of draft.rules) {
    if (rule.choose.kind !== 'by') continue
    const key = JSON.stringify(rule.choose)
    const first = owners.get(key)
    if (first === undefined) owners.set(key, owner)
    else draft.rules.set(owner, { ...rule, choose: { kind: 'rule', owner: first } })
  }
}

function kindsOf(draft: Draft, names: readonly string[]): Set<Kind> {
  return new Set(names.flatMap(name => poolOf(draft, name).targets.map(({ kind }) => kind)))
}

function poolOf(draft: Draft, name: string): DraftPool {
  return draft.pools.get(name) ?? { targets: [], serves: { kind: 'all' }, note: '' }
}

/** Whether a name is steered to host names: nothing else can stand there (RFC 1034 §3.6.2). */
export function isAlias(draft: Draft, owner: string): boolean {
  const rule = draft.rules.get(owner)
  return rule !== undefined && kindsOf(draft, poolsOf(rule.choose)).has('host')
}

/**
 * A name answers with addresses or with a host name: addresses stay where there are any. A zone's
 * own name cannot be an alias.
 */
function withoutHosts(draft: Draft, ledger: Ledger, wish: Wish): Choice {
  const { choose, at, what, owner, zone } = wish
  const names = poolsOf(choose)
  const hosts = names.filter(name => kindsOf(draft, [name]).has('host'))
  const may = !wish.addressesOnly && owner !== zone
  if (hosts.length === 0 || (may && hosts.length === names.length)) return choose
  const here = `${hosts.join(', ')} left out: a name has addresses or is an alias`
  unsupported(ledger, at, what, here)
  const kept = (list: readonly string[]) => list.filter(name => !hosts.includes(name))
  return mapLeaves(choose, leaf => {
    if (leaf.kind === 'pools') return pools(...kept(leaf.pools))
    if (leaf.kind !== 'nearest') return leaf
    return { ...leaf, pools: kept(leaf.pools), after: kept(leaf.after ?? []) }
  })
}

/** Clients that had no answer get that of the default: RFC 7871 caches cannot hold half a name. */
function withoutHoles(ledger: Ledger, { at, what }: Wish, choose: Choice): Choice | undefined {
  const leaves = leavesOf(choose)
  if (!leaves.some(isHole)) return choose
  const last = defaultLeaf(choose)
  const filling = isHole(last) ? leaves.find(leaf => !isHole(leaf)) : last
  if (filling === undefined) return undefined
  const here = `clients that had no answer get that of the others: ${sayLeaf(filling)}`
  changed(ledger, at, what, here)
  return mapLeaves(choose, leaf => (isHole(leaf) ? filling : leaf))
}

function sayLeaf(leaf: Choice): string {
  return 'pools' in leaf ? leaf.pools.join(', ') : 'another rule'
}

/** A family that some clients have, all have. */
function withFamilies(draft: Draft, ledger: Ledger, { at, what }: Wish, choose: Choice): Choice {
  const all = poolsOf(choose)
  const lacking = new Set<string>()
  const mended = mapLeaves(choose, leaf => {
    if (!('pools' in leaf)) return leaf
    return [...kindsOf(draft, all)].reduce((before: Choice, kind) => {
      const after = withKind(draft, before, kind, choose)
      if (after !== before) lacking.add(kind)
      return after
    }, leaf)
  })
  if (lacking.size > 0) {
    const here = `some clients had no ${[...lacking].join(' and no ')} answer; here they get another pool's`
    changed(ledger, at, what, here)
  }
  return mended
}

function withKind(draft: Draft, leaf: Choice, kind: Kind, whole: Choice): Choice {
  const has = (name: string) => kindsOf(draft, [name]).has(kind)
  if (leaf.kind === 'nearest') {
    if (leaf.limit === undefined || leaf.pools.every(has)) return leaf
    const { limit: _, ...rest } = leaf
    return rest
  }
  if (leaf.kind !== 'pools' || leaf.pools.some(has)) return leaf
  const fallback = [...poolsOf(defaultLeaf(whole)), ...poolsOf(whole)].find(has)
  return fallback === undefined ? leaf : pools(...leaf.pools, fallback)
}

function defaultLeaf(choice: Choice): Choice {
  return choice.kind === 'by' ? defaultLeaf((choice satisfies By).default) : choice
}

/** What stands behind lists by distance is the last resort. */
function lastResortOf(ledger: Ledger, { at, what }: Wish, choose: Choice): string | undefined {
  const leaves = leavesOf(choose)
  const afters = leaves.flatMap(leaf => (leaf.kind === 'nearest' ? (leaf.after ?? []) : []))
  const [first] = afters
  if (first === undefined) return undefined
  const differs =
    afters.some(name => name !== first) || leaves.some(({ kind }) => kind !== 'nearest')
  if (differs) changed(ledger, at, what, `last_resort ${first} for all that is down`)
  return first
}

function withoutAfter(choose: Choice): Choice {
  return mapLeaves(choose, leaf => {
    if (leaf.kind !== 'nearest') return leaf
    const { after: _, ...rest } = leaf satisfies Nearest
    return rest
  })
}

type Picked = Pick<DraftRule, 'pick' | 'answers' | 'truncate'>

/** One way to pick for all pools of a rule: that of those where it makes a difference. */
function picked(draft: Draft, ledger: Ledger, { at, what }: Wish, choose: Choice): Picked {
  const found = poolsOf(choose).map(name => poolOf(draft, name))
  const several = found.filter(({ targets }) => mostOfAKind(targets) > 1)
  if (several.every(({ serves }) => serves.kind === 'all')) {
    return { pick: 'shuffle', ...(several.some(isLong) ? { truncate: true } : {}) }
  }
  if (several.every(isOfEach)) return { pick: 'multi' }
  const answers = Math.max(...several.map(answersOf))
  if (several.some(pool => wanted(pool) !== Math.min(mostOfAKind(pool.targets), answers))) {
    const here = `pick weighted, ${answers} at a time, for all pools of the name alike`
    changed(ledger, at, what, here)
  }
  return { pick: 'weighted', ...(answers === 1 ? {} : { answers }) }
}

/** How many targets of a kind a pool answers at most, as the original has it. */
function wanted(pool: DraftPool): number {
  const most = mostOfAKind(pool.targets)
  return pool.serves.kind === 'all' ? most : Math.min(most, answersOf(pool))
}

function answersOf({ serves }: DraftPool): number {
  return serves.kind === 'some' || serves.kind === 'each' ? serves.answers : 1
}

/** Each target by itself; where all weigh the same, that is all of them. */
function isOfEach({ serves, targets }: DraftPool): boolean {
  const weights = new Set(targets.map(({ weight }) => weight))
  return serves.kind === 'each' || (serves.kind === 'all' && weights.size === 1)
}

function mostOfAKind(targets: readonly DraftTarget[]): number {
  return Math.max(0, ...Object.values(countsOf(targets)))
}

function countsOf(targets: readonly DraftTarget[]): Record<Kind, number> {
  const counts = { ipv4: 0, ipv6: 0, host: 0 }
  for (const { kind } of targets) counts[kind] += 1
  return counts
}

function isLong({ targets }: DraftPool): boolean {
  const counts = countsOf(targets)
  return counts.ipv4 > FITS.ipv4 || counts.ipv6 > FITS.ipv6
}
