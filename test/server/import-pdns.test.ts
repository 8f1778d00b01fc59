/**
 * The geoip backend of PowerDNS, imported, by the words of its documentation. What clients get is
 * held against PowerDNS itself in `test/cross/cross-import-pdns.test.ts`.
 */
import { describe, expect, test } from 'vitest'
import type { Imported } from '../../server/import/imported.ts'
import { importPdnsGeoip } from '../../server/import/pdns-geoip.ts'

const HEAD = `mapping_lookup_formats: ['%cc-%re', '%cc']
custom_mapping: { us-ca: west }
domains:
- domain: example.com
  ttl: 60
  records:
    example.com:
      - soa: ns1.example.com admin.example.com 1 7200 1800 259200 60
      - ns: ns1.example.com
    ns1.example.com: [ { a: 127.0.0.1 } ]
`

/** @param records lines of names; @param services lines of services; @param conf of pdns.conf */
function imported(records: string, services: string, conf?: string): Imported {
  const lines = (text: string) => text.replace(/^(?=.)/gm, '    ')
  const yaml = `${HEAD}${lines(records)}\n  services:\n${lines(services)}\n`
  const files = [{ file: '/etc/powerdns/geo.yaml', text: yaml }]
  if (conf !== undefined) files.unshift({ file: '/etc/powerdns/pdns.conf', text: conf })
  const made = importPdnsGeoip(files, () => undefined)
  if (Array.isArray(made)) throw new Error(made.map(({ wrong }) => wrong).join('\n'))
  return made as Imported
}

function reportOf(made: Imported): string[] {
  return made.report.map(({ fidelity, what, here }) => `${fidelity} ${what}: ${here}`)
}

function zoneOf(made: Imported): string[] {
  return made.files.get('zones/example.com.zone')?.split('\n') ?? []
}

describe('pdns.conf', () => {
  // biome-ignore format: table
  const ROWS: readonly (readonly [conf: string, config: string, report: string])[] = [
    ['local-address=192.0.2.1, 2001:db8::1\nlocal-port=5353', 'listen: ["192.0.2.1:5353", "[2001:db8::1]:5353"]', 'exact local-port=5353: '],
    ['edns-subnet-processing=yes',   'zones:',                       'exact edns-subnet-processing=yes: '],
    ['launch=geoip',                 'ecs: {enabled: off}',          'exact edns-subnet-processing is off: ecs: enabled: off'],
    ['geoip-database-files=mmdb:/a.mmdb;language=en /b.mmdb', 'database: [/a.mmdb, /b.mmdb]', 'exact geoip-database-files=/b.mmdb: geo.database: /b.mmdb'],
    ['geoip-database-files=/a.mmdb;language=de', 'database: [/a.mmdb]', 'changed geoip-database-files=/a.mmdb;language=de: geo.database: /a.mmdb; cities by their English names'],
    ['geoip-database-files=/a.dat',  'zones:',                       'unsupported geoip-database-files=/a.dat: left out: take the .mmdb of the same data'],
    ['launch=bind',                  'zones:',                       'unsupported launch=bind: only the geoip backend is imported: export other zones as master files'],
    ['geoip-dnssec-keydir=/keys',    'zones:',                       'unsupported geoip-dnssec-keydir=/keys: left out: zones are not signed in this version'],
    ['cache-ttl=60',                 'zones:',                       'unsupported cache-ttl=60: left out: no counterpart'],
  ]

  test.each(ROWS)('%s', (conf, config, report) => {
    const made = imported(
      'eu.example.com: [ { a: 192.0.2.1 } ]',
      'www.example.com: eu.example.com',
      conf,
    )
    expect(made.config).toContain(config)
    expect(reportOf(made)).toContain(report)
  })

  test('the YAML file is the one that it names', () => {
    const conf = { file: '/etc/powerdns/pdns.conf', text: 'geoip-zones-file=geo.yaml' }
    const read = (path: string) => (path === 'geo.yaml' ? { file: path, text: HEAD } : undefined)
    expect(Array.isArray(importPdnsGeoip([conf], read))).toBe(false)
    expect(importPdnsGeoip([conf], () => undefined)).toEqual([
      { wrong: 'no zones file', fix: 'name the YAML file of geoip-zones-file' },
    ])
  })
})

