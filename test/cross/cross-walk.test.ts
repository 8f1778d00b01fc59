/**
 * Unbound, PowerDNS Recursor and BIND walk from a root of ours to names of ours, as strict as they can
 * be made. Each gives what the zones hold, and none has anything to complain of. Before that, what a
 * checker of delegations would look at, asked directly.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, type Place } from '../kit/ask.ts'
import { describeWith, stopAll } from '../kit/process.ts'
import { askAll } from './conform/exchange.ts'
import { nameOctets, type Question, type Told } from './conform/wire.ts'
import { openLowerCase } from './lower-case.ts'
import { startTree, type Tree } from './tree-of-zones.ts'
import { startWalker, WALKERS, type Walker } from './walkers.ts'

const IS_ROOT = process.getuid?.() === 0
const describeRoot = IS_ROOT ? describe : describe.skip

let tree: Tree
beforeAll(async () => {
  if (IS_ROOT) tree = await startTree()
})
afterAll(stopAll)

type Type = 'A' | 'AAAA' | 'TXT'
type Name = readonly [clause: string, name: string, type: Type, rcode: string, ...data: string[]]

// biome-ignore format: table
const NAMES: readonly Name[] = [
  ['RFC 1034 a host of the upper zone',        'www.test',              'A',    'NOERROR', '192.0.2.1'],
  ['RFC 9156 an empty name on the way',        'v.w.ent.test',          'A',    'NOERROR', '192.0.2.2'],
  ['RFC 8020 an empty name itself',            'w.ent.test',            'A',    'NOERROR'],
  ['RFC 1034 a delegation with glue',          'www.a.test',            'A',    'NOERROR', '192.0.2.10'],
  ['RFC 4343 letters of either case',          'WWW.A.TEST',            'AAAA', 'NOERROR', '2001:db8::10'],
  ['RFC 4592 a wildcard',                      'q.wild.a.test',         'A',    'NOERROR', '192.0.2.11'],
  ['RFC 4592 a wildcard, labels deeper',       'p.q.wild.a.test',       'A',    'NOERROR', '192.0.2.11'],
  ['RFC 4592 a name that hides the wildcard',  'x.wild.a.test',         'A',    'NOERROR'],
  ['RFC 4592 an alias of a wildcard',          'q.alias.a.test',        'A',    'NOERROR', '192.0.2.10', 'www.a.test'],
  ['RFC 9156 many empty names',                'a.b.c.d.ent.a.test',    'A',    'NOERROR', '192.0.2.13'],
  ['RFC 8020 nothing below an empty name',     'z.b.c.d.ent.a.test',    'A',    'NXDOMAIN'],
  ['RFC 2308 no such name',                    'absent.a.test',         'A',    'NXDOMAIN'],
  ['RFC 2308 no such type',                    'www.a.test',            'TXT',  'NOERROR'],
  ['RFC 9471 a delegation without glue',       'www.b.test',            'A',    'NOERROR', '192.0.2.20'],
  ['RFC 1034 a name server one zone further',  'www.c.test',            'A',    'NOERROR', '192.0.2.30'],
  ['RFC 9156 a cut below empty names',         'www.x.y.d.test',        'A',    'NOERROR', '192.0.2.40'],
  ['RFC 1034 a cut back to the upper server',  'www.up.a.test',         'A',    'NOERROR', '192.0.2.50'],
  ['RFC 1034 an alias into another zone',      'over.a.test',           'A',    'NOERROR', '192.0.2.20', 'www.b.test'],
  ['RFC 1034 an alias upwards',                'to-up.a.test',          'A',    'NOERROR', '192.0.2.1', 'www.test'],
  ['RFC 6604 an alias to nothing',             'none.a.test',           'A',    'NXDOMAIN', 'absent.b.test'],
  ['RFC 1034 seven links',                     'l0.a.test',             'A',    'NOERROR', '192.0.2.12', 'l1.a.test', 'l2.a.test', 'l3.a.test', 'l4.a.test', 'l5.a.test', 'l6.a.test', 'l7.a.test'],
  ['RFC 7766 too long for UDP',                'big.a.test',            'TXT',  'NOERROR', ...Array.from({ length: 40 }, (_, at) => `${at} ${'x'.repeat(90)}`)],
  ['RFC 6672 a rename is followed',            'h.e.a.test',            'A',    'NOERROR', '192.0.2.21', 'b.test', 'deep.b.test', 'h.deep.b.test'],
]

/** DNAME records that some resolvers add beside the alias they stand for. */
const OPTIONAL = ['b.test', 'deep.b.test']

