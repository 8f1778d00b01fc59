/**
 * What one file defines, for judging what it refers to: gathered from the file as it is written,
 * so that a mistake in one place hides none in another.
 */
import type { Countries } from './country.ts'
import { ownerKey } from './owner.ts'
import { looksLikeAddress } from './prefix.ts'
import { isMapping, keysAt, type Source, valueAt } from './source.ts'

export type Known = {
  readonly pools: ReadonlyMap<string, PoolFacts>
  readonly networks: ReadonlySet<string>
  readonly checks: ReadonlyMap<string, CheckFacts>
  /** Steered names as they are written, by their canonical text. */
  readonly owners: ReadonlyMap<string, string>
  readonly countries: Countries
}

export type CheckFacts = {
  /** It counts others together, and tries nothing itself. */
  readonly joins: boolean
}

export type PoolFacts = {
  /** It says where it stands, rightly or not. */
  readonly placed: boolean
  readonly targets: number
  /** One of them is a host name. */
  readonly hosts: boolean
}

export function knownIn(source: Source, countries: Countries): Known {
  const pools = keysAt(source, ['pools']).map((name): [string, PoolFacts] => [
    name,
    poolFacts(source, name),
  ])
  return {
    pools: new Map(pools),
    networks: new Set(keysAt(source, ['networks'])),
    checks: new Map(keysAt(source, ['checks']).map(name => [name, checkFacts(source, name)])),
    owners: new Map(keysAt(source, ['steer']).map(owner => [ownerKey(owner), owner])),
    countries,
  }
}

/** Types of checks that count others together. */
const JOINING = ['all', 'any', 'some'] as const

function checkFacts(source: Source, name: string): CheckFacts {
  const type = valueAt(source, ['checks', name, 'type'])
  return { joins: JOINING.some(joining => joining === type) }
}

function poolFacts(source: Source, name: string): PoolFacts {
  const written = valueAt(source, ['pools', name, 'targets'])
  const targets: readonly unknown[] = Array.isArray(written) ? written : []
  return {
    placed: keysAt(source, ['pools', name, 'at']).length > 0,
    targets: targets.length,
    hosts: targets.some(isHost),
  }
}

function isHost(target: unknown): boolean {
  if (typeof target === 'string') return !looksLikeAddress(target)
  return isMapping(target) && typeof target.host === 'string'
}
