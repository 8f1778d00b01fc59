/**
 * Warnings about picks: what a pool says of its targets and no rule reads, what a rule reads and no
 * pool says, and settings that do nothing beside others.
 */
import { type Wrong, wrong } from '../fault.ts'
import type { Pick, Policy, Pool, Rule } from '../steer/rule.ts'
import { keysAt, type Path, type Source } from './source.ts'
import type { Used } from './used.ts'

/** Picks that heed weights; 0 counts for all of them. */
const BY_WEIGHT: ReadonlySet<Pick> = new Set<Pick>([
  ...(['weighted', 'smooth', 'multi', 'hash', 'two', 'least'] as const),
])
/** Picks that heed loads or capacities. */
const BY_LOAD: ReadonlySet<Pick> = new Set<Pick>(['two', 'least', 'feedback'])
/** Picks that are random where nothing is known of a target. */
const INFORMED: ReadonlySet<Pick> = new Set<Pick>([...BY_LOAD, 'fastest'])

/** Public resolvers tell at most this much of a client. RFC 7871 §11.1. */
const DEEPEST = { ipv4: 24, ipv6: 56 } as const

type Say = (path: Path, reason: Wrong) => void

/** @param used of each rule, by index */
export function warnOfPicks(policy: Policy, used: readonly Used[], source: Source, say: Say): void {
  const owners = keysAt(source, ['steer'])
  const users = usersOf(policy, used)
  for (const [index, pool] of policy.pools.entries()) {
    const rules = users[index] ?? []
    const picks = rules.flatMap(rule => policy.rules[rule]?.pick ?? [])
    const [first] = picks
    if (first === undefined) continue // nothing uses it: that is told by itself
    const user = { owner: owners[rules[0] ?? 0] ?? '', pick: first }
    if (!picks.some(pick => BY_WEIGHT.has(pick))) warnOfWeights(pool, user, say)
    warnOfLoads(pool, picks, source, say)
  }
  for (const [index, rule] of policy.rules.entries()) {
    const pools = [...(used[index]?.pools ?? [])].flatMap(pool => policy.pools[pool] ?? [])
    warnOfRule(rule, pools, ['steer', owners[index] ?? ''], say)
  }
}

/** The rules that use each pool, by index. */
function usersOf({ pools }: Policy, used: readonly Used[]): number[][] {
  const users = pools.map((): number[] => [])
  for (const [rule, { pools: of }] of used.entries()) for (const pool of of) users[pool]?.push(rule)
  return users
}

function warnOfWeights(
  { name, targets }: Pool,
  { owner, pick }: { readonly owner: string; readonly pick: Pick },
  say: Say,
): void {
  const index = targets.findIndex(({ weight }) => weight > 1)
  if (index < 0) return
  const what = `pool ${name} has weights, and ${owner} has pick: ${pick}, which heeds only 0`
  const fix = 'pick weighted, smooth, multi, hash, two or least, or take the weights out'
  say(['pools', name, 'targets', index, 'weight'], wrong(what, fix))
}

function warnOfLoads(pool: Pool, picks: readonly Pick[], source: Source, say: Say): void {
  if (picks.some(pick => BY_LOAD.has(pick))) return
  const reason = wrong(
    `no rule picks by the load of pool ${pool.name}`,
    'pick two, least or feedback, or take this out',
  )
  const index = pool.targets.findIndex(({ load, capacity }) => (load ?? capacity) !== undefined)
  if (index >= 0) {
    const path = ['pools', pool.name, 'targets', index]
    const key = keysAt(source, path).find(word => word === 'load' || word === 'capacity')
    say([...path, key ?? 'load'], reason)
  } else if (pool.loads !== undefined && !picks.includes('fastest')) {
    say(['pools', pool.name, 'loads'], reason)
  }
}

function warnOfRule(rule: Rule, pools: readonly Pool[], path: Path, say: Say): void {
  const { pick, spread, quantum } = rule
  if (INFORMED.has(pick) && !pools.some(pool => isInforming(pool, pick))) {
    const what = `nothing tells how ${pick === 'fastest' ? 'quick' : 'loaded'} the targets are`
    const fix =
      pick === 'fastest'
        ? 'give their pools loads: with a latency, or a check'
        : 'give targets a load:, or their pools loads: or a check'
    say([...path, 'pick'], wrong(`${what}: pick ${pick} is like random until something does`, fix))
  }
  const answers = rule.answers ?? (pick === 'shuffle' || pick === 'multi' ? 2 : 1)
  if (spread === 'pools' && answers === 1) {
    const what = 'an answer of one address cannot be spread over pools'
    say([...path, 'spread'], wrong(what, 'add answers: 2 or more, or take spread out'))
  }
  for (const key of ['ipv4', 'ipv6'] as const) {
    if ((quantum?.[key] ?? 0) <= DEEPEST[key]) continue
    const what = `public resolvers tell at most /${DEEPEST[key]} of a client`
    say([...path, 'quantum', key], wrong(what, `${DEEPEST[key]} or less`))
  }
}

function isInforming({ targets, loads, check }: Pool, pick: Pick): boolean {
  if (loads !== undefined || check !== undefined) return true
  if (pick === 'fastest') return false
  return targets.some(
    ({ load, capacity }) => load !== undefined || (pick === 'feedback' && capacity !== undefined),
  )
}
