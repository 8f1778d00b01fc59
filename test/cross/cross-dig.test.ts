/**
 * `dig` and `kdig` against a running lbdns: what they print is what the RFCs ask for, and they have
 * nothing to complain of. Every row states the whole reply: what it does not name is not there.
 */
import { hostname } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Server, startLbdns } from '../kit/lbdns.ts'
import { describeWith, LOOPBACK, run, stopAll } from '../kit/process.ts'
import { COMPLAINT, type Shown, shown } from './dig.ts'

const TEXTS = Array.from({ length: 20 }, (_, i) => `big TXT "${i} ${'x'.repeat(90)}"`)
const ZONE = `
$ORIGIN example.com.
$TTL 300
@ 3600 SOA ns1 hostmaster 2024010101 7200 900 1209600 60
@         NS    ns1
@         NS    ns2
ns1       A     192.0.2.1
ns2       A     192.0.2.2
mail      A     192.0.2.25
mail      AAAA  2001:db8::25
alias     CNAME mail
*.wild    A     192.0.2.99
very.deep A     192.0.2.77
sub       NS    ns.sub
ns.sub    A     192.0.2.53
ns.sub    AAAA  2001:db8::53
${TEXTS.join('\n')}
`

const CONFIG = `
zones: [example.com.zone]
networks:
  wide: [198.51.100.0/24]
  inner: [198.51.100.128/26]
  ten: [10.0.0.0/8]
  ten-one: [10.1.0.0/16]
  block: [1.2.0.0/20]
  hole: [1.2.3.0/24]
pools:
  A: {targets: [192.0.2.10]}
  B: {targets: [192.0.2.11]}
  D: {targets: [192.0.2.13]}
steer:
  www.example.com: {ttl: 60s, by: {networks: {wide: [A], inner: [B]}, default: [D]}}
  vector.example.com: {ttl: 60s, by: {networks: {ten: [A], ten-one: [B]}, default: [D]}}
  rfc.example.com: {ttl: 60s, by: {networks: {block: [A], hole: [B]}, default: [D]}}
  flat.example.com: {ttl: 60s, pools: [A]}
`

const MAIL = 'mail.example.com. 300 IN A 192.0.2.25'
const POOL = { A: '192.0.2.10', B: '192.0.2.11', D: '192.0.2.13' } as const
/** The SOA of a negative answer lives for min(TTL, MINIMUM). RFC 2308 §5. */
const NEGATIVE =
  'example.com. 60 IN SOA ns1.example.com. hostmaster.example.com. 2024010101 7200 900 1209600 60'

type Expected = Partial<Shown>

/** A reply with data and no more, to a query with EDNS. */
const BARE: Expected = {
  opcode: 'QUERY',
  status: 'NOERROR',
  flags: 'qr aa',
  edns: '0 1232',
  ecs: undefined,
  answer: [],
  authority: [],
  additional: [],
}

