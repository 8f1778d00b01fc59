/** Assertions against the lab: what holds, what fails, what cannot be said; and every exit code. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { lbprobe, NS1 } from './checks-kit.ts'
import { interruptedAfter } from './in-process.ts'

type Outcome = { readonly assertion: string; readonly outcome: string; readonly line: number }

/** One check of one name; what is said of each assertion. */
async function outcomes(label: string, wish: string): Promise<readonly string[]> {
  const files = { 'x.yaml': `version: 1\nchecks:\n  - name: ${label}.lab.test\n    ${wish}\n` }
  const { out, err } = await lbprobe(['check', '--json', NS1, 'x.yaml'], files)
  expect(err).toBe('')
  const document = JSON.parse(out) as { readonly outcomes: readonly Outcome[] }
  expect(document.outcomes.map(({ line }) => line)).toEqual(document.outcomes.map(() => 4))
  return document.outcomes.map(({ outcome }) => outcome)
}

// The lab's names are listed in probe/lab: three of `fixed-list` are 192.0.2.1 to .3, eight of the
// rotating ones .1 to .8; a country's site is three addresses, from .1 on, in the order of the table.
// biome-ignore format: table
const WISHES = [
  ['rotation as written',             'fixed-list',      'rotation: fixed-list',                                    'pass'],
  ['one of several',                  'fixed-list',      'rotation: [shuffled-list, fixed-list]',                   'pass'],
  ['another rotation',                'fixed-list',      'rotation: shuffled-list',                                 'fail'],
  ['a cache hides it',                'cached',          'rotation: shuffled-list',                                 'inconclusive'],
  ['… unless that is expected',       'cached',          'rotation: cached',                                        'pass'],
  ['exactly these',                   'fixed-list',      'addresses: {exactly: [192.0.2.3, 192.0.2.1, 192.0.2.2]}', 'pass'],
  ['one too many seen',               'fixed-list',      'addresses: {exactly: [192.0.2.1, 192.0.2.2]}',            'fail'],
  ['one missing of a whole list',     'fixed-list',      'addresses: {exactly: [192.0.2.1, 192.0.2.2, 192.0.2.3, 192.0.2.4]}', 'fail'],
  ['contained',                       'fixed-list',      'addresses: {contains: [192.0.2.2]}',                      'pass'],
  ['not contained',                   'fixed-list',      'addresses: {contains: [192.0.2.9]}',                      'fail'],
  ['within',                          'rotating-one',    'addresses: {within: [192.0.2.0/28]}',                     'pass'],
  ['outside',                         'fixed-list',      'addresses: {within: [192.0.2.0/31]}',                     'fail'],
  ['within an address',               'single',          'addresses: {within: [192.0.2.1]}',                        'pass'],
  ['a pool of which one may hide: 9 · (8/9)²⁰ = 0.85', 'rotating-one', 'addresses: {contains: [192.0.2.1, 192.0.2.2, 192.0.2.3, 192.0.2.4, 192.0.2.5, 192.0.2.6, 192.0.2.7, 192.0.2.8, 192.0.2.99]}', 'inconclusive'],
  ['… which 400 draws do not: 9 · (8/9)⁴⁰⁰ < 10⁻¹⁹', 'rotating-one', 'addresses: {contains: [192.0.2.99, 192.0.2.1, 192.0.2.2, 192.0.2.3, 192.0.2.4, 192.0.2.5, 192.0.2.6, 192.0.2.7, 192.0.2.8]}\n    count: 400', 'fail'],
  ['enough of them',                  'shuffled-list',   'min_addresses: 8',                                        'pass'],
  ['too few in a whole list',         'shuffled-list',   'min_addresses: 9',                                        'fail'],
  ['too few, but the pool rotates',   'rotating-one',    'min_addresses: 12',                                       'inconclusive'],
  ['no address at all',               'empty',           'addresses: {within: [192.0.2.0/24]}',                     'fail'],
  ['none, as written',                'empty',           'addresses: {exactly: []}',                                'pass'],
  ['geo by code',                     'geo',             'ecs: {verdict: geo}',                                     'pass'],
  ['geo by answer',                   'geo-unaggregated', 'ecs: {verdict: real}',                                   'pass'],
  ['fake where real was wished',      'scope-theatre',   'ecs: {verdict: real}',                                    'fail'],
  ['too few replies',                 'data',            'ecs: {verdict: geo}',                                     'inconclusive'],
  ['scopes in their range',           'scope-theatre',   'ecs: {scope: {min: 24}}',                                 'pass'],
  ['a scope too long',                'scope-theatre',   'ecs: {scope: {max: 23}}',                                 'fail'],
  ['no option, so no scope',          'no-ecs',          'ecs: {scope: {max: 24}}',                                 'fail'],
  ['a finding that must not be',      'lying-scope',     'ecs: {forbid: [ECS004]}',                                 'fail'],
  ['… and is not',                    'geo',             'ecs: {forbid: [ECS004]}',                                 'pass'],
  ['a finding of dns2',               'no-soa',          'forbid: [DNS001]',                                        'fail'],
  ['a country\'s site',               'geo',             'by_country: {DE: {exactly: [192.0.2.4, 192.0.2.5, 192.0.2.6]}}', 'pass'],
  ['another country\'s site',         'geo',             'by_country: {DE: {within: [192.0.2.0/30]}}',              'fail'],
  ['a country beside the panel',      'geo',             'by_country: {FR: {within: [192.0.2.0/24]}}',              'pass'],
  ['a country without subnets asked', 'geo',             'by_country: {SE: {within: [192.0.2.0/24]}}\n    subnets: [129.187.0.0/24, 128.32.0.0/24]', 'inconclusive'],
  ['a TTL long enough',               'single',          'ttl: {min: 60}',                                          'pass'],
  ['a TTL too short',                 'single',          'ttl: {min: 61}',                                          'fail'],
  ['a TTL too long',                  'single',          'ttl: {max: 59}',                                          'fail'],
  ['a cache\'s TTL says little',      'cached',          'ttl: {min: 7200}',                                        'inconclusive'],
  ['a TTL that stands still',         'single',          'ttl: {policy: constant}',                                 'pass'],
  ['… and does not',                  'cached',          'ttl: {policy: constant}',                                 'fail'],
  ['a TTL that counts down',          'cached',          'ttl: {policy: counting-down}',                            'pass'],
  ['… and does not',                  'single',          'ttl: {policy: counting-down}',                            'fail'],
  ['one name server agrees with itself', 'geo',          'all_ns: consistent',                                      'pass'],
] as const

