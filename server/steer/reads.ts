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
      remarks.problems.push(problemAt(at, wrong(what, `add ${wordsOf(reads).fix} to geo`)))
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

type Words = { readonly reads: string; readonly lacks: string; readonly fix: string }

// biome-ignore format: table
const WORDS: Readonly<Record<string, Words>> = {
  country:     { reads: 'reads countries',     lacks: 'are not in', fix: 'a database of countries' },
  subdivision: { reads: 'reads subdivisions',  lacks: 'are not in', fix: 'a database of cities' },
  city:        { reads: 'reads cities',        lacks: 'are not in', fix: 'a database of cities' },
  asn:         { reads: 'reads AS numbers',    lacks: 'are not in', fix: 'a database of AS numbers' },
  point:       { reads: 'chooses by distance', lacks: 'needs places that are not in',
                 fix: 'a database of countries or coordinates' },
}

function wordsOf(reads: Held): Words {
  const path = reads.slice('field '.length)
  return (
    WORDS[reads] ?? { reads: `reads ${path}`, lacks: 'is not in', fix: `a database with ${path}` }
  )
}

function lackText(reads: Held, names: readonly string[]): string {
  const words = wordsOf(reads)
  if (names.length === 0) return `${words.reads}, and there is no geo database`
  return `${words.reads}, which ${words.lacks} ${names.join(', ')}`
}