// biome-ignore format: table
const ROWS: readonly (readonly [rule: string, args: string, expected: Expected])[] = [
  ['RFC 1035 a plain question', 'mail.example.com A', { answer: [MAIL] }],
  ['RFC 7766 over TCP', '+tcp mail.example.com AAAA', { answer: ['mail.example.com. 300 IN AAAA 2001:db8::25'] }],
  ['RFC 6891 §6.1.1 no OPT for who sent none', '+noedns mail.example.com', { edns: 'none', answer: [MAIL] }],
  ['RFC 6891 §6.1.2 an unknown option', '+ednsopt=100 mail.example.com', { answer: [MAIL] }],
  ['RFC 6891 §6.1.2 an unknown option with data', '+ednsopt=65001:cafe mail.example.com', { answer: [MAIL] }],
  ['RFC 3225 DO is copied', '+dnssec mail.example.com', { edns: '0 do 1232', answer: [MAIL] }],
  ['RFC 5001 NSID, of which there is none, does no harm', '+nsid mail.example.com', { answer: [MAIL] }],
  ['RFC 7873 a COOKIE does no harm to the rest', '+cookie=0102030405060708 mail.example.com', { answer: [MAIL] }],
  ['RFC 2181 §9 too long for the client: nothing, and TC', '+bufsize=512 +ignore big.example.com TXT', { flags: 'qr aa tc' }],
  ['RFC 9715 too long for any path: nothing, and TC', '+bufsize=4096 +ignore big.example.com TXT', { flags: 'qr aa tc' }],
  ['RFC 8482 ANY gets one record', 'mail.example.com ANY', { answer: ['mail.example.com. 3600 IN HINFO "RFC8482" ""'] }],
  ['RFC 1034 §4.3.2 an alias', 'alias.example.com A', { answer: ['alias.example.com. 300 IN CNAME mail.example.com.', MAIL] }],
  ['RFC 4592 a wildcard', 'x.wild.example.com A', { answer: ['x.wild.example.com. 300 IN A 192.0.2.99'] }],
  ['RFC 1034 §4.2.1 a referral and its glue', 'a.sub.example.com A', { flags: 'qr', authority: ['sub.example.com. 300 IN NS ns.sub.example.com.'], additional: ['ns.sub.example.com. 300 IN A 192.0.2.53', 'ns.sub.example.com. 300 IN AAAA 2001:db8::53'] }],
  ['RFC 2308 §2.1 no such name', 'nope.example.com A', { status: 'NXDOMAIN', authority: [NEGATIVE] }],
  ['RFC 2308 §2.2 no such type', 'ns1.example.com AAAA', { authority: [NEGATIVE] }],
  ['RFC 8020 an empty name exists', 'deep.example.com A', { authority: [NEGATIVE] }],
  ['RFC 1035 §4.1.1 not our zone', 'example.net A', { status: 'REFUSED', flags: 'qr' }],
  ['RFC 4892 CH TXT version.bind', 'CH TXT version.bind', { answer: [expect.stringMatching(/^version\.bind\. 0 CH TXT "lbdns [\d.]+"$/)] }],
  ['RFC 4892 CH TXT id.server', 'CH TXT id.server', { answer: [`id.server. 0 CH TXT "${hostname()}"`] }],
  ['RFC 7871 §7.2.1 an IPv4 client', '+subnet=198.51.100.0/24 www.example.com A', { ecs: '198.51.100.0/24/25', answer: ['www.example.com. 60 IN A 192.0.2.10'] }],
  ['RFC 7871 §7.2.1 an IPv6 client', '+subnet=2002:c633:6480::/48 www.example.com A', { ecs: '2002:c633:6480::/48/42', answer: ['www.example.com. 60 IN A 192.0.2.11'] }],
  ['RFC 7871 §7.1.2 a client that will not be located', '+subnet=0.0.0.0/0 www.example.com A', { ecs: '0.0.0.0/0/0', answer: ['www.example.com. 60 IN A 192.0.2.13'] }],
  ['RFC 7871 §7.1.2 the same in IPv6', '+subnet=::/0 www.example.com A', { ecs: '::/0/0', answer: ['www.example.com. 60 IN A 192.0.2.13'] }],
  ['RFC 7871 §12.1 a name that does not tailor', '+subnet=198.51.100.0/24 flat.example.com A', { ecs: '198.51.100.0/24/0', answer: ['flat.example.com. 60 IN A 192.0.2.10'] }],
  ['RFC 7871 §7.4 no such name', '+subnet=198.51.100.0/24 nope.example.com A', { status: 'NXDOMAIN', ecs: '198.51.100.0/24/0', authority: [NEGATIVE] }],
  ['RFC 7871 §12.1 not our zone', '+subnet=198.51.100.0/24 example.net A', { status: 'REFUSED', flags: 'qr', ecs: '198.51.100.0/24/0' }],
]

/** What only dig can ask. */
// biome-ignore format: table
const DIG_ROWS: typeof ROWS = [
  ['RFC 6891 §6.1.3 a version from the future', '+edns=1 +noednsneg mail.example.com', { status: 'BADVERS', flags: 'qr' }],
  ['RFC 6891 §6.1.4 unknown EDNS flags are not copied', '+ednsflags=0x80 mail.example.com', { answer: [MAIL] }],
  ['RFC 1035 §4.1.1 the number comes back', '+qid=4660 mail.example.com', { id: 4660, answer: [MAIL] }],
  ['RFC 1035 §4.1.1 number 0 too', '+qid=0 mail.example.com', { id: 0, answer: [MAIL] }],
  ['RFC 1035 §4.1.1 an unknown opcode, a header only', '+header-only +opcode=15', { opcode: 'RESERVED15', status: 'NOTIMP', flags: 'qr' }],
  ['RFC 1035 §4.1.1 a header only', '+nocookie +header-only', { status: 'FORMERR', flags: 'qr' }],
  ['RFC 4343 §4.1 the question keeps its case', 'MaIl.ExAmPlE.CoM', { question: 'MaIl.ExAmPlE.CoM. IN A', answer: ['MaIl.ExAmPlE.CoM. 300 IN A 192.0.2.25'] }],
  ['RFC 4035 §3.1.6, RFC 1035 §4.1.1 AD and Z stay clear', '+adflag +zflag mail.example.com', { answer: [MAIL] }],
  ['RFC 4035 §3 CD is copied', '+cdflag mail.example.com', { flags: 'qr aa cd', answer: [MAIL] }],
  ['RFC 6891 §6.1.3 dig falls back to version 0', '+edns=1 mail.example.com', { answer: [MAIL] }],
  ['RFC 7766 §5 dig comes back over TCP', 'big.example.com TXT', { answer: expect.objectContaining({ length: 20 }) }],
]

