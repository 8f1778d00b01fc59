/**
 * Imports gdnsd: its configuration and its zone files (gdnsd 3; gdnsd.config(5), gdnsd.zonefile(5)
 * and the manual pages of the plugins). The first file is the configuration, all others are zones,
 * each called as its zone.
 */
import { isWrong, type Wrong, wrong } from '../fault.ts'
import { readChecks } from './gdnsd-check.ts'
import { type Gdnsd, gdnsdHouse } from './gdnsd-house.ts'
import { noteResources } from './gdnsd-meta.ts'
import { readOptions } from './gdnsd-options.ts'
import { emptyHash, readVscf, type VscfHash, valueAt } from './gdnsd-syntax.ts'
import { readZone } from './gdnsd-zone.ts'
import type { Imported, Original, ReadOriginal } from './imported.ts'
import { changed, unsupported } from './ledger.ts'
import { importedOf } from './write.ts'

const PARTS = ['options', 'service_types', 'plugins']
const PLUGINS = ['multifo', 'simplefo', 'weighted', 'static', 'metafo', 'geoip', 'reflect', 'null']

/**
 * Turns gdnsd's files into ours.
 *
 * @param originals the configuration, then zone files
 */
export function importGdnsd(
  originals: readonly Original[],
  read: ReadOriginal,
): Imported | Wrong[] {
  const [config, ...zones] = originals
  if (config === undefined || zones.length === 0) {
    return [wrong('no zone files', 'name the configuration first, then every zone file')]
  }
  const root = readVscf(config, read)
  if (isWrong(root)) return [root]
  if (root.kind !== 'hash') return [wrong(`${config.file} is no gdnsd configuration`)]
  const gdnsd = gdnsdHouse(config, root, read)
  for (const { key, at } of root.entries) {
    if (!PARTS.includes(key)) unsupported(gdnsd.ledger, at, key, 'left out: gdnsd has no such part')
  }
  readOptions(gdnsd, partOf(root, 'options'))
  readChecks(gdnsd, partOf(root, 'service_types'))
  for (const zone of zones) readZone(gdnsd, zone)
  notePlugins(gdnsd)
  noteAliases(gdnsd)
  if (gdnsd.wrongs.length > 0) return gdnsd.wrongs
  gdnsd.draft.notes.push(`Imported from gdnsd: ${config.file}`, NOTE)
  return importedOf(gdnsd.draft, gdnsd.ledger)
}

const NOTE = 'The report of the import says what is not quite as it was.'

function partOf(root: VscfHash, key: string): VscfHash {
  const part = valueAt(root, key)
  return part?.kind === 'hash' ? part : emptyHash(root.at)
}

function notePlugins(gdnsd: Gdnsd): void {
  noteResources(gdnsd)
  for (const { key, at } of gdnsd.plugins.entries) {
    if (PLUGINS.includes(key)) continue
    unsupported(gdnsd.ledger, at, `plugin ${key}`, 'left out: no counterpart')
  }
}

/** gdnsd goes on from an alias to a dynamic name in one answer; here resolvers ask once more. */
function noteAliases({ draft, ledger, aliases }: Gdnsd): void {
  for (const { at, owner, target } of aliases) {
    const rule = draft.rules.get(target)
    if (rule === undefined || rule.choose.kind === 'pools') continue
    const here = `answered alone: ${target} is asked for itself, so that its scope is its own`
    changed(ledger, at, `${owner} CNAME ${target}`, here)
  }
}
