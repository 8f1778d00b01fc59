/**
 * What `explain` and `map` tell is what the running server does: the same question is put to both,
 * and every leaf of a map is asked for.
 */
import { join } from 'node:path'
import { Address4, Address6 } from 'ip-address'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fields, writeDatabase } from '../kit/mmdb.ts'
import { freePort, stopAll } from '../kit/process.ts'
import { askUdp, dataOf, lbdns, serveSite, site } from '../kit/server.ts'

const country = (code: string): Fields => ({ country: { iso_code: code } })
const PLACES = writeDatabase({
  networks: [
    ['16.0.0.0/8', country('DE')],
    ['17.0.0.0/10', country('US')],
    ['17.0.7.0/24', country('JP')],
    ['17.64.0.0/16', country('FR')],
    ['2600::/12', country('US')],
    ['2600:0:0:ff00::/56', country('DE')],
    ['2a00::/16', country('FR')],
  ],
})

const ZONE = `$ORIGIN example.com.
$TTL 60
@ SOA ns1 hostmaster 7 7200 900 1209600 60
@ NS ns1
ns1 A 192.0.2.251
plain A 192.0.2.252
to-www CNAME www
www TXT "not steered"
`

const CONFIG = (port: number) => `listen: [127.0.0.1:${port}]
zones: [example.com.zone]
geo: {database: places.mmdb}
networks: {office: [203.0.113.0/24, "2001:db8:5::/48"], near: [127.0.0.0/8]}
pools:
  us: {targets: [192.0.2.1, 192.0.2.2, "2001:db8::1", "2001:db8::2"]}
  de: {targets: [192.0.2.49, "2001:db8:49::1"]}
  eu: {targets: [192.0.2.30, 192.0.2.31, 192.0.2.32, "2001:db8:30::1"]}
  in: {targets: [203.0.113.10, "2001:db8:5::10"]}
  rest: {targets: [192.0.2.99, "2001:db8:99::1"]}
  to-eu: {targets: [eu.example.com]}
  to-us: {targets: [us.example.com]}
steer:
  www.example.com:
    ttl: {max: 50s, min: 10s}
    by:
      networks: {office: [in], near: [eu]}
      countries: {US: [us, rest], DE: [de]}
      continents: {EU: [eu, de]}
      default: [rest]
  turn.example.com: {ttl: 20s, pick: rotate, by: {countries: {US: [us]}, default: [eu]}}
  flat.example.com: {ttl: 30s, pools: [us]}
  go.example.com: {ttl: 40s, by: {continents: {EU: [to-eu]}, default: [to-us]}}
  "*.any.example.com": {ttl: 70s, by: {countries: {DE: [de]}, default: [us]}}
`

let port = 0
let file = ''
beforeAll(async () => {
  port = await freePort()
  const folder = site({
    'lbdns.yaml': CONFIG(port),
    'example.com.zone': ZONE,
    'places.mmdb': PLACES,
  })
  file = join(folder, 'lbdns.yaml')
  await serveSite(folder)
})
afterAll(stopAll)

/** What tests read of `lbdns.explanation/2`. */
type Explanation = {
  readonly steer?: {
    readonly picks: readonly { readonly targets: readonly { readonly target: string }[] }[]
  }
  readonly reply: { readonly rcode: string; readonly scope?: number; readonly answer: string[] }
}

function targetsIn({ steer }: Explanation): string[] {
  const picked = steer?.picks.flatMap(({ targets }) => targets.map(({ target }) => target))
  return (picked ?? []).sort()
}

