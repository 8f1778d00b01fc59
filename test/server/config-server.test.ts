/** Options of the server itself: where it listens, what it reads, what a later version will have. */
import { describe, expect, test } from 'vitest'
import type { Listen } from '../../server/config/config.ts'
import { cut, judge, judgeWhole, marked } from '../kit/config.ts'

// biome-ignore format: table
const WRONG = [
  // rule                                  text                                             problems
  ['listen: an empty list',                'listen: ▸[]',                                    ['an empty list · give it at least 1 item']],
  ['listen: a text',                       'listen: ▸127.0.0.1',                             ['expected a list, found "127.0.0.1" · write [127.0.0.1]']],
  ['listen: nothing',                      '▸listen:',                                       ['expected a list, found nothing']],
  ['listen: a host name',                  'listen: [▸localhost]',                           ['cannot listen on localhost: localhost is not an IP address']],
  ['listen: a number',                     'listen: [▸53]',                                  ['expected an address, or a mapping with address and what is spoken there, found number 53']],
  ['listen: a leading zero',               'listen: [▸127.0.0.01]',                          ['cannot listen on 127.0.0.01: 127.0.0.01 has a leading zero']],
  ['listen: a port too large',             'listen: [▸"127.0.0.1:65536"]',                   ['cannot listen on 127.0.0.1:65536: "65536" is not a port · write a port, 1 to 65535']],
  ['listen: port 0',                       'listen: [▸127.0.0.1:0]',                         ['cannot listen on 127.0.0.1:0: "0" is not a port']],
  ['listen: an empty port',                'listen: [▸"[::1]:"]',                            ['cannot listen on [::1]:: "" is not a port']],
  ['listen: an address twice',             'listen: [127.0.0.1, ▸127.0.0.1:53]',             ['this address stands in listen twice · keep one of them']],
  ['listen: an IPv6 address twice',        'listen: ["::1", ▸{address: "[0:0::1]:53"}]',     ['this address stands in listen twice · keep one of them']],
  ['listen: a key mistyped',               'listen: [{▸adress: 127.0.0.1}]',                 ['unknown key adress · did you mean address?']],
  ['listen: no address',                   'listen: [▸{ecs: off}]',                          ['address is missing · add address: …']],
  ['listen: ecs neither on nor off',       'listen: [{address: 127.0.0.1, ecs: ▸never}]',    ['expected on or off, found "never"']],
  ['zones: an empty list',                 'zones: ▸[]',                                     ['an empty list']],
  ['zones: a zone twice',                  'zones:\n  - a.zone\n  - ▸a.zone',                ['a.zone stands in zones twice · keep one of them']],
  ['zones: an empty path',                 'zones: [▸""]',                                   ['not a path · write the path of a file']],
  ['workers: none',                        'workers: ▸0',                                    ['0 is out of range · at least 1']],
  ['workers: a half',                      'workers: ▸1.5',                                  ['expected a whole number, found number 1.5']],
  ['workers: a text',                      'workers: ▸two',                                  ['expected a number, found "two"']],
  ['control: a number',                    'control: ▸5',                                    ['expected text, found number 5 · write "5"']],
  ['user: nothing',                        '▸user:',                                         ['expected a name or a number, found nothing · give it a value']],
  ['user: an empty text',                  'user: ▸""',                                      ['neither a name nor a number of this system · write it like lbdns or 65534']],
  ['user: a path',                         'user: ▸/home/lbdns',                             ['neither a name nor a number of this system']],
  ['user: two words',                      'user: ▸lb dns',                                  ['neither a name nor a number of this system']],
  ['user: with its group',                 'user: ▸lbdns:lbdns',                             ['neither a name nor a number of this system']],
  ['user: below 0',                        'user: ▸-1',                                      ['-1 is out of range · at least 0']],
  ['user: what means none',                'user: ▸4294967295',                              ['4294967295 is out of range · at most 4294967294']],
  ['user: what means none, as text',       'user: ▸"4294967295"',                            ['neither a name nor a number of this system']],
  ['user: a half',                         'user: ▸1.5',                                     ['expected a name or a number, found number 1.5']],
  ['group: a list',                        'user: lbdns\ngroup: ▸[lbdns]',                   ['expected a name or a number, found a list']],
  ['group: without user',                  '▸group: lbdns',                                  ['group stands without user · add user: …, or take group out']],
  ['group: with a user mistyped',          '▸usr: lbdns\ngroup: lbdns',                      ['unknown key usr · did you mean user?']],
  ['metrics: a host name',                 'metrics: ▸localhost:9153',                       ['cannot listen on localhost:9153: localhost is not an IP address · write an address of this machine, like 127.0.0.1:9153']],
  ['metrics: a port alone',                'metrics: ▸9153',                                 ['expected an address, or a mapping with listen, found number 9153']],
  ['metrics: a port too large',            'metrics: ▸127.0.0.1:65536',                      ['cannot listen on 127.0.0.1:65536: "65536" is not a port']],
  ['metrics: a list',                      'metrics: ▸[127.0.0.1]',                          ['expected an address, or a mapping with listen, found a list']],
  ['metrics: a key mistyped',              'metrics: {▸lisen: 127.0.0.1}',                   ['unknown key lisen · did you mean listen?']],
  ['metrics: a mapping of nothing',        '▸metrics: {}',                                   ['listen is missing · add listen: …']],
  ['metrics: where DNS is',                'listen: ["[::1]:9153"]\nmetrics: ▸"[0::1]"',      ['this address stands in listen too · give metrics another port']],
  ['identity: an empty text',              'identity: ▸""',                                  ['a text of 0 characters · at least 1']],
  ['identity: more than one string holds', `identity: ▸${'a'.repeat(256)}`,                  ['a text of 256 characters · at most 255']],
  ['identity: beyond ASCII',               'identity: ▸Zürich',                              ['"Zürich" has characters that cannot stand here']],
  ['ecs: no switch',                       'ecs: {enabled: ▸no}',                            ['expected on or off, found "no"']],
  ['ecs: a list forgotten',                'ecs: {allow: ▸192.0.2.0/24}',                    ['expected a list, found "192.0.2.0/24" · write [192.0.2.0/24]']],
  ['ecs: bits past the prefix',            'ecs: {deny: [▸192.0.2.1/24]}',                   ['192.0.2.1/24 has bits set past /24 · write 192.0.2.0/24']],
  ['geo: an empty list',                   'geo: {database: ▸[]}',                           ['an empty list']],
  ['geo: a number',                        'geo: {database: ▸5}',                            ['expected builtin, a path, or a list of paths, found number 5']],
  ['a key mistyped, required',             '▸liste: [127.0.0.1]\nlisten: [127.0.0.1]',       ['unknown key liste · did you mean listen?']],
  ['a key like no other',                  '▸colour: blue',                                  ['unknown key colour · known: listen, workers, control']],
] as const

