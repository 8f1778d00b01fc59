/**
 * Pools that no client gets, pools that lack what their neighbours in a ranking have, TTLs that are
 * shorter than what the pools' checks can tell, and answers that are cut to what fits.
 */
import { nameText } from '../dns/name.ts'
import { problemAt, wrong } from '../fault.ts'
import type { Advice } from './advise.ts'
import type { Policy, Pool } from './rule.ts'
import { hasFamily, KIND, KINDS, type Steering } from './steering.ts'
import { decisive, steadyFor } from './trial.ts'
import { eachChoose } from './wanted.ts'

export function adviseOnPools(policy: Policy, steering: Steering, advice: Advice): void {
  const reached = new Set(steering.turnPools)
  const named = poolsNamed(policy)
  for (const [index, pool] of policy.pools.entries()) {
    const at = pool.at ?? policy.rules[0]?.at
    if (at === undefined) continue
    if (named.has(index) && !reached.has(index)) {
      const what = `no client gets pool ${pool.name}: it stands only in branches that nobody gets`
      advice.warnings.push(problemAt(at, wrong(what, 'correct the branches, or take it out')))
    }
  }
  for (const slot of policy.rules.keys()) {
    tellGaps(policy, steering, slot, advice)
    tellShortTtl(policy, steering, slot, advice)
    tellCut(policy, steering, slot, advice)
  }
}

/** The pools that stand in some branch; those in none are warned of where the file is read. */
function poolsNamed(policy: Policy): ReadonlySet<number> {
  const all = policy.rules.flatMap(({ choose }) => [...eachChoose(choose)])
  return new Set(
    all.flatMap(choose => {
      if (choose.kind === 'all') return choose.pools
      return choose.kind === 'nearest' ? choose.pools.map(({ pool }) => pool) : []
    }),
  )
}

const FAMILIES = [
  { family: 4, kind: KIND.ipv4, called: 'IPv4' },
  { family: 6, kind: KIND.ipv6, called: 'IPv6' },
] as const

/** The pools that may serve a slot. */
function poolsIn({ turnStart, turnPools }: Steering, slot: number): number[] {
  return [...turnPools.subarray(turnStart[slot], turnStart[slot + 1])]
}

function tellGaps(policy: Policy, steering: Steering, slot: number, advice: Advice): void {
  const rule = policy.rules[slot]
  if (rule === undefined || steering.alias[slot] === 1) return
  for (const { family, kind, called } of FAMILIES) {
    if (!hasFamily(steering, slot, family)) continue
    const lacking = poolsIn(steering, slot).filter(pool => sizeOf(steering, pool, kind) === 0)
    if (lacking.length === 0) continue
    const names = lacking.map(pool => policy.pools[pool]?.name).join(', ')
    const what = `${nameText(rule.owner)}: no ${called} address in ${names}, unlike in other pools`
    const fix = `${called} clients skip it: add an address to it`
    advice.warnings.push(problemAt(rule.at, wrong(what, fix)))
  }
}

/** How soon its checks can change their mind at the earliest, in seconds. */
function soonest({ check }: Pool): number {
  return check === undefined ? 0 : steadyFor(decisive(check))
}

function tellShortTtl(policy: Policy, steering: Steering, slot: number, advice: Advice): void {
  const rule = policy.rules[slot]
  const pools = poolsIn(steering, slot).map(pool => policy.pools[pool])
  const checked = pools.filter(pool => pool?.check !== undefined)
  if (rule === undefined) return
  const [quickest] = checked.toSorted((a, b) => soonest(a as Pool) - soonest(b as Pool))
  if (quickest?.check === undefined || rule.ttl.max >= soonest(quickest)) return
  const what =
    `a TTL of ${rule.ttl.max} s is shorter than check ${quickest.check.name} can justify: ` +
    `what is up stays so for ${soonest(quickest)} s`
  const isPushed = decisive(quickest.check).trial.kind === 'push'
  const sooner = isPushed ? 'let pushes expire sooner' : 'check oftener'
  const fix = `make it ${soonest(quickest)}s, or ${sooner}`
  advice.warnings.push(problemAt(rule.at, wrong(what, fix)))
}

/** Says where an answer is cut to what fits a UDP reply although more was asked for. */
function tellCut(policy: Policy, steering: Steering, slot: number, advice: Advice): void {
  const rule = policy.rules[slot]
  const answers = rule?.answers
  if (rule === undefined || answers === undefined || steering.alias[slot] === 1) return
  for (const { kind, called } of FAMILIES) {
    const most = steering.most[KINDS * slot + kind] ?? 0
    const sizes = poolsIn(steering, slot).map(pool => sizeOf(steering, pool, kind))
    if (Math.min(answers, Math.max(0, ...sizes)) <= most) continue
    const what = `${nameText(rule.owner)}: ${answers} ${called} addresses do not fit a UDP reply`
    const fix = `${most} are given; ask for fewer, or set truncate: on`
    advice.warnings.push(problemAt(rule.at, wrong(what, fix)))
  }
}

function sizeOf({ listStart }: Steering, pool: number, kind: number): number {
  const list = KINDS * pool + kind
  return (listStart[list + 1] ?? 0) - (listStart[list] ?? 0)
}
