/**
 * Servers by which the sampling plan is weighed: those that are the same for everybody, however they
 * look, and those that steer. The names follow the specification, Part A3. Knows no tests.
 */
import { below } from '../../probe/judge/chance.ts'
import { pool, regionOf, type Server, some } from './judge-simulate.ts'

export type Scenario = {
  readonly name: string
  /**
   * same: answers do not look at the client. sticky: they do, by a hash. cached: frozen by a cache.
   * regional: they go with the region. faint: a few networks are answered unlike the rest.
   */
  readonly kind: 'same' | 'sticky' | 'cached' | 'regional' | 'faint'
  /** Another server for each seed, where there is chance in what it is. */
  readonly server: (seed: number) => Server
  /** Sampled arrangements a test, where the usual number would tell too little. */
  readonly arrangements?: number
}

/**
 * A tenth of the tool's. Such a test is as strict, since it speaks only where no arrangement is as
 * strange as what was seen; where p is near the limit it has less power.
 */
export const ARRANGEMENTS = 1999

/** What the tool takes. */
const ALL = 19_999

const EIGHT = pool(1, 8)
const OTHERS = pool(11, 8)
const SITES = { US: EIGHT, DE: OTHERS, JP: pool(21, 8), BR: pool(31, 8) }

/** The depth at which the panel of `judge-simulate.ts` is divided. */
const LEAF = 6

const shuffledOne: Server = ({ chance }) => ({ answers: some(EIGHT, 1, chance), scope: 0 })

const counter: Server = ({ turn }) => ({ answers: [EIGHT[turn % 4] ?? ''], scope: 0 })

const weighted: Server = ({ chance }) => ({
  answers: [EIGHT[below(chance, 10) === 0 ? 1 : 0] ?? ''],
  scope: 0,
})

const regional: Server = ({ network }) => ({
  answers: SITES[regionOf(network)].slice(0, 1),
  scope: LEAF,
})

const twoOfFour: Server = ({ network, chance }) => ({
  answers: some(SITES[regionOf(network)].slice(0, 4), 2, chance),
  scope: LEAF,
})

/** One query in five is answered for some region at random. */
const spilling: Server = ({ network, chance }) => {
  const site = Object.values(SITES)[below(chance, 4)] ?? EIGHT
  const own = SITES[regionOf(network)]
  return { answers: (below(chance, 5) === 0 ? site : own).slice(0, 1), scope: LEAF }
}

const twoRegions: Server = ({ network, chance }) => ({
  answers: some(regionOf(network) === 'US' ? EIGHT : OTHERS, 1, chance),
  scope: LEAF,
})

/** One network of the twenty is answered otherwise. */
function odd(answers: (pool: readonly string[], chance: Uint32Array) => readonly string[]): Server {
  return ({ network, chance }) => ({
    answers: answers(network?.text === '60.16.0.0/24' ? OTHERS : EIGHT, chance),
    scope: network?.text === '60.16.0.0/24' ? 24 : LEAF,
  })
}

/** A random function of the prefix onto so many sites, another one for each seed. */
export function sharding(kinds: number): (seed: number) => Server {
  return seed => {
    const site = siteBy(seed)
    return ({ network }) => ({
      answers: [`198.51.100.${site(network?.text ?? '') % kinds}`],
      scope: 24,
    })
  }
}

/** A resolver's cache before a rotating one of eight: frozen for each /24, its TTL counting down. */
function frozen(seed: number): Server {
  const site = siteBy(seed)
  return ({ network, turn }) => ({
    answers: [EIGHT[site(network?.text ?? '') % 8] ?? ''],
    scope: network === undefined ? 0 : 24,
    ttl: 3600 - turn,
    flags: { aa: false, tc: false, ra: true },
  })
}

function siteBy(seed: number): (key: string) => number {
  const sites = new Map<string, number>()
  let state = seed * 7919
  return key => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x297a2d39
    const mine = sites.get(key) ?? state >>> 0
    sites.set(key, mine)
    return mine
  }
}

// biome-ignore format: table
export const SCENARIOS: readonly Scenario[] = [
  { name: 'a random one of eight',                 kind: 'same',     server: () => shuffledOne },
  { name: 'a counter over four',                   kind: 'same',     server: () => counter },
  { name: 'two, weighted 90 : 10',                 kind: 'same',     server: () => weighted },
  { name: 'a hash of the prefix over four sites',  kind: 'sticky',   server: sharding(4) },
  { name: 'a hash of the prefix over two sites',   kind: 'sticky',   server: sharding(2) },
  { name: 'a cache before a random one of eight',  kind: 'cached',   server: frozen },
  { name: 'four regions, one address each',        kind: 'regional', server: () => regional },
  { name: 'four regions, two of four inside',      kind: 'regional', server: () => twoOfFour },
  { name: 'four regions, 20 % spilled at random',  kind: 'regional', server: () => spilling },
  { name: 'two regions, one of eight inside',      kind: 'regional', server: () => twoRegions, arrangements: ALL },
  { name: 'one network of twenty differs, fixed',  kind: 'faint',    server: () => odd(from => from.slice(0, 1)) },
  { name: 'one of twenty differs, one of four',    kind: 'faint',    server: () => odd((from, dice) => some(from.slice(0, 4), 1, dice)) },
]
