/** Service records of rules: what an operator writes, as it goes onto the wire. */
import { describe, expect, test } from 'vitest'
import { cut, judge, marked } from '../kit/config.ts'

// biome-ignore format: table
const WRONG = [
  // rule                                       the record                                        problems
  ['RFC 9460 §7.1.1 no-default-alpn alone',     '{▸no_default_alpn: on}',                         ['no_default_alpn without alpn · add alpn: [h2], or take it out']],
  ['no_default_alpn, and alpn mistyped',        '{no_default_alpn: on, ▸alpm: [h2]}',             ['unknown key alpm · did you mean alpn?']],
  ['RFC 9460 §7.3 hints by hand',               '{▸ipv4hint: [192.0.2.1], ▸ipv6hint: [], ▸hints: x}', ['hints are not written here · take them out: the pool that serves makes them', 'hints are not written here', 'hints are not written here']],
  ['RFC 9460 §2.4.2 an alias',                  '{priority: ▸0}',                                 ['priority 0 would make it an alias · write 1 or more']],
  ['a priority out of range',                   '{priority: ▸65536}',                             ['65536 is out of range · 1 to 65535']],
  ['a priority below 0',                        '{priority: ▸-1}',                                ['-1 is out of range']],
  ['a priority in parts',                       '{priority: ▸1.5}',                               ['expected a whole number, found number 1.5']],
  ['RFC 9460 §7.2 port 0',                      '{port: ▸0}',                                     ['0 is out of range · at least 1']],
  ['RFC 9460 §7.2 a port out of range',         '{port: ▸65536}',                                 ['65536 is out of range · at most 65535']],
  ['a port in quotes',                          '{port: ▸"443"}',                                 ['expected a number, found "443"']],
  ['no protocol',                               '{alpn: ▸[]}',                                    ['an empty list']],
  ['one protocol without a list',               '{alpn: ▸h2}',                                    ['expected a list, found "h2" · write [h2]']],
  ['protocols by other names',                  '{alpn: [▸http2, ▸HTTP/3, ▸H2, ▸http1.1]}',       ['http2 is no ALPN identifier · did you mean h2?', 'HTTP/3 is no ALPN identifier · did you mean h3?', 'H2 is no ALPN identifier · did you mean h2?', 'http1.1 is no ALPN identifier · did you mean http/1.1?']],
  ['RFC 7301 §3.1 an empty protocol',           '{alpn: [▸""]}',                                  ['"" is no ALPN identifier · write one like h2, h3 or http/1.1']],
  ['RFC 7301 §3.1 a protocol of 256 octets',    `{alpn: [▸${'a'.repeat(256)}]}`,                  [`${'a'.repeat(256)} is no ALPN identifier`]],
  ['a protocol with a comma',                   '{alpn: [▸"h2,h3"]}',                             ['h2,h3 is no ALPN identifier']],
  ['a protocol twice',                          '{alpn: [h2, ▸h2]}',                              ['h2 stands here twice · name each protocol once']],
  ['a protocol that is a number',               '{alpn: [▸2]}',                                   ['expected text, found number 2 · write "2"']],
  ['RFC 4648 §4 ech that is no base 64',        '{ech: ▸"AEX_"}',                                 ['ech is malformed · write base 64, padded with =']],
  ['RFC 4648 §3.2 ech without its padding',     '{ech: ▸AEU}',                                    ['ech is malformed']],
  ['an empty ech',                              '{ech: ▸""}',                                     ['']],
  ['RFC 9715 §3.1 ech of 513 octets',            `{ech: ▸"${Buffer.alloc(513).toString('base64')}"}`,   ['an ECHConfigList of 513 octets leaves a UDP reply no room for hints']],
  ['a target of one label',                     '{target: ▸web}',                                 ['web has one label only, and names here are absolute']],
  ['a target that is an address',               '{target: ▸"2001:db8::1"}',                       ['2001:db8::1']],
  ['a target that is a wildcard',               '{target: ▸"*.example.com"}',                     ['*.example.com is not a host name']],
  ['neither on nor off',                        '{alpn: [h2], no_default_alpn: ▸maybe}',          ['expected on or off, found "maybe"']],
  ['a key there is not',                        '{▸prio: 1}',                                     ['unknown key prio · known: alpn, no_default_alpn, port, ech, priority, target']],
  ['a list',                                    '▸[h2]',                                          ['expected a mapping, found a list']],
] as const

