/**
 * geodns's zones, imported. What clients get is held against an evaluator that looks labels up in
 * the documented way: the label with the closest place at its end that has records of the type.
 */
import { describe, expect, test } from 'vitest'
import { importGeodns } from '../../server/import/geodns.ts'
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
const WORLD = smallWorld(300, 17)

/** A label, as the file says. */
type Written = {
  readonly a?: readonly (readonly (string | number)[])[]
  readonly aaaa?: readonly (readonly (string | number)[])[]
  readonly cname?: string
  readonly alias?: string
  readonly [other: string]: unknown
}
const DATA: Readonly<Record<string, Written>> = {
  '': {
    ns: { 'ns1.example.net.': null, 'ns2.example.net.': null },
    mx: [
      { preference: 20, mx: 'mx2.example.net', weight: 0 },
      { preference: 10, mx: 'mx.example.net.', weight: 1 },
    ],
    txt: 'a zone',
  },
  www: { a: [['192.0.2.1', 10]], aaaa: [['2001:db8::1', 10]] },
  'www.europe': { a: [['192.0.2.2', 10]], aaaa: [['2001:db8::2', 1]] },
  'www.de': { a: [['192.0.2.3']] },
  'www.us': { a: [['192.0.2.4', 1]] },
  'www.us-ca': { a: [['192.0.2.5', 1]] },
  'www.us-central': { a: [['192.0.2.6', 1]] },
  'www.as64500': { a: [['192.0.2.7', 1]] },
  'www.[45.1.2.0]': { a: [['192.0.2.8', 1]] },
  'www.[2001:db8:8000::]': { a: [['192.0.2.9', 1]], aaaa: [['2001:db8::9', 1]] },
  many: {
    a: [
      ['192.0.2.11', 10],
      ['192.0.2.12', 20],
      ['192.0.2.13', 0],
    ],
    max_hosts: '1',
  },
  'many.asia': {
    a: [
      ['192.0.2.14', 1],
      ['192.0.2.15', 1],
    ],
    max_hosts: '1',
  },
  pair: { a: [['192.0.2.16'], ['192.0.2.17']], ttl: '601' },
  three: {
    a: [
      ['192.0.2.18', 1],
      ['192.0.2.19', 1],
      ['192.0.2.20', 1],
    ],
  },
  alias: { alias: 'www' },
  'alias.oceania': { alias: 'pair' },
  cname: { cname: 'geo.example.net.' },
  'cname.europe': { cname: 'inside' },
  inside: { a: [['192.0.2.21']] },
  'only.africa': { a: [['192.0.2.22']] },
  'only.asia': { a: [['192.0.2.23']] },
  checked: { a: [['192.0.2.24']] },
  'checked.europe': { a: [['192.0.2.25']], health: { type: 'tcp', port: 80, frequency: 15 } },
  '_sip._tcp': { srv: [{ port: 5060, srv_weight: 100, priority: 10, target: 'www' }] },
}

const ZONE = JSON.stringify(
  {
    serial: 3,
    ttl: 600,
    max_hosts: 2,
    targeting: 'country continent @ regiongroup region asn ip',
    contact: 'support.example.net',
    logging: { stathat: true },
    data: DATA,
  },
  undefined,
  '\t',
)

const made = importGeodns([{ file: 'dns/example.com.json', text: ZONE }], () => undefined)
if (Array.isArray(made)) throw new Error(JSON.stringify(made))
const imported = made as Exclude<typeof made, readonly unknown[]>
const desk = deskFrom({
  'lbdns.yaml': `${imported.config}geo: {database: city.mmdb}\n`,
  'city.mmdb': WORLD.octets,
  ...Object.fromEntries(imported.files),
})

/** Names of the continents, as geodns writes them. */
// biome-ignore format: table
const CONTINENTS: Readonly<Record<string, string>> = {
  AF: 'africa', AS: 'asia', EU: 'europe', NA: 'north-america', OC: 'oceania', SA: 'south-america',
}

