/**
 * octoDNS's zones, imported. What clients get is held against an evaluator that reads the
 * documented format in the plainest way: rules from top to bottom, subnets first, pools and what
 * they fall back on.
 */
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { importOctodns } from '../../server/import/octodns.ts'
import {
  type Both,
  differing,
  falseScopes,
  type Question,
  questionsOf,
  type Said,
} from '../cross/both.ts'
import { isWithin, ordinaryClients, type Place, smallWorld } from '../cross/small-world.ts'
import { ask, deskFrom } from '../kit/world.ts'

const QUESTIONS = 5_000
const WORLD = smallWorld(300, 13)

const ZONE = `---
? ''
: - type: NS
    values: [ns1.example.net., ns2.example.net.]
  - type: MX
    value: { preference: 10, exchange: mail.example.com. }
  - type: TXT
    values:
    - 'v=spf1 -all'
    - 'v=DKIM1\\; k=rsa\\; p="x"'
  - type: CAA
    value: { flags: 0, tag: issue, value: ca.example.net }
www:
  type: A
  ttl: 60
  dynamic: &dynamic
    pools:
      apac: { fallback: na, values: [ { value: 192.0.2.1 } ] }
      eu: { fallback: na, values: [ { value: 192.0.2.2 } ] }
      na: { values: [ { value: 192.0.2.3 } ] }
      west: { fallback: na, values: [ { value: 192.0.2.4 } ] }
      lab: { values: [ { value: 192.0.2.5 }, { value: 192.0.2.6, status: down } ] }
    rules:
    - { subnets: [45.0.0.0/8, "2001:db8:8000::/33"], pool: lab }
    - { subnets: [101.0.0.0/9], geos: [AF], pool: west }
    - { geos: [NA-US-CA, OC-NZ-OTA], pool: west }
    - { geos: [NA-US], pool: eu }
    - { geos: [AS, OC], pool: apac }
    - { geos: [EU, SA-BR], pool: eu }
    - { pool: na }
  values: [192.0.2.3, 192.0.2.7]
both:
- type: A
  dynamic:
    pools:
      eu: { values: [ { value: 192.0.2.11 } ] }
      us: { values: [ { value: 192.0.2.12 } ] }
    rules: [ { geos: [EU], pool: eu }, { pool: us } ]
  value: 192.0.2.12
- type: AAAA
  dynamic:
    pools:
      de: { values: [ { value: "2001:db8::11" } ] }
      us: { values: [ { value: "2001:db8::12" } ] }
    rules: [ { subnets: [45.0.0.0/8], pool: us }, { geos: [EU-DE, NA], pool: de }, { pool: us } ]
  value: 2001:db8::12
pair:
- type: A
  dynamic:
    pools: { eu: { values: [ { value: 192.0.2.21 } ] }, us: { values: [ { value: 192.0.2.22 } ] } }
    rules: [ { geos: [EU], pool: eu }, { pool: us } ]
  value: 192.0.2.22
- type: AAAA
  dynamic:
    pools: { eu: { values: [ { value: "2001:db8::21" } ] }, us: { values: [ { value: "2001:db8::22" } ] } }
    rules: [ { geos: [EU], pool: eu }, { pool: us } ]
  value: 2001:db8::22
half:
- type: A
  dynamic:
    pools: { eu: { values: [ { value: 192.0.2.31 } ] }, us: { values: [ { value: 192.0.2.32 } ] } }
    rules: [ { geos: [EU], pool: eu }, { pool: us } ]
  value: 192.0.2.32
- { type: AAAA, value: "2001:db8::31" }
weight:
  type: A
  dynamic:
    pools:
      all: { values: [ { value: 192.0.2.41, weight: 2 }, { value: 192.0.2.42, weight: 3 } ] }
    rules: [ { pool: all } ]
  value: 192.0.2.41
alias:
  type: CNAME
  dynamic:
    pools: { eu: { values: [ { value: eu.example.net. } ] }, us: { values: [ { value: us.example.net. } ] } }
    rules: [ { geos: [EU], pool: eu }, { pool: us } ]
  value: us.example.net.
geo:
  type: A
  ttl: 300
  geo: { NA-US: [192.0.2.51], NA-US-CA: [192.0.2.52], EU: [192.0.2.53, 192.0.2.54] }
  values: [192.0.2.55]
plain: { type: A, values: [192.0.2.61, 192.0.2.62] }
`

