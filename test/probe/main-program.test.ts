/** The command line against the lab, without sockets: words, flags, exit codes, one document. */
import { describe, expect, test } from 'vitest'
import { labOf } from '../../probe/lab/lab.ts'
import { program } from '../../probe/program.ts'
import { resultSchema } from '../../probe/tell/schema.ts'
import type { World } from '../../probe/world.ts'
import { ATLAS, interruptedAfter, wireTo } from './in-process.ts'
import { absent, labWorld, paper } from './world.ts'

type Outcome = { readonly exit: number; readonly out: string; readonly err: string }

const NS1 = '@127.0.0.1:5300'
const NS2 = '@127.0.0.2:5300'

/** One use of lbprobe, in the world of the lab. */
async function lbprobe(line: string, over: Partial<World> = {}): Promise<Outcome> {
  const out = paper()
  const err = paper()
  const words = line.split(' ').filter(word => word !== '')
  const exit = await program(words, labWorld({ out, err, readText, ...over }))
  return { exit, out: out.text(), err: err.text() }
}

const NETS = '129.187.0.0/24 # Munich\n\n128.32.0.0/24\n'
const FILES: Readonly<Record<string, string>> = {
  'nets.txt': NETS,
  'names.txt': 'single.lab.test\n\n# not this\nA.lab.test # a name, though a type by its letter\n',
  '-': 'fixed-list.lab.test\n',
  a: 'no certificate',
  b: 'no key',
  'bad.txt': 'single.lab.test\nhttps://lab.test/\n',
}
const readText = async (path: string): Promise<string> => FILES[path] ?? absent(path)

type Result = {
  readonly name: string
  readonly type: string
  readonly verdict: { readonly answer: string; readonly code: string }
}

async function results(line: string): Promise<readonly string[]> {
  const { out } = await lbprobe(`${line} --json`)
  const document = JSON.parse(out) as { readonly results: readonly Result[] }
  return document.results.map(({ name, type, verdict }) => `${name} ${type} ${verdict.code}`)
}

describe('words in any order', () => {
  // biome-ignore format: table
  const LINES = [
    ['as dig writes it',            `dns2 ${NS1} single.lab.test A`,                ['single.lab.test A single']],
    ['type first, dot at the end',  `dns2 a single.lab.test. ${NS1}`,               ['single.lab.test A single']],
    ['-t',                          `dns2 -t A ${NS1} single.lab.test`,             ['single.lab.test A single']],
    ['A and AAAA by default',       `dns2 ${NS1} single.lab.test`,                  ['single.lab.test A single', 'single.lab.test AAAA single']],
    ['names in the order given',    `dns2 A ${NS1} single.lab.test empty.lab.test`, ['single.lab.test A single', 'empty.lab.test A empty']],
    ['one name written twice',      `dns2 A ${NS1} Single.Lab.Test single.lab.test.`, ['single.lab.test A single']],
    ['the root, which the lab refuses', `dns2 NS ${NS1} .`,                           ['. NS unclear']],
    ['a type by number',            `dns2 TYPE65280 ${NS1} empty.lab.test`,         ['empty.lab.test TYPE65280 empty']],
    ['-l names of a file',          `dns2 TXT ${NS1} -l names.txt empty.lab.test`,  ['empty.lab.test TXT empty', 'single.lab.test TXT empty', 'a.lab.test TXT empty']],
    ['-l - names of stdin',         `dns2 A ${NS1} -l -`,                           ['fixed-list.lab.test A fixed-list']],
    ['every server for itself',     `dns2 A ${NS1} ${NS2} single.lab.test`,         ['single.lab.test A single', 'single.lab.test A single']],
  ] as const
  for (const [rule, line, expected] of LINES) {
    test(rule, async () => {
      expect(await results(line)).toEqual(expected)
    })
  }

  test('IDN as its A-labels', async () => {
    const { out } = await lbprobe(`dns2 --dry-run A ${NS1} bücher.lab.test`)
    expect(out).toContain('xn--bcher-kva.lab.test')
  })

  test('@auth by default: both name servers, without RD', async () => {
    const { err } = await lbprobe('ecs A partial-ecs.lab.test')
    expect(err).toContain('to 127.0.0.1#53, 127.0.0.2#53')
    expect(await results('ecs A partial-ecs.lab.test')).toEqual([
      'partial-ecs.lab.test A partial-ecs',
    ])
  })

  test('@auth follows an alias out of the zone', async () => {
    const { out } = await lbprobe('ecs --json A link.lab.test')
    expect(JSON.parse(out)).toMatchObject({
      results: [
        { name: 'link.lab.test', verdict: { code: 'geo', modifiers: ['cname-to:geo.lab.test'] } },
      ],
    })
  })

  test('@system with a warning where the zone has no name servers', async () => {
    const { exit, err } = await lbprobe('dns2 A nowhere.example')
    expect(err).toContain("warning: no name servers found for nowhere.example: asking the system's")
    expect(exit).toBe(0)
  })
})

