/**
 * Imports the geoip backend of PowerDNS: its YAML, and `pdns.conf` where that is given too
 * (PowerDNS Authoritative Server 4.7, "GeoIP backend"). Every service becomes a steered name, every
 * name that services point to a pool, and all records a zone file.
 */
import { isWrong, type Wrong, wrong } from '../fault.ts'
import type { Choice } from './choice.ts'
import { poolsOf } from './choice.ts'
import { readDocument } from './document.ts'
import { draft } from './draft.ts'
import type { Imported, Original, ReadOriginal } from './imported.ts'
import { changed, exact, openLedger, type Spot, unsupported } from './ledger.ts'
import { addRule } from './mend.ts'
import { isConf, readSettings, type Setting, settingsOf } from './pdns-conf.ts'
import { readDomains } from './pdns-domain.ts'
import type { Domain, Pdns, PdnsRecord, Service } from './pdns-house.ts'
import { targetPool } from './pdns-pool.ts'
import { serviceChoice } from './pdns-service.ts'
import { zoneText } from './pdns-zone.ts'
import { importedOf } from './write.ts'
import { isIn } from './zone-names.ts'

/**
 * Turns the backend's files into ours.
 *
 * @param originals YAML files, and `pdns.conf` before or behind them; it names a YAML file itself
 */
export function importPdnsGeoip(
  originals: readonly Original[],
  read: ReadOriginal,
): Imported | Wrong[] {
  const pdns: Pdns = {
    ...{ draft: draft(), ledger: openLedger(), wrongs: [], pools: new Map(), fits: new Map() },
  }
  const confs = originals.filter(isConf)
  const settings = confs.flatMap(settingsOf)
  if (confs.length > 0) readSettings(pdns, settings)
  else noteNoConf(pdns, originals)
  const zones = zoneFiles(originals, settings, read)
  if (zones.length === 0) return [wrong('no zones file', 'name the YAML file of geoip-zones-file')]
  const domains = zones.flatMap(original => domainsOf(pdns, original))
  if (pdns.wrongs.length > 0) return pdns.wrongs
  const from = [...confs, ...zones].map(({ file }) => file).join(', ')
  if (domains.length === 0) return [wrong(`no domains in ${from}`)]
  importDomains(pdns, domains)
  pdns.draft.notes.push(`Imported from the geoip backend of PowerDNS: ${from}`, NOTE)
  return importedOf(pdns.draft, pdns.ledger)
}

/** The YAML files: those given, else the one that `pdns.conf` names. */
function zoneFiles(
  originals: readonly Original[],
  settings: readonly Setting[],
  read: ReadOriginal,
): Original[] {
  const given = originals.filter(original => !isConf(original))
  if (given.length > 0) return given
  const named = settings.filter(({ key }) => key === 'geoip-zones-file')
  return named.flatMap(({ value, at }) => read(value, at.file) ?? [])
}

function importDomains(pdns: Pdns, domains: readonly Domain[]): void {
  const seen = new Set<string>()
  for (const domain of domains) {
    const what = `domain ${domain.name} again`
    if (seen.has(domain.name))
      unsupported(pdns.ledger, domain.at, what, 'left out: the first counts')
    else importDomain(pdns, domain, domains)
    seen.add(domain.name)
  }
}

const NOTE = 'The report of the import says what is not quite as it was.'

/** What only `pdns.conf` tells. */
function noteNoConf({ ledger }: Pdns, [first]: readonly Original[]): void {
  if (first === undefined) return
  const at = { file: first.file, line: 0 }
  const notes = [
    'listen on every address: correct listen:',
    'the database that ships with lbdns: name yours under geo: database:',
    'client subnets are read: PowerDNS does so only with edns-subnet-processing=yes',
  ]
  for (const here of notes) changed(ledger, at, 'no pdns.conf', here)
}

function domainsOf(pdns: Pdns, original: Original): Domain[] {
  const root = readDocument(original)
  if (isWrong(root)) pdns.wrongs.push(root)
  else if (root.kind === 'map') return readDomains(pdns, root)
  else pdns.wrongs.push(wrong(`${original.file} has no domains`))
  return []
}

