/**
 * What the parts of the gdnsd importer share: the configuration being read, the draft being made,
 * and what has been found so far.
 */
import type { Wrong } from '../fault.ts'
import type { Choice } from './choice.ts'
import { type Draft, draft } from './draft.ts'
import { emptyHash, type VscfHash, valueAt } from './gdnsd-syntax.ts'
import type { Original, ReadOriginal } from './imported.ts'
import { type Ledger, openLedger, type Spot } from './ledger.ts'

export type Gdnsd = {
  readonly draft: Draft
  readonly ledger: Ledger
  readonly wrongs: Wrong[]
  readonly file: string
  readonly read: ReadOriginal
  readonly plugins: VscfHash
  /** What the options say of TTLs, in seconds. */
  readonly ttl: { least: number; most: number; usual: number }
  /** Resources by `plugin!name`, once read; `undefined`: there is none, or none of use here. */
  readonly resources: Map<string, Choice | undefined>
  /** Maps of the geoip plugin by name, over datacenters. */
  readonly maps: Map<string, GeoMap | undefined>
  /** CNAME records of the zones, by plain names. */
  readonly aliases: { readonly at: Spot; readonly owner: string; readonly target: string }[]
}

/** A map of the geoip plugin. */
export type GeoMap = {
  readonly at: Spot
  /** In the order of preference where nothing else is said. */
  readonly datacenters: readonly string[]
  readonly points: ReadonlyMap<string, { readonly lat: number; readonly lon: number }>
  /** Its leaves name datacenters. */
  readonly choice: Choice
}

export function gdnsdHouse(original: Original, root: VscfHash, read: ReadOriginal): Gdnsd {
  const plugins = valueAt(root, 'plugins')
  return {
    draft: draft(),
    ledger: openLedger(),
    wrongs: [],
    file: original.file,
    read,
    plugins: plugins?.kind === 'hash' ? plugins : emptyHash(root.at),
    ttl: { least: 5, most: 3_600_000, usual: 86_400 },
    resources: new Map(),
    maps: new Map(),
    aliases: [],
  }
}

/** The configuration of a plugin; empty where there is none. */
export function pluginAt(gdnsd: Gdnsd, name: string): VscfHash {
  const found = valueAt(gdnsd.plugins, name)
  return found?.kind === 'hash' ? found : emptyHash(gdnsd.plugins.at)
}
