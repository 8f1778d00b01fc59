/**
 * Caches that go by scope, for one name and type, as models: what RFC 7871 §7.3.1 asks for, and what
 * two resolvers really do. Each entry lies at a node of a tree of bits, one tree a family. Whoever
 * asks says how much of a client he tells: that is the resolver's part (`MOST_TOLD`), not the cache's.
 */

/** As much of a client as a resolver tells by default, and Google's most. RFC 7871 §11.1. */
export const MOST_TOLD = { 4: 24, 6: 56 } as const

/** Whose answer is looked for: bits past `source` do not matter. */
export type Asker = {
  readonly family: 4 | 6
  readonly address: Uint8Array
  readonly source: number
}

export type Answer<Of> = {
  /** SCOPE PREFIX-LENGTH; absent: no option came back. */
  readonly scope: number | undefined
  readonly of: Of
  /** Seconds; absent: for ever. */
  readonly ttl?: number
}

export type Cache<Of> = {
  /** @param now seconds; absent: no time passes */
  readonly look: (asker: Asker, now?: number) => Of | undefined
  readonly keep: (asker: Asker, answer: Answer<Of>, now?: number) => void
}

type Entry<Of> = {
  readonly of: Of
  readonly until: number
  scope: number
  /** Good for queries of just this SOURCE; absent: for all that its block holds. */
  readonly only?: number | undefined
}

type Node<Of> = { children: [Node<Of> | undefined, Node<Of> | undefined]; entry?: Entry<Of> }

const node = <Of>(): Node<Of> => ({ children: [undefined, undefined] })

/** A tree a family. */
const trees = <Of>(): { 4: Node<Of>; 6: Node<Of> } => ({ 4: node(), 6: node() })

function bitOf(address: Uint8Array, bit: number): 0 | 1 {
  return ((address[bit >> 3]! >> (7 - (bit & 7))) & 1) as 0 | 1
}

/** The nodes on the way to an address, the root first, as far as there are any. */
function* pathTo<Of>(root: Node<Of>, address: Uint8Array, bits: number) {
  let at: Node<Of> | undefined = root
  for (let depth = 0; at !== undefined; depth += 1) {
    yield { at, depth }
    if (depth === bits) return
    at = at.children[bitOf(address, depth)]
  }
}

/** The node of so many bits, made where it is not there. */
function plant<Of>(root: Node<Of>, address: Uint8Array, bits: number): Node<Of> {
  let at = root
  for (let depth = 0; depth < bits; depth += 1) {
    const bit = bitOf(address, depth)
    at = at.children[bit] ??= node()
  }
  return at
}

const isFresh = <Of>({ until }: Entry<Of>, now: number): boolean => now < until

const entryOf = <Of>(
  { of, ttl = Number.POSITIVE_INFINITY }: Answer<Of>,
  scope: number,
  now: number,
) => ({
  of,
  scope,
  until: now + ttl,
})

/**
 * RFC 7871 §7.3.1. SCOPE ≤ SOURCE: kept for SCOPE bits; else for SOURCE bits, and where the resolver
 * could have told more, for queries of just that SOURCE. What was asked with SOURCE 0 is for such
 * queries alone; no option back is SCOPE 0. The longest block that holds the client wins.
 */
export function rfcCache<Of>(): Cache<Of> {
  const roots = trees<Of>()
  const private_ = trees<Of>() // what is good for one SOURCE only lies beside what is good for a block
  return {
    look({ address, family, source }, now = 0) {
      const own = [...pathTo(private_[family], address, source)].at(-1)
      if (own?.depth === source && own.at.entry && isFresh(own.at.entry, now)) {
        return own.at.entry.of
      }
      let found: Entry<Of> | undefined
      for (const { at } of pathTo(roots[family], address, source)) {
        if (at.entry !== undefined && isFresh(at.entry, now)) found = at.entry
      }
      return found?.of
    },
    keep({ address, family, source }, answer, now = 0) {
      const { scope = 0 } = answer
      const isExact = source === 0 || (scope > source && source < MOST_TOLD[family])
      const root = (isExact ? private_ : roots)[family]
      plant(root, address, Math.min(scope, source)).entry = entryOf(answer, scope, now)
    },
  }
}

