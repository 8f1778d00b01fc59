/** What is handed out, where it stands and how it would be checked. */
import { describe, expect, test } from 'vitest'
import { nameText } from '../../server/dns/name.ts'
import { COUNTRIES, cut, judge, marked } from '../kit/config.ts'

// biome-ignore format: table
const WRONG = [
  // rule                              text                                                            problems
  ['targets missing',                  'pools: {▸a: {}}',                                               ['targets is missing · add targets: […]']],
  ['targets empty',                    'pools: {a: {targets: ▸[]}}',                                    ['an empty list']],
  ['targets a text',                   'pools: {a: {targets: ▸192.0.2.1}}',                             ['expected a list, found "192.0.2.1" · write [192.0.2.1]']],
  ['a number',                         'pools: {a: {targets: [▸192.0]}}',                               ['expected an address, a host name, or a mapping with address or host, found number 192']],
  ['BC-147 a leading zero',            'pools: {a: {targets: [▸192.0.2.010]}}',                         ['192.0.2.010 has a leading zero']],
  ['a prefix',                         'pools: {a: {targets: [▸192.0.2.0/24]}}',                        ['192.0.2.0/24 is a prefix, and a target is one address']],
  ['an octet too many',                'pools: {a: {targets: [▸192.0.2.1.1]}}',                         ['192.0.2.1.1 is not an IP address']],
  ['an address with a port',           'pools: {a: {targets: [▸"192.0.2.1:80"]}}',                      ['192.0.2.1:80 is not an IP address']],
  ['a host name of one label',         'pools: {a: {targets: [▸web]}}',                                 ['web has one label only, and names here are absolute · write it in full, like web.example.com']],
  ['a wildcard as a target',           'pools: {a: {targets: [▸"*.example.com"]}}',                     ['*.example.com is not a host name']],
  ['an IDN',                           'pools: {a: {targets: [▸münchen.example]}}',                     ['münchen.example has characters that names cannot hold · write IDNs in their xn-- form']],
  ['RFC 1035 §2.3.4 a label too long', `pools: {a: {targets: [▸${'a'.repeat(64)}.example]}}`,           ['a label of 64 octets']],
  ['an empty label',                   'pools: {a: {targets: [▸a..example]}}',                          ['a..example']],
  ['neither address nor host',         'pools: {a: {targets: [▸{weight: 1}]}}',                         ['neither address nor host · add address: or host:']],
  ['address mistyped',                 'pools: {a: {targets: [{▸addres: 192.0.2.1}]}}',                 ['unknown key addres · did you mean address?']],
  ['both address and host',            'pools: {a: {targets: [{address: 192.0.2.1, ▸host: b.example}]}}', ['both address and host · keep one of them']],
  ['a host name as address',           'pools: {a: {targets: [{address: ▸b.example}]}}',                ['b.example is not an IP address']],
  ['an address as host',               'pools: {a: {targets: [{host: ▸192.0.2.1}]}}',                   ['192.0.2.1 is not a host name · write address: 192.0.2.1']],
  ['BC-109 a weight below 0',          'pools: {a: {targets: [{address: 192.0.2.1, weight: ▸-1}]}}',    ['-1 is out of range · at least 0']],
  ['BC-109 a weight too large',        'pools: {a: {targets: [{address: 192.0.2.1, weight: ▸65536}]}}', ['65536 is out of range · at most 65535']],
  ['BC-109 a weight in parts',         'pools: {a: {targets: [{address: 192.0.2.1, weight: ▸0.5}]}}',   ['expected a whole number, found number 0.5 · write it without a fraction']],
  ['BC-109 no weight above 0',         'pools: {a: {▸targets: [{address: 192.0.2.1, weight: 0}]}}',     ['every target has weight 0 · give at least one a weight above 0']],
  ['every wrong target, in place',     'pools: {a: {targets: [▸192.0.2.256, b.example, ▸10.0.0.0/8]}}',  ['192.0.2.256 is not', '10.0.0.0/8 is a prefix']],
  ['a latitude beyond the pole',       'pools: {a: {at: {lat: ▸91, lon: 0}, targets: [192.0.2.1]}}',    ['91 is out of range · at most 90']],
  ['a longitude beyond the world',     'pools: {a: {at: {lat: 0, lon: ▸-181}, targets: [192.0.2.1]}}',  ['-181 is out of range · at least -180']],
  ['a latitude alone',                 'pools: {a: {at: {▸lat: 1}, targets: [192.0.2.1]}}',             ['lat without lon · add lon, or take lat out']],
  ['a longitude alone',                'pools: {a: {at: {▸lon: 1}, targets: [192.0.2.1]}}',             ['lon without lat · add lat, or take lon out']],
  ['a country that is none',           'pools: {a: {at: {country: ▸UK}, targets: [192.0.2.1]}}',        ['UK is not an ISO 3166-1 country code · did you mean GB?']],
  ['a check that is none',             'pools: {a: {check: ▸wbe, targets: [192.0.2.1]}}\nchecks: {web: {type: tcp, port: 80}}', ['no check is called wbe · did you mean web?']],
  ['a check where there is none',      'pools: {a: {check: ▸web, targets: [192.0.2.1]}}',               ['no check is called web · add it under checks']],
  ['a key mistyped',                   'pools: {a: {▸target: [192.0.2.1]}}',                            ['unknown key target · did you mean targets?']],
  ['what is said to a running server',  'pools: {a: {▸drain: on, ▸down: on, targets: [192.0.2.1]}}', ['drain is not written here · ask the running server: lbdns ctl drain', 'down is not written here · ask the running server: lbdns ctl force down']],
  ['likewise, of a target',             'pools: {a: {targets: [{address: 192.0.2.1, ▸drain: on, ▸slow_start: 60s}]}}',  ['drain is not written here · ask the running server: lbdns ctl drain', 'slow_start is not written here · give it to a pool']],
  ['a rule’s key in a pool',           'pools: {a: {▸last_resort: all, targets: [192.0.2.1]}}',         ['last_resort is not of a pool · put it into a rule, under steer']],
  ['a target’s keys in a pool',        'pools: {a: {▸load: 1, ▸capacity: 1, ▸weight: 1, targets: [192.0.2.1]}}', ['load is not of a pool · give it to each target', 'capacity is not of a pool', 'weight is not of a pool']],
  ['a place that is a country by name', 'pools: {a: {at: {country: ▸Germany}, targets: [192.0.2.1]}}',  ['Germany is not an ISO 3166-1 country code · did you mean DE?']],
  ['a latitude that is no number',     'pools: {a: {at: {lat: ▸.nan, lon: ▸.inf}, targets: [192.0.2.1]}}', ['expected a number, found number NaN', 'expected a number, found number Infinity']],
  ['a bias out of range',              'pools: {a: {bias: ▸100, targets: [192.0.2.1]}, b: {bias: ▸-99.5, targets: [192.0.2.1]}}', ['100 is out of range · at most 99', '-99.5 is out of range · at least -99']],
  ['a bias in words',                  'pools: {a: {bias: ▸10%, targets: [192.0.2.1]}}',                ['expected a number, found "10%" · write digits alone, without quotes or a unit']],
  ['a quorum of nothing',              'pools: {a: {quorum: ▸0, targets: [192.0.2.1]}}',                ['0 is no quorum · write a count like 2, or a share like 50% or 0.5']],
  ['a quorum of no share',             'pools: {a: {quorum: ▸0%, targets: [192.0.2.1]}}',               ['0% is no quorum']],
  ['a quorum below nothing',           'pools: {a: {quorum: ▸-1, targets: [192.0.2.1]}}',               ['-1 is no quorum']],
  ['a quorum of more than all',        'pools: {a: {quorum: ▸101%, targets: [192.0.2.1]}}',             ['101% is more than all · at most 100%']],
  ['a quorum of parts of a target',    'pools: {a: {quorum: ▸1.5, targets: [192.0.2.1, 192.0.2.2]}}',   ['1.5 is no whole number of targets']],
  ['a quorum in words',                'pools: {a: {quorum: ▸half, targets: [192.0.2.1]}}',             ['half is no quorum']],
  ['a quorum that is a list',          'pools: {a: {quorum: ▸[1], targets: [192.0.2.1]}}',              ['expected a count of targets, or a share like 50%, found a list']],
  ['a quorum that is no number',       'pools: {a: {quorum: ▸.nan, targets: [192.0.2.1]}}',             ['expected a count of targets, or a share like 50%, found number NaN']],
  ['a quorum of more than there are',  'pools: {a: {quorum: ▸3, targets: [192.0.2.1, 192.0.2.2]}}',     ['a quorum of 3 is never met: there are 2 targets · at most 2']],
  ['a quorum of two of one',           'pools: {a: {quorum: ▸"2", targets: [192.0.2.1]}}',              ['a quorum of 2 is never met: there is 1 target · at most 1']],
  ['a spill below 1',                  'pools: {a: {spill: ▸0.9, targets: [192.0.2.1]}}',               ['0.9 is out of range · at least 1']],
  ['a spill without end',              'pools: {a: {spill: ▸.inf, targets: [192.0.2.1]}}',              ['expected a number, found number Infinity']],
  ['a load below 0',                   'pools: {a: {targets: [{address: 192.0.2.1, load: ▸-0.1}]}}',    ['-0.1 is out of range · at least 0']],
  ['a capacity of 0',                  'pools: {a: {targets: [{address: 192.0.2.1, capacity: ▸0}]}}',   ['0 is out of range · more than 0']],
  ['a capacity below 0',               'pools: {a: {targets: [{address: 192.0.2.1, capacity: ▸-5}]}}',  ['-5 is out of range · more than 0']],
  ['a load past all measure',          'pools: {a: {targets: [{address: 192.0.2.1, load: ▸1e999}]}}',   ['expected a number, found number Infinity']],
  ['loads without a file',             'pools: {a: {▸loads: {max_age: 60s}, targets: [192.0.2.1]}}',    ['file is missing']],
  ['loads without a name',             'pools: {a: {loads: {file: ▸""}, targets: [192.0.2.1]}}',        ['not a path · write the path of a file']],
  ['loads that is a path',             'pools: {a: {loads: ▸l.csv, targets: [192.0.2.1]}}',             ['expected a mapping, found "l.csv"']],
  ['loads of an age that is none',     'pools: {a: {loads: {file: l.csv, max_age: ▸old}, targets: [192.0.2.1]}}', ['old is not a span of time']],
] as const

