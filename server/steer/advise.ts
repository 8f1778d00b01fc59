/**
 * What a policy does that was probably not meant: advice for `check`, where there is time to look at
 * every block of every map. Nothing here refuses a load, and nothing is said of what serving needs.
 */
import type { Problem } from '../fault.ts'
import { adviseOnBranches } from './advise-branches.ts'
import { adviseOnFamilies } from './advise-families.ts'
import { adviseOnGrain } from './advise-grain.ts'
import { adviseOnOverlaps } from './advise-overlaps.ts'
import { adviseOnPools } from './advise-pools.ts'
import type { Compiled } from './compile.ts'
import type { Policy } from './rule.ts'

/** Warnings are probably mistakes; notes say what follows from what was meant. */
export type Advice = { readonly warnings: Problem[]; readonly notes: Problem[] }

export function advise(policy: Policy, compiled: Compiled): Advice {
  const advice: Advice = { warnings: [], notes: [] }
  adviseOnBranches(policy, compiled.sites, advice)
  adviseOnPools(policy, compiled.steering, advice)
  adviseOnOverlaps(policy, advice)
  adviseOnFamilies(policy, compiled.steering, advice)
  adviseOnGrain(policy, compiled, advice)
  return advice
}
