/**
 * Imports the zones of geodns (abh/geodns: README "Zone format", `zones/reader.go`, `targeting/`):
 * JSON files called as their zones. Labels with the same start and a place at their end are one
 * steered name.
 */
import { isWrong, type Wrong, wrong } from '../fault.ts'
import { poolsOf } from './choice.ts'
import { entriesIn, numberAt, readDocument, type Tree, textAt, valueAt } from './document.ts'
import { draft } from './draft.ts'
import { labelChoice } from './geodns-choice.ts'
import type { Geodns, GeoZone, Label } from './geodns-house.ts'
import { readLabel } from './geodns-label.ts'
import { targetOf } from './geodns-places.ts'
import { geoZoneText, titleOf } from './geodns-zone.ts'
import type { Imported, Original, ReadOriginal } from './imported.ts'
import { changed, exact, openLedger, unsupported } from './ledger.ts'
import { addRule } from './mend.ts'
import { nameOf } from './paths.ts'
import { importedOf } from './write.ts'

const USUAL = { ttl: 120, maxHosts: 2, targeting: '@ country continent' }
const KNOWN = ['serial', 'ttl', 'max_hosts', 'targeting', 'contact', 'data', 'closest', 'logging']

/** Turns zones of geodns into ours. Nothing is read but what is given. */
export function importGeodns(
  originals: readonly Original[],
  _read: ReadOriginal,
): Imported | Wrong[] {
  const geodns: Geodns = { draft: draft(), ledger: openLedger(), wrongs: [] }
  for (const original of originals) readOriginal(geodns, original)
  if (geodns.wrongs.length > 0) return geodns.wrongs
  if (geodns.draft.zones.length === 0) return [wrong('no zones', 'name the JSON files of zones')]
  const from = originals.map(({ file }) => file).join(', ')
  geodns.draft.notes.push(`Imported from geodns: ${from}`, NOTE)
  noteAll(geodns, originals)
  return importedOf(geodns.draft, geodns.ledger)
}

const NOTE = 'The report of the import says what is not quite as it was.'

function noteAll({ ledger }: Geodns, [first]: readonly Original[]): void {
  if (first === undefined) return
  const at = { file: first.file, line: 0 }
  const notes = [
    'listen on every address: correct listen:',
    'the database that ships with lbdns: name yours under geo: database:',
    'scopes are the shortest that are true, at most /24 and /56 for database blocks; there, /16',
    'continents are those of the database, and of data/geo; geodns has a table of its own',
    'a client in a private or special block that no network names is placed by its resolver',
  ]
  for (const here of notes) changed(ledger, at, 'geodns', here)
}

function readOriginal(geodns: Geodns, original: Original): void {
  if (!original.file.endsWith('.json')) {
    const here = 'left out: only zones are imported, as JSON files'
    unsupported(geodns.ledger, { file: original.file, line: 0 }, nameOf(original.file), here)
    return
  }
  const tree = readDocument(original)
  if (isWrong(tree)) geodns.wrongs.push(tree)
  else importZone(geodns, readZone(geodns, original, tree))
}

function readZone(geodns: Geodns, { file }: Original, tree: Tree): GeoZone {
  const name = nameOf(file)
    .replace(/\.json$/, '')
    .toLowerCase()
  for (const { key, at, value } of entriesIn(tree)) {
    const isClosest = key === 'closest' && value.kind === 'text' && value.text === 'true'
    if (key === 'logging') unsupported(geodns.ledger, at, `logging of ${name}`, 'left out')
    else if (isClosest) {
      const here = 'left out: give the pools at: and steer with nearest:'
      unsupported(geodns.ledger, at, `closest of ${name}`, here)
    } else if (!KNOWN.includes(key)) unsupported(geodns.ledger, at, `${key} of ${name}`, 'left out')
  }
  const ttl = numberAt(tree, 'ttl') ?? USUAL.ttl
  const maxHosts = numberAt(tree, 'max_hosts') ?? USUAL.maxHosts
  const labels = new Map<string, Label>()
  for (const { key, value } of entriesIn(valueAt(tree, 'data'))) {
    const label = key.toLowerCase()
    labels.set(label, readLabel(geodns, { zone: name, ttl, maxHosts }, label, value))
  }
  const contact = textAt(tree, 'contact') ?? `hostmaster.${name}`
  return {
    ...{ at: { file, line: 0 }, name, ttl, contact, labels },
    serial: numberAt(tree, 'serial') ?? 1,
    targeting: new Set((textAt(tree, 'targeting') ?? USUAL.targeting).split(/\s+/)),
  }
}