describe('pools and checks', () => {
  for (const [rule, text, problems] of WRONG) {
    test(rule, () => {
      const { piece, expected } = marked(text, problems)
      expect(cut(judge(piece).problems, expected)).toEqual(expected)
    })
  }
})

// biome-ignore format: table
const TARGETS = [
  // written                                   kind       what it is                 weight
  ['192.0.2.1',                                'address', '192.0.2.1',               1],
  ['"2001:db8::1"',                            'address', '32.1.13.184.0.0.0.0.0.0.0.0.0.0.0.1', 1],
  ['2001:db8::1',                              'address', '32.1.13.184.0.0.0.0.0.0.0.0.0.0.0.1', 1],
  ['{address: 192.0.2.1, weight: 3}',          'address', '192.0.2.1',               3],
  ['eu.example.com',                           'host',    'eu.example.com.',         1],
  ['EU.example.com.',                          'host',    'EU.example.com.',         1],
  ['web.',                                     'host',    'web.',                    1],
  ['{host: _a.example.com, weight: 65535}',    'host',    '_a.example.com.',         65_535],
] as const

describe('targets', () => {
  for (const [written, kind, what, weight] of TARGETS) {
    test(written, () => {
      const { config, problems } = judge(`pools: {a: {targets: [${written}]}}`)
      const target = config?.policy.pools[0]?.targets[0]
      expect(problems).toEqual([])
      expect([target?.kind, target?.weight]).toEqual([kind, weight])
      expect(target?.kind === 'host' ? nameText(target.name) : target?.octets.join('.')).toBe(what)
    })
  }

  test('a load and a capacity', () => {
    const text = 'pools: {a: {targets: [{address: 192.0.2.1, load: 0, capacity: 2.5}, 192.0.2.2]}}'
    expect(judge(text).config?.policy.pools[0]?.targets).toEqual([
      {
        kind: 'address',
        family: 4,
        octets: Uint8Array.of(192, 0, 2, 1),
        weight: 1,
        load: 0,
        capacity: 2.5,
      },
      { kind: 'address', family: 4, octets: Uint8Array.of(192, 0, 2, 2), weight: 1 },
    ])
  })
})

