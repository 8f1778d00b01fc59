/** Names that tell who asks: what they say, with which scope, and what stands around them. */
import { describe, expect, test } from 'vitest'
import { problemText } from '../../server/fault.ts'
import { explainText } from '../../server/tell/explain/text.ts'
import { explained } from '../kit/serving.ts'
import {
  addresses,
  ask,
  deskFrom,
  deskOf,
  exchange,
  HEAD,
  loadFrom,
  peerOf,
  queryOf,
  said,
} from '../kit/world.ts'
import { ZONE_Z } from '../kit/zone-text.ts'

const MORE = 'identity: fra1\nwhoami: [whoami.example.com, a.b.who.example.com]\n'
const DESK = deskOf(`${ZONE_Z}al CNAME whoami\nto CNAME al\n`, MORE)

/** The strings of the one TXT record. */
function told(name: string, options: Parameters<typeof ask>[2] = {}): string {
  const { answer } = ask(DESK, name, { ...options, type: 'TXT' })
  expect(answer).toHaveLength(1)
  return answer[0] ?? ''
}

const REST = `"node=fra1" "digest=${DESK.world.digest}"`

// biome-ignore format: table
const TOLD = [
  // name                    asked with                                                       first string                                                                                   scope
  ['whoami.example.com',     {},                                                              'ecs=none transport=udp from=127.0.0.1 port=0',                                                undefined],
  ['WhoAmI.example.COM',     { transport: 'tls' },                                            'ecs=none transport=tls from=127.0.0.1 port=0',                                                undefined],
  ['x.y.whoami.example.com', { from: '2001:db8::53', transport: 'https' },                    'ecs=none transport=https from=2001:db8::53 port=0',                                           undefined],
  ['whoami.example.com',     { subnet: '198.51.100.0/24' },                                   'ecs=198.51.100.0/24 source=24 scope=24 believed=yes transport=udp from=127.0.0.1 port=0',      24],
  ['whoami.example.com',     { subnet: '2001:db8::/56', transport: 'tcp' },                   'ecs=2001:db8::/56 source=56 scope=56 believed=yes transport=tcp from=127.0.0.1 port=0',        56],
  ['whoami.example.com',     { subnet: '10.1.2.0/24' },                                       'ecs=10.1.2.0/24 source=24 scope=24 believed=yes transport=udp from=127.0.0.1 port=0',          24],
  ['a.b.who.example.com',    { subnet: '0.0.0.0/0' },                                         'ecs=0.0.0.0/0 source=0 scope=0 believed=yes transport=udp from=127.0.0.1 port=0',              0],
] as const

describe('RFC 7871 §7.2.1 TXT: all that was told is in the answer, so its scope is the source', () => {
  test.each(TOLD)('%s %o', (name, options, first, scope) => {
    const { aa, scope: found } = ask(DESK, name, { ...options, type: 'TXT' })
    expect(told(name, options)).toBe(`${name}. 0 TXT "${first}" ${REST}`)
    expect([aa, found]).toEqual([true, scope])
  })

  test('the port it comes from', () => {
    const peer = { ...peerOf('192.0.2.7'), port: 50_123 }
    const reply = exchange(DESK, queryOf('whoami.example.com', { type: 'TXT' }), peer)
    expect(said(reply ?? new Uint8Array(12)).answer.join()).toContain('from=192.0.2.7 port=50123"')
  })

  test('§11.3 a source that is not believed is told that, and what it said', () => {
    const desk = deskOf(ZONE_Z, 'whoami: whoami.example.com\necs: {deny: [127.0.0.0/8]}\n')
    const answer = ask(desk, 'whoami.example.com', { type: 'TXT', subnet: '198.51.100.0/24' })
    expect(answer.answer.join()).toContain('ecs=198.51.100.0/24 source=24 scope=24 believed=no ')
    expect(answer.scope).toBe(24)
  })
})

