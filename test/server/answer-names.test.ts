/**
 * Names through the whole line: wildcards, chains, DNAME, delegations, absence, and the TTLs that go
 * with them. What one look-up finds is tested with the room `zone`; here it is the reply that counts.
 */
import { describe, expect, test } from 'vitest'
import { type Ask, ask, deskOf } from '../kit/world.ts'
import { ZONE_Z } from '../kit/zone-text.ts'

const LONG = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(50)}`

const DESK = deskOf(
  `${ZONE_Z}www A 192.0.2.10
* 60 A 192.0.2.53
a.b.ent A 192.0.2.9
b.g NS n.b.g
n.b.g A 192.0.2.67
real.deeper A 192.0.2.54
f.*.e A 192.0.2.2
t.e A 192.0.2.1
a-* TXT "x"
al CNAME b
b CNAME www
foo CNAME gone.ent
foo2 CNAME www.*.ent
out CNAME www.example.net.
l1 CNAME l2
l2 CNAME l3
l3 CNAME l1
self CNAME self
c1 CNAME c2
c2 CNAME c3
c3 CNAME c4
c4 CNAME c5
c5 CNAME c6
c6 CNAME c7
c7 CNAME c8
c8 CNAME www
c0 CNAME c1
child NS ns.child
child NS ns.bar.child
ns.child A 192.0.2.61
ns.child AAAA 2001:db8::61
ns.bar.child A 192.0.2.62
www.child A 198.51.100.5
bar.child NS x.example.net.
to-child CNAME www.child
d DNAME ${LONG}
t 300 DNAME u
x.u A 192.0.2.7
ea DNAME f
f DNAME h
x.h A 192.0.2.8
g DNAME gg
gg DNAME g
k DNAME t.k
r 3600 A 192.0.2.1
r 10800 A 192.0.2.2
zero 0 A 192.0.2.3
long 86400 A 192.0.2.4
`,
)

const SOA =
  'example.com. 60 SOA ns1.example.com hostmaster.example.com 2024010101 7200 900 1209600 60'
const NODATA = { rcode: 'NOERROR', aa: true, answer: [], authority: [SOA] }
const NXDOMAIN = { rcode: 'NXDOMAIN', aa: true, answer: [], authority: [SOA] }
const REFERRAL = {
  rcode: 'NOERROR',
  aa: false,
  answer: [],
  authority: [
    'child.example.com. 300 NS ns.child.example.com',
    'child.example.com. 300 NS ns.bar.child.example.com',
  ],
  additional: expect.arrayContaining([
    'ns.child.example.com. 300 A 192.0.2.61',
    'ns.child.example.com. 300 AAAA 2001:db8::61',
    'ns.bar.child.example.com. 300 A 192.0.2.62',
  ]),
}
const chain = (...names: string[]) =>
  names.slice(1).map((name, at) => `${names[at]}.example.com. 300 CNAME ${name}.example.com`)
const WWW = 'www.example.com. 300 A 192.0.2.10'

// biome-ignore format: table
const ROWS: readonly (readonly [string, string, Ask, Record<string, unknown>])[] = [
  ['BC-068 RFC 8020 §2 an empty non-terminal',         'ent',          {}, NODATA],
  ['BC-068 and one below it',                          'b.ent',        {}, NODATA],
  ['BC-070 RFC 4592 §2.2.2 above a delegation',        'g',            {}, NODATA],
  ['BC-071 RFC 4592 §3.3.1 a closer name exists',      'x.deeper',     {}, NXDOMAIN],
  ['BC-072 a wildcard without data of its own',        'something.e',  {}, NODATA],
  ['BC-073 RFC 4592 §2.2.1 the wildcard itself',       '*',            {}, { answer: ['*.example.com. 60 A 192.0.2.53'] }],
  ['BC-073 below a literal *',                         'a.*',          {}, NXDOMAIN],
  ['BC-074 a wildcard covers several labels',          'a.b.c',        {}, { answer: ['a.b.c.example.com. 60 A 192.0.2.53'] }],
  ['BC-076 RFC 4592 §2.1.1 a-* is no wildcard',        'a-foo.ent',    { type: 'TXT' }, NXDOMAIN],
  ['BC-076 but a name',                                'a-*',          { type: 'TXT' }, { answer: ['a-*.example.com. 300 TXT "x"'] }],
  ['BC-077 RFC 2308 §2.2 no AAAA',                     'www',          { type: 'AAAA' }, NODATA],
  ['BC-078 BC-080 no CAA: AA and SOA, no NS',          'www',          { type: 'CAA' }, NODATA],
  ['BC-081 RFC 1034 §3.6.2 a chain inside the zone',   'al',           {}, { aa: true, answer: [...chain('al', 'b', 'www'), WWW], authority: [] }],
  ['BC-084 the CNAME itself was asked for',            'al',           { type: 'CNAME' }, { answer: chain('al', 'b') }],
  ['BC-082 RFC 6604 §3 a chain to nowhere',            'foo',          {}, { rcode: 'NXDOMAIN', answer: chain('foo', 'gone.ent'), authority: [SOA] }],
  ['BC-082 a target with * in it',                     'foo2',         {}, { rcode: 'NXDOMAIN', answer: chain('foo2', 'www.*.ent'), authority: [SOA] }],
  ['K12 a chain out of the zone',                      'out',          {}, { rcode: 'NOERROR', answer: ['out.example.com. 300 CNAME www.example.net'], authority: [] }],
  ['BC-083 a loop: each record once',                  'l1',           {}, { rcode: 'NOERROR', answer: chain('l1', 'l2', 'l3', 'l1') }],
  ['BC-083 a CNAME to itself',                         'self',         {}, { rcode: 'NOERROR', answer: chain('self', 'self') }],
  ['a chain of eight is followed to its end',          'c1',           {}, { answer: [...chain('c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'www'), WWW] }],
  ['a chain of nine stops after eight',                'c0',           {}, { answer: chain('c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8') }],
  ['BC-085 RFC 2181 §6.1 below a cut',                 'www.child',    {}, REFERRAL],
  ['BC-085 the cut, NS asked',                         'child',        { type: 'NS' }, REFERRAL],
  ['BC-085 a cut below a cut',                         'y.bar.child',  {}, REFERRAL],
  ['BC-085 glue is no answer',                         'ns.child',     {}, REFERRAL],
  ['BC-086 RFC 4035 §3.1.4.1 DS at a cut',             'child',        { type: 'DS' }, NODATA],
  ['a chain into a delegation',                        'to-child',     {}, { rcode: 'NOERROR', aa: true, answer: chain('to-child', 'www.child'), authority: REFERRAL.authority }],
  ['BC-087 RFC 6672 §2.2 too long: YXDOMAIN',          '1234567890.d', {}, { rcode: 'YXDOMAIN', answer: [`d.example.com. 300 DNAME ${LONG}.example.com`] }],
  ['BC-088 RFC 6672 §2.3 not at its own owner',        't',            {}, NODATA],
  ['BC-088 RFC 6672 §3.1 the CNAME has its TTL',       'x.t',          {}, { answer: ['t.example.com. 300 DNAME u.example.com', 'x.t.example.com. 300 CNAME x.u.example.com', 'x.u.example.com. 300 A 192.0.2.7'] }],
  ['BC-088 CNAME asked: the one that is made',         'x.t',          { type: 'CNAME' }, { answer: ['t.example.com. 300 DNAME u.example.com', 'x.t.example.com. 300 CNAME x.u.example.com'] }],
  ['BC-089 RFC 6672 §3.2 a second rewrite',            'x.ea',         {}, { answer: ['ea.example.com. 300 DNAME f.example.com', 'x.ea.example.com. 300 CNAME x.f.example.com', 'f.example.com. 300 DNAME h.example.com', 'x.f.example.com. 300 CNAME x.h.example.com', 'x.h.example.com. 300 A 192.0.2.8'] }],
  ['BC-089 rewrites in a circle end',                  'x.g',          {}, { answer: ['g.example.com. 300 DNAME gg.example.com', 'x.g.example.com. 300 CNAME x.gg.example.com', 'gg.example.com. 300 DNAME g.example.com', 'x.gg.example.com. 300 CNAME x.g.example.com'] }],
  ['BC-091 RFC 2308 §3 the SOA asked for',             '',             { type: 'SOA' }, { answer: [SOA.replace('60 SOA', '3600 SOA')], authority: [] }],
  ['BC-091 NXDOMAIN has min(TTL, MINIMUM)',            'x.ent',        {}, NXDOMAIN],
  ['BC-092 each record has its own TTL',               'long',         {}, { answer: ['long.example.com. 86400 A 192.0.2.4'] }],
  ['BC-094 TTL 0 is 0',                                'zero',         {}, { answer: ['zero.example.com. 0 A 192.0.2.3'] }],
  ['BC-093 RFC 2181 §5.2 one TTL, the lowest',         'r',            {}, { answer: expect.arrayContaining(['r.example.com. 3600 A 192.0.2.1', 'r.example.com. 3600 A 192.0.2.2']) }],
  ['BC-175 RFC 8482 ANY',                              'www',          { type: 'ANY' }, { answer: ['www.example.com. 3600 HINFO RFC8482 '] }],
  ['RFC 8482 ANY at an alias',                         'al',           { type: 'ANY' }, { answer: chain('al', 'b') }],
  ['BC-175 ANY at a name that is not',                 'x.ent',        { type: 'ANY' }, NXDOMAIN],
]

describe('names', () => {
  test.each(ROWS)('%s', (_, name, asked, expected) => {
    const whole = name === '' ? 'example.com' : `${name}.example.com`
    expect(ask(DESK, whole, asked)).toMatchObject(expected)
  })

  test('BC-089 a name that grows with each rewrite ends, no record twice', () => {
    const { answer } = ask(DESK, 'x.k.example.com')
    expect(new Set(answer).size).toBe(answer.length)
    expect(answer.length).toBeLessThanOrEqual(9)
  })

  test('BC-084 a chain to a pool: the CNAME is first in all of a hundred answers', () => {
    const desk = deskOf(
      `${ZONE_Z}a CNAME www\n`,
      'pools: {p: {targets: [192.0.2.1, 192.0.2.2, 192.0.2.3, 192.0.2.4]}}\nsteer: {www.example.com: {ttl: 30, pick: shuffle, pools: [p]}}\n',
    )
    for (let i = 0; i < 100; i += 1) {
      const { answer } = ask(desk, 'a.example.com')
      expect(answer[0]).toBe('a.example.com. 300 CNAME www.example.com')
      expect(
        answer
          .slice(1)
          .map(line => line.split(' ')[3])
          .sort(),
      ).toEqual(['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'])
    }
  })

  test('RFC 9471 §3.1 glue that a referral needs and that does not fit: TC', () => {
    const servers = Array.from({ length: 13 }, (_, i) => i)
    const zone = `${ZONE_Z}${servers.map(i => `sub NS ns${i}.sub\nns${i}.sub A 192.0.2.${i}\nns${i}.sub AAAA 2001:db8::${i}\n`).join('')}`
    const desk = deskOf(zone)
    expect(ask(desk, 'www.sub.example.com', { edns: false })).toMatchObject({ tc: true, aa: false })
    expect(ask(desk, 'www.sub.example.com', { transport: 'tcp' }).additional).toHaveLength(26)
  })
})

describe('BC-090 the root zone', () => {
  const desk = deskOf(
    '$ORIGIN .\n$TTL 300\n@ SOA a.ns. host. 1 2 3 4 60\n@ NS a.ns.\na.ns. A 192.0.2.1\n*. A 192.0.2.9\n',
  )
  // biome-ignore format: table
  test.each([
    ['.',   'SOA', ['. 300 SOA a.ns host 1 2 3 4 60']],
    ['foo', 'A',   ['foo. 300 A 192.0.2.9']],
    ['a.b', 'A',   ['a.b. 300 A 192.0.2.9']],
  ])('%s %s', (name, type, answer) => {
    expect(ask(desk, name, { type })).toMatchObject({ rcode: 'NOERROR', aa: true, answer })
  })
})

test('RFC 2308 §3 a zone of more records than 16 bits count octets of: the SOA is there', () => {
  const many = Array.from({ length: 6000 }, (_, i) => `h${i} A 192.0.2.1\n`).join('')
  const desk = deskOf(`${ZONE_Z}${many}mx MX 10 h5999\n`)
  expect(ask(desk, 'nosuch.example.com')).toMatchObject({ ...NXDOMAIN, tc: false })
  expect(ask(desk, 'mx.example.com', { type: 'MX' })).toMatchObject({
    answer: ['mx.example.com. 300 MX 10 h5999.example.com'],
    tc: false,
  })
})
