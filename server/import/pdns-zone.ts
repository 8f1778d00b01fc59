/**
 * The records of a PowerDNS geoip domain as a zone file: names made absolute, texts in quotes.
 */
import { unsupported } from './ledger.ts'
import { isAlias } from './mend.ts'
import { hasPlaceholder } from './pdns-format.ts'
import type { Domain, Pdns, PdnsRecord } from './pdns-house.ts'
import { quoted } from './zone-text.ts'

/** Which words of a type's data are names. */
const NAMES: Readonly<Record<string, readonly number[]>> = {
  ...{ NS: [0], CNAME: [0], PTR: [0], DNAME: [0], MX: [1], AFSDB: [1], KX: [1], SRV: [3] },
  ...{ SOA: [0, 1], RP: [0, 1], NAPTR: [5], HTTPS: [1], SVCB: [1] },
}

/**
 * The text of the zone.
 *
 * @param steered owners whose addresses and aliases stand in the configuration instead
 */
export function zoneText(pdns: Pdns, domain: Domain, steered: ReadonlySet<string>): string {
  const lines = [...domain.records].flatMap(([name, records]) =>
    records.flatMap(record => lineOf(pdns, domain, name, record, steered)),
  )
  return [`$ORIGIN ${domain.name}.`, `$TTL ${domain.ttl}`, ...lines, ''].join('\n')
}

function lineOf(
  pdns: Pdns,
  domain: Domain,
  name: string,
  record: PdnsRecord,
  steered: ReadonlySet<string>,
): string[] {
  const { type, content, ttl, at } = record
  if (type === '') return []
  if (steered.has(name) && /^(A|AAAA|CNAME)$/.test(type)) return []
  if (type === 'SOA' && name !== domain.name) {
    unsupported(pdns.ledger, at, `SOA of ${name}`, `left out: this is the zone ${domain.name}`)
    return []
  }
  if (isAlias(pdns.draft, name)) {
    unsupported(pdns.ledger, at, `${type} of ${name}`, 'left out: nothing stands beside an alias')
    return []
  }
  if (hasPlaceholder(content)) {
    unsupported(
      pdns.ledger,
      at,
      `${type} ${content} of ${name}`,
      'left out: records are fixed here',
    )
    return []
  }
  const owner = name === domain.name ? '@' : `${escaped(name)}.`
  return [`${owner} ${ttl === domain.ttl ? '' : `${ttl} `}${type} ${dataOf(type, content)}`]
}

function dataOf(type: string, content: string): string {
  if (type === 'TXT' || type === 'SPF') {
    return content.startsWith('"') ? content : quoted(content).join(' ')
  }
  const names = NAMES[type]
  if (names === undefined) return content
  const words = content.trim().split(/\s+/)
  return words
    .map((word, at) => (names.includes(at) ? `${word.replace(/\.$/, '')}.` : word))
    .join(' ')
}

function escaped(name: string): string {
  return name.replace(/[ "();@$\\]/g, found => `\\${String(found.charCodeAt(0)).padStart(3, '0')}`)
}