describe('options of the server', () => {
  for (const [rule, text, problems] of WRONG) {
    test(rule, () => {
      const { piece, expected } = marked(text, problems)
      expect(cut(judge(piece).problems, expected)).toEqual(expected)
    })
  }

  test('a mistyped key is not missing too', () => {
    const { problems } = judgeWhole('lisen: [127.0.0.1]\nzones: [a.zone]\n')
    expect(problems).toEqual(['1:1 unknown key lisen · did you mean listen?'])
  })
})

const RESERVED = ['log', 'transfer', 'keys', 'dnssec', 'fleet']

describe('keys of versions to come', () => {
  for (const key of RESERVED) {
    test(`${key}: this version does not have it`, () => {
      const { problems } = judge(`${key}: {}`)
      const said = `1:1 this version does not have ${key} · it has listen, workers, control, `
      expect(problems).toEqual([expect.stringContaining(said)])
    })
  }
})

// biome-ignore format: table
const LISTEN = [
  // written                                  host          port   ecs
  ['127.0.0.1:5353',                          '127.0.0.1',  5353,  true],
  ['127.0.0.1',                               '127.0.0.1',  53,    true],
  ['"[::1]:5353"',                            '::1',        5353,  true],
  ['"[::1]"',                                 '::1',        53,    true],
  ['::1',                                     '::1',        53,    true],
  ['"[fe80::1%eth0]:53"',                     'fe80::1%eth0', 53,  true],
  ['0.0.0.0:53',                              '0.0.0.0',    53,    true],
  ['{address: 127.0.0.1, ecs: off}',          '127.0.0.1',  53,    false],
  ['{address: "[::]:5353", ecs: false}',      '::',         5353,  false],
  ['{address: 127.0.0.1, ecs: on}',           '127.0.0.1',  53,    true],
  ['{address: 127.0.0.1:53, ecs: true}',      '127.0.0.1',  53,    true],
] as const