function endsFor(client: string, place: Place | undefined): string[] {
  const ips = ['45.1.2.0/24', '2001:db8:8000::/48'].filter(prefix => isWithin(client, prefix))
  const first = ips.map(prefix => `[${prefix.split('/')[0]}]`)
  if (place === undefined) return [...first, '@']
  const { country, subdivision, continent, asn } = place
  const region = `${country}-${subdivision}`.toLowerCase()
  const group = region === 'us-ca' ? ['us-west'] : region === 'us-tx' ? ['us-central'] : []
  const geo = [region, ...group, country.toLowerCase(), CONTINENTS[continent] ?? '']
  return [...first, `as${asn}`, ...geo, '@']
}

/** All answers of the first label that has records of the type. */
function evaluated(name: string, type: 'a' | 'aaaa', ends: readonly string[]): readonly string[] {
  for (const end of ends) {
    const label = DATA[end === '@' ? name : `${name}.${end}`]
    const found = label === undefined ? [] : answerOf(label, type, ends)
    if (found.length > 0) return found
  }
  return []
}

function answerOf(label: Written, type: 'a' | 'aaaa', ends: readonly string[]): readonly string[] {
  const behind = label.alias === undefined ? [] : evaluated(label.alias, type, ends)
  if (behind.length > 0) return behind
  if (label.cname !== undefined) {
    return [label.cname.endsWith('.') ? label.cname : `${label.cname}.example.com.`]
  }
  return (label[type] ?? []).map(([text]) => String(text))
}

/** What the labels say, all of it, and what we say to so many questions. */
function asked(): Both[] {
  const names = [
    'www',
    'pair',
    'alias',
    'cname',
    'checked',
    'inside',
    'www.europe',
    'many',
    'three',
  ]
  const networks = ['45.1.2.0/24', '2001:db8:8000::/48']
  const clients = ordinaryClients([...WORLD.networks, ...networks], QUESTIONS / 2, 3)
  return questionsOf(names, ['A', 'AAAA'], clients, QUESTIONS).map(question => {
    const { name, type, subnet } = question
    const key = type === 'A' ? 'a' : 'aaaa'
    const answer = [...evaluated(name, key, endsFor(subnet, WORLD.placeOf(subnet)))].sort()
    return { ...question, theirs: { rcode: '', answer, scope: 0 }, ours: said(question) }
  })
}

function said({ name, type, subnet }: Question): Said {
  const { answer, scope = -1 } = ask(desk, `${name}.example.com`, { type, subnet })
  const first = answer.filter(line => line.startsWith(`${name}.example.com. `))
  const data = first.map(line => (line.split(' ')[3] ?? '').replace(/([a-z])$/, '$1.'))
  return { rcode: '', answer: data.sort(), scope }
}

describe(`geodns, ${QUESTIONS} questions`, () => {
  const all = asked()

  test('every client gets what the labels say, max_hosts of it', () => {
    const wrong = all.filter(({ name, theirs, ours }) => {
      const most = Math.min(theirs.answer.length, name === 'many' ? 1 : 2)
      const known = ours.answer.every(address => theirs.answer.includes(address))
      return !known || new Set(ours.answer).size !== most
    })
    expect(differing(wrong)).toEqual([])
  })

  test('scopes are true by what the labels say', () => {
    expect(falseScopes(all)).toEqual([])
    expect(all.some(({ ours }) => ours.scope > 8)).toBe(true)
  })

  test('weights draw from the label; weight 0 stands by', () => {
    const question = { name: 'many', type: 'A', subnet: '9.1.2.0/24' } as const
    const drawn = Array.from({ length: 200 }, () => said(question).answer)
    expect([...new Set(drawn.flat())].sort()).toEqual(['192.0.2.11', '192.0.2.12'])
  })

  test('a name that some continents lack answers all, and the report says so', () => {
    const question = { name: 'only', type: 'A', subnet: '9.1.2.0/24' } as const
    expect(said(question).answer).toEqual(['192.0.2.22'])
    const lines = imported.report.map(({ what, here }) => `${what} · ${here}`)
    expect(lines).toContain(
      'only.example.com · clients that had no answer get that of the others: only.africa',
    )
  })
})

