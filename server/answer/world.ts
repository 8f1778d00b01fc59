/**
 * All that answers depend on, compiled: zones, steering, whom to believe, what to say of ourselves.
 * Immutable; a reload makes a new one. Typed arrays over shared memory and small plain data only, so
 * that it can be handed to a thread as it is.
 */
import type { Name } from '../dns/name.ts'
import type { CookiePolicy } from '../guard/cookies.ts'
import type { GuardPolicy } from '../guard/guard.ts'
import type { Steering } from '../steer/steering.ts'
import type { Zones } from '../zone/zones.ts'
import type { ChaosText } from './chaos.ts'
import type { EcsPolicy } from './ecs.ts'

export type World = {
  readonly zones: Zones
  readonly steering: Steering
  readonly ecs: EcsPolicy
  readonly guard: GuardPolicy
  readonly chaos: readonly ChaosText[]
  readonly cookies: CookiePolicy
  /** The NSID option, whole (RFC 5001); empty: there is none. */
  readonly nsid: Uint8Array
  /** Names that tell who asks. */
  readonly whoami: readonly Name[]
  /** What this node is called. */
  readonly node: string
  /** Hex: the same on every node that serves the same zones, map and rules. */
  readonly digest: string
}
