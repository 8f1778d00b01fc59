/**
 * A dynamic record of octoDNS as pools and an ordered list of rules (docs, "Dynamic Record
 * Support"): what one type of a name answers, before it is put together with the other.
 */
import { entriesIn, listOf, numberAt, type Tree, textAt, textsOf, valueAt } from './document.ts'
import type { DraftTarget } from './draft.ts'
import { isContinent, isCountry } from './iso.ts'
import { changed, type Spot, unsupported } from './ledger.ts'
import type { Octodns, OctoRecord } from './octodns-house.ts'
import { type Block, blockOf } from './prefixes.ts'
import { addressTarget, hostTarget } from './targets.ts'

/** What one type of a name answers. */
export type Side = {
  readonly type: string
  readonly pools: ReadonlyMap<string, SidePool>
  /** The first that fits a client decides; the last fits all. */
  readonly rules: readonly SideRule[]
}

export type SidePool = {
  readonly targets: readonly DraftTarget[]
  readonly fallback: string | undefined
  readonly serves: 'all' | 'one'
  /** Whether it is checked at all. */
  readonly checked: boolean
}

export type SideRule = {
  readonly at: Spot
  readonly geos: readonly Geo[]
  readonly subnets: readonly Block[]
  readonly pool: string
}

/** `NA-US-CA` */
export type Geo = {
  readonly continent: string
  readonly country: string | undefined
  readonly region: string | undefined
}

/** The pool of what stands beside the dynamic part, the backup of all. No pool is called so. */
export const BACKUP = ''

/** What a record says of its clients. */
export function sideOf(octodns: Octodns, title: string, record: OctoRecord): Side {
  const { type } = record
  const dynamic = valueAt(record.tree, 'dynamic')
  const plain = (texts: readonly string[], checked: boolean): SidePool => ({
    targets: texts.flatMap(text => targetsOf(octodns, { type, title }, record.at, text, 1)),
    ...{ fallback: undefined, serves: 'all', checked },
  })
  const pools = new Map<string, SidePool>()
  const rules: SideRule[] = []
  for (const { key, value } of entriesIn(valueAt(dynamic, 'pools'))) {
    pools.set(key, poolOf(octodns, { type, title: `pool ${key} of ${title}` }, value))
  }
  for (const rule of listOf(valueAt(dynamic, 'rules'))) rules.push(ruleOf(octodns, title, rule))
  for (const { key, at, value } of entriesIn(valueAt(record.tree, 'geo'))) {
    pools.set(key, plain(textsOf(value), true))
    rules.push({ at, geos: geosOf(octodns, title, at, [key]), subnets: [], pool: key })
  }
  const backup = plain(record.values.flatMap(textsOf), false)
  if (backup.targets.length > 0) pools.set(BACKUP, backup)
  const last = rules.at(-1)
  const open = last !== undefined && last.geos.length === 0 && last.subnets.length === 0
  // Geo records, and records that are not dynamic, give all others their values.
  if (!open) rules.push({ at: record.at, geos: [], subnets: [], pool: BACKUP })
  return { type: record.type, pools, rules: byLength(rules) }
}

/** The codes of geo records come in any order: the longest decides. */
function byLength(rules: readonly SideRule[]): SideRule[] {
  const partsOf = ({ region, country }: Geo) =>
    1 + Number(country !== undefined) + Number(region !== undefined)
  const length = ({ geos }: SideRule) => Math.max(0, ...geos.map(partsOf))
  const ordered = rules.every(({ geos }) => geos.length <= 1)
  return ordered ? rules.toSorted((a, b) => length(b) - length(a)) : [...rules]
}

/** Whose targets they are. */
type Of = { readonly type: string; readonly title: string }

function poolOf(octodns: Octodns, of: Of, pool: Tree): SidePool {
  const targets = listOf(valueAt(pool, 'values')).flatMap((value): DraftTarget[] => {
    const text = textAt(value, 'value') ?? ''
    const status = textAt(value, 'status') ?? 'obey'
    const what = `${text} of ${of.title}: status ${status}`
    if (status === 'down') {
      changed(octodns.ledger, value.at, what, 'left out: it is never answered')
      return []
    }
    if (status === 'up') {
      unsupported(
        octodns.ledger,
        value.at,
        what,
        'checked like the others: give it a pool of its own',
      )
    }
    return targetsOf(octodns, of, value.at, text, numberAt(value, 'weight') ?? 1)
  })
  const fallback = textAt(pool, 'fallback')
  return {
    targets,
    fallback: fallback === 'default' ? undefined : fallback,
    serves: 'one',
    checked: true,
  }
}

const KINDS: Readonly<Record<string, DraftTarget['kind']>> = {
  A: 'ipv4',
  AAAA: 'ipv6',
  CNAME: 'host',
}

/** The target that a text is, of the kind that its record's type has. */
function targetsOf(
  octodns: Octodns,
  { type, title }: Of,
  at: Spot,
  text: string,
  weight: number,
): DraftTarget[] {
  const kind = KINDS[type]
  const target = kind === 'host' ? hostTarget(text, weight) : addressTarget(text, weight)
  if (target?.kind === kind && target !== undefined) return [target]
  unsupported(octodns.ledger, at, `${text} of ${title}`, `left out: nothing that ${type} can hold`)
  return []
}

function ruleOf(octodns: Octodns, title: string, rule: Tree): SideRule {
  const subnets = textsOf(valueAt(rule, 'subnets')).flatMap(text => {
    const block = blockOf(text)
    if (block === undefined) {
      unsupported(octodns.ledger, rule.at, `subnet ${text} of ${title}`, 'left out: no prefix')
    }
    return block ?? []
  })
  const geos = geosOf(octodns, title, rule.at, textsOf(valueAt(rule, 'geos')))
  if (subnets.length > 0 && geos.length > 0) {
    const here = 'for clients of either; providers differ in this'
    changed(octodns.ledger, rule.at, `subnets and geos in one rule of ${title}`, here)
  }
  return { at: rule.at, geos, subnets, pool: textAt(rule, 'pool') ?? '' }
}

function geosOf(octodns: Octodns, title: string, at: Spot, codes: readonly string[]): Geo[] {
  return codes.flatMap(code => {
    const match = /^([A-Z]{2})(?:-([A-Z]{2})(?:-([A-Z0-9]{1,3}))?)?$/.exec(code)
    if (match === null || !isKnown(match[1] ?? '', match[2])) {
      unsupported(octodns.ledger, at, `geo ${code} of ${title}`, 'left out: no such place')
      return []
    }
    return [{ continent: match[1] ?? '', country: match[2], region: match[3] }]
  })
}

function isKnown(continent: string, country: string | undefined): boolean {
  return isContinent(continent) && (country === undefined || isCountry(country))
}
