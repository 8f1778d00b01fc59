/**
 * What is allowed in an operator's file and probably not meant. A warning never refuses a load.
 */
import { type At, problemAt, type Remarks, type Wrong, wrong } from '../fault.ts'
import type { Network, Policy } from '../steer/rule.ts'
import { type PrefixKey, prefixKey } from './prefix.ts'
import { keysAt, type Path, placeOf, type Source } from './source.ts'
import { type Used, usedBy } from './used.ts'
import { warnOfPicks } from './warn-pick.ts'

/** Under this many seconds much of the traffic comes here, and some resolvers do not follow. */
const SHORT_TTL = 5

/** Warns of what looks like a slip. */
export function warnOf(policy: Policy, source: Source, remarks: Remarks): void {
  const say = (at: At, reason: Wrong): void => {
    remarks.warnings.push(problemAt(at, reason))
  }
  const sayAt = (path: Path, reason: Wrong): void => say(placeOf(source, path, 'key'), reason)

  warnOfShortTtl(policy, source, sayAt)
  const used = policy.rules.map((_, rule) => usedBy(policy, rule))
  warnOfUnused(policy, used, sayAt)
  warnOfUnusedChecks(policy, source, sayAt)
  warnOfPicks(policy, used, source, sayAt)
  for (const network of policy.networks) warnOfTwins(network, say)
}

type Say<Where> = (where: Where, reason: Wrong) => void

function warnOfShortTtl(policy: Policy, source: Source, say: Say<Path>): void {
  for (const [index, owner] of keysAt(source, ['steer']).entries()) {
    const min = policy.rules[index]?.ttl.min ?? SHORT_TTL
    if (min >= SHORT_TTL) continue
    const path = ['steer', owner, 'ttl']
    const of = keysAt(source, path).find(key => key === 'min') ?? keysAt(source, path)[0]
    const what = `a TTL of ${min} s makes resolvers ask almost every time`
    say(of === undefined ? path : [...path, of], wrong(what, `${SHORT_TTL} s or more`))
  }
}

function warnOfUnused(policy: Policy, used: readonly Used[], say: Say<Path>): void {
  const pools = new Set(used.flatMap(one => [...one.pools]))
  const networks = new Set(used.flatMap(one => [...one.networks]))
  for (const [index, { name }] of policy.pools.entries()) {
    const reason = wrong(`nothing uses pool ${name}`, 'name it under steer, or take it out')
    if (!pools.has(index)) say(['pools', name], reason)
  }
  for (const [index, { name }] of policy.networks.entries()) {
    const reason = wrong(
      `nothing uses network ${name}`,
      'name it under by.networks, or take it out',
    )
    if (!networks.has(index)) say(['networks', name], reason)
  }
}

function warnOfUnusedChecks({ pools }: Policy, source: Source, say: Say<Path>): void {
  const used = new Set(
    pools.flatMap(({ check }) => [check, ...(check?.of ?? [])].map(one => one?.name)),
  )
  for (const name of keysAt(source, ['checks'])) {
    const reason = wrong(`nothing uses check ${name}`, 'name it in a pool, or take it out')
    if (!used.has(name)) say(['checks', name], reason)
  }
}

function warnOfTwins({ name, prefixes }: Network, say: Say<At>): void {
  const seen = new Map<PrefixKey, number>()
  for (const prefix of prefixes) {
    const key = prefixKey(prefix)
    const line = seen.get(key)
    if (line === undefined) seen.set(key, prefix.at.line)
    else say(prefix.at, wrong(`this prefix is in ${name} twice`, `the first is on line ${line}`))
  }
}
