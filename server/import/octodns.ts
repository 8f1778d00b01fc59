/**
 * Imports the zones of octoDNS's YamlProvider (octoDNS docs, "Records", "Dynamic Record Support"):
 * dynamic and geo records become steered names, all others a zone file. A file is called as its
 * zone, `example.com.yaml`, or lies in a folder that is, `example.com./www.yaml`.
 */
import { isWrong, type Wrong, wrong } from '../fault.ts'
import {
  entriesIn,
  listOf,
  numberAt,
  readDocument,
  type Tree,
  textAt,
  valueAt,
} from './document.ts'
import { draft } from './draft.ts'
import type { Imported, Original, ReadOriginal } from './imported.ts'
import { changed, exact, openLedger, unsupported } from './ledger.ts'
import { addRule } from './mend.ts'
import { dynamicChoice } from './octodns-choice.ts'
import type { Octodns, OctoName, OctoRecord } from './octodns-house.ts'
import { withIncludes } from './octodns-include.ts'
import { octoZone } from './octodns-zone.ts'
import { folderOf, nameOf } from './paths.ts'
import { importedOf } from './write.ts'

/** Seconds, where a record does not say. */
const USUAL_TTL = 3600

const ADDRESSES = ['A', 'AAAA']

/** Turns octoDNS's zones into ours. */
export function importOctodns(
  originals: readonly Original[],
  read: ReadOriginal,
): Imported | Wrong[] {
  const octodns: Octodns = {
    ...{ draft: draft(), ledger: openLedger(), wrongs: [], checks: new Map() },
  }
  const zones = new Map<string, OctoName[]>()
  for (const original of originals) readFile(octodns, original, read, zones)
  for (const [zone, names] of zones) importZone(octodns, zone, names)
  if (octodns.wrongs.length > 0) return octodns.wrongs
  if (zones.size === 0) return [wrong('no zones', 'name files that are called as their zones')]
  const from = originals.map(({ file }) => file).join(', ')
  octodns.draft.notes.push(`Imported from octoDNS: ${from}`, NOTE)
  noteAll(octodns, originals)
  return importedOf(octodns.draft, octodns.ledger)
}

const NOTE = 'The report of the import says what is not quite as it was.'

/** What octoDNS leaves to its providers, and is to be said here. */
function noteAll({ ledger }: Octodns, originals: readonly Original[]): void {
  const [first] = originals
  if (first === undefined) return
  const at = { file: first.file, line: 0 }
  const notes = [
    'listen on every address: correct listen:',
    'the database that ships with lbdns: name yours under geo: database:',
    'scopes are the shortest that are true; providers do not tell theirs',
  ]
  for (const here of notes) changed(ledger, at, 'what providers bring', here)
}

function readFile(
  octodns: Octodns,
  original: Original,
  read: ReadOriginal,
  zones: Map<string, OctoName[]>,
): void {
  const written = readDocument(original)
  if (isWrong(written)) {
    octodns.wrongs.push(written)
    return
  }
  const tree = withIncludes({ read, wrongs: octodns.wrongs }, written)
  if (valueAt(tree, 'providers') !== undefined) {
    const here = 'left out: providers, processors and zones of octoDNS itself'
    unsupported(octodns.ledger, tree.at, nameOf(original.file), here)
    return
  }
  const zone = zoneOf(original.file)
  const names = zones.get(zone) ?? []
  for (const { key, value } of entriesIn(tree)) {
    const name = key.toLowerCase()
    const owner = name === '' ? zone : `${name}.${zone}`
    names.push({
      name,
      owner,
      records: listOf(value).flatMap(one => recordOf(octodns, owner, one)),
    })
  }
  zones.set(zone, names)
}

/** `example.com.yaml`, or a file of any name in `example.com.`. */
function zoneOf(file: string): string {
  const folder = nameOf(folderOf(file))
  if (folder.endsWith('.')) return folder.slice(0, -1).toLowerCase()
  return nameOf(file)
    .replace(/\.ya?ml$/, '')
    .replace(/^\$|\.$/g, '')
    .toLowerCase()
}

const KEYS = ['type', 'ttl', 'value', 'values', 'dynamic', 'geo', 'octodns']

function recordOf(octodns: Octodns, owner: string, tree: Tree): OctoRecord[] {
  const type = (textAt(tree, 'type') ?? '').toUpperCase()
  const what = `${type} ${owner}`
  for (const { key, at } of entriesIn(tree)) {
    if (!KEYS.includes(key)) unsupported(octodns.ledger, at, `${key} of ${what}`, 'left out')
  }
  const options = valueAt(tree, 'octodns')
  for (const { key, at, value } of entriesIn(options)) {
    if (key === 'healthcheck') continue
    const text = value.kind === 'text' ? value.text : ''
    if (key === 'ignored' && text === 'true') {
      unsupported(octodns.ledger, at, `${what} is ignored`, 'left out, as octoDNS does')
      return []
    }
    unsupported(octodns.ledger, at, `${key} of ${what}`, 'no provider is chosen here')
  }
  const values = [...listOf(valueAt(tree, 'values')), ...listOf(valueAt(tree, 'value'))]
  return [{ at: tree.at, type, ttl: numberAt(tree, 'ttl') ?? USUAL_TTL, tree, values }]
}

function importZone(octodns: Octodns, zone: string, names: readonly OctoName[]): void {
  const steered = new Map<string, readonly string[]>()
  for (const name of names) {
    const types = steerName(octodns, zone, name)
    if (types.length > 0) steered.set(name.owner, types)
  }
  const path = `zones/${zone}.zone`
  octodns.draft.zones.push(path)
  octodns.draft.files.set(path, octoZone(octodns, zone, names, steered))
}

/** Makes a rule of what is dynamic of a name. Returns the types that the rule answers. */
function steerName(octodns: Octodns, zone: string, name: OctoName): readonly string[] {
  const dynamic = name.records.filter(isDynamic)
  const [first] = dynamic
  if (first === undefined) return []
  const isAddress = ADDRESSES.includes(first.type)
  const records = isAddress ? name.records.filter(({ type }) => ADDRESSES.includes(type)) : [first]
  const types = records.map(({ type }) => type)
  const ttls = records.map(({ ttl }) => ttl)
  const ttl = Math.min(...ttls)
  const what = `dynamic ${types.join(' and ')} ${name.owner}`
  if (new Set(ttls).size > 1) {
    changed(octodns.ledger, first.at, `TTLs of ${what}`, `${ttl} for both`)
  }
  const choose = dynamicChoice(octodns, name, records)
  const { owner } = name
  const wish = { owner, at: first.at, what, ttl: { max: ttl, min: ttl }, choose, zone }
  if (!addRule(octodns.draft, octodns.ledger, wish)) return []
  exact(octodns.ledger, first.at, what)
  return types
}

function isDynamic({ tree }: OctoRecord): boolean {
  return valueAt(tree, 'dynamic') !== undefined || valueAt(tree, 'geo') !== undefined
}