const PLAIN = { over: 'dns', path: '/dns-query', proxy: [], tls: undefined } as const

describe('listen addresses', () => {
  for (const [written, host, port, ecs] of LISTEN) {
    test(written, () => {
      const { config, problems } = judge(`listen: [${written}]`)
      const at = { file: 'lbdns.yaml', line: 1, column: 10 }
      expect(problems).toEqual([])
      expect(config?.listen).toEqual([{ ...PLAIN, host, port, ecs, at }] satisfies Listen[])
    })
  }
})

// biome-ignore format: table
const ACCOUNTS = [
  // written                     named
  ['lbdns',                      'lbdns'],
  ['"_dns-1.x$"',                '_dns-1.x$'],
  ['65534',                      65534],
  ['"65534"',                    65534],
  ['0',                          0],
] as const

describe('user and group', () => {
  for (const [written, named] of ACCOUNTS) {
    test(written, () => {
      const { config, problems } = judge(`user: ${written}\ngroup: ${written}`)
      const at = (line: number, column: number) => ({ file: 'lbdns.yaml', line, column })
      expect(problems).toEqual([])
      expect(config?.user).toEqual({ named, at: at(1, 7) })
      expect(config?.group).toEqual({ named, at: at(2, 8) })
    })
  }
})

describe('what is left out', () => {
  test('has its default', () => {
    const { config } = judgeWhole('listen: [127.0.0.1]\nzones: [a.zone]\n')
    expect(config).toMatchObject({
      workers: undefined,
      user: undefined,
      group: undefined,
      control: 'lbdns.sock',
      admin: undefined,
      webhooks: [],
      state: { path: 'lbdns.state', maxAge: 3600 },
      querylog: undefined,
      identity: undefined,
      ecs: { enabled: true, allow: [], deny: [] },
      geo: 'builtin',
      activateAt: undefined,
      networkFiles: [],
      latencyFiles: [],
      loadFiles: [],
      checkedHosts: [],
      authorities: [],
      programs: [],
      policy: { pools: [], networks: [], latencies: [], rules: [] },
    })
  })

  test('and what is written has its place', () => {
    const text =
      'zones:\n  - a.zone\n  - b.zone\ngeo:\n  database: [x.mmdb, y.mmdb]\nlisten: ["::1"]\n'
    const { config } = judgeWhole(text)
    expect(config?.zones).toEqual([
      { path: 'a.zone', at: { file: 'lbdns.yaml', line: 2, column: 5 } },
      { path: 'b.zone', at: { file: 'lbdns.yaml', line: 3, column: 5 } },
    ])
    expect(config?.geo).toEqual([
      { path: 'x.mmdb', at: { file: 'lbdns.yaml', line: 5, column: 14 } },
      { path: 'y.mmdb', at: { file: 'lbdns.yaml', line: 5, column: 22 } },
    ])
    expect(judge('geo: {database: x.mmdb}').config?.geo).toMatchObject([{ path: 'x.mmdb' }])
  })
})