describe('an assertion', () => {
  for (const [rule, label, wish, expected] of WISHES) {
    test(`${label}: ${rule}`, async () => {
      expect(await outcomes(label, wish)).toEqual([expected])
    })
  }

  test('partial-ecs: name servers that differ', async () => {
    const files = {
      'x.yaml': `version: 1\nchecks: [{name: partial-ecs.lab.test, all_ns: consistent}]\n`,
    }
    const { exit, out } = await lbprobe(['check', 'x.yaml'], files)
    expect(exit, out).toBe(1)
    expect(out).toContain('127.0.0.2#53')
  })

  test('A and AAAA take from a list what is theirs', async () => {
    const text = `version: 1
checks:
  - name: single.lab.test
    type: [A, AAAA]
    addresses: {contains: [192.0.2.1, "2001:db8::1"]}
`
    const { exit, out } = await lbprobe(['check', NS1, 'x.yaml'], { 'x.yaml': text })
    expect(exit, out).toBe(0)
    expect(out).toContain('single.lab.test AAAA')
  })

  test('defaults, and a check that has its own', async () => {
    const text = `version: 1
defaults: {servers: "127.0.0.1:5300", countries: [DE, JP]}
checks:
  - {name: geo.lab.test, ecs: {verdict: geo}}
  - {name: geo.lab.test, countries: [US, BR], ecs: {verdict: geo}}
`
    const { exit, err } = await lbprobe(['check', '--dry-run', 'x.yaml'], { 'x.yaml': text })
    expect([exit, err]).toEqual([0, ''])
    const { out } = await lbprobe(['check', '--dry-run', 'x.yaml'], { 'x.yaml': text })
    expect(out).toMatch(/DE 5, JP 5[\s\S]*US 5, BR 5/)
  })

  test('a preset of the panel, by itself or with countries', async () => {
    const text = `version: 1
checks:
  - {name: geo.lab.test, preset: isp, countries: [DE, JP], ecs: {verdict: geo}}
  - {name: geo.lab.test, preset: isp, ecs: {verdict: geo}}
`
    const over = { table: async () => readFileSync('data/subnets/subnets.csv', 'utf8') }
    const words = ['check', '--dry-run', NS1, 'x.yaml']
    const { exit, out } = await lbprobe(words, { 'x.yaml': text }, over)
    expect(exit).toBe(0)
    expect(out).toMatch(/\(DE \d, JP \d\)/)
    expect(Number(/\((\d+) regions, \d to \d each\)/.exec(out)?.[1])).toBeGreaterThan(10)
  })

  test('what two checks need of one name is measured once', async () => {
    const text = `version: 1
checks:
  - {name: single.lab.test, rotation: single}
  - {name: single.lab.test, ttl: {min: 60}}
`
    const { out } = await lbprobe(['check', NS1, 'x.yaml'], { 'x.yaml': text })
    expect(out).toContain('2 assertions: 2 hold · 20 queries')
  })
})

