/**
 * What operators call by name while a server runs, in the numbers of a Steering: pools, targets and
 * steered names. A name that is not there is no mistake here: it stands for nothing.
 */
import { ipv4FromText, ipv6FromText } from '../dns/address.ts'
import { nameFromText, sameName } from '../dns/name.ts'
import { isWrong } from '../fault.ts'
import type { Override } from './override.ts'
import { KINDS, type Steering, targetOctets } from './steering.ts'
import { isHost } from './targets.ts'

/** Whole pools, and single targets of others. */
export type Named = { readonly pools: readonly number[]; readonly targets: readonly number[] }

/** An override and what it is about; `void`: nothing that is there, `aside`: nothing that steers. */
export type Placed =
  | { readonly kind: 'aside'; readonly override: Override }
  | { readonly kind: 'void'; readonly override: Override; readonly why: string }
  | ({ readonly kind: 'targets'; readonly override: Override } & Named)
  | {
      readonly kind: 'ramp'
      readonly override: Override
      readonly slot: number
      readonly from: number
      readonly to: number
      readonly seconds: number
    }

/** Finds what an override is about. */
export function placed(steering: Steering, override: Override): Placed {
  const { does } = override
  if (does.kind === 'challenge') return { kind: 'aside', override }
  if (does.kind === 'ramp') return placedRamp(steering, override, does)
  const found = named(steering, does.what)
  if (found.targets.length + found.pools.length > 0) return { kind: 'targets', override, ...found }
  return { kind: 'void', override, why: `no pool and no target is called ${does.what}` }
}

function placedRamp(
  steering: Steering,
  override: Override,
  does: Extract<Override['does'], { kind: 'ramp' }>,
): Placed {
  const slot = slotNamed(steering, does.name)
  const from = steering.poolNames.indexOf(does.from)
  const to = steering.poolNames.indexOf(does.to)
  const missing = from < 0 ? does.from : does.to
  if (slot < 0) return { kind: 'void', override, why: `${does.name} is not steered` }
  if (from < 0 || to < 0) return { kind: 'void', override, why: `no pool is called ${missing}` }
  return { kind: 'ramp', override, slot, from, to, seconds: does.seconds }
}

/** Finds a pool, a target in all its pools (`192.0.2.10`), or one in one pool (`fra/192.0.2.10`). */
export function named(steering: Steering, what: string): Named {
  const pool = steering.poolNames.indexOf(what)
  if (pool >= 0) return { pools: [pool], targets: [] }
  const slash = what.lastIndexOf('/')
  const sought = soughtFrom(what.slice(slash + 1))
  const within = slash < 0 ? undefined : steering.poolNames.indexOf(what.slice(0, slash))
  if (sought === undefined || within === -1) return { pools: [], targets: [] }
  const first = within === undefined ? 0 : (steering.listStart[KINDS * within] ?? 0)
  const end =
    within === undefined ? steering.targets : (steering.listStart[KINDS * (within + 1)] ?? 0)
  const targets: number[] = []
  for (let target = first; target < end; target += 1) {
    if (isSought(steering, target, sought)) targets.push(target)
  }
  return { pools: [], targets }
}

/** The slot of a steered name; −1: there is none. */
export function slotNamed({ owners }: Steering, name: string): number {
  const octets = hostFrom(name)
  return octets === undefined ? -1 : owners.findIndex(owner => sameName(owner, octets))
}

type Sought = { readonly kind: 'address' | 'host'; readonly octets: Uint8Array }

function soughtFrom(text: string): Sought | undefined {
  const address = ipv4FromText(text) ?? ipv6FromText(text)
  if (address !== undefined) return { kind: 'address', octets: address }
  const octets = hostFrom(text)
  return octets === undefined ? undefined : { kind: 'host', octets }
}

function hostFrom(text: string): Uint8Array | undefined {
  const wire = nameFromText(text.endsWith('.') ? text : `${text}.`, undefined)
  return isWrong(wire) ? undefined : wire
}

function isSought(steering: Steering, target: number, { kind, octets }: Sought): boolean {
  const own = targetOctets(steering, target)
  if (own.length !== octets.length) return false
  if (isHost(steering, target) !== (kind === 'host')) return false
  return kind === 'host' ? sameName(own, octets) : own.every((octet, at) => octet === octets[at])
}