async function explained(args: readonly string[]): Promise<Explanation> {
  const { code, stdout, stderr } = await lbdns('explain', '-c', file, '--json', ...args)
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

/** TTL, type and data of each record, in no order; where one of many rotates, only how many there are. */
function records(answer: readonly string[], isTurn: boolean): unknown {
  const read = answer.map(line => line.replace(' IN ', ' ').replace(/\.$/, '').split(' ').slice(1))
  return isTurn ? read.map(([ttl, type]) => [ttl, type]) : read.map(parts => parts.join(' ')).sort()
}

describe('lbdns explain', () => {
  // biome-ignore format: table
  const ASKED: readonly (readonly [string, string, readonly (string | undefined)[]])[] = [
    ['www.example.com',    'A',    [undefined, '17.1.2.0/24', '17.0.7.9/32', '17.64.5.0/24', '203.0.113.0/24', '203.0.112.0/23', '10.0.0.0/8', '0.0.0.0/0', '2600::/48', '2a00::/16', '2001:db8:5::/64']],
    ['www.example.com',    'AAAA', ['17.1.2.0/24', '2600:0:0:ff00::/56', '2002:1101:200::/40', 'fc00::/7']],
    ['WWW.Example.com.',   'TXT',  ['17.1.2.0/24']],
    ['turn.example.com',   'A',    ['17.1.2.0/24', '16.0.0.0/8']],
    ['flat.example.com',   'A',    ['17.1.2.0/24', '2600::/48']],
    ['go.example.com',     'A',    ['16.1.0.0/16', '17.1.0.0/16']],
    ['x.any.example.com',  'A',    ['16.1.0.0/16', '17.1.0.0/16']],
    ['to-www.example.com', 'AAAA', ['17.1.2.0/24', '16.7.0.0/24']],
    ['plain.example.com',  'A',    ['17.1.2.0/24']],
    ['none.example.com',   'A',    ['17.1.2.0/24']],
    ['example.org',        'A',    ['17.1.2.0/24']],
  ]

  test.each(ASKED)('%s %s: what is served, to every client', async (name, type, clients) => {
    const isTurn = name.startsWith('turn')
    const compare = async (client: string | undefined) => {
      const served = await askUdp(port, name, { type, ...(client && { subnet: client }) })
      const told = await explained([name, type, ...(client ? ['--client', client] : [])])
      expect(records(served.answer, isTurn)).toEqual(records(told.reply.answer, isTurn))
      expect([served.rcode, served.scope]).toEqual([told.reply.rcode, told.reply.scope])
    }
    await Promise.all(clients.map(compare))
  })

  test('says which block decided, which ranking it has and who of it serves', async () => {
    const args = ['explain', '-c', file, 'www.example.com', '--client', '17.64.9.9']
    const { stdout } = await lbdns(...args)
    const lines = stdout.split('\n').map(line => line.trim().replace(/ {2,}/g, ' '))
    expect(lines).toEqual(
      expect.arrayContaining([
        'client 17.64.9.9/32 decides',
        'because continent EU (places.mmdb), block 17.64.0.0/16, lbdns.yaml:19',
        'ranking eu, de',
        'pools eu serves: 4 of 4 targets up, 1 needed',
        'de stands by: 2 of 2 targets up, 1 needed',
        'pick shuffle: all 3 IPv4 targets, in random order',
        'scope 16, less than the 32 bits told: a cache may answer all of 17.64.0.0/16 with this',
        '; CLIENT-SUBNET: 17.64.9.9/32/16',
      ]),
    )
    expect(stdout.match(/^www\.example\.com\.\t50\tIN\tA\t192\.0\.2\.3[012]$/gm)).toHaveLength(3)
  })

  test('without a client, the resolver is the client, and no scope is told', async () => {
    const near = await explained(['www.example.com', '--source', '127.0.0.1'])
    expect(targetsIn(near)).toEqual(['192.0.2.30', '192.0.2.31', '192.0.2.32'])
    const far = await explained(['www.example.com', '--source', '16.9.9.9'])
    expect([targetsIn(far), far.reply.scope]).toEqual([['192.0.2.49'], undefined])
  })

  test('takes a country for a client, and pools and targets for down', async () => {
    const args = ['www.example.com', '--client', 'DE', '--down', 'de']
    const { reply, steer } = await explained(args)
    expect([targetsIn({ reply, ...(steer && { steer }) }), reply.scope]).toEqual([
      ['192.0.2.49'],
      8,
    ])
    const eu = ['www.example.com', '--client', 'FR', '--down', '192.0.2.30', '--down', '192.0.2.31']
    const { reply: fewer } = await explained(eu)
    expect([fewer.answer.length, fewer.scope]).toEqual([1, 16])
  })

  test('draws the same with the same seed', async () => {
    const args = ['explain', '-c', file, 'www.example.com', '--client', 'FR', '--seed', '7']
    const [first, second] = await Promise.all([lbdns(...args), lbdns(...args)])
    expect(first.stdout).toBe(second.stdout)
  })

  // biome-ignore format: table
  const WRONG = [
    ['--client', 'XX',        'lbdns: XX is not an ISO 3166-1 country code · did you mean AX?\n'],
    ['--down',   'rst',       'lbdns: rst is no pool and no target · did you mean rest?\n'],
  ] as const

  test.each(WRONG)('%s %s is refused, with a fix', async (option, text, expected) => {
    const { code, stderr } = await lbdns('explain', '-c', file, 'www.example.com', option, text)
    expect([code, stderr]).toEqual([1, expected])
  })
})

type Leaf = {
  readonly prefix: string
  readonly scope: number
  readonly ranking: readonly (readonly string[])[] | 'special'
}

async function mapped(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await lbdns('map', '-c', file, ...args)
  expect([code, stderr]).toEqual([0, ''])
  return stdout
}

const known = new Map<string, Leaf[]>()

async function leaves(name: string, family: '-4' | '-6'): Promise<Leaf[]> {
  const before = known.get(name + family)
  if (before !== undefined) return before
  const document = JSON.parse(await mapped(name, family, '--json'))
  expect([document.schema, document.name]).toEqual(['lbdns.map/2', `${name}.`])
  known.set(name + family, document.leaves)
  return document.leaves
}

/** The first address of a prefix, as a number. */
function firstOf(prefix: string): bigint {
  return prefix.includes(':') ? new Address6(prefix).bigInt() : new Address4(prefix).bigInt()
}

/** Targets by pool, of type A. */
const TARGETS: Readonly<Record<string, readonly string[]>> = {
  us: ['192.0.2.1', '192.0.2.2'],
  de: ['192.0.2.49'],
  eu: ['192.0.2.30', '192.0.2.31', '192.0.2.32'],
  in: ['203.0.113.10'],
  rest: ['192.0.2.99'],
  'to-eu': ['eu.example.com'],
  'to-us': ['us.example.com'],
}

describe('lbdns map', () => {
  // biome-ignore format: table
  const MAPS = [
    ['www.example.com',   '-4', 32], ['www.example.com',   '-6', 128],
    ['go.example.com',    '-4', 32], ['y.any.example.com', '-6', 128],
  ] as const

  test.each(MAPS)(
    '%s %s: the leaves cover all addresses, and never overlap',
    async (name, family, width) => {
      let next = 0n
      for (const { prefix, scope } of await leaves(name, family)) {
        expect(prefix).toMatch(new RegExp(`/${scope}$`))
        expect(firstOf(prefix)).toBe(next)
        expect(next % (1n << BigInt(width - scope))).toBe(0n)
        next += 1n << BigInt(width - scope)
      }
      expect(next).toBe(1n << BigInt(width))
    },
  )

  test.each(MAPS)(
    '%s %s: for the first address of each leaf, that is served',
    async (name, family, width) => {
      const all = await leaves(name, family)
      expect(all.length).toBeGreaterThan(10)
      const step = Math.ceil(all.length / 100)
      for (const { prefix, scope, ranking } of all.filter((_, at) => at % step === 0)) {
        const [address] = prefix.split('/')
        const served = await askUdp(port, name, { subnet: `${address}/${width}` })
        expect([prefix, served.scope]).toEqual([prefix, scope])
        if (ranking !== 'special') expect(dataOf(served)).toEqual(TARGETS[ranking[0]?.[0] ?? ''])
      }
    },
  )

  test('lists the same as text and CSV, for one family or both', async () => {
    const both = [
      ...(await leaves('www.example.com', '-4')),
      ...(await leaves('www.example.com', '-6')),
    ]
    const lines = (text: string) => text.trimEnd().split('\n')
    const csv = lines(await mapped('www.example.com', '--csv'))
    expect(csv[0]).toBe('prefix,scope,ranking')
    expect(csv.slice(1)).toEqual(
      both.map(({ prefix, scope, ranking }) =>
        [prefix, scope, ranking === 'special' ? 'special' : ranking.flat().join(' ')].join(),
      ),
    )
    expect(
      lines(await mapped('www.example.com')).map(line => line.split(/ {2,}/, 3).join(' ')),
    ).toEqual(
      both.map(({ prefix, scope, ranking }) =>
        [
          prefix,
          scope,
          ranking === 'special'
            ? '(by the source address of the query)'
            : ranking.flat().join(', '),
        ].join(' '),
      ),
    )
    expect(await mapped('www.example.com', '-4', '-6', '--csv')).toBe(`${csv.join('\n')}\n`)
  })

  test('a name that is not tailored has one leaf a family, of scope 0', async () => {
    expect(await mapped('flat.example.com', '--csv')).toBe(
      'prefix,scope,ranking\n0.0.0.0/0,0,us\n::/0,0,us\n',
    )
  })

  test('a name that is not steered has no map', async () => {
    expect(await lbdns('map', '-c', file, 'plain.example.com')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'lbdns: plain.example.com. is not steered · name one that stands under steer: in the configuration\n',
    })
  })
})