const FILE = { file: 'config/example.com.yaml', text: ZONE }
const made = importOctodns([FILE], () => undefined)
if (Array.isArray(made)) throw new Error(JSON.stringify(made))
const imported = made as Exclude<typeof made, readonly unknown[]>
const desk = deskFrom({
  'lbdns.yaml': `${imported.config}geo: {database: city.mmdb}\n`,
  'city.mmdb': WORLD.octets,
  ...Object.fromEntries(imported.files),
})

/** As the file says, by plain reading. */
type Written = {
  readonly type: string
  readonly value?: string
  readonly values?: readonly string[]
  readonly geo?: Readonly<Record<string, readonly string[]>>
  readonly dynamic?: {
    readonly pools: Readonly<Record<string, { readonly values: readonly Valued[] }>>
    readonly rules: readonly WrittenRule[]
  }
}
type Valued = { readonly value: string; readonly status?: string }
type WrittenRule = { geos?: readonly string[]; subnets?: readonly string[]; pool: string }

const WRITTEN = Object.entries(parse(ZONE, { merge: true }) as Record<string, Written | Written[]>)

function evaluated(name: string, type: string, client: string): readonly string[] {
  const found = WRITTEN.find(([key]) => key === name)?.[1]
  const records = (Array.isArray(found) ? found : [found]).filter(one => one !== undefined)
  const record = records.find(one => one.type === type) ?? records.find(one => one.type === 'CNAME')
  if (record === undefined) return []
  const place = WORLD.placeOf(client)
  const values = record.values ?? [record.value ?? '']
  if (record.geo !== undefined) {
    const codes = codesOf(place).toReversed()
    return record.geo[codes.find(code => Object.hasOwn(record.geo!, code)) ?? ''] ?? values
  }
  if (record.dynamic === undefined) return values
  const { rules, pools } = record.dynamic
  const bySubnet = rules.find(rule => rule.subnets?.some(subnet => isWithin(client, subnet)))
  const byGeo = rules.find(rule => rule.geos?.some(geo => codesOf(place).includes(geo)))
  const last = rules.find(rule => rule.geos === undefined && rule.subnets === undefined)
  const pool = pools[(bySubnet ?? byGeo ?? last)?.pool ?? '']
  return (pool?.values ?? []).filter(({ status }) => status !== 'down').map(({ value }) => value)
}

function codesOf(place: Place | undefined): string[] {
  if (place === undefined) return []
  const { continent, country, subdivision } = place
  return [continent, `${continent}-${country}`, `${continent}-${country}-${subdivision}`]
}

/** What the file says and what we say to so many questions. */
function asked(): Both[] {
  const names = ['www', 'both', 'pair', 'half', 'alias', 'geo', 'plain']
  const networks = ['45.0.0.0/8', '101.0.0.0/9', '2001:db8:8000::/33']
  const clients = ordinaryClients([...WORLD.networks, ...networks], QUESTIONS / 2, 3)
  return questionsOf(names, ['A', 'AAAA'], clients, QUESTIONS).map(question => {
    const answer = [...evaluated(question.name, question.type, question.subnet)].sort()
    return { ...question, theirs: { rcode: '', answer, scope: 0 }, ours: said(question) }
  })
}

function said({ name, type, subnet }: Question): Said {
  const { answer, scope = -1 } = ask(desk, `${name}.example.com`, { type, subnet })
  const data = answer.map(line => (line.split(' ')[3] ?? '').replace(/^(.*\.net)$/, '$1.'))
  return { rcode: '', answer: data.sort(), scope }
}