describe('services (GeoIP backend, Placeholders)', () => {
  // biome-ignore format: table
  const ROWS: readonly (readonly [rule: string, records: string, service: string, steer: string, report?: string])[] = [
    ['one name for all',
      'eu.example.com: [ { a: 192.0.2.1 } ]', 'eu.example.com', 'pools: [eu]'],
    ['%cn: the continents that there are',
      'eu.example.com: [ { a: 192.0.2.1 } ]\nx.example.com: [ { a: 192.0.2.2 } ]',
      "['%cn.example.com', x.example.com]", 'continents:\n        EU: [eu]\n      default: [x]'],
    ['%co: what is no country is no branch',
      'zz.example.com: [ { a: 192.0.2.1 } ]\nx.example.com: [ { a: 192.0.2.2 } ]',
      "['%co.example.com', x.example.com]", 'pools: [x]'],
    ['unknown is what no database tells',
      'unknown.example.com: [ { a: 192.0.2.1 } ]\neu.example.com: [ { a: 192.0.2.2 } ]',
      "'%cn.example.com'", 'EU: [eu]\n      default: [unknown]'],
    ['%mp, the first lookup format that is in the mapping',
      'west.example.com: [ { a: 192.0.2.1 } ]\nx.example.com: [ { a: 192.0.2.2 } ]',
      "['%mp.example.com', x.example.com]", 'US-CA: [west]'],
    ['a name that only has names below it answers nothing',
      'de.eu.example.com: [ { a: 192.0.2.1 } ]\nx.example.com: [ { a: 192.0.2.2 } ]',
      "['%co.%cn.example.com', '%cn.example.com', x.example.com]",
      'EU:\n          by:\n            countries:\n              DE: [de.eu]\n            default: [x]',
      'changed service www.example.com: clients that had no answer get that of the others: x'],
    ['a wildcard answers through a CNAME there',
      '"*.eu.example.com": [ { a: 192.0.2.1 } ]\nx.eu.example.com: [ { a: 192.0.2.2 } ]',
      "'%cc.eu.example.com'", 'pools: ["*.eu"]',
      'changed %cc.eu.example.com of service www.example.com: answered with the addresses of *.eu.example.com, without a CNAME before them'],
    ['a name outside is an alias',
      '', 'cdn.example.net', 'pools: [cdn.example.net]'],
    ['a country in a name outside',
      'x.example.com: [ { a: 192.0.2.1 } ]', "{ default: '%cc.example.net', 192.0.2.0/24: x.example.com }", 'pools: [x]',
      'unsupported %cc.example.net of service www.example.com: left out: list the hosts that there are, as pools of their own'],
    ['the address of the client',
      'x.example.com: [ { a: 192.0.2.1 } ]', "['%ip.example.com', x.example.com]", 'pools: [x]',
      'unsupported %ip in %ip.example.com of service www.example.com: left out: an answer for every client or moment of its own has no branches'],
    ['the name of an organization',
      'x.example.com: [ { a: 192.0.2.1 } ]', "['%na.example.com', x.example.com]", 'pools: [x]',
      'unsupported %na in %na.example.com of service www.example.com: left out: name the networks by asns: instead'],
    ['no default',
      'x.example.com: [ { a: 192.0.2.1 } ]', '{ 192.0.2.0/24: x.example.com }', 'pools: [x]',
      'changed service www.example.com without default: clients of no network got no answer; here they get one all the same'],
    ['other records that differ',
      'eu.example.com: [ { a: 192.0.2.1 }, { txt: eu } ]\nx.example.com: [ { a: 192.0.2.2 }, { txt: x } ]',
      "['%cn.example.com', x.example.com]", 'EU: [eu]',
      'unsupported TXT of what service www.example.com points to: left out: only addresses, aliases and services are steered'],
  ]

  for (const [rule, records, service, steer, report] of ROWS) {
    test(rule, () => {
      const made = imported(records, `www.example.com: ${service}`)
      expect(made.config).toContain(steer)
      if (report !== undefined) expect(reportOf(made)).toContain(report)
    })
  }

  test('a service that leads to another', () => {
    const made = imported(
      'eu.example.com: [ { a: 192.0.2.1 } ]\nx.example.com: [ { a: 192.0.2.2 } ]',
      "a.example.com: ['%cn.example.com', x.example.com]\nb.example.com: a.example.com",
    )
    expect(made.config).toContain('rule: a.example.com')
  })
})