describe('addresses, and what is around', () => {
  test('the family that the query comes by', () => {
    const four = ask(DESK, 'whoami.example.com', { from: '192.0.2.7', subnet: '198.51.100.0/24' })
    expect([four.answer, four.scope]).toEqual([['whoami.example.com. 0 A 192.0.2.7'], 0])
    const six = ask(DESK, 'a.whoami.example.com', { from: '2001:db8::7', type: 'AAAA' })
    expect(addresses(six)).toEqual(['2001:db8::7'])
  })

  // biome-ignore format: table
  test.each([
    ['RFC 2308 §2.2 the other family', 'whoami.example.com',      'AAAA', 'NOERROR',  0, 1],
    ['RFC 2308 §2.2 another type',     'x.whoami.example.com',    'MX',   'NOERROR',  0, 1],
    ['RFC 8482 ANY',                   'whoami.example.com',      'ANY',  'NOERROR',  1, 0],
    ['RFC 8020 §2 a name above',       'who.example.com',         'A',    'NOERROR',  0, 1],
    ['RFC 8020 §2 one beside',         'c.b.who.example.com',     'TXT',  'NXDOMAIN', 0, 1],
    ['a name that only ends alike',    'xwhoami.example.com',     'TXT',  'NXDOMAIN', 0, 1],
    ['RFC 7871 §7.2.1 a chain ends before it', 'to.example.com',  'TXT',  'NOERROR',  2, 0],
  ] as const)('%s: %s', (_, name, type, rcode, answers, authorities) => {
    const found = ask(DESK, name, { type })
    expect([found.rcode, found.answer.length, found.authority.length]).toEqual([rcode, answers, authorities])
  })

  test('off: a name as any other', () => {
    expect(ask(deskOf(ZONE_Z), 'whoami.example.com', { type: 'TXT' }).rcode).toBe('NXDOMAIN')
  })
})

// biome-ignore format: table
const WRONG = [
  ['whoami: whoami.example.net',           '3:9: whoami.example.net. is in no hosted zone · add it under zones:'],
  ['whoami: example.com',                  '3:9: example.com. has the zone example.com. in it · name one that is free'],
  ['whoami: [free.example.com, ns1.example.com]', '3:28: ns1.example.com. is in its zone already · name one that is free'],
  ['whoami: full.example.com',             '3:9: x.full.example.com. is in its zone already · name one that is free'],
  ['whoami: a.sub.example.com',            '3:9: a.sub.example.com. is below sub.example.com., which others answer for'],
  ['whoami: www.example.com\npools: {p: {targets: [192.0.2.1]}}\nsteer: {www.example.com: {ttl: 30, pools: [p]}}', '3:9: www.example.com. is steered · name one that is free'],
] as const

test.each(WRONG)('%s', (yaml, expected) => {
  const loaded = loadFrom({
    'lbdns.yaml': `${HEAD}${yaml}\n`,
    'a.zone': `${ZONE_Z}x.full A 192.0.2.1\nsub NS ns1\n`,
  })
  expect(loaded.ok ? [] : loaded.problems.map(problemText)).toEqual([`lbdns.yaml:${expected}`])
})

test('explain: it tells who asks, whatever the zone has', () => {
  const loaded = loadFrom({ 'lbdns.yaml': `${HEAD}${MORE}`, 'a.zone': ZONE_Z })
  if (!loaded.ok) throw new Error('not loaded')
  const text = (type: string) =>
    explainText(explained(loaded.value, { name: 'x.whoami.example.com.', type }))
  for (const type of ['A', 'TXT'])
    expect(text(type)).toContain('x.whoami.example.com. tells who asks')
  expect(text('MX')).toContain('exists, but has no record of that type')
})

test('the inner one of two zones has it', () => {
  const desk = deskFrom({
    'lbdns.yaml': 'listen: [127.0.0.1:5353]\nzones: [a.zone, b.zone]\nwhoami: who.in.example.com\n',
    'a.zone': ZONE_Z,
    'b.zone':
      '$ORIGIN in.example.com.\n@ 60 SOA ns1 h 1 1 1 1 30\n@ 60 NS ns1\nns1 60 A 192.0.2.9\n',
  })
  expect(ask(desk, 'who.in.example.com', { type: 'TXT' }).answer).toHaveLength(1)
  expect(ask(desk, 'who.in.example.com', { type: 'MX' }).authority.join()).toMatch(
    /^in\.example\.com\. 30 SOA/,
  )
})