function importZone(geodns: Geodns, zone: GeoZone): void {
  const steered = new Set<string>()
  for (const label of [...zone.labels.values(), ...hidden(zone)]) {
    if (steerLabel(geodns, zone, label)) steered.add(label.name)
    noteOthers(geodns, zone, label)
  }
  const path = `zones/${zone.name}.zone`
  geodns.draft.zones.push(path)
  geodns.draft.files.set(path, geoZoneText(geodns, zone, steered))
}

/** Names that stand in the zone only with a place at their end. */
function hidden({ labels, targeting, ttl }: GeoZone): Label[] {
  const bases = [...labels.values()].flatMap(({ name, at, maxHosts }): Label[] => {
    const dot = name.lastIndexOf('.')
    const end = name.endsWith(']') ? name.slice(name.indexOf('[')) : name.slice(dot + 1)
    const base = name.slice(0, Math.max(0, name.length - end.length - 1))
    const target = base === '' ? undefined : targetOf(end)
    if (target === undefined || !targeting.has(target.kind) || labels.has(base)) return []
    const empty = { targets: [], alias: undefined, check: undefined, others: [] }
    return [{ at, name: base, ttl, maxHosts, ...empty }]
  })
  return bases.filter(({ name }, at) => bases.findIndex(other => other.name === name) === at)
}

/** Makes a rule of a label where clients get different answers, or not all records at once. */
function steerLabel(geodns: Geodns, zone: GeoZone, label: Label): boolean {
  const choose = labelChoice(geodns, zone, label.name)
  const used = poolsOf(choose)
  if (used.length === 0) return false
  const several = used.map(name => geodns.draft.pools.get(name)).filter(pool => pool !== undefined)
  const plain = several.every(
    ({ serves, targets }) => serves.kind === 'all' || targets.length === 1,
  )
  if (choose.kind === 'pools' && used.length === 1 && plain && label.targets.length > 0)
    return false
  const what = titleOf(zone, label)
  const ttls = [...zone.labels.values()].flatMap(({ name, ttl, targets }) =>
    targets.length > 0 && used.includes(name === '' ? zone.name : name) ? [ttl] : [],
  )
  const ttl = Math.min(label.ttl, ...ttls)
  if (new Set(ttls).size > 1) changed(geodns.ledger, label.at, `TTLs of ${what}`, `${ttl} for all`)
  const at = label.at
  const wish = { owner: what, at, what, ttl: { max: ttl, min: ttl }, choose, zone: zone.name }
  if (!addRule(geodns.draft, geodns.ledger, wish)) return false
  exact(geodns.ledger, label.at, what)
  return true
}

/** Other types do not differ by place. */
function noteOthers(geodns: Geodns, zone: GeoZone, { name, at }: Label): void {
  const ends = [...zone.labels.values()].filter(({ name: longer }) => {
    const end = name === '' ? longer : longer.slice(name.length + 1)
    const target = longer.startsWith(name === '' ? '' : `${name}.`) ? targetOf(end) : undefined
    return target !== undefined && zone.targeting.has(target.kind)
  })
  const types = [...new Set(ends.flatMap(label => label.others.map(({ type }) => type)))]
  if (types.length === 0) return
  const here = 'those without a place are for all: only addresses and aliases are steered'
  unsupported(geodns.ledger, at, `${types.join(', ')} of ${name || zone.name} by place`, here)
}
