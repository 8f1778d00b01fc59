/**
 * Names inside zones that are answered elsewhere, with all below them. Each is entered as a name with
 * a TXT record, and so is its wildcard: the zone's tree has them, so that names above exist and other
 * types are denied as anywhere (RFC 8020, RFC 4592). What is answered is not known here.
 */
import { isBelow, type Name, nameText, sameName } from '../dns/name.ts'
import { TYPE } from '../dns/rrtype.ts'
import { type At, problemAt, type Remarks, type Wrong, wrong } from '../fault.ts'
import { appendOctets } from './growing.ts'
import {
  appendOwner,
  appendRecord,
  ownerName,
  placeWord,
  recordCount,
  recordOwner,
  recordType,
  type ZoneRecords,
} from './records.ts'

export type Reserved = { readonly owner: Name; readonly at: At }

/** A TXT record of one empty string, and the label before all names below. */
const EMPTY_TEXT = Uint8Array.of(0)
const WILDCARD = Uint8Array.of(1, 0x2a)

/**
 * Enters the names, or says why one cannot be had.
 *
 * @param steered names that rules answer for
 */
export function reserveNames(
  zones: readonly ZoneRecords[],
  names: readonly Reserved[],
  steered: readonly Name[],
  remarks: Remarks,
): void {
  for (const { owner, at } of names) {
    const zone = closest(zones, owner)
    const flaw = flawOf(owner, zone, zones, steered)
    if (flaw !== undefined) remarks.problems.push(problemAt(at, flaw))
    else if (zone !== undefined) {
      enter(zone, owner, at)
      enter(zone, Uint8Array.of(...WILDCARD, ...owner), at)
    }
  }
}

function closest(zones: readonly ZoneRecords[], owner: Name): ZoneRecords | undefined {
  const around = zones.filter(({ apex }) => isAt(owner, apex))
  return around.sort((a, b) => b.apex.length - a.apex.length)[0]
}

function isAt(name: Name, top: Name): boolean {
  return sameName(name, top) || isBelow(name, top)
}

function flawOf(
  owner: Name,
  zone: ZoneRecords | undefined,
  zones: readonly ZoneRecords[],
  steered: readonly Name[],
): Wrong | undefined {
  const text = nameText(owner)
  if (zone === undefined) return wrong(`${text} is in no hosted zone`, 'add it under zones:')
  const inner = zones.find(({ apex }) => isAt(apex, owner))
  if (inner !== undefined) {
    return wrong(`${text} has the zone ${nameText(inner.apex)} in it`, 'name one that is free')
  }
  const rule = steered.find(name => isAt(name, owner))
  if (rule !== undefined) return wrong(`${nameText(rule)} is steered`, 'name one that is free')
  return flawIn(zone, owner)
}

/** What of a zone is in the way: data there or below, and who is told that others have it. */
function flawIn(zone: ZoneRecords, owner: Name): Wrong | undefined {
  for (let record = 0; record < recordCount(zone); record += 1) {
    const name = ownerName(zone, recordOwner(zone, record))
    const type = recordType(zone, record)
    const isLed = type === TYPE.DNAME || (type === TYPE.NS && !sameName(name, zone.apex))
    if (isAt(name, owner)) {
      return wrong(`${nameText(name)} is in its zone already`, 'name one that is free')
    }
    if (isLed && isBelow(owner, name)) {
      return wrong(`${nameText(owner)} is below ${nameText(name)}, which others answer for`)
    }
  }
  return undefined
}

/** Of no file of the zone, and so without a line in it. */
function enter(zone: ZoneRecords, owner: Uint8Array, { line }: At): void {
  const name = appendOwner(zone, owner)
  const rdata = appendOctets(zone.rdata, EMPTY_TEXT, 0, EMPTY_TEXT.length)
  appendRecord(zone, name, TYPE.TXT, 0, rdata, line, placeWord(0, 0))
}