// biome-ignore format: table
const MOMENTS = [
  // rule                                   written                              the same in UTC, or what is wrong
  ['RFC 3339 §5.8 UTC',                     '2026-12-24T06:00:00Z',              '2026-12-24T06:00:00.000Z'],
  ['RFC 3339 §5.6 small letters',           '2026-12-24t06:00:00z',              '2026-12-24T06:00:00.000Z'],
  ['RFC 3339 §5.6 a blank for the T',       '2026-12-24 06:00:00Z',              '2026-12-24T06:00:00.000Z'],
  ['RFC 3339 §5.8 east of Greenwich',       '2026-12-24T06:00:00+05:30',         '2026-12-24T00:30:00.000Z'],
  ['RFC 3339 §5.8 west, into the next year', '2026-12-31T20:00:00-08:00',        '2027-01-01T04:00:00.000Z'],
  ['RFC 3339 §5.8 parts of a second',       '1985-04-12T23:20:50.52Z',           '1985-04-12T23:20:50.520Z'],
  ['RFC 3339 §5.7 29 February of a leap year', '2028-02-29T00:00:00Z',           '2028-02-29T00:00:00.000Z'],
  ['RFC 3339 §5.7 29 February of another',  '2026-02-29T00:00:00Z',              '2026-02-29T00:00:00Z is no day or hour that there is · write it like'],
  ['RFC 3339 §5.7 31 April',                '2026-04-31T00:00:00Z',              '2026-04-31T00:00:00Z is no day or hour that there is'],
  ['RFC 3339 §5.7 hour 24',                 '2026-04-30T24:00:00Z',              '2026-04-30T24:00:00Z is no day or hour that there is'],
  ['RFC 3339 §5.7 month 13',                '2026-13-01T00:00:00Z',              '2026-13-01T00:00:00Z is no day or hour that there is'],
  ['RFC 3339 §5.6 an offset of 24 hours',   '2026-12-24T06:00:00+24:00',         '2026-12-24T06:00:00+24:00 has no such offset'],
  ['without an offset',                     '2026-12-24T06:00:00',               '2026-12-24T06:00:00 has no offset · add Z for UTC, or one like +01:00'],
  ['a day alone',                           '2026-12-24',                        '2026-12-24 is no moment in time · write it like 2026-12-24T06:00:00Z'],
  ['words',                                 'tomorrow',                          'tomorrow is no moment in time'],
  ['seconds since 1970',                    '1798092000',                        'expected text, found number 1798092000'],
] as const

describe('activate_at', () => {
  for (const [rule, written, expected] of MOMENTS) {
    test(rule, () => {
      const { config, problems } = judge(`activate_at: ${written}`)
      const read = config?.activateAt
      const shown =
        read === undefined ? problems[0]?.slice('1:14 '.length) : new Date(read.ms).toISOString()
      expect(shown?.slice(0, expected.length)).toBe(expected)
      if (read !== undefined) expect(read.at).toEqual({ file: 'lbdns.yaml', line: 1, column: 14 })
    })
  }
})

// biome-ignore format: table
const METRICS = [
  // written                          host         port
  ['metrics: 127.0.0.1:9253',         '127.0.0.1', 9253],
  ['metrics: 127.0.0.1',              '127.0.0.1', 9153],
  ['metrics: "[::1]"',                '::1',       9153],
  ['metrics: ::1',                    '::1',       9153],
  ['metrics: 0.0.0.0:80',             '0.0.0.0',   80],
  ['metrics: {listen: 127.0.0.1}',    '127.0.0.1', 9153],
  ['metrics: {listen: "[::]:9153"}',  '::',        9153],
] as const

describe('where metrics are told', () => {
  for (const [written, host, port] of METRICS) {
    test(written, () => {
      const at = { file: 'lbdns.yaml', line: 1, column: 10 }
      expect(judge(written).config?.metrics).toEqual({ host, port, at })
    })
  }

  test('unsaid: nowhere', () => expect(judge('').config?.metrics).toBeUndefined())
})