function importDomain(pdns: Pdns, domain: Domain, all: readonly Domain[]): void {
  const { draft: made, ledger } = pdns
  const steered = new Set<string>()
  for (const [owner, service] of domain.services) {
    if (importService(pdns, domain, owner, service)) steered.add(owner)
  }
  for (const [name, records] of domain.records) {
    if (!steered.has(name) && importWeighted(pdns, domain, name, records)) steered.add(name)
  }
  const path = `zones/${domain.name}.zone`
  made.zones.push(path)
  const shared = [...domain.services.keys()].flatMap(owner => sharedLines(pdns, domain, owner))
  made.files.set(path, `${zoneText(pdns, domain, steered)}${shared.join('')}`)
  exact(ledger, domain.at, `domain ${domain.name}`)
  noteScopes(pdns, domain)
  const outer = all.find(({ name }) => name !== domain.name && isIn(domain.name, name))
  if (outer === undefined) return
  const here = 'the longest zone answers; there, the first in the file'
  changed(ledger, domain.at, `domain ${domain.name} inside ${outer.name}`, here)
}

function noteScopes({ ledger }: Pdns, { at, name, services }: Domain): void {
  if (services.size === 0) return
  const notes = [
    'scopes are the shortest that are true, at most /24 and /56 for database blocks',
    'there, they are the longest mask or the block of the database, or /32',
    'a client in a private or special block that no network names is placed by its resolver',
    'without a country or continent of its own, the registered country and its continent count',
    'a network that is longer than what a client tells of itself counts by its first address',
  ]
  for (const here of notes) changed(ledger, at, `services of ${name}`, here)
}

function importService(pdns: Pdns, domain: Domain, owner: string, service: Service): boolean {
  const choose = serviceChoice(pdns, domain, owner, service)
  const what = `service ${owner}`
  const ttl = ttlOf(pdns, domain, owner, choose, service.at)
  const zone = domain.name
  const wish = { owner, at: service.at, what, ttl: { max: ttl, min: ttl }, choose, zone }
  const added = addRule(pdns.draft, pdns.ledger, wish)
  if (added) exact(pdns.ledger, service.at, what)
  return added
}

/** Records that take turns by weight are a steered name, alike for all. */
function importWeighted(
  pdns: Pdns,
  domain: Domain,
  name: string,
  records: readonly PdnsRecord[],
): boolean {
  const [first] = records
  if (first === undefined || records.every(({ weight }) => weight === undefined)) return false
  const pool = targetPool(pdns, domain, name, name)
  if (pool === undefined) return false
  const what = `records of ${name} by weight`
  const ttl = { max: first.ttl, min: first.ttl }
  const choose = { kind: 'pools', pools: [pool] } as const
  const wish = { owner: name, at: first.at, what, ttl, choose, zone: domain.name }
  return addRule(pdns.draft, pdns.ledger, wish)
}

/** All that a service may answer. */
function targetsOf(domain: Domain, pdns: Pdns, choose: Choice): PdnsRecord[][] {
  const used = poolsOf(choose)
  return [...pdns.pools].flatMap(([key, pool]) => {
    const records = used.includes(pool)
      ? domain.records.get(key.split(' and ')[0] ?? '')
      : undefined
    return records === undefined ? [] : [[...records]]
  })
}

function ttlOf(pdns: Pdns, domain: Domain, owner: string, choose: Choice, at: Spot): number {
  const records = targetsOf(domain, pdns, choose).flat()
  const ttls = records.flatMap(({ type, ttl }) => (/^(A|AAAA|CNAME)$/.test(type) ? [ttl] : []))
  const least = Math.min(domain.ttl, ...ttls)
  const found = ttls.length === 0 ? domain.ttl : Math.min(...ttls)
  if (new Set(ttls).size > 1) {
    changed(pdns.ledger, at, `TTLs of service ${owner}`, `${least} for all of them`)
    return least
  }
  return found
}

/** Other records of a service's targets: in the zone, where all targets have the same. */
function sharedLines(pdns: Pdns, domain: Domain, owner: string): string[] {
  const rule = pdns.draft.rules.get(owner)
  if (rule === undefined) return []
  const targets = targetsOf(domain, pdns, rule.choose)
  const others = targets.map(records =>
    records.filter(({ type }) => !/^(A|AAAA|CNAME|NS|SOA|)$/.test(type)),
  )
  const [first = []] = others
  const textOf = (records: readonly PdnsRecord[]) =>
    records
      .map(({ type, content }) => `${type} ${content}`)
      .sort()
      .join('\n')
  if (others.every(records => textOf(records) === textOf(first))) {
    const moved = { ...domain, records: new Map([[owner, first]]) }
    return first.length === 0
      ? []
      : [zoneText(pdns, moved, new Set()).split('\n').slice(2).join('\n')]
  }
  const types = [...new Set(others.flat().map(({ type }) => type))].join(', ')
  const here = 'left out: only addresses, aliases and services are steered'
  unsupported(pdns.ledger, rule.at, `${types} of what service ${owner} points to`, here)
  return []
}
