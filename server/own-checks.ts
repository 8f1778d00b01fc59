/**
 * Checks whose host name this very server steers. The system's resolver may well ask us: then a check
 * tries whichever target we hand out, and where that hangs on its own verdict, it tells nothing at
 * all, whatever it finds.
 */
import type { CheckedHost } from './config/checked-hosts.ts'
import type { Config } from './config/config.ts'
import { usedBy } from './config/used.ts'
import { nameBuffer, nameText, setName } from './dns/name.ts'
import { TYPE } from './dns/rrtype.ts'
import { problemAt, type Remarks, wrong } from './fault.ts'
import type { Policy } from './steer/rule.ts'
import { find } from './zone/find.ts'
import { finding } from './zone/finding.ts'
import { RECORD_HEAD, RRSET, rrsetWord, type Zones } from './zone/zones.ts'

/** A problem for each check that follows its own verdict; a warning for others that ask us. */
export function remarkOwnChecks(
  { checkedHosts, policy }: Pick<Config, 'checkedHosts' | 'policy'>,
  zones: Zones,
  found: Remarks,
): void {
  if (checkedHosts.length === 0) return
  const ways = waysOf(policy, checkedHosts, zones)
  for (const host of checkedHosts) {
    const slot = slotBehind(zones, host.name)
    if (slot === undefined) continue
    const pool = policy.pools[host.pool]?.name
    const what = `the check of pool ${pool} connects to ${nameText(host.name)}, which this server`
    const fix = 'write the address to check as check_address'
    if (poolsBehind(slot, ways).has(host.pool)) {
      found.problems.push(problemAt(host.at, wrong(`${what} steers by that very check`, fix)))
    } else {
      const own = `${what} steers: it tries whichever target that hands out`
      found.warnings.push(problemAt(host.at, wrong(own, fix)))
    }
  }
}

/** Where names lead: slots by pool, pools by slot. */
type Ways = {
  /** Those of the names that it hands out, and of those that its check connects to. */
  readonly slots: readonly (readonly number[])[]
  readonly pools: (slot: number) => ReadonlySet<number>
}

function waysOf(policy: Policy, checked: readonly CheckedHost[], zones: Zones): Ways {
  const slots = policy.pools.map(({ targets }) =>
    targets.flatMap(target =>
      target.kind === 'host' ? (slotBehind(zones, target.name) ?? []) : [],
    ),
  )
  for (const { name, pool } of checked) {
    const slot = slotBehind(zones, name)
    if (slot !== undefined) slots[pool]?.push(slot)
  }
  const known = new Map<number, ReadonlySet<number>>()
  const pools = (slot: number): ReadonlySet<number> => {
    const used = known.get(slot) ?? usedBy(policy, slot).pools
    known.set(slot, used)
    return used
  }
  return { slots, pools }
}

/** The pools whose verdicts, or whose targets', decide what a slot leads to. */
function poolsBehind(slot: number, { pools, slots }: Ways): ReadonlySet<number> {
  const behind = new Set(pools(slot))
  // A set that grows while it is walked is walked to its new end.
  for (const pool of behind) {
    for (const next of slots[pool] ?? []) for (const one of pools(next)) behind.add(one)
  }
  return behind
}

/** Resolvers follow about so many aliases. */
const MOST_ALIASES = 16

/** The slot that answers for a name of our zones, behind its aliases. */
function slotBehind(zones: Zones, name: Uint8Array): number | undefined {
  const buffer = nameBuffer()
  const found = finding()
  setName(buffer, name, 0)
  for (let alias = 0; alias <= MOST_ALIASES; alias += 1) {
    find(zones, buffer, TYPE.A, found)
    if (found.kind === 'steered') return found.slot
    if (found.kind !== 'alias') return undefined
    setName(buffer, zones.records, rrsetWord(zones, found.rrset, RRSET.AT) + RECORD_HEAD)
  }
  return undefined
}