describe('records', () => {
  // biome-ignore format: table
  const ROWS: readonly (readonly [rule: string, record: string, line: string])[] = [
    ['names are absolute',          'mx: 10 mail.example.com',       'x.example.com. MX 10 mail.example.com.'],
    ['a dot at the end is no other','cname: a.example.net.',         'x.example.com. CNAME a.example.net.'],
    ['services',                    'srv: 0 5 80 www.example.com',   'x.example.com. SRV 0 5 80 www.example.com.'],
    ['texts come without quotes',   'txt: say "hello"',              'x.example.com. TXT "say \\"hello\\""'],
    ['or with them',                "txt: '\"a\" \"b\"'",            'x.example.com. TXT "a" "b"'],
    ['a TTL of its own',            'a: { content: 192.0.2.1, ttl: 5 }', 'x.example.com. 5 A 192.0.2.1'],
    ['other types as they are',     'caa: 0 issue "ca.example.net"', 'x.example.com. CAA 0 issue "ca.example.net"'],
  ]

  test.each(ROWS)('%s', (_, record, line) => {
    expect(zoneOf(imported(`x.example.com: [ { ${record} } ]`, ''))).toContain(line)
  })

  test('weights make a steered name of it', () => {
    const made = imported(
      'x.example.com: [ { a: { content: 192.0.2.1, weight: 50 } }, { a: 192.0.2.2 } ]',
      '',
    )
    expect(made.config).toContain(
      'x.example.com:\n    ttl: 60s\n    pick: weighted\n    pools: [x]',
    )
    expect(made.config).toContain('{address: 192.0.2.2, weight: 100}') // what PowerDNS takes
  })

  // biome-ignore format: table
  const TOLD: readonly (readonly [rule: string, records: string, report: string])[] = [
    ['an address of the client',  "x.example.com: [ { a: '%ip4' } ]",
      'unsupported A %ip4 of x.example.com: left out: records are fixed here'],
    ['a line that does not load', 'x.example.com: [ { a: 192.0.2 } ]',
      'unsupported x.example.com. A 192.0.2: left out: 192.0.2 is not an IPv4 address'],
    ['an attribute',              'x.example.com: [ { a: { content: 192.0.2.1, disabled: 1 } } ]',
      'unsupported disabled of A x.example.com: left out'],
    ['an alias beside other data','x.example.com: [ { cname: a.example.net }, { txt: t } ]',
      'unsupported x.example.com. CNAME a.example.net.: left out: x.example.com. has a CNAME and other data (TXT)'],
  ]

  test.each(TOLD)('%s is told of', (_, records, report) => {
    expect(reportOf(imported(records, ''))).toContain(report)
  })

  test('a zone without SOA and NS gets some, and the report says so', () => {
    const text =
      'domains:\n- domain: example.com\n  ttl: 60\n  records:\n    a.example.com: [ { a: 192.0.2.1 } ]\n'
    const made = importPdnsGeoip([{ file: 'geo.yaml', text }], () => undefined) as Imported
    expect(zoneOf(made)).toContain('@ NS ns.invalid.')
    expect(reportOf(made).filter(line => line.includes('ns.invalid'))).toHaveLength(2)
  })

  test.each([
    ['domains: [', 'geo.yaml:1: '],
    ['[]', 'geo.yaml has no domains'],
    ['other: 1', 'no domains in geo.yaml'],
  ])('%s cannot be imported', (text, wrong) => {
    const made = importPdnsGeoip([{ file: 'geo.yaml', text }], () => undefined)
    expect(Array.isArray(made) && made[0]?.wrong).toContain(wrong)
  })
})