/** Name, client, the pool that is right, and the scope. */
// biome-ignore format: table
const SCOPES: readonly (readonly [string, string, keyof typeof POOL, number])[] = [
  // Map G of the public reports: BC-001, BC-004, BC-005, BC-015, BC-017.
  ['www',    '198.51.100.1/32',          'A', 25],
  ['www',    '198.51.100.130/32',        'B', 26],
  ['www',    '198.51.100.200/32',        'A', 26],
  ['www',    '198.51.100.0/24',          'A', 25],
  ['www',    '198.51.101.9/32',          'D', 24],
  ['www',    '203.0.113.7/32',           'D', 5],
  ['www',    '198.51.100.130/32',        'B', 26],
  ['www',    '192.0.2.5/32',             'D', 9],
  ['www',    '::ffff:198.51.100.0/120',  'A', 121],
  // Two networks, one inside the other, in a block that is otherwise private.
  ['vector', '10.1.2.0/24',              'B', 16],
  ['vector', '10.2.3.0/24',              'A', 15],
  ['vector', '9.0.0.0/24',               'D', 7],
  // The example of RFC 7871 §7.2.1, de-aggregated.
  ['rfc',    '1.2.1.0/24',               'A', 23],
  ['rfc',    '1.2.2.0/24',               'A', 24],
  ['rfc',    '1.2.3.0/24',               'B', 24],
  ['rfc',    '1.2.7.0/24',               'A', 22],
  ['rfc',    '1.2.15.0/24',              'A', 21],
]

let server: Server

beforeAll(async () => {
  server = await startLbdns(CONFIG, { 'example.com.zone': ZONE })
})
afterAll(stopAll)

async function asked(tool: string, host: string, args: string): Promise<Shown> {
  const retries = tool === 'dig' ? '+tries=1' : '+retry=0'
  const how = [`@${host}`, '-p', String(server.port), retries, '+norec', '+edns=0']
  const ran = await run(tool, [...how, ...args.split(' ')])
  expect(ran.stdout + ran.stderr).not.toMatch(COMPLAINT)
  return shown(ran)
}

for (const tool of ['dig', 'kdig']) {
  describeWith([tool], tool, () => {
    const rows = tool === 'dig' ? [...ROWS, ...DIG_ROWS] : ROWS
    test.each(rows)('%s: %s', async (_, args, expected) => {
      expect(await asked(tool, '127.0.0.1', args)).toMatchObject({ ...BARE, ...expected })
    })

    test('CH TXT map.lbdns is the digest that lbdns printed', async () => {
      const digest = /digest +(\w+)/.exec(server.stdout())?.[1]
      const { answer } = await asked(tool, '127.0.0.1', 'CH TXT map.lbdns')
      expect(answer).toEqual([`map.lbdns. 0 CH TXT "${digest}"`])
    })

    const ways = LOOPBACK.flatMap(host => ['+notcp', '+tcp'].map(over => [host, over] as const))
    test.each(ways)('RFC 7871 §7.2.1 every scope is exact: %s %s', async (host, over) => {
      for (const [name, client, pool, scope] of SCOPES) {
        const question = `${over} +subnet=${client} ${name}.example.com A`
        const { ecs, answer } = await asked(tool, host, question)
        const data = answer.map(record => record.split(' ').at(-1))
        expect([client, ecs, data]).toEqual([client, `${client}/${scope}`, [POOL[pool]]])
      }
    })

    if (LOOPBACK.length < 2) test.skip('over IPv6 (skipped: this machine has no ::1)', () => {})
  })
}