async function resolved(place: Place, name: string, type: Type) {
  const said = await ask(place, { name, type, subnet: '198.51.100.0/24' })
  return said.truncated ? ask(place, { name, type, over: 'tcp' }) : said
}

for (const which of WALKERS) {
  describeWith([which], `${which} from the root${IS_ROOT ? '' : ' (skipped: takes root)'}`, () => {
    let walker: Walker
    beforeAll(async () => {
      if (IS_ROOT) walker = await startWalker(which, tree.hints)
    })

    const rows = NAMES.map(([clause, name, type, rcode, ...answer]) => {
      return { clause, name, type, rcode, answer }
    })
    test.runIf(IS_ROOT).each(rows)('$clause: $name $type', async row => {
      const { name, type, rcode, answer } = row
      const said = await resolved(walker, name, type)
      // RFC 6672 §3.1: a made alias keeps the letters that the resolver drew for its question.
      const lower = said.answer.map(one => one.toLowerCase())
      const plain = (all: readonly string[]) => all.filter(one => !OPTIONAL.includes(one)).sort()
      expect([said.rcode, plain(lower)]).toEqual([rcode, plain(answer)])
    })

    test.runIf(IS_ROOT)('and has nothing to complain of', () => {
      expect(walker.complaints()).toEqual([])
    })
  })
}

describeWith(
  ['unbound'],
  `a server that changes letters${IS_ROOT ? '' : ' (skipped: takes root)'}`,
  () => {
    test.runIf(IS_ROOT)('is complained of: so the others would have been', async () => {
      const careless = await startTree(3)
      const close = await openLowerCase(careless.told, careless.upper)
      const walker = await startWalker('unbound', careless.hints)
      await resolved(walker, 'www.test', 'A')
      close()
      expect(walker.complaints().join()).toContain('Capsforid: starting fallback')
    })
  },
)

describeRoot(`the delegations themselves${IS_ROOT ? '' : ' (skipped: takes root)'}`, () => {
  const PLAIN = { class: 1, flags: 0, over: 'udp' } as const
  const EDNS = { size: 1232, isDo: true } as const
  const asking = (name: string, type: number, more: Partial<Question> = {}): Question => ({
    ...PLAIN,
    name: nameOctets(name),
    type,
    edns: undefined,
    ...more,
  })
  const NS = 2
  const SOA = 6

  async function told(host: string, ...questions: Question[]): Promise<Told[]> {
    const replies = await askAll({ host, port: 53 }, questions)
    return replies.flatMap(reply => reply ?? [])
  }

  const data = (sets: readonly string[]) =>
    sets.flatMap(set => set.split('; ').slice(1)).map(record => record.split(' ')[1])

  // biome-ignore format: table
  const ZONES = [
    ['a.test.',     'upper', 'lower'],
    ['b.test.',     'upper', 'lower'],
    ['c.test.',     'upper', 'lower'],
    ['x.y.d.test.', 'upper', 'lower'],
    ['up.a.test.',  'lower', 'upper'],
  ] as const

  test.each(ZONES)(
    'RFC 1034 §4.2.2 %s: the same NS above and below',
    async (zone, above, below) => {
      const [referral] = await told(tree[above], asking(`www.${zone}`, 1))
      const [apex] = await told(tree[below], asking(zone, NS))
      const parent = referral?.authority.map(record => record.split(' ').at(-1))
      expect([referral?.aa, apex?.aa]).toEqual([false, true])
      expect(parent).toEqual(data(apex?.answer ?? []).sort())
    },
  )

  test.each(ZONES)(
    '%s: SOA over UDP and TCP, with and without EDNS, the same',
    async (zone, _, below) => {
      const ways = [
        {},
        { edns: EDNS },
        { over: 'tcp' as const },
        { over: 'tcp' as const, edns: EDNS },
      ]
      const replies = await told(tree[below], ...ways.map(way => asking(zone, SOA, way)))
      expect(replies.map(({ rcode, aa, tc }) => [rcode, aa, tc])).toEqual(
        ways.map(() => [0, true, false]),
      )
      expect(new Set(replies.map(({ answer }) => answer.join())).size).toBe(1)
      expect(replies.map(({ opt }) => opt)).toEqual(['none', '0 1232 do', 'none', '0 1232 do'])
    },
  )

  test('RFC 7766 §5 what is cut off over UDP is whole over TCP', async () => {
    const ways = [{}, { edns: EDNS }, { over: 'tcp' as const }]
    const replies = await told(tree.lower, ...ways.map(way => asking('big.a.test.', 16, way)))
    expect(replies.map(({ tc, answer }) => [tc, data(answer).length])).toEqual([
      [true, 0],
      [true, 0],
      [false, 40],
    ])
  })
})
