/**
 * gdnsd's groups of addresses as pools: multifo, simplefo, weighted and static
 * (gdnsd-plugin-multifo(8) and its sisters). Each becomes a list of pools in order of preference.
 */

import { type Choice, pools } from './choice.ts'
import { type DraftPool, type DraftTarget, freeName, type Serves } from './draft.ts'
import type { Gdnsd } from './gdnsd-house.ts'
import {
  inherited,
  itemsOf,
  textOf,
  textsOf,
  truthOf,
  type Vscf,
  type VscfHash,
  valueAt,
} from './gdnsd-syntax.ts'
import { type Weighted, weightedServes } from './gdnsd-weighted.ts'
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

/** The pools of a resource of one of these plugins. */
export function groupChoice(gdnsd: Gdnsd, resource: Resource): Choice | undefined {
  switch (resource.plugin) {
    case 'multifo':
      return multifo(gdnsd, resource)
    case 'simplefo':
      return simplefo(gdnsd, resource)
    case 'weighted':
      return weighted(gdnsd, resource)
    default:
      return undefined
  }
}

/** An address or a host name that stands for itself. */
export function lonePool(gdnsd: Gdnsd, resource: Resource, text: string): Choice | undefined {
  const target = targetOf(text, 1)
  if (target === undefined) {
    unsupported(
      gdnsd.ledger,
      resource.at,
      `${text} of ${titleOf(resource)}`,
      'left out: no address',
    )
    return undefined
  }
  return pools(addPool(gdnsd, resource, '', [target], { kind: 'all' }))
}

function titleOf({ plugin, name }: Resource): string {
  return `${plugin} ${name}`
}

type Part = { readonly hash: VscfHash; readonly targets: readonly DraftTarget[] }

function multifo(gdnsd: Gdnsd, resource: Resource): Choice | undefined {
  const parts = partsOf(resource).map((hash): Part => {
    const entries = hash.entries.filter(({ key }) => !specialKeys('multifo').includes(key))
    const texts = entries.flatMap(({ value }) => textsOf(value))
    return { hash, targets: targetsOf(gdnsd, resource, texts) }
  })
  const targets = parts.flatMap(part => part.targets)
  if (targets.length === 0) return undefined
  if (parts.some(({ hash }) => truthOf(valueAt(hash, 'ignore_health')))) {
    const here = 'left out: only targets that are up are answered'
    unsupported(gdnsd.ledger, resource.at, `ignore_health of ${titleOf(resource)}`, here)
  }
  const quorum = quorumOf(gdnsd, resource, parts)
  return pools(addPool(gdnsd, resource, '', targets, { kind: 'all' }, quorum))
}

/** Two pools, one behind the other. */
function simplefo(gdnsd: Gdnsd, resource: Resource): Choice | undefined {
  const parts = partsOf(resource)
  const names = (['primary', 'secondary'] as const).flatMap(role => {
    const texts = parts.flatMap(hash => textsOf(valueAt(hash, role)))
    const targets = targetsOf(gdnsd, resource, texts)
    if (targets.length === 0) return []
    const quorum = targets.length > 1 ? '100%' : undefined
    return [addPool(gdnsd, resource, `-${role}`, targets, { kind: 'all' }, quorum)]
  })
  if (parts.length > 1) {
    const here = 'both families fail over together, as soon as one of them is down'
    changed(gdnsd.ledger, resource.at, `simplefo ${resource.name} in two families`, here)
  }
  return names.length === 0 ? undefined : pools(...names)
}

function weighted(gdnsd: Gdnsd, resource: Resource): Choice | undefined {
  const parts = partsOf(resource).map(hash => ({
    hash,
    multi: truthOf(valueAt(hash, 'multi')),
    groups: groupsOf(hash),
  }))
  const all = parts.flatMap(({ groups }) => groups.flatMap(({ items }) => items))
  const scale = scaleOf(gdnsd, resource, all)
  const targets = all.flatMap(({ text, weight }) => {
    const target = targetOf(text, Math.max(1, Math.round(weight * scale)))
    if (target !== undefined) return [target]
    unsupported(
      gdnsd.ledger,
      resource.at,
      `${text} of ${titleOf(resource)}`,
      'left out: no address',
    )
    return []
  })
  if (targets.length === 0) return undefined
  const serves = weightedServes(gdnsd, resource, parts)
  const quorum = quorumOf(
    gdnsd,
    resource,
    parts.map(({ hash }) => ({ hash, targets })),
  )
  if (quorum !== undefined && new Set(targets.map(({ weight }) => weight)).size > 1) {
    const here = `quorum ${quorum} counts targets; up_thresh counts their weights`
    changed(gdnsd.ledger, resource.at, `up_thresh of weighted ${resource.name}`, here)
  }
  return pools(addPool(gdnsd, resource, '', targets, serves, quorum))
}

/** Groups of weighted addresses; without groups, one that has no name. */
function groupsOf(hash: VscfHash): Weighted[] {
  const entries = hash.entries.filter(({ key }) => !specialKeys('weighted').includes(key))
  const lone = entries.flatMap(({ value }) => weightOf(value))
  const grouped = entries.flatMap(({ key, value }) => {
    if (value.kind !== 'hash') return []
    const items = value.entries.flatMap(entry => weightOf(entry.value))
    return items.length === 0 ? [] : [{ name: key, items }]
  })
  return lone.length === 0 ? grouped : [{ name: '', items: lone }, ...grouped]
}

function weightOf(value: Vscf): { readonly text: string; readonly weight: number }[] {
  if (value.kind !== 'list') return []
  const [text, weight] = textsOf(value)
  return text === undefined ? [] : [{ text, weight: Number(weight ?? 1) || 1 }]
}

/** Weights are at most 65535 here, and 1048575 there. */
function scaleOf(gdnsd: Gdnsd, resource: Resource, items: readonly { weight: number }[]): number {
  const most = Math.max(1, ...items.map(({ weight }) => weight))
  if (most <= 65_535) return 1
  const here = `scaled by ${65_535}/${most}: the greatest weight is 65535`
  changed(gdnsd.ledger, resource.at, `weights of weighted ${resource.name}`, here)
  return 65_535 / most
}

/** The stanzas of a resource: one, or one a family, with what they take from it. */
function partsOf({ plugin, hash }: Resource): VscfHash[] {
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

function targetsOf(gdnsd: Gdnsd, resource: Resource, texts: readonly string[]): DraftTarget[] {
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

function targetOf(text: string, weight: number): DraftTarget | undefined {
  return addressTarget(text, weight) ?? (text.endsWith('.') ? hostTarget(text, weight) : undefined)
}

/** `up_thresh` as a quorum; of one target there is only one. */
function quorumOf(
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
function addPool(
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
