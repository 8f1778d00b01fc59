/**
 * Lays steered owners over zones: each belongs to the closest zone that encloses it and takes part
 * in its tree like any other name. Knows nothing of rules: a slot is a number.
 */
import { nameText, parentOf } from '../dns/name.ts'
import { problemAt, type Remarks, wrong } from '../fault.ts'
import { addDraftFlags, type Draft, draftWord, type SteeredOwner, setDraftWord } from './draft.ts'
import { fileAt } from './reading.ts'
import type { ZoneRecords } from './records.ts'
import { complain } from './reporter.ts'
import { enterName } from './tree.ts'
import { FLAG, NODE, steeredFlag } from './zones.ts'

/** The zones without those that were read before under the same name. */
export function hostedZones(zones: readonly ZoneRecords[], remarks: Remarks): ZoneRecords[] {
  const files = new Map<string, string>()
  return zones.filter(({ apex, files: [file = ''] }) => {
    const name = nameText(apex)
    const earlier = files.get(name)
    if (earlier === undefined) {
      files.set(name, file)
      return true
    }
    const reason = wrong(`the zone ${name} is in ${earlier} already`, 'list one of them')
    remarks.problems.push(problemAt(fileAt(file), reason))
    return false
  })
}

/** The steered owners of each zone. */
export function assignOwners(
  zones: readonly ZoneRecords[],
  steered: readonly SteeredOwner[],
  remarks: Remarks,
): SteeredOwner[][] {
  const numbers = new Map(zones.map(({ apex }, zone) => [nameText(apex), zone]))
  const owners: SteeredOwner[][] = zones.map(() => [])
  for (const owner of steered) {
    const zone = closestZone(numbers, owner.owner)
    if (zone !== undefined) owners[zone]?.push(owner)
    else {
      const reason = wrong(`${nameText(owner.owner)} is in no hosted zone`, 'add it under zones:')
      remarks.problems.push(problemAt(owner.at, reason))
    }
  }
  return owners
}

function closestZone(numbers: ReadonlyMap<string, number>, owner: Uint8Array): number | undefined {
  let name = owner
  while (!numbers.has(nameText(name)) && name.length > 1) name = parentOf(name)
  return numbers.get(nameText(name))
}

/** Enters a zone's steered owners. */
export function overlay(draft: Draft, owners: readonly SteeredOwner[]): void {
  for (const steered of owners) {
    const { owner, slot, answers, types, tailored, at } = steered
    const node = enterName(draft.tree, draft.zone, draft.apexLabels, owner, 0)
    if (draftWord(draft, node, NODE.SLOT) >= 0) {
      complain(draft.reporter, at, wrong(`${nameText(owner)} is steered twice`, 'keep one rule'))
      continue
    }
    setDraftWord(draft, node, NODE.SLOT, slot)
    if (answers === 'alias') addDraftFlags(draft, node, FLAG.STEERED_ALIAS)
    else for (const type of types) addDraftFlags(draft, node, steeredFlag(type))
    if (tailored) addDraftFlags(draft, node, FLAG.TAILORED)
    draft.steered.push({ ...steered, node })
  }
}
