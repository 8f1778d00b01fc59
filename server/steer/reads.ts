/** What rules read that no database holds: such branches would never be taken. */
import { nameText } from '../dns/name.ts'
import { type At, problemAt, type Remarks, wrong } from '../fault.ts'
import type { Held, Places } from '../geo/places.ts'
import type { Branches, Choose, Policy, Rule } from './rule.ts'
import { branchMaps, eachChoose } from './wanted.ts'

/** Remarks once for each rule and thing that is not held, where the first such branch stands. */
export function checkReads(policy: Policy, places: Places, remarks: Remarks): void {
  const held = new Set<Held>(places.holds)
  for (const rule of policy.rules) {
    const missing = new Map<Held, At>()
    for (const choose of eachChoose(rule.choose)) {
      for (const { reads, at } of readsOf(rule, choose)) {
        if (!held.has(reads) && !missing.has(reads)) missing.set(reads, at)
      }
    }
    for (const [reads, at] of missing) {
      const what = `${nameText(rule.owner)} ${lackText(reads, places.names)}`
      remarks.problems.push(problemAt(at, wrong(what, fixFor(reads))))
    }
  }
}

type Read = { readonly reads: Held; readonly at: At }

/** A point is had with a country, so to lack it is to know nobody's place. */
function readsOf(rule: Rule, choose: Choose): readonly Read[] {
  if (choose.kind === 'nearest') return [{ reads: 'point', at: rule.at }]
  return choose.kind === 'by' ? branchReads(choose.by) : []
}

function branchReads(by: Branches): readonly Read[] {
  return branchMaps(by).flatMap(({ reads, branches }) => {
    const [first] = branches.values()
    return first === undefined ? [] : [{ reads, at: first.at }]
  })
}

// biome-ignore format: table
const CALLED: Readonly<Record<string, string>> = {
  country:     'countries',
  subdivision: 'subdivisions',
  city:        'cities',
  asn:         'AS numbers',
  point:       'where clients are',
}

function lackText(reads: Held, names: readonly string[]): string {
  const field = reads.startsWith('field ') ? reads.slice('field '.length) : undefined
  const called = field ?? CALLED[reads] ?? reads
  if (names.length === 0) return `reads ${called}, and there is no geo database`
  return `reads ${called}, which is not in ${names.join(', ')}`
}

function fixFor(reads: Held): string {
  if (reads.startsWith('field ')) return 'check the path, or add a database that has it to geo'
  return 'add a database that has them to geo'
}