describe('records (abh/geodns, Supported record types)', () => {
  function zoneOf(data: object, more: object = {}) {
    const text = JSON.stringify({ data: { '': { ns: ['ns1.example.net'] }, ...data }, ...more })
    const made = importGeodns([{ file: 'example.com.json', text }], () => undefined)
    if (Array.isArray(made)) throw new Error(made.map(({ wrong }) => wrong).join('\n'))
    const { files, report, config } = made as Exclude<typeof made, readonly unknown[]>
    const lines = files.get('zones/example.com.zone')?.split('\n') ?? []
    const told = report.map(({ fidelity, what, here }) => `${fidelity} ${what}: ${here}`)
    return { lines, told, config }
  }

  // biome-ignore format: table
  const ROWS: readonly (readonly [rule: string, label: object, line: string])[] = [
    ['BC-092 a TTL of its own',  { a: [['192.0.2.1']], ttl: '601' },             'x 601 A 192.0.2.1'],
    ['BC-092 name servers for a day', { ns: { 'a.example.net.': null } },        'x 86400 NS a.example.net.'],
    ['an alias inside the zone', { cname: 'www' },                               'x CNAME www.example.com.'],
    ['an alias outside',         { cname: 'a.example.net.' },                    'x CNAME a.example.net.'],
    ['mail',                     { mx: [{ mx: 'a.example.net', preference: 5 }] }, 'x MX 5 a.example.net.'],
    ['one mail server alone',    { mx: { mx: 'a.example.net' } },                'x MX 0 a.example.net.'],
    ['a text',                   { txt: 'say "a"' },                             'x TXT "say \\"a\\""'],
    ['a text with a weight',     { txt: [{ txt: 'a', weight: 1 }] },             'x TXT "a"'],
    ['a service',                { srv: [{ port: 5060, srv_weight: 1, priority: 2, target: 'a' }] }, 'x SRV 2 1 5060 a.example.com.'],
    ['a pointer',                { ptr: [['a.example.net', 10]] },               'x PTR a.example.net.'],
  ]

  test.each(ROWS)('%s', (_, label, line) => {
    expect(zoneOf({ x: label }).lines).toContain(line)
  })

  // biome-ignore format: table
  const TOLD: readonly (readonly [rule: string, data: object, report: string])[] = [
    ['closest',              { x: { a: [['192.0.2.1']], closest: true } },       'unsupported closest of x.example.com: left out: give the pools at: and steer with nearest:'],
    ['a status file',        { x: { a: [['192.0.2.1']], health: { type: 'x' } } }, 'unsupported health of x.example.com: x: left out: make a check of type file from its status file'],
    ['an unknown type',      { x: { loc: 'a' } },                                'unsupported loc of x.example.com: left out: geodns has no such type'],
    ['mail by place',        { x: { a: [['192.0.2.1']] }, 'x.europe': { mx: [{ mx: 'a' }] } }, 'unsupported mx of x by place: those without a place are for all: only addresses and aliases are steered'],
    ['weights of texts',     { x: { txt: ['a', 'b', 'c'].map(txt => ({ txt, weight: 1 })) } }, 'changed txt of x.example.com: all of them are answered, whatever their weights'],
    ['addresses beside an alias', { x: { cname: 'www', a: [['192.0.2.1']] } },   'unsupported addresses of x.example.com: left out: its cname is answered'],
  ]

  test.each(TOLD)('%s is told of', (_, data, report) => {
    expect(zoneOf(data).told).toContain(report)
  })

  test('without "asn" in targeting, as64500 is a part of a name', () => {
    const data = { x: { a: [['192.0.2.1']] }, 'x.as64500': { a: [['192.0.2.2']] } }
    expect(zoneOf(data).config).not.toContain('steer:')
    expect(zoneOf(data, { targeting: '@ asn' }).config).toContain('AS64500: [x.as64500]')
  })
})
