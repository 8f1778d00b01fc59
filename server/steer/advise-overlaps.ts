/**
 * Networks of one rule that lie in each other and are answered differently. That is allowed: the
 * outer one is served as the least cover of what is left of it (RFC 7871 §7.2.1). Shown as such, so
 * that whoever wrote it sees what became of it.
 */
import { nameText } from '../dns/name.ts'
import { type At, problemAt, wrong } from '../fault.ts'
import { bitAt } from '../geo/tree.ts'
import type { Advice } from './advise.ts'
import { prefixText } from './networks.ts'
import type { Choose, Policy, Prefix, Rule } from './rule.ts'
import { embeddingOf } from './special.ts'

/** So many blocks of a network, and so many networks of a rule, are shown. */
const SHOWN = 8

export function adviseOnOverlaps(policy: Policy, advice: Advice): void {
  for (const rule of policy.rules) {
    if (rule.choose.kind !== 'by') continue
    const overlaps = overlapsOf(policy, rule)
    for (const overlap of overlaps.slice(0, SHOWN)) advice.notes.push(tell(rule, overlap))
    const more = overlaps.length - SHOWN
    if (more <= 0) continue
    const what = `${nameText(rule.owner)}: ${more} more of its networks hold others`
    advice.notes.push(problemAt(rule.at, wrong(what)))
  }
}

type Laid = Prefix & { readonly at: At; readonly name: string; readonly to: string }
type Overlap = { readonly outer: Laid; readonly inner: readonly Laid[] }

function overlapsOf(policy: Policy, rule: Rule): Overlap[] {
  const laid = laidBy(policy, rule).sort(inOrder)
  const around: Laid[] = []
  const inside = new Map<Laid, Laid[]>()
  for (const one of laid) {
    while (around.length > 0 && !holds(around.at(-1) as Laid, one)) around.pop()
    const outer = around.at(-1)
    if (outer !== undefined && outer.to !== one.to) {
      inside.set(outer, [...(inside.get(outer) ?? []), one])
    }
    around.push(one)
  }
  return [...inside].map(([outer, inner]) => ({ outer, inner }))
}

function laidBy(policy: Policy, { choose }: Rule): Laid[] {
  if (choose.kind !== 'by') return []
  return choose.by.networks.flatMap(({ network, to }) => {
    const { name, prefixes } = policy.networks[network] ?? { name: '', prefixes: [] }
    const target = targetOf(to)
    const own = prefixes.filter(prefix => embeddingOf(prefix) === undefined)
    return own.map(prefix => ({ ...prefix, name, to: target }))
  })
}

/** Equal for branches that lead to the same. */
function targetOf(choose: Choose): string {
  const asText = (_: string, value: unknown) => (value instanceof Map ? [...value] : value)
  return JSON.stringify(choose, asText)
}

/** As addresses go; what holds comes before what is held. */
function inOrder(a: Prefix, b: Prefix): number {
  if (a.family !== b.family) return a.family - b.family
  for (let at = 0; at < a.octets.length; at += 1) {
    const apart = (a.octets[at] ?? 0) - (b.octets[at] ?? 0)
    if (apart !== 0) return apart
  }
  return a.bits - b.bits
}

function holds(outer: Prefix, inner: Prefix): boolean {
  if (outer.family !== inner.family || outer.bits > inner.bits) return false
  for (let bit = 0; bit < outer.bits; bit += 1) {
    if (bitAt(outer.octets, bit) !== bitAt(inner.octets, bit)) return false
  }
  return true
}

function tell(rule: Rule, { outer, inner }: Overlap) {
  const left = leftOf(outer, inner).map(prefixText)
  const others = inner.map(one => `${prefixText(one)} (${one.name})`)
  const what =
    `${nameText(rule.owner)}: ${prefixText(outer)} (${outer.name}) holds ${shown(others)}, ` +
    `answered otherwise; what is left of it is served as ${shown(left)}`
  return problemAt(outer.at, wrong(what))
}

function shown(texts: readonly string[]): string {
  if (texts.length === 0) return 'nothing'
  const more = texts.length - SHOWN
  return texts.slice(0, SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** The least cover of a block without those in it. */
function leftOf(block: Prefix, inner: readonly Prefix[]): Prefix[] {
  if (inner.length === 0) return [block]
  if (inner.some(one => one.bits <= block.bits)) return []
  return [0, 1].flatMap(bit => {
    const half = halfOf(block, bit)
    return leftOf(
      half,
      inner.filter(one => holds(half, one)),
    )
  })
}

function halfOf({ family, octets, bits }: Prefix, bit: number): Prefix {
  const half = octets.slice()
  if (bit === 1) half[bits >> 3] = (half[bits >> 3] ?? 0) | (0x80 >> (bits & 7))
  return { family, octets: half, bits: bits + 1 }
}
