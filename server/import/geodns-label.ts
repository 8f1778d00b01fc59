/**
 * A label of a geodns zone out of its JSON (abh/geodns, README "Zone format"): addresses with
 * weights, an alias, and records of other types.
 */
import { entriesIn, listOf, numberAt, type Tree, textAt, textsOf, valueAt } from './document.ts'
import { type DraftCheck, type DraftTarget, freeName } from './draft.ts'
import type { Geodns, Label } from './geodns-house.ts'
import { changed, unsupported } from './ledger.ts'
import { addressTarget, hostTarget } from './targets.ts'

const OTHERS = ['mx', 'ns', 'txt', 'spf', 'srv', 'ptr']

/** What a zone says where a label does not. */
export type Usual = { readonly zone: string; readonly ttl: number; readonly maxHosts: number }

export function readLabel(geodns: Geodns, usual: Usual, name: string, tree: Tree): Label {
  const title = name === '' ? usual.zone : `${name}.${usual.zone}`
  const others: Label['others'][number][] = []
  for (const { key, at, value } of entriesIn(tree)) {
    if (OTHERS.includes(key)) others.push({ type: key, at, values: value })
    else if (key === 'closest' && value.kind === 'text' && value.text === 'true') {
      const here = 'left out: give the pools at: and steer with nearest:'
      unsupported(geodns.ledger, at, `closest of ${title}`, here)
    } else if (!KNOWN.includes(key)) {
      unsupported(geodns.ledger, at, `${key} of ${title}`, 'left out: geodns has no such type')
    }
  }
  const aliases = textsOf(valueAt(tree, 'alias'))
  return {
    at: tree.at,
    name,
    ttl: numberAt(tree, 'ttl') || usual.ttl,
    maxHosts: numberAt(tree, 'max_hosts') ?? usual.maxHosts,
    targets: targetsOf(geodns, usual, title, tree),
    alias: aliases[0]?.toLowerCase(),
    check: checkOf(geodns, title, valueAt(tree, 'health')),
    others,
  }
}

const KNOWN = ['a', 'aaaa', 'cname', 'alias', 'max_hosts', 'ttl', 'closest', 'health']

type Weighted = { readonly text: string; readonly weight: number }

/** A host name before addresses: it answers for every type. */
function targetsOf(geodns: Geodns, usual: Usual, title: string, tree: Tree): DraftTarget[] {
  const hosts = weightedOf(valueAt(tree, 'cname'), 'cname').flatMap(({ text, weight }) => {
    return hostTarget(text.endsWith('.') ? text : `${text}.${usual.zone}`, weight) ?? []
  })
  const addresses = (['a', 'aaaa'] as const).flatMap(type =>
    weightedOf(valueAt(tree, type), type).flatMap(({ text, weight }): DraftTarget[] => {
      const target = addressTarget(text, weight)
      if (target !== undefined) return [target]
      unsupported(geodns.ledger, tree.at, `${text} of ${title}`, 'left out: it is no address')
      return []
    }),
  )
  if (hosts.length > 0 && addresses.length > 0) {
    unsupported(geodns.ledger, tree.at, `addresses of ${title}`, 'left out: its cname is answered')
  }
  return (['host', 'ipv4', 'ipv6'] as const).flatMap(kind =>
    scaled((hosts.length > 0 ? hosts : addresses).filter(target => target.kind === kind)),
  )
}

/** Weights of one kind: where none has any, all are alike. */
function scaled(targets: readonly DraftTarget[]): DraftTarget[] {
  const most = Math.max(0, ...targets.map(({ weight }) => weight))
  const scale = most > 65_535 ? 65_535 / most : 1
  return targets.map(target => {
    const weight = Math.ceil(target.weight * scale)
    return { ...target, weight: most === 0 ? 1 : weight }
  })
}

/** `"text"`, `["text", weight]`, `{type: text, weight}`, or several of them. */
function weightedOf(tree: Tree | undefined, type: string): Weighted[] {
  return listOf(tree).map(item => {
    if (item.kind === 'text') return { text: item.text, weight: 0 }
    if (item.kind === 'list') {
      const [text = '', weight] = textsOf(item)
      return { text, weight: Number(weight) || 0 }
    }
    const text = textAt(item, 'ip') ?? textAt(item, type) ?? ''
    return { text, weight: numberAt(item, 'weight') ?? 0 }
  })
}

function checkOf(geodns: Geodns, title: string, health: Tree | undefined): string | undefined {
  if (health === undefined) return undefined
  const type = textAt(health, 'type') ?? textAt(health, 'name') ?? ''
  const what = `health of ${title}: ${type}`
  const port = numberAt(health, 'port')
  if (type !== 'tcp' || port === undefined) {
    const here = 'left out: make a check of type file from its status file'
    unsupported(geodns.ledger, health.at, what, here)
    return ''
  }
  const every = numberAt(health, 'frequency')
  const timeout = numberAt(health, 'timeout')
  const check: DraftCheck = {
    ...({ type, port, note: '' } as const),
    ...(every === undefined ? {} : { every }),
    ...(timeout === undefined ? {} : { timeout }),
  }
  const { checks } = geodns.draft
  const known = [...checks].find(([, one]) => JSON.stringify(one) === JSON.stringify(check))
  const name = known?.[0] ?? freeName(checks, `tcp-${port}`)
  checks.set(name, check)
  changed(geodns.ledger, health.at, what, `check ${name}: retries are failures like all others`)
  return name
}
