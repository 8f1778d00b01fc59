/**
 * Zones from text, and what a look-up finds in them as text: for tests whose rows are written as people
 * write zones.
 */
import {
  type Name,
  type NameBuffer,
  nameBuffer,
  nameFromText,
  nameText,
  setName,
} from '../../server/dns/name.ts'
import { u16 } from '../../server/dns/octets.ts'
import { rdataText } from '../../server/dns/rdata.ts'
import { typeFromText, typeText } from '../../server/dns/rrtype.ts'
import { isWrong, type Problem, problemText, remarks, wrong } from '../../server/fault.ts'
import { compileZones, type SteeredOwner } from '../../server/zone/compile.ts'
import { find } from '../../server/zone/find.ts'
import { type Finding, finding } from '../../server/zone/finding.ts'
import { parseZone } from '../../server/zone/master.ts'
import { type Stream, textStream } from '../../server/zone/stream.ts'
import { nodeName, RECORD_HEAD, RRSET, rrsetWord, type Zones } from '../../server/zone/zones.ts'

/** Zone Z of the public cases, to which tests add their records. */
export const ZONE_Z = `$ORIGIN example.com.
$TTL 300
@ 3600 SOA ns1 hostmaster 2024010101 7200 900 1209600 60
@ NS ns1
@ NS ns2
ns1 A 192.0.2.1
ns2 A 192.0.2.2
`

/** The same with the one name that most rows are about. */
export const FIXTURE = `${ZONE_Z}www A 192.0.2.10
`

export type LoadedText = {
  readonly zones: Zones
  /** `file:line:column: what · fix` */
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
}

/** Files that may be included, by name. */
export type Files = Readonly<Record<string, string>>

/** Loads one zone a text, named `z`, `z1`, `z2` …; each text comes as the stream that `open` makes. */
export function loadText(
  texts: string | readonly string[],
  files: Files = {},
  steered: readonly SteeredOwner[] = [],
  open: (text: string) => Stream = textStream,
  most?: number,
): LoadedText {
  const found = remarks()
  const include = (path: string) => {
    const text = files[path]
    return text === undefined ? wrong(`cannot read ${path}`) : { file: path, stream: open(text) }
  }
  const zones = [texts].flat().flatMap((text, at) => {
    const file = at === 0 ? 'z' : `z${at}`
    return parseZone({ file, stream: open(text), include }, found, most) ?? []
  })
  const compiled = compileZones(zones, steered, found)
  const said = (problems: readonly Problem[]) => problems.map(problemText)
  return { zones: compiled, problems: said(found.problems), warnings: said(found.warnings) }
}

/** A name buffer filled from absolute text. */
export function asked(text: string): NameBuffer {
  const wire = nameFromText(text, undefined)
  if (isWrong(wire)) throw new Error(wire.wrong)
  const name = nameBuffer()
  setName(name, wire, 0)
  return name
}

/** What `find` fills in for a name and a type, both as text. */
export function findText(zones: Zones, name: string, type: string): Finding {
  const into = finding()
  find(zones, asked(name), typeFromText(type) ?? 0, into)
  return into
}

/** The records of an RRset as `owner ttl type data`, in order; none for −1. */
export function rrsetTexts(zones: Zones, rrset: number): string[] {
  if (rrset < 0) return []
  return [...eachRecord(zones, rrset)].map(
    ({ owner, type, ttl, rdata }) =>
      `${nameText(owner)} ${ttl} ${typeText(type)} ${rdataText(type, rdata)}`,
  )
}

/** A finding in one line: its kind, then the records it stands on. */
export function findingText(zones: Zones, name: string, type: string): string {
  const found = findText(zones, name, type)
  if (found.kind === 'no-data' || found.kind === 'no-name' || found.kind === 'no-zone') {
    return found.kind
  }
  if (found.kind === 'steered') return `steered ${found.slot}`
  return [found.kind, ...rrsetTexts(zones, found.rrset)].join(' | ')
}

/** All records of all zones, as text. */
export function allTexts(zones: Zones): string[] {
  const negative = new Set(zones.zoneNegative)
  const rrsets = Array.from({ length: zones.rrsetTotal }, (_, rrset) => rrset)
  return rrsets.filter(rrset => !negative.has(rrset)).flatMap(rrset => rrsetTexts(zones, rrset))
}

type ListedRecord = {
  readonly owner: Name
  readonly type: number
  readonly ttl: number
  readonly rdata: Uint8Array
}

/** The records of an RRset. */
export function* eachRecord(zones: Zones, rrset: number): Generator<ListedRecord> {
  const { records } = zones
  const owner = nodeName(zones, rrsetWord(zones, rrset, RRSET.NODE))
  const type = rrsetWord(zones, rrset, RRSET.TYPE)
  const ttl = rrsetWord(zones, rrset, RRSET.TTL)
  const end = rrsetWord(zones, rrset, RRSET.AT) + rrsetWord(zones, rrset, RRSET.LENGTH)
  for (let at = rrsetWord(zones, rrset, RRSET.AT); at < end; ) {
    const rdataAt = at + RECORD_HEAD
    at = rdataAt + u16(records, rdataAt - 2)
    yield { owner, type, ttl, rdata: records.subarray(rdataAt, at) }
  }
}