describe(`octoDNS, ${QUESTIONS} questions`, () => {
  const all = asked()

  test('every client gets what the file says', () => {
    expect(differing(all)).toEqual([])
  })

  test('scopes are true by what the file says', () => {
    expect(falseScopes(all)).toEqual([])
    expect(all.some(({ ours }) => ours.scope > 8)).toBe(true)
  })

  test('weights draw from the pool, one at a time', () => {
    const question = { name: 'weight', type: 'A', subnet: '45.1.2.0/24' } as const
    const drawn = Array.from({ length: 200 }, () => said(question))
    expect([...new Set(drawn.flatMap(({ answer }) => answer))].sort()).toEqual([
      '192.0.2.41',
      '192.0.2.42',
    ])
    for (const { answer, scope } of drawn) expect([answer.length, scope]).toEqual([1, 0])
  })
})

describe('records (octoDNS docs, Records)', () => {
  function lines(yaml: string, files: Readonly<Record<string, string>> = {}): string[] {
    const text = `'': { type: NS, values: [ns1.example.net.] }\n${yaml}`
    const read = (file: string) => {
      const found = files[file]
      return found === undefined ? undefined : { file, text: found }
    }
    const zone = importOctodns([{ file: 'example.com.yaml', text }], read)
    if (Array.isArray(zone)) throw new Error(zone.map(({ wrong }) => wrong).join('\n'))
    const { files: written } = zone as Exclude<typeof zone, readonly unknown[]>
    return written.get('zones/example.com.zone')?.split('\n') ?? []
  }

  // biome-ignore format: table
  const ROWS: readonly (readonly [type: string, value: string, line: string])[] = [
    ['MX',    '{ preference: 10, exchange: a.example.net. }', 'x 3600 MX 10 a.example.net.'],
    ['MX',    '{ priority: 10, value: a.example.net. }',      'x 3600 MX 10 a.example.net.'],
    ['SRV',   '{ priority: 1, weight: 2, port: 3, target: . }', 'x 3600 SRV 1 2 3 .'],
    ['CAA',   '{ flags: 0, tag: issue, value: "a;b=c" }',     'x 3600 CAA 0 issue "a;b=c"'],
    ['NAPTR', "{ order: 1, preference: 2, flags: U, service: SIP+D2U, regexp: '!^.*$!sip:a@b!', replacement: . }",
      'x 3600 NAPTR 1 2 "U" "SIP+D2U" "!^.*$!sip:a@b!" .'],
    ['SSHFP', '{ algorithm: 1, fingerprint_type: 1, fingerprint: bf6b6825d2977c511a475bbefb88aad54a92ac73 }',
      'x 3600 SSHFP 1 1 bf6b6825d2977c511a475bbefb88aad54a92ac73'],
    ['TLSA',  '{ certificate_usage: 3, selector: 1, matching_type: 1, certificate_association_data: abcd }',
      'x 3600 TLSA 3 1 1 abcd'],
    ['DS',    `{ key_tag: 1, algorithm: 13, digest_type: 2, digest: ${'ab'.repeat(32)} }`, `x 3600 DS 1 13 2 ${'ab'.repeat(32)}`],
    ['URI',   '{ priority: 1, weight: 2, target: "ftp://a" }', 'x 3600 URI 1 2 "ftp://a"'],
    ['LOC',   '{ altitude: 20, lat_degrees: 31, lat_direction: S, lat_minutes: 58, lat_seconds: 52.1, long_degrees: 115, long_direction: E, long_minutes: 49, long_seconds: 11.7, precision_horz: 10, precision_vert: 2, size: 10 }',
      'x 3600 LOC 31 58 52.1 S 115 49 11.7 E 20m 10m 10m 2m'],
    ['HTTPS', '{ svcpriority: 1, targetname: ., svcparams: { alpn: [h2, h3], port: 8443, no-default-alpn: } }',
      'x 3600 HTTPS 1 . alpn="h2,h3" port="8443" no-default-alpn'],
    ['PTR',   'a.example.net',                                'x 3600 PTR a.example.net.'],
    ['TXT',   "'say \"a\"'",                                  'x 3600 TXT "say \\"a\\""'],
    ['TXT',   "'\"in\" \" two\"'",                            'x 3600 TXT "in two"'],
    ['TXT',   'on',                                           'x 3600 TXT "on"'],
  ]

  test.each(ROWS)('%s %s', (type, value, line) => {
    expect(lines(`x: { type: ${type}, value: ${value} }`)).toContain(line)
  })

  test('BC-135 a semicolon is written with a backslash there, and without one here', () => {
    const zone = lines("x: { type: TXT, value: 'v=DKIM1\\; k' }")
    expect(zone).toContain('x 3600 TXT "v=DKIM1; k"')
  })

  test('files in place of values', () => {
    const files = { one: '[ "a" ]', two: '[ "b" ]', three: '{ type: A, value: 192.0.2.1 }' }
    const zone = lines('x: { type: TXT, values: !include [ one, two ] }\ny: !include three', files)
    expect(zone).toContain('x 3600 TXT "b"')
    expect(zone).toContain('y 3600 A 192.0.2.1')
  })

  // biome-ignore format: table
  const TOLD: readonly (readonly [rule: string, yaml: string, report: string])[] = [
    ['ALIAS',             '"": { type: ALIAS, value: a.example.net. }', 'unsupported ALIAS example.com: left out: steer the name to the addresses of the target'],
    ['URLFWD',            'x: { type: URLFWD, value: { path: / } }',    'unsupported URLFWD x.example.com: left out: an HTTP server has to do that'],
    ['no name servers',   'x: { type: A, value: 192.0.2.1 }',           'unsupported no NS records in example.com: ns.invalid. stands for them: correct it'],
    ['a record that octoDNS ignores', 'x: { type: A, value: 192.0.2.1, octodns: { ignored: true } }', 'unsupported A x.example.com is ignored: left out, as octoDNS does'],
    ['options of a provider', 'x: { type: A, value: 192.0.2.1, octodns: { cloudflare: { proxied: true } } }', 'unsupported cloudflare of A x.example.com: no provider is chosen here'],
    ['a place that does not exist', 'x: { type: A, value: 192.0.2.1, geo: { XX: [192.0.2.2] } }', 'unsupported geo XX of A x.example.com: left out: no such place'],
    ['a value that is down', 'x: { type: A, value: 192.0.2.1, dynamic: { pools: { p: { values: [ { value: 192.0.2.2, status: down } ] } }, rules: [ { pool: p } ] } }', 'changed 192.0.2.2 of pool p of A x.example.com: status down: left out: it is never answered'],
  ]

  test.each(TOLD)('%s is told of', (_, text, report) => {
    const zone = importOctodns([{ file: 'example.com.yaml', text }], () => undefined)
    if (Array.isArray(zone)) throw new Error(zone.map(({ wrong }) => wrong).join('\n'))
    const { report: told } = zone as Exclude<typeof zone, readonly unknown[]>
    expect(told.map(({ fidelity, what, here }) => `${fidelity} ${what}: ${here}`)).toContain(report)
  })

  test('octoDNS itself is left out; a folder can be a zone', () => {
    const files = [
      { file: 'production.yaml', text: 'providers: { a: { class: x } }' },
      { file: 'zones/example.org./www.yaml', text: 'www: { type: A, value: 192.0.2.1 }' },
    ]
    const zone = importOctodns(files, () => undefined) as typeof imported
    expect([...zone.files.keys()]).toEqual(['zones/example.org.zone'])
    expect(zone.report.map(({ what }) => what)).toContain('production.yaml')
  })
})
