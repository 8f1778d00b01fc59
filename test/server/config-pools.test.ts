/** What is handed out, where it stands and how it would be checked. */
import { describe, expect, test } from 'vitest'
import { nameText } from '../../server/dns/name.ts'
import { cut, judge, marked } from '../kit/config.ts'

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
  ['a weight below 0',                 'pools: {a: {targets: [{address: 192.0.2.1, weight: ▸-1}]}}',    ['-1 is out of range · at least 0']],
  ['a weight too large',               'pools: {a: {targets: [{address: 192.0.2.1, weight: ▸65536}]}}', ['65536 is out of range · at most 65535']],
  ['a weight in parts',                'pools: {a: {targets: [{address: 192.0.2.1, weight: ▸0.5}]}}',   ['expected a whole number, found number 0.5']],
  ['no weight above 0',                'pools: {a: {▸targets: [{address: 192.0.2.1, weight: 0}]}}',     ['every target has weight 0 · give at least one a weight above 0']],
  ['every wrong target, in place',     'pools: {a: {targets: [▸192.0.2.256, b.example, ▸10.0.0.0/8]}}',  ['192.0.2.256 is not', '10.0.0.0/8 is a prefix']],
  ['a latitude beyond the pole',       'pools: {a: {at: {lat: ▸91, lon: 0}, targets: [192.0.2.1]}}',    ['91 is out of range · at most 90']],
  ['a longitude beyond the world',     'pools: {a: {at: {lat: 0, lon: ▸-181}, targets: [192.0.2.1]}}',  ['-181 is out of range · at least -180']],
  ['a latitude alone',                 'pools: {a: {at: {▸lat: 1}, targets: [192.0.2.1]}}',             ['lat without lon · add lon, or take lat out']],
  ['a longitude alone',                'pools: {a: {at: {▸lon: 1}, targets: [192.0.2.1]}}',             ['lon without lat · add lat, or take lon out']],
  ['a country that is none',           'pools: {a: {at: {country: ▸UK}, targets: [192.0.2.1]}}',        ['UK is not an ISO 3166-1 country code · did you mean GB?']],
  ['a check that is none',             'pools: {a: {check: ▸wbe, targets: [192.0.2.1]}}\nchecks: {web: {type: tcp}}', ['no check is called wbe · did you mean web?']],
  ['a check where there is none',      'pools: {a: {check: ▸web, targets: [192.0.2.1]}}',               ['no check is called web · add it under checks']],
  ['a key mistyped',                   'pools: {a: {▸target: [192.0.2.1]}}',                            ['unknown key target · did you mean targets?']],
  ['a key of a version to come',       'pools: {a: {▸quorum: 2, targets: [192.0.2.1]}}',                ['this version does not have quorum · it has at, check, targets']],
  ['a check without a type',           'checks: {▸web: {path: /}}',                                     ['type is missing']],
  ['a check of a type there is not',   'checks: {web: {type: ▸htpp}}',                                  ['htpp is no check · did you mean http?']],
  ['a port out of range',              'checks: {web: {type: tcp, port: ▸70000}}',                      ['70000 is out of range · at most 65535']],
  ['a span that is none',              'checks: {web: {type: tcp, every: ▸soon, timeout: ▸2x}}',         ['soon is not a span of time', '2x is not a span of time']],
  ['no failure at all',                'checks: {web: {type: tcp, fall: ▸0, rise: ▸0}}',                 ['0 is out of range', '0 is out of range']],
  ['a check’s key mistyped',           'checks: {web: {type: tcp, ▸evry: 10s}}',                        ['unknown key evry · did you mean every?']],
  ['a check’s key of a version to come', 'checks: {web: {type: http, ▸host: a.example}}',               ['this version does not have host']],
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

  test('a pool has its place', () => {
    const { config } = judge('pools:\n  fra:\n    at: {country: DE}\n    targets: [192.0.2.1]\n')
    const at = { file: 'lbdns.yaml', line: 2, column: 3 }
    expect(config?.policy.pools).toMatchObject([{ name: 'fra', at }])
  })
})
