/**
 * The domains of PowerDNS's geoip backend, out of its YAML (geoip backend, "Zonefile format").
 */
import {
  entriesIn,
  listOf,
  numberAt,
  type Tree,
  type TreeMap,
  textAt,
  textsOf,
  valueAt,
} from './document.ts'
import { changed, type Spot, unsupported } from './ledger.ts'
import type { Domain, Pdns, PdnsRecord, Service } from './pdns-house.ts'
import { parentOf, plainName } from './zone-names.ts'

const ROOT_KEYS = ['domains', 'mapping_lookup_formats', 'custom_mapping']
const DOMAIN_KEYS = [
  'domain',
  'ttl',
  'records',
  'services',
  'mapping_lookup_formats',
  'custom_mapping',
]
const USUAL_TTL = 300

/** All domains of a file: a list of them, or one alone as in a folder of zones. */
export function readDomains(pdns: Pdns, root: TreeMap): Domain[] {
  if (textAt(root, 'domain') !== undefined) return readDomain(pdns, root, root)
  for (const { key, at } of root.entries) {
    if (ROOT_KEYS.includes(key)) continue
    const here =
      key === 'zones_dir' ? 'left out: name its files for the import' : 'left out: no such key'
    unsupported(pdns.ledger, at, key, here)
  }
  return listOf(valueAt(root, 'domains')).flatMap(domain => readDomain(pdns, domain, root))
}

function readDomain(pdns: Pdns, domain: Tree, root: Tree): Domain[] {
  const name = textAt(domain, 'domain')
  if (name === undefined || plainName(name) === '') {
    unsupported(pdns.ledger, domain.at, 'a domain without a name', 'left out')
    return []
  }
  for (const { key, at } of entriesIn(domain)) {
    if (!DOMAIN_KEYS.includes(key)) unsupported(pdns.ledger, at, `${key} of ${name}`, 'left out')
  }
  const ttl = numberAt(domain, 'ttl') ?? USUAL_TTL
  const own = (key: string) => valueAt(domain, key) ?? valueAt(root, key)
  const mapping = entriesIn(own('custom_mapping')).flatMap(({ key, value }) =>
    value.kind === 'text' ? [[key, value.text] as const] : [],
  )
  return [
    {
      name: plainName(name),
      at: domain.at,
      ttl,
      records: readRecords(pdns, domain, ttl),
      services: readServices(domain),
      formats: textsOf(own('mapping_lookup_formats')),
      mapping: new Map(mapping),
    },
  ]
}

function readRecords(pdns: Pdns, domain: Tree, ttl: number): Map<string, PdnsRecord[]> {
  const records = new Map<string, PdnsRecord[]>()
  for (const { key, value } of entriesIn(valueAt(domain, 'records'))) {
    const found = listOf(value).flatMap(item => readRecord(pdns, key, item, ttl))
    records.set(plainName(key), found)
  }
  // Names between these and the domain exist as well, though nothing is there.
  const apex = plainName(textAt(domain, 'domain') ?? '')
  const services = new Set(entriesIn(valueAt(domain, 'services')).map(({ key }) => plainName(key)))
  for (const name of [...records.keys(), ...services]) {
    for (let at = parentOf(name); at.endsWith(`.${apex}`); at = parentOf(at)) {
      if (!records.has(at) && !services.has(at)) records.set(at, [])
    }
  }
  return records
}

/** `type: content`, or `type: {content, ttl, weight}`. */
function readRecord(pdns: Pdns, name: string, item: Tree, ttl: number): PdnsRecord[] {
  return entriesIn(item)
    .slice(0, 1)
    .map(({ key, at, value }) => {
      const type = key.toUpperCase()
      if (value.kind !== 'map') {
        return {
          at,
          type,
          content: value.kind === 'text' ? value.text : '',
          ttl,
          weight: undefined,
        }
      }
      for (const attribute of value.entries) {
        if (['content', 'ttl', 'weight'].includes(attribute.key)) continue
        unsupported(pdns.ledger, attribute.at, `${attribute.key} of ${type} ${name}`, 'left out')
      }
      const weight = numberAt(value, 'weight')
      const content = textAt(value, 'content') ?? ''
      if (weight !== undefined && !['A', 'AAAA', 'CNAME'].includes(type)) {
        changed(pdns.ledger, at, `weight of ${type} ${name}`, 'all of them are answered')
      }
      return { at, type, content, ttl: numberAt(value, 'ttl') ?? ttl, weight }
    })
}

function readServices(domain: Tree): Map<string, Service> {
  const services = new Map<string, Service>()
  for (const { key, at, value } of entriesIn(valueAt(domain, 'services'))) {
    services.set(plainName(key), { at, masks: masksOf(value, at) })
  }
  return services
}

function masksOf(value: Tree, at: Spot): Service['masks'] {
  if (value.kind !== 'map') return [{ mask: 'default', at, formats: textsOf(value) }]
  return value.entries.map(entry => ({
    mask: entry.key,
    at: entry.at,
    formats: textsOf(entry.value),
  }))
}