describe('exit', () => {
  // biome-ignore format: table
  const EXITS = [
    ['0 measured',                               `dns2 A ${NS1} single.lab.test`,                          0],
    ['0 NXDOMAIN is measured too',               `dns2 A ${NS1} no-name.lab.test`,                         0],
    ['0 the expectation holds, a code',          `ecs A ${NS1} geo.lab.test --expect geo`,                 0],
    ['0 the expectation holds, an answer',       `ecs A ${NS1} geo.lab.test --expect real`,                0],
    ['0 empty results do not count',             `ecs A ${NS1} geo.lab.test empty.lab.test --expect geo`,  0],
    ['1 the expectation does not hold',          `ecs A ${NS1} static.lab.test single.lab.test --expect geo`, 1],
    ['1 a condition is met',                     `ecs A ${NS1} lying-scope.lab.test --fail-on mis-scoped`, 1],
    ['1 beats 3',                                `ecs A ${NS1} cached.lab.test single.lab.test --expect geo`, 1],
    ['3 unclear where something was expected',   `ecs A ${NS1} cached.lab.test --expect geo`,              3],
    ['1 … --strict',                             `ecs A ${NS1} cached.lab.test --expect geo --strict`,     1],
    ['0 … --lenient',                            `ecs A ${NS1} cached.lab.test --expect geo --lenient`,    0],
    ['0 --exit-zero',                            `ecs A ${NS1} single.lab.test --expect geo --exit-zero`,  0],
    ['9 no reply',                               `dns2 A ${NS1} silence.lab.test`,                         9],
    ['9 BC-180 every reply is cut',              `dns2 A ${NS1} cut.lab.test`,                             9],
    ['9 BC-189 every stream ends early',         `dns2 A ${NS1} closing.lab.test`,                         9],
    ['2 no name',                                `dns2 A ${NS1}`,                                          2],
    ['2 no command',                             '',                                                       2],
    ['2 an unknown command',                     'observe single.lab.test',                                2],
    ['2 an unknown flag',                        `dns2 ${NS1} single.lab.test --frob`,                     2],
    ['2 an unknown + word',                      `dns2 ${NS1} single.lab.test +frob`,                      2],
    ['2 an unknown expectation',                 `ecs ${NS1} single.lab.test --expect frob`,               2],
    ['2 a long prefix',                          `ecs ${NS1} single.lab.test --subnet 192.0.2.0/25,192.0.3.0/24`, 2],
    ['2 one subnet for ecs',                     `ecs ${NS1} single.lab.test --subnet 192.0.2.0/24`,       2],
    ['2 two subnets for dns2',                   `dns2 ${NS1} single.lab.test --subnet 192.0.2.0/24,192.0.3.0/24`, 2],
    ['2 --strict and --lenient',                 `dns2 ${NS1} single.lab.test --strict --lenient`,         2],
    ['2 a transport that Node.js has not',       'dns2 @quic://192.0.2.1 single.lab.test',                 2],
    ['2 a pin that is none',                     `dns2 ${NS1} single.lab.test +tls --tls-pin abc`,         2],
    ['2 a name that is none',                    `dns2 ${NS1} single.lab.test +tls --tls-host a/b`,        2],
    ['2 a path that is none',                    `dns2 ${NS1} single.lab.test +https=query`,               2],
    ['2 authorities without a certificate',      `dns2 ${NS1} single.lab.test +tls --tls-ca nets.txt`,     2],
    ['2 --subnet and --preset',                  `ecs ${NS1} single.lab.test --subnet 192.0.2.0/24,192.0.3.0/24 --preset isp`, 2],
    ['2 an unknown preset',                      `ecs ${NS1} single.lab.test --preset home`,               2],
    ['2 no IPv6 networks in a country',          `ecs ${NS1} single.lab.test --country PL --v6`,           2],
    ['2 dns2 asks for one client',               `dns2 ${NS1} single.lab.test --country DE`,               2],
    ['2 a list with what is no name',            `dns2 ${NS1} -l bad.txt`,                                 2],
    ['2 a server where a name should be',        'dns2 tls://192.0.2.1',                                   2],
    ['2 a lab with TLS and no certificate',      'lab --tls 127.0.0.1:8853',                               2],
    ['2 … or at no place',                       'lab --https lab.test --cert a --key b',                  2],
    ['1 … or with a certificate that is none',   'lab --listen 127.0.0.1:0 --tls 127.0.0.1:0 --cert a --key b', 1],
    ['0 --help',                                 'ecs --help',                                             0],
    ['0 --version',                              '--version',                                              0],
  ] as const
  for (const [rule, line, expected] of EXITS) {
    test(rule, async () => {
      const { exit, err, out } = await lbprobe(line)
      expect(exit, `${err}${out}`).toBe(expected)
    })
  }

  test('130 an interrupt, and what was seen is still told', async () => {
    const stop = new AbortController()
    const { exit, out } = await lbprobe(`dns2 --json A ${NS1} single.lab.test empty.lab.test`, {
      wire: interruptedAfter(100, stop),
      interrupt: stop.signal,
    })
    expect(exit).toBe(130)
    expect(JSON.parse(out)).toMatchObject({
      results: [{ name: 'single.lab.test' }],
      error: { code: 'interrupted' },
    })
  })
})