/** Most nodes of one family in Unbound's tree: `max-ecs-tree-size-ipv4`, `-ipv6`. */
const MOST_NODES = 100

/**
 * Unbound's subnetcache (`edns-subnet/addrtree.c`, `subnetmod.c`). The first node on the way down that
 * lies as deep as its scope says wins, or one at the very end whose scope is longer; a new entry gives
 * its own scope to the entries above it. Without an option back, the answer goes to the cache that is
 * for all (Unbound asks again without the option first). Nodes without entries count in its limit and
 * not here: that forgets sooner, and forgetting misleads nobody.
 */
export function unboundCache<Of>(): Cache<Of> {
  const roots = trees<Of>()
  const used = { 4: new Set<Node<Of>>(), 6: new Set<Node<Of>>() }
  let global: Entry<Of> | undefined
  const touch = (family: 4 | 6, at: Node<Of>) => {
    used[family].delete(at)
    used[family].add(at)
    const [oldest] = used[family]
    if (used[family].size <= MOST_NODES || oldest === undefined) return
    used[family].delete(oldest)
    delete oldest.entry
  }
  return {
    look({ address, family, source }, now = 0) {
      for (const { at, depth } of pathTo(roots[family], address, source)) {
        const { entry } = at
        if (entry === undefined || !isFresh(entry, now)) continue
        if (entry.only === 0 && source !== 0) continue
        if (entry.scope !== depth && !(entry.scope > source && depth === source)) continue
        touch(family, at)
        return entry.of
      }
      return global !== undefined && isFresh(global, now) ? global.of : undefined
    },
    keep({ address, family, source }, answer, now = 0) {
      if (answer.scope === undefined) {
        global = entryOf(answer, 0, now)
        return
      }
      const scope = Math.min(answer.scope, MOST_TOLD[family])
      const bits = Math.min(scope, source)
      for (const { at, depth } of pathTo(roots[family], address, bits)) {
        if (depth < bits && at.entry !== undefined) at.entry.scope = scope
      }
      const at = plant(roots[family], address, bits)
      at.entry = { ...entryOf(answer, scope, now), only: source === 0 ? 0 : undefined }
      touch(family, at)
    },
  }
}

/**
 * PowerDNS Recursor's record cache (`recursor_cache.cc`, `syncres.cc`). Entries of min(SCOPE, SOURCE)
 * bits, the longest that holds the client wins; SCOPE 0 and no option make the one entry that is for
 * all who have no longer one, of either family.
 */
export function recursorCache<Of>(): Cache<Of> {
  const roots = trees<Of>()
  let generic: Entry<Of> | undefined
  return {
    look({ address, family, source }, now = 0) {
      let found = generic !== undefined && isFresh(generic, now) ? generic : undefined
      for (const { at } of pathTo(roots[family], address, source)) {
        if (at.entry !== undefined && isFresh(at.entry, now)) found = at.entry
      }
      return found?.of
    },
    keep({ address, family, source }, answer, now = 0) {
      const bits = Math.min(answer.scope ?? 0, source)
      const entry = entryOf(answer, bits, now)
      if (bits === 0) generic = entry
      else plant(roots[family], address, bits).entry = entry
    },
  }
}

/** All models, by what they are a model of. */
export const CACHES = {
  'RFC 7871 §7.3.1': rfcCache,
  'Unbound subnetcache': unboundCache,
  'PowerDNS Recursor': recursorCache,
} as const satisfies Readonly<Record<string, <Of>() => Cache<Of>>>
export type CacheName = keyof typeof CACHES
