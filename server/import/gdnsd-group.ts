/**
 * gdnsd's groups of addresses as pools: multifo, simplefo, weighted and static
 * (gdnsd-plugin-multifo(8) and its sisters). Each becomes a list of pools in order of preference.
 */
import { type Choice, pools } from './choice.ts'
import type { DraftTarget } from './draft.ts'
import type { Gdnsd } from './gdnsd-house.ts'
import {
  addPool,
  type Part,
  partsOf,
  quorumOf,
  type Resource,
  specialKeys,
  targetOf,
  targetsOf,
  titleOf,
} from './gdnsd-pool.ts'
import { textsOf, truthOf, type Vscf, type VscfHash, valueAt } from './gdnsd-syntax.ts'
import { type Weighted, weightedServes } from './gdnsd-weighted.ts'
import { changed, unsupported } from './ledger.ts'

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
  const made = all.flatMap(({ text, weight }) => {
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
  const targets = ofOneKind(gdnsd, resource, made)
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

/** Addresses, or host names where there are none: gdnsd has one or the other as well. */
function ofOneKind(
  gdnsd: Gdnsd,
  resource: Resource,
  targets: readonly DraftTarget[],
): readonly DraftTarget[] {
  const addresses = targets.filter(({ kind }) => kind !== 'host')
  if (addresses.length === 0 || addresses.length === targets.length) return targets
  const here = 'left out: beside addresses'
  unsupported(gdnsd.ledger, resource.at, `host names of ${titleOf(resource)}`, here)
  return addresses
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
