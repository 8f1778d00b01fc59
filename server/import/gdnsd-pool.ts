/**
 * A resource of gdnsd as a pool: its stanzas, one or one a family, its addresses, what of them must be
 * up, and its check. Knows no plugin's way of choosing.
 */
import { type DraftPool, type DraftTarget, freeName, type Serves } from './draft.ts'
import type { Gdnsd } from './gdnsd-house.ts'
import {
  inherited,
  itemsOf,
  textOf,
  textsOf,
  type Vscf,
  type VscfHash,
  valueAt,
} from './gdnsd-syntax.ts'
import { changed, type Spot, unsupported } from './ledger.ts'
import { addressTarget, hostTarget } from './targets.ts'

/** A resource before it is a pool. */
export type Resource = {
  readonly plugin: string
  readonly name: string
  readonly at: Spot
  readonly hash: VscfHash
}

/** What gdnsd takes where a resource does not say. */
const USUAL_SHARE = 0.5

const FAMILIES = ['addrs_v4', 'addrs_v6'] as const
const SHARED = ['service_types', 'up_thresh']
const SPECIAL: Readonly<Record<string, readonly string[]>> = {
  multifo: [...SHARED, 'ignore_health'],
  weighted: [...SHARED, 'multi'],
  simplefo: ['service_types'],
}

/** Keys that a plugin's resources take from what stands around them. */
export function specialKeys(plugin: string): readonly string[] {
  return SPECIAL[plugin] ?? []
}

/** How the report calls it. */
export function titleOf({ plugin, name }: Resource): string {
  return `${plugin} ${name}`
}

/** A stanza, and its targets. */
export type Part = { readonly hash: VscfHash; readonly targets: readonly DraftTarget[] }

/** The stanzas of a resource: one, or one a family, with what they take from it. */
export function partsOf({ plugin, hash }: Resource): VscfHash[] {
  const stanzas = FAMILIES.flatMap(family => {
    const value = valueAt(hash, family)
    if (value === undefined) return []
    const stanza = value.kind === 'hash' ? value : listed(value)
    return [inherited(stanza, onlySpecial(plugin, hash))]
  })
  return stanzas.length === 0 ? [hash] : stanzas
}

function onlySpecial(plugin: string, hash: VscfHash): VscfHash {
  const entries = hash.entries.filter(({ key }) => specialKeys(plugin).includes(key))
  return { ...hash, entries }
}

/** An array of addresses as the hash that it stands for. */
export function listed(value: Vscf): VscfHash {
  const entries = itemsOf(value).map((item, at) => ({
    key: String(at + 1),
    at: item.at,
    value: item,
  }))
  return { kind: 'hash', at: value.at, entries }
}

export function targetsOf(
  gdnsd: Gdnsd,
  resource: Resource,
  texts: readonly string[],
): DraftTarget[] {
  return texts.flatMap(text => {
    const target = targetOf(text, 1)
    if (target !== undefined && target.kind !== 'host') return [target]
    unsupported(
      gdnsd.ledger,
      resource.at,
      `${text} of ${titleOf(resource)}`,
      'left out: no address',
    )
    return []
  })
}

export function targetOf(text: string, weight: number): DraftTarget | undefined {
  return addressTarget(text, weight) ?? (text.endsWith('.') ? hostTarget(text, weight) : undefined)
}

/** `up_thresh` as a quorum; of one target there is only one. */
export function quorumOf(
  gdnsd: Gdnsd,
  { plugin, name, at }: Resource,
  parts: readonly Part[],
): string | undefined {
  const shares = parts.map(({ hash }) => shareOf(textOf(valueAt(hash, 'up_thresh'))))
  const share = shares[0] ?? USUAL_SHARE
  const counts = parts.map(({ targets }) => targets.length)
  if (counts.every(count => count <= 1)) return undefined
  const quorum = `${Number((share * 100).toFixed(4))}%`
  if (shares.some(other => other !== share)) {
    const here = `quorum ${quorum} for both families`
    changed(gdnsd.ledger, at, `two up_thresh of ${plugin} ${name}`, here)
  } else if (parts.length > 1) {
    const here = `quorum ${quorum} of the targets of both families together`
    changed(gdnsd.ledger, at, `up_thresh of ${plugin} ${name}`, here)
  }
  return quorum
}

function shareOf(text: string | undefined): number {
  const share = Number(text ?? USUAL_SHARE)
  return share > 0 && share <= 1 ? share : USUAL_SHARE
}

/** Adds a pool to the draft. Returns its name. */
export function addPool(
  gdnsd: Gdnsd,
  resource: Resource,
  suffix: string,
  targets: readonly DraftTarget[],
  serves: Serves,
  quorum?: string,
): string {
  const { draft } = gdnsd
  const name = freeName(draft.pools, `${resource.name}${suffix}`)
  const check = checkOf(gdnsd, resource)
  const pool: DraftPool = {
    targets,
    serves,
    ...(check === undefined ? {} : { check }),
    ...(quorum === undefined ? {} : { quorum }),
    note: '',
  }
  draft.pools.set(name, pool)
  return name
}

/** The check of a resource: one of its service types that needs one. */
function checkOf(gdnsd: Gdnsd, resource: Resource): string | undefined {
  const stanzas = partsOf(resource)
  const lists = stanzas.map(hash => textsOf(valueAt(hash, 'service_types')))
  const wanted = [...new Set(lists.flat())].filter(type => type !== 'up')
  const known = wanted.filter(type => gdnsd.draft.checks.has(type))
  for (const type of wanted) {
    if (known[0] === type) continue
    const here = known[0] === undefined ? 'no check' : `only check ${known[0]}`
    unsupported(gdnsd.ledger, resource.at, `service type ${type} of ${titleOf(resource)}`, here)
  }
  return known[0]
}