const PASSES = 'version: 1\nchecks: [{name: single.lab.test, rotation: single}]\n'
const FAILS = 'version: 1\nchecks: [{name: single.lab.test, rotation: shuffled-list}]\n'
const OPEN = 'version: 1\nchecks: [{name: cached.lab.test, rotation: shuffled-list}]\n'
const BOTH = `${FAILS}`.replace('}]', '}, {name: cached.lab.test, rotation: shuffled-list}]')
const SILENT = 'version: 1\nchecks: [{name: silence.lab.test, rotation: single}]\n'
const HALF =
  'version: 1\nchecks: [{name: geo.lab.test, servers: ["127.0.0.1:5300", "127.0.0.9:5300"], ecs: {verdict: geo}}]\n'

describe('exit', () => {
  // biome-ignore format: table
  const EXITS = [
    ['0 all hold',                                   PASSES, '',                          0],
    ['1 one fails',                                  FAILS,  '',                          1],
    ['1 beats 3',                                    BOTH,   '',                          1],
    ['0 --exit-zero',                                FAILS,  '--exit-zero',               0],
    ['3 cannot be said',                             OPEN,   '',                          3],
    ['1 … --strict',                                 OPEN,   '--strict',                  1],
    ['0 … --lenient',                                OPEN,   '--lenient',                 0],
    ['1 a condition is met',                         PASSES, '--fail-on verdict!=rotating-one', 1],
    ['0 a server is silent',                         HALF,   '',                          0],
    ['4 … --fail-on partial',                        HALF,   '--fail-on partial',         4],
    ['9 no reply',                                   SILENT, '',                          9],
    ['2 a file that is wrong',                       'x',    '',                          2],
    ['2 a flag that is wrong',                       PASSES, '--timeout soon',            2],
    ['2 a reporter that is none',                    PASSES, '--reporter html',           2],
    ['2 two reports on stdout',                      PASSES, '--reporter tap --reporter junit', 2],
    ['2 a report that cannot be written',            PASSES, '--reporter junit=full/disk', 2],
    ['0 nagios: OK',                                 PASSES, '--reporter nagios',         0],
    ['2 nagios: CRITICAL',                           FAILS,  '--reporter nagios',         2],
    ['3 nagios: UNKNOWN',                            OPEN,   '--reporter nagios',         3],
    ['1 nagios: WARNING',                            HALF,   '--reporter nagios --fail-on partial', 1],
    ['2 nagios: CRITICAL, no reply',                 SILENT, '--reporter nagios',         2],
    ['3 nagios: UNKNOWN, a file that is wrong',      'x',    '--reporter nagios',         3],
  ] as const
  for (const [rule, text, flags, expected] of EXITS) {
    test(rule, async () => {
      const servers = text === HALF ? [] : [NS1]
      const words = ['check', ...servers, 'x.yaml', ...flags.split(' ').filter(word => word !== '')]
      const { exit, out, err } = await lbprobe(words, { 'x.yaml': text })
      expect(exit, out + err).toBe(expected)
    })
  }

  test('0 lbprobe.yaml is read where no file is named', async () => {
    expect((await lbprobe(['check', NS1], { 'lbprobe.yaml': PASSES })).exit).toBe(0)
    expect((await lbprobe(['check', NS1])).exit).toBe(2)
  })

  test('130 an interrupt, and what was seen is still told', async () => {
    const stop = new AbortController()
    const text = PASSES.replace('}]', '}, {name: fixed-list.lab.test, rotation: single}]')
    const over = { wire: interruptedAfter(300, stop), interrupt: stop.signal }
    const { exit, out, err } = await lbprobe(['check', NS1, 'x.yaml'], { 'x.yaml': text }, over)
    expect(exit).toBe(130)
    expect(out).toContain('1 assertion: 1 holds')
    expect(err).toContain('interrupted')
  })
})
