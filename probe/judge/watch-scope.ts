/** Whether a subnet's scope has changed: another one twice running, after the usual one for long. */
import type { ScopeRun, WatchRow } from './watch-state.ts'

/** Passes in a row after which a scope is the usual one; scopes that waver never are. */
const USUAL = 16

/** Passes in a row after which another one has taken its place. */
const TWICE = 2

type Runs = { readonly usual: ScopeRun | undefined; readonly other: ScopeRun | undefined }

/** One more reply of a subnet, and the scope that came with it. */
export function scopeRuns({ usual, other }: Runs, scope: number | undefined): Runs {
  if (scope === undefined) return { usual, other }
  if (usual === undefined) return { usual: { scope, passes: 1 }, other: undefined }
  if (usual.scope === scope) {
    return {
      usual: { scope, passes: other === undefined ? usual.passes + 1 : 1 },
      other: undefined,
    }
  }
  const passes = other?.scope === scope ? other.passes + 1 : 1
  const isOut = other !== undefined && other.scope !== scope
  if (isOut || (passes >= TWICE && usual.passes < USUAL)) {
    return { usual: { scope, passes }, other: undefined }
  }
  return { usual, other: { scope, passes } }
}

export function hasNewScope({ usual, other, failing }: WatchRow): boolean {
  if (failing !== undefined || usual === undefined || other === undefined) return false
  return other.passes >= TWICE && usual.passes >= USUAL
}