describe('service records', () => {
  for (const [rule, text, problems] of WRONG) {
    test(rule, () => {
      const { piece, expected } = marked(
        `steer: {a.example.com: {pools: [fra], https: ${text}}}`,
        problems,
      )
      expect(cut(judge(piece).problems, expected)).toEqual(expected)
    })
  }

  test('RFC 1034 §3.6.2 none stands beside a CNAME', () => {
    const { piece, expected } = marked(
      `pools: {eu: {targets: [eu.example.net]}, us: {targets: [{host: us.example.net}]}}
steer:
  a.example.com: {by: {continents: {EU: [eu]}, default: [us]}, ▸https: {}, ▸svcb: {}}
  b.example.com: {rule: a.example.com, ▸https: {}}`,
      [
        'pool eu hands out host names, and no https record stands beside a CNAME · take https out, or hand out addresses',
        'pool eu hands out host names, and no svcb record',
        'pool eu hands out host names, and no https record',
      ],
    )
    expect(cut(judge(piece).problems, expected)).toEqual(expected)
  })
})

const hex = (octets: Uint8Array): string =>
  Array.from(octets, octet => octet.toString(16).padStart(2, '0')).join('')

// biome-ignore format: table
const RECORDS = [
  // written                                                priority  target                                   parameters: key and value
  ['{}',                                                    1,        '00',                                    []],
  ['{alpn: [h2]}',                                          1,        '00',                                    ['1 026832']],
  ['{alpn: [h2, h3]}',                                      1,        '00',                                    ['1 026832026833']],
  ['{alpn: [http/1.1]}',                                    1,        '00',                                    ['1 08687474702f312e31']],
  ['{no_default_alpn: on, alpn: [h3]}',                     1,        '00',                                    ['1 026833', '2 ']],
  ['{no_default_alpn: off}',                                1,        '00',                                    []],
  ['{port: 8443}',                                          1,        '00',                                    ['3 20fb']],
  ['{ech: AEX+DQ==}',                                       1,        '00',                                    ['5 0045fe0d']],
  ['{ech: AEX+DQ==, port: 53, no_default_alpn: on, alpn: [dot]}', 1,  '00',                                    ['1 03646f74', '2 ', '3 0035', '5 0045fe0d']],
  ['{priority: 65535, target: .}',                          65_535,   '00',                                    []],
  ['{priority: 2, target: svc.Example.net}',                2,        '03737663074578616d706c65036e657400',    []],
] as const

describe('what a service record becomes', () => {
  for (const [written, priority, target, params] of RECORDS) {
    for (const [key, type] of [
      ['https', 65],
      ['svcb', 64],
    ] as const) {
      test(`RFC 9460 §2.2 ${key}: ${written}`, () => {
        const { config, problems } = judge(
          `steer: {a.example.com: {pools: [fra], ${key}: ${written}}}`,
        )
        expect(problems).toEqual([])
        const services = config?.policy.rules[0]?.services ?? []
        expect(services).toHaveLength(1)
        for (const service of services) {
          expect([service.type, service.priority, hex(service.target)]).toEqual([
            type,
            priority,
            target,
          ])
          expect(service.params.map(param => `${param.key} ${hex(param.value)}`)).toEqual(params)
        }
      })
    }
  }

  test('both at once', () => {
    const { config } = judge('steer: {a.example.com: {pools: [fra], svcb: {}, https: {port: 444}}}')
    expect(config?.policy.rules[0]?.services?.map(({ type }) => type)).toEqual([65, 64])
  })
})