describe('partial', () => {
  // biome-ignore format: table
  const PARTIAL = [
    ['the deadline',             `dns2 A ${NS1} single.lab.test silence.lab.test --deadline 2`, 0, 'deadline', 'deadline'],
    ['… --fail-on partial',      `dns2 A ${NS1} single.lab.test silence.lab.test --deadline 2 --fail-on partial`, 4, 'deadline', 'deadline'],
    ['the budget',               `ecs A ${NS1} rotating-one.lab.test --max-queries 100`,       0, 'budget',   undefined],
    ['the budget of dns2',       `dns2 A ${NS1} single.lab.test -n 30 --max-queries 25`,        0, 'budget',   undefined],
    ['a storm of REFUSED',       `dns2 NS ${NS1} . -n 300`,                                     0, 'refused',  undefined],
    ['nothing missing',          `ecs A ${NS1} geo.lab.test`,                                   0, undefined,  undefined],
  ] as const
  for (const [rule, line, expected, reason, code] of PARTIAL) {
    test(`${rule}: kept, and said`, async () => {
      const { exit, out } = await lbprobe(`${line} --json`)
      const { partial, error, results } = resultSchema.parse(JSON.parse(out))
      expect([exit, partial?.reason, error?.code]).toEqual([expected, reason, code])
      expect(results.length).toBeGreaterThan(0)
      const person = await lbprobe(line)
      expect(person.out.match(/^partial: /gm)?.length).toBe(reason === undefined ? undefined : 1)
    })
  }
})

describe('--json', () => {
  // biome-ignore format: table
  const FAILURES = [
    ['wrong usage of ours',        `dns2 --json ${NS1} x.lab.test -n 0`],
    ['wrong usage of a flag',      `dns2 --json ${NS1} x.lab.test --frob`],
    ['a verdict that is none',     `ecs --json ${NS1} x.lab.test --fail-on verdict!=goe`],
    ['no query for each subnet',   `ecs --json ${NS1} x.lab.test --max-queries 5`],
    ['no reply',                   `dns2 --json A ${NS1} silence.lab.test`],
    ['a file that cannot be written', `dns2 --json A ${NS1} single.lab.test -o full/disk`],
  ] as const
  for (const [rule, line] of FAILURES) {
    test(`is one document on failure too: ${rule}`, async () => {
      const { out } = await lbprobe(line)
      expect(resultSchema.parse(JSON.parse(out))).toMatchObject({
        error: { message: expect.stringMatching(/./) },
      })
    })
  }

  test('holds plan, results and queries, and nothing else is on stdout', async () => {
    const { out, err } = await lbprobe(`ecs -J A ${NS1} geo.lab.test --seed 7`)
    expect(resultSchema.parse(JSON.parse(out))).toMatchObject({
      plan: { seed: 7 },
      results: [{ name: 'geo.lab.test', type: 'A', verdict: { answer: 'real', code: 'geo' } }],
      queries: expect.arrayContaining([expect.objectContaining({ name: 'geo.lab.test' })]),
    })
    expect(err).toContain('seed 7')
  })
})

