/** JSON services: what is asked of them, and what is read out of their replies, whatever these hold. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonQuery, readJson } from '../../probe/ask/json.ts'
import type { Reply } from '../../probe/ask/reply.ts'
import type { Subnet } from '../../probe/plan/question.ts'
import { NOBODY4, readSubnet } from '../../probe/plan/subnet.ts'
import { isWrong } from '../../probe/plan/wrong.ts'

const NAME = 'www.example.com'

function subnet(text: string): Subnet {
  const read = readSubnet(text, 'usual')
  if (isWrong(read)) throw new Error(read.wrong)
  return read
}
const NET = subnet('198.51.100.0/24')
const NET6 = subnet('2001:db8:1200::/40')

describe('asks', () => {
  // biome-ignore format: table
  const ROWS = [
    ['A',         undefined, 'name=www.example.com&type=A'],
    ['AAAA',      NET,       'name=www.example.com&type=AAAA&edns_client_subnet=198.51.100.0/24'],
    ['A',         NET6,      'name=www.example.com&type=A&edns_client_subnet=2001:db8:1200::/40'],
    ['A',         NOBODY4,   'name=www.example.com&type=A&edns_client_subnet=0.0.0.0/0'],
    ['TYPE65280', undefined, 'name=www.example.com&type=65280'],
  ] as const
  for (const [type, client, expected] of ROWS) {
    test(expected, () => expect(jsonQuery(NAME, type, client)).toBe(expected))
  }

  test('a name that would end the parameter', () => {
    expect(jsonQuery('a&type=b.example', 'A', undefined)).toBe('name=a%26type%3Db.example&type=A')
  })
})

const a = (data: unknown, name: unknown = `${NAME}.`, more: object = {}) => ({
  name,
  type: 1,
  TTL: 60,
  data,
  ...more,
})
const cname = (data: string, name = `${NAME}.`) => ({ name, type: 5, TTL: 30, data })

function read(document: unknown, client: Subnet | undefined = NET): Reply {
  return readJson(Buffer.from(JSON.stringify(document)), NAME, 'A', client)
}

describe('reads', () => {
  const echo = (source: number, scope: number, address = 'c63364') => ({
    echo: { family: 1, source, scope, address },
    edns: true,
  })
  const none = { echo: undefined, edns: false }
  // biome-ignore format: table
  const ROWS: readonly (readonly [string, object, object])[] = [
    ['dns.google: addresses in the order received', { Status: 0, Answer: [a('192.0.2.2'), a('192.0.2.1')] }, { error: undefined, rcode: 'NOERROR', answers: ['192.0.2.2', '192.0.2.1'], ttl: 60 }],
    ['its flags; AA and NSID are not told', { Status: 0, TC: true, RA: true, AD: true }, { flags: { aa: false, tc: true, ra: true }, instance: undefined }],
    ['its address and scope; SOURCE as sent', { Status: 0, edns_client_subnet: '198.51.100.0/16' }, echo(24, 16)],
    ['scope 0', { Status: 0, edns_client_subnet: '198.51.100.0/0' }, echo(24, 0)],
    ['address, source and scope', { Status: 0, edns_client_subnet: '198.51.100.0/20/16' }, echo(20, 16, 'c63360')],
    ['another address is read as it came', { Status: 0, edns_client_subnet: '203.0.113.0/24' }, echo(24, 24, 'cb0071')],
    ['no subnet', { Status: 0 }, none],
    ['a subnet that is none', { Status: 0, edns_client_subnet: '198.51.100/16' }, none],
    ['a scope that is none', { Status: 0, edns_client_subnet: '198.51.100.0/x' }, none],
    ['a scope of 256', { Status: 0, edns_client_subnet: '198.51.100.0/256' }, none],
    ['NXDOMAIN with its SOA', { Status: 3, Authority: [{ name: 'example.com.', type: 6, TTL: 60, data: 'ns. root. 1 2 3 4 5' }] }, { rcode: 'NXDOMAIN', soa: true, answers: [], ttl: undefined }],
    ['BADVERS', { Status: 16 }, { rcode: 'BADVERS' }],
    ['CNAME, then the address', { Status: 0, Answer: [cname('edge.example.net.'), a('192.0.2.1', 'edge.example.net.')] }, { chain: ['edge.example.net'], answers: ['192.0.2.1'], ttl: 30 }],
    ['names without their dot, in any case', { Status: 0, Answer: [cname('Edge.example.net', 'WWW.example.com'), a('192.0.2.1', 'edge.EXAMPLE.net')] }, { answers: ['192.0.2.1'] }],
    ['AliDNS: the question without its list', { Status: 0, Question: { name: `${NAME}.`, type: 1 }, Answer: [a('192.0.2.1')] }, { answers: ['192.0.2.1'] }],
    ['BC-178 an address of another owner', { Status: 0, Answer: [a('192.0.2.66', 'evil.example.'), a('192.0.2.1')] }, { answers: ['192.0.2.1'], oddities: ['other-owner'] }],
    ['another question', { Status: 0, Question: [{ name: 'other.example.', type: 1 }], Answer: [a('192.0.2.1')] }, { error: 'malformed', answers: [], oddities: ['wrong-question'] }],
    ['another type', { Status: 0, Question: [{ name: `${NAME}.`, type: 28 }] }, { error: 'malformed' }],
    ['text that is no address', { Status: 0, Answer: [a('192.0.2'), a('example.com'), a('2001:db8::1'), a('192.0.2.1 ')] }, { answers: [], oddities: ['record-malformed'] }],
    ['data that is no text', { Status: 0, Answer: [a(3221225985), a(['192.0.2.1']), a(null)] }, { answers: [], oddities: ['record-malformed'] }],
    ['an owner that is no text', { Status: 0, Answer: [a('192.0.2.1', 7)] }, { answers: [] }],
    ['a TTL below 0', { Status: 0, Answer: [a('192.0.2.1', NAME, { TTL: -1 })] }, { answers: [] }],
    ['a class is not told: a type past 65535', { Status: 0, Answer: [a('192.0.2.1', NAME, { type: 65537 })] }, { answers: [] }],
    ['records that are no list', { Status: 0, Answer: { 0: a('192.0.2.1') } }, { answers: [] }],
    ['no Status', { Answer: [a('192.0.2.1')] }, { error: 'malformed', answers: [] }],
    ['a Status that is a word', { Status: 'NOERROR' }, { error: 'malformed' }],
    ['a list', [], { error: 'malformed' }],
    ['an alias to itself', { Status: 0, Answer: [cname(NAME)] }, { answers: [], oddities: ['cname-loop'] }],
  ]
  for (const [rule, document, expected] of ROWS) {
    test(rule, () => expect(read(document)).toMatchObject(expected))
  }

  test('RFC 5952 IPv6 in its one form', () => {
    const answer = { name: NAME, type: 28, TTL: 1, data: '2001:DB8:0:0:0:0:0:1' }
    const octets = Buffer.from(JSON.stringify({ Status: 0, Answer: [answer] }))
    expect(readJson(octets, NAME, 'AAAA', undefined).answers).toEqual(['2001:db8::1'])
  })

  test('text of strangers is safe to print', () => {
    const answer = { name: NAME, type: 16, TTL: 1, data: '"\u001b[31mred\u0007"' }
    const octets = Buffer.from(JSON.stringify({ Status: 0, Answer: [answer] }))
    const [text] = readJson(octets, NAME, 'TXT', undefined).answers
    expect(text).toBe('"\\027[31mred\\007"')
  })

  test('an option that was not asked for is not read', () => {
    expect(
      readJson(
        Buffer.from('{"Status":0,"edns_client_subnet":"192.0.2.0/24"}'),
        NAME,
        'A',
        undefined,
      ).echo,
    ).toBeUndefined()
  })
})

describe('survives', () => {
  test('law: any octets give a value', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), octets => {
        expect(readJson(octets, NAME, 'A', NET)).toHaveProperty('answers')
      }),
    )
  })

  /** Mostly what it should be: what is wrong everywhere is looked at no further. */
  const mostly = <T>(good: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 9, arbitrary: good }, { weight: 1, arbitrary: fc.anything() })
  const RECORD = fc.record({
    name: mostly(fc.constant(NAME)),
    type: mostly(fc.constantFrom(1, 1, 5, 28)),
    TTL: mostly(fc.nat()),
    data: mostly(fc.oneof(fc.ipV4(), fc.ipV6(), fc.constant(NAME), fc.string())),
  })
  const DOCUMENT = fc.record({
    Status: mostly(fc.nat(30)),
    Question: mostly(fc.constant(undefined)),
    Answer: mostly(fc.array(RECORD)),
    Authority: mostly(fc.array(RECORD)),
    edns_client_subnet: mostly(fc.tuple(fc.ipV4(), fc.nat(40)).map(pair => pair.join('/'))),
    TC: fc.anything(),
  })

  test('law: any JSON gives a value, and no address that its text does not hold', () => {
    let addresses = 0
    fc.assert(
      fc.property(DOCUMENT, document => {
        const text = written(document)
        const { answers } = readJson(Buffer.from(text), NAME, 'A', NET)
        for (const answer of answers) expect(text).toContain(`"${answer}"`)
        addresses += answers.length
      }),
      { numRuns: 500 },
    )
    expect(addresses).toBeGreaterThan(0)
  })
})

/** What JSON cannot say is left out. */
function written(document: unknown): string {
  const plain = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? 0 : value)
  try {
    return JSON.stringify(document, plain) ?? '0'
  } catch {
    return '0'
  }
}