// biome-ignore format: table
const QUORUMS = [
  // written      what it is
  ['1',           { kind: 'count', count: 1 }],
  ['2',           { kind: 'count', count: 2 }],
  ['"2"',         { kind: 'count', count: 2 }],
  ['0.5',         { kind: 'share', share: 0.5 }],
  ['50%',         { kind: 'share', share: 0.5 }],
  ['12.5%',       { kind: 'share', share: 0.125 }],
  ['1%',          { kind: 'share', share: 0.01 }],
  ['100%',        { kind: 'share', share: 1 }],
] as const

// biome-ignore format: table
const POINTS = [
  // rule                          at                                     point
  ['coordinates',                  '{lat: 50.11, lon: 8.68}',             { lat: 50.11, lon: 8.68 }],
  ['coordinates win over a country', '{country: DE, lat: -1, lon: 180}',  { lat: -1, lon: 180 }],
  ['0 is a coordinate',            '{country: DE, lat: 0, lon: 0}',       { lat: 0, lon: 0 }],
  ['nothing',                      '{}',                                  undefined],
] as const

describe('what a pool becomes', () => {
  for (const [written, quorum] of QUORUMS) {
    test(`quorum: ${written}`, () => {
      const { config, problems } = judge(
        `pools: {a: {quorum: ${written}, targets: [192.0.2.1, 192.0.2.2]}}`,
      )
      expect(problems).toEqual([])
      expect(config?.policy.pools[0]?.quorum).toEqual(quorum)
    })
  }

  for (const [rule, at, point] of POINTS) {
    test(`at: ${rule}`, () => {
      const { config } = judge(`pools: {a: {at: ${at}, targets: [192.0.2.1]}}`)
      expect(config?.policy.pools[0]?.point).toEqual(point)
    })
  }

  test('at: a country alone stands at its point', () => {
    const { config } = judge('pools: {a: {at: {country: JP}, targets: [192.0.2.1]}}')
    expect(config?.policy.pools[0]?.point).toEqual(COUNTRIES.get('JP')?.point)
  })

  test('all that it may say', () => {
    const { config } = judge(`pools:
  a:
    check: web
    bias: -50
    quorum: 1
    spill: 1.4
    loads: {file: l.csv, max_age: 2m}
    targets: [192.0.2.1]
  b: {loads: {file: l.csv}, targets: [192.0.2.2]}
checks: {web: {type: http, every: 5s}}`)
    const at = { file: 'lbdns.yaml', line: 7, column: 19 }
    expect(config?.policy.pools).toMatchObject([
      {
        check: {
          name: 'web',
          need: 1,
          of: [{ name: 'web', every: 5, timeout: 2, fall: 3, rise: 2 }],
        },
        bias: -50,
        quorum: { kind: 'count', count: 1 },
        spill: 1.4,
        loads: { path: 'l.csv', maxAge: 120, at },
      },
      { loads: { path: 'l.csv', maxAge: 60 } },
    ])
    expect(config?.loadFiles).toEqual([{ path: 'l.csv', at }])
  })

  test('a pool has its place', () => {
    const { config } = judge('pools:\n  fra:\n    at: {country: DE}\n    targets: [192.0.2.1]\n')
    const at = { file: 'lbdns.yaml', line: 2, column: 3 }
    expect(config?.policy.pools).toMatchObject([{ name: 'fra', at }])
  })
})