describe('sends', () => {
  test('--dry-run nothing', async () => {
    const deaf = { ...wireTo(labOf(ATLAS, 1)), datagram: () => Promise.reject(new Error('sent')) }
    const { exit, out } = await lbprobe(`ecs --dry-run A ${NS1} geo.lab.test`, { wire: deaf })
    expect(exit).toBe(0)
    expect(out).toBe(
      [
        'plan: ecs, 20 subnets (US 5, DE 5, JP 5, BR 5) and 3 controls, up to 8 rounds of 23, ' +
          'then 5 in each block announced, seed 42',
        '',
        'name          type  asked           queries    time',
        'geo.lab.test  A     127.0.0.1#5300  69 to 500  no pause',
        '',
        'in all at most 500 queries; nothing was sent',
        '',
      ].join('\n'),
    )
  })

  // 20 queries at 20 a second are a second; two names at two servers, four
  // biome-ignore format: table
  const PLANS = [
    ['every name at every server',  'dns2 A @192.0.2.1 @192.0.2.2 x.test y.test', 'y.test  A     192.0.2.2#53  20       about 1 s'],
    ['the time of all',             'dns2 A @192.0.2.1 @192.0.2.2 x.test y.test', 'in all at most 80 queries, about 4 s at 20 a second'],
    ['500 queries are 25 s',        'ecs A @192.0.2.1 x.test',                    '69 to 500  about 25 s'],
    ['a rate',                      'ecs A @192.0.2.1 x.test --rate 2',           'about 4 min at 2 a second'],
    ['a deadline',                  'ecs A @192.0.2.1 x.test --deadline 5',       'at 20 a second, ended after 5 s'],
    ['one query a round of another server', 'ecs A @192.0.2.1 @192.0.2.2 x.test', '72 to 500'],
    ['what is looked up: a zone',   'ecs A x.test',                               "looked up first, by the system's resolver: the name servers for x.test"],
    ['… a host',                    'ecs A @ns.x.test x.test',                    "by the system's resolver: the address of ns.x.test"],
  ] as const
  for (const [rule, line, expected] of PLANS) {
    test(`--dry-run tells ${rule}, and looks nothing up`, async () => {
      const refuse = () => Promise.reject(new Error('looked up'))
      const system = { resolvers: () => [], nameServers: refuse, addresses: refuse }
      const { exit, out, err } = await lbprobe(`${line} --dry-run`, { system })
      expect(out, err).toContain(expected)
      expect(exit).toBe(0)
    })
  }

  test('the cost is told before anything leaves', async () => {
    const { err } = await lbprobe('dns2 A @192.0.2.1 single.lab.test -n 110')
    expect(err).toContain('110 queries in a row · to 192.0.2.1#53 · about 6 s at 20 a second')
  })

  test('--dry-run --json: one document, with the plan and no results', async () => {
    const { exit, out } = await lbprobe(`ecs --dry-run --json A ${NS1} geo.lab.test`)
    const document = resultSchema.parse(JSON.parse(out))
    expect([exit, document.plan?.seed, document.results]).toEqual([0, 42, []])
  })

  test('a name with control characters comes back harmless', async () => {
    const { exit, err } = await lbprobe(`ecs ${NS1} a\u001b[31m.lab.test`)
    expect(exit).toBe(2)
    expect(err).not.toContain('\u001b')
  })

  test('--subnet @file, regions looked up', async () => {
    const { out } = await lbprobe(`ecs --dry-run A ${NS1} geo.lab.test --subnet @nets.txt`)
    expect(out).toContain('2 subnets (DE 1, US 1)')
  })

  // biome-ignore format: table
  const PANELS = [
    ['five of each country',           '--country FR,SE',                 /8 subnets \(FR 5, SE 3\)/],
    ['a preset in countries',          '--country US,BR --preset cloud',  /10 subnets \(US 5, BR 5\)/],
    ['--v6',                           '--v6',                            /20 subnets \(US 5, DE 5, JP 5, BR 5\)/],
    ['--both',                         '--both --country FR',             /10 subnets \(FR 10\)/],
    ['all of a preset that fits',      '--preset cloud',                  /41 subnets \(15 regions, 1 to 5 each\)/],
    ['some of one that does not, two in a region', '--preset world',      /53 subnets \(\d+ regions, 2 to 3 each\)/],
    ['all of it with budget enough',   '--preset world --max-queries 3000', /224 subnets \(76 regions, 2 to 13 each\)/],
  ] as const
  for (const [rule, flags, expected] of PANELS) {
    test(`subnets: ${rule}`, async () => {
      const { out, err } = await lbprobe(`ecs --dry-run A ${NS1} geo.lab.test ${flags}`)
      expect(out, err).toMatch(expected)
    })
  }

  test('dns2 one client subnet', async () => {
    const { out } = await lbprobe(`dns2 --json A ${NS1} geo.lab.test +subnet=129.187.0.0/24 -n 2`)
    expect(JSON.parse(out)).toMatchObject({
      queries: [{ subnet: '129.187.0.0/24', answers: ['192.0.2.4', '192.0.2.5', '192.0.2.6'] }, {}],
    })
  })

  test('+tcp over TCP', async () => {
    const { out } = await lbprobe(`dns2 --json A ${NS1} big.lab.test +tcp -n 1`)
    expect(JSON.parse(out)).toMatchObject({ queries: [{ transport: 'tcp', oddities: [] }] })
  })

  // biome-ignore format: table
  const OVER = [
    ['+tls',           'tls',   'tls://127.0.0.1#5300'],
    ['+https',         'https', 'https://127.0.0.1:5300/dns-query'],
    ['+https-get=/q',  'https', 'https://127.0.0.1:5300/q'],
    ['+tls +tls-host=ns.lab.test', 'tls', 'tls://ns.lab.test#5300'],
  ] as const
  for (const [words, transport, server] of OVER) {
    test(`${words} over ${transport}`, async () => {
      const { out } = await lbprobe(`dns2 --json A ${NS1} single.lab.test ${words} -n 1`)
      expect(JSON.parse(out)).toMatchObject({ queries: [{ transport, server }] })
    })
  }

  test('--as-dig: every query as a line on stderr', async () => {
    const { err } = await lbprobe(`dns2 -q A ${NS1} single.lab.test +norecurse -n 2 --as-dig`)
    const line =
      'dig @127.0.0.1 -p 5300 single.lab.test A +norecurse +noadflag +nocookie +nsid +bufsize=1232\n'
    expect(err).toBe(line + line)
  })

  test('--as-dig --dry-run: a round of them on stdout, and nothing else', async () => {
    const deaf = { ...wireTo(labOf(ATLAS, 1)), datagram: () => Promise.reject(new Error('sent')) }
    const { out } = await lbprobe(`ecs --dry-run --as-dig A ${NS1} geo.lab.test --country DE,US`, {
      wire: deaf,
    })
    const lines = out.trimEnd().split('\n')
    expect(lines).toHaveLength(13)
    expect(lines.every(line => line.startsWith('dig @127.0.0.1 -p 5300 geo.lab.test A '))).toBe(
      true,
    )
    expect(lines.filter(line => line.includes('+subnet=')).length).toBe(12)
  })

  // biome-ignore format: table
  const BESIDE = [
    ['by default private subnets and types of DNSSEC', '',                       ['control', 'private', 'sample', 'scope', 'signing']],
    ['--no-control neither those nor controls',        '--no-control',           ['sample', 'scope']],
    ['--hostile malformed options as well',            '--no-control --hostile', ['hostile', 'sample', 'scope']],
    ['at most --max-queries of all kinds',             '--max-queries 92',       ['control', 'sample']],
  ] as const
  for (const [rule, flags, purposes] of BESIDE) {
    test(rule, async () => {
      const { out } = await lbprobe(`ecs --json A ${NS1} geo.lab.test ${flags}`)
      const { queries } = JSON.parse(out) as { queries: { purpose: string }[] }
      expect([...new Set(queries.map(({ purpose }) => purpose))].sort()).toEqual(purposes)
    })
  }

  test('at most --max-queries', async () => {
    const { out } = await lbprobe(`ecs --json A ${NS1} geo.lab.test --max-queries 100`)
    expect(JSON.parse(out).queries.length).toBeLessThanOrEqual(100)
  })

  test('-v tells of every query', async () => {
    const { err } = await lbprobe(`dns2 -v A ${NS1} wrong-id.lab.test -n 1`)
    expect(err).toContain('NOERROR 192.0.2.1 192.0.2.2 192.0.2.3 (wrong-id)')
  })

  test('-q no plan line', async () => {
    expect((await lbprobe(`dns2 -q A ${NS1} single.lab.test`)).err).toBe('')
  })
})

describe('colour', () => {
  // biome-ignore format: table
  const COLOURS = [
    ['a terminal gets it',           '',               {},                                 true],
    ['NO_COLOR wins over it',        '',               { NO_COLOR: '1' },                  false],
    ['TERM=dumb too',                '',               { TERM: 'dumb' },                   false],
    ['FORCE_COLOR over that',        '',               { TERM: 'dumb', FORCE_COLOR: '1' }, true],
    ['the flag over all',            '--color always', { NO_COLOR: '1' },                  true],
    ['never is never',               '--color never',  { FORCE_COLOR: '1' },               false],
  ] as const
  for (const [rule, flag, environment, colored] of COLOURS) {
    test(rule, async () => {
      const out = paper(true)
      await lbprobe(`dns2 A ${NS1} single.lab.test ${flag}`, { environment, out })
      expect(out.text().includes('\x1b[')).toBe(colored)
    })
  }
})
