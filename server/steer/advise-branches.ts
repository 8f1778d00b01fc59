/**
 * Branches that no client gets, and countries that get no branch of their own. Every site of the
 * ground is asked why it gets what it gets; what is named by no answer is never reached.
 */
import { nameText } from '../dns/name.ts'
import { type At, problemAt, wrong } from '../fault.ts'
import type { Advice } from './advise.ts'
import { type Reason, reasonsFor, type Site } from './choose.ts'
import type { Branches, Choose, Policy, Rule } from './rule.ts'

export function adviseOnBranches(policy: Policy, sites: readonly Site[], advice: Advice): void {
  for (const rule of policy.rules) {
    const reached = new Set<string>()
    const foreign = new Set<string>()
    for (const site of sites) {
      const reasons = reasonsFor(policy, rule.choose, site)
      for (const [i] of reasons.entries()) reached.add(pathOf(reasons.slice(0, i + 1)))
      if (site.place.country !== undefined && isByRest(reasons)) foreign.add(site.place.country)
    }
    tellUnreached(policy, rule, reached, advice)
    tellCountries(rule, foreign, sites, advice)
  }
}

/** One way through nested branches. */
function pathOf(reasons: readonly Reason[]): string {
  return reasons.map(({ kind, key }) => `${kind} ${key}`).join('\n')
}

/** Whether the outermost choice fell to what is left. */
function isByRest(reasons: readonly Reason[]): boolean {
  const first = reasons.find(({ kind }) => kind !== 'special')?.kind
  return first === 'continent' || first === 'default'
}

type Written = { readonly reasons: readonly Reason[]; readonly at: At }

/** So many are shown of what is said of many. */
const SHOWN = 8

function tellUnreached(
  policy: Policy,
  rule: Rule,
  reached: ReadonlySet<string>,
  advice: Advice,
): void {
  const byKind = new Map<string, Written[]>()
  for (const branch of branchesIn(policy, rule.choose, [])) {
    if (reached.has(pathOf(branch.reasons))) continue
    const kind = branch.reasons.at(-1)?.kind ?? ''
    byKind.set(kind, [...(byKind.get(kind) ?? []), branch])
  }
  for (const branches of byKind.values()) {
    const names = branches.map(({ reasons }) => reasons.map(said).join(', '))
    const what = `no client of ${nameText(rule.owner)} gets the branch of ${shown(names)}`
    const fix = 'no database has such a block, or branches before it take them all: take it out'
    advice.warnings.push(problemAt(branches[0]?.at ?? rule.at, wrong(what, fix)))
  }
}

function said({ kind, key }: Reason): string {
  return key === '' ? kind : `${kind} ${key}`
}

function shown(names: readonly string[]): string {
  const more = names.length - SHOWN
  return names.slice(0, SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** Every branch but defaults, as its reasons will be told; other rules answer for theirs. */
function* branchesIn(policy: Policy, choose: Choose, above: readonly Reason[]): Generator<Written> {
  if (choose.kind !== 'by') return
  for (const { reason, at, to } of listed(policy, choose.by)) {
    const reasons = [...above, reason]
    yield { reasons, at }
    yield* branchesIn(policy, to, reasons)
  }
  yield* branchesIn(policy, choose.by.default, [...above, { kind: 'default', key: '' }])
}

type Listed = { readonly reason: Reason; readonly at: At; readonly to: Choose }

function listed(policy: Policy, by: Branches): Listed[] {
  const networks = by.networks.map(({ network, at, to }): Listed => {
    return { reason: { kind: 'network', key: policy.networks[network]?.name ?? '' }, at, to }
  })
  const keyed = (kind: Reason['kind'], branches: ReadonlyMap<unknown, Omit<Listed, 'reason'>>) =>
    [...branches].map(([key, { at, to }]) => {
      const name = kind === 'asn' ? `AS${key}` : String(key)
      return { reason: { kind, key: name }, at, to }
    })
  const fields = by.fields.flatMap(({ path, values }) =>
    [...values].map(([value, { at, to }]): Listed => {
      return { reason: { kind: 'field', key: `${path}=${value}` }, at, to }
    }),
  )
  return [
    ...networks,
    ...keyed('asn', by.asns),
    ...fields,
    ...keyed('city', by.cities),
    ...keyed('subdivision', by.subdivisions),
    ...keyed('country', by.countries),
    ...keyed('continent', by.continents),
  ]
}

/** Says which countries a rule that names some leaves to its continents and its default. */
function tellCountries(
  rule: Rule,
  foreign: ReadonlySet<string>,
  sites: readonly Site[],
  advice: Advice,
): void {
  if (rule.choose.kind !== 'by' || rule.choose.by.countries.size === 0) return
  if (foreign.size === 0) return
  const all = new Set(sites.flatMap(({ place }) => place.country ?? []))
  const what =
    `${nameText(rule.owner)}: ${foreign.size} of ${all.size} countries have no branch of ` +
    `their own and get that of their continent or the default: ${shown([...foreign].sort())}`
  advice.notes.push(problemAt(rule.at, wrong(what)))
}
