/** What is tried of targets, how often, and what checks count together: mistakes, and what is made of it. */
import { describe, expect, test } from 'vitest'
import { cut, judge, marked } from '../kit/config.ts'

/** What is in it is not looked at here. */
const FILES = { 'own.pem': 'certificates' }

// biome-ignore format: table
const WRONG = [
  // rule                              text                                                            problems
  ['a check without a type',           'checks: {▸web: {path: /}}',                                     ['type is missing']],
  ['a check of a type there is not',   'checks: {web: {type: ▸htpp}}',                                  ['htpp is no check · did you mean http?']],
  ['a type that is no text',           'checks: {web: {type: ▸5}}',                                     ['expected text, found number 5']],
  ['a check that is a text',           'checks: {web: ▸tcp}',                                           ['expected a mapping, found "tcp"']],
  ['a port out of range',              'checks: {web: {type: tcp, port: ▸70000}}',                      ['70000 is out of range · at most 65535']],
  ['tcp without a port',               'checks: {▸web: {type: tcp}}',                                   ['port is missing']],
  ['spans that are none',              'checks: {web: {type: tcp, port: 1, every: ▸soon, timeout: ▸2x}}', ['soon is not a span of time', '2x is not a span of time']],
  ['no time at all',                   'checks: {web: {type: tcp, port: 1, every: ▸0s, timeout: ▸0}}',  ['no time at all · at least 1s', 'no time at all · at least 1s']],
  ['no failure at all',                'checks: {web: {type: tcp, port: 1, fall: ▸0, rise: ▸0}}',       ['0 is out of range', '0 is out of range']],
  ['fast that is slow',                'checks: {web: {type: tcp, port: 1, every: 5s, fast_every: ▸6s}}', ['fast_every 6 s is more than every 5 s · make it shorter']],
  ['a load that is forgotten too soon', 'checks: {own: {type: file, path: a, every: 10s, load_max_age: ▸9s}}', ['load_max_age 9 s is less than every 10 s: nothing would be known between two tries · make it longer']],
  ['an age of what is told nowhere',   'checks: {web: {type: http, ▸load_max_age: 60s}}',               ['it tells neither load nor capacity · add load: or capacity:']],
  ['an age of what no such check tells',       'checks: {web: {type: tcp, port: 1, ▸load_max_age: 60s}}',       ['a check of this type tells no load · take it out']],
  ['a key mistyped',                   'checks: {web: {type: tcp, port: 1, ▸evry: 10s}}',               ['unknown key evry · did you mean every?']],
  ['a key of another tool',            'checks: {web: {type: tcp, port: 1, ▸interval: 10s}}',           ['how often is said with every · write every: 10s']],
  ['a key of another type',            'checks: {web: {type: tcp, port: 1, ▸path: /}}',                 ['unknown key path']],
  ['a beginning that is none',         'checks: {web: {type: tcp, port: 1, initial: ▸maybe}}',          ['"maybe" cannot stand here']],
  ['RFC 9110 §15 no status code',      'checks: {web: {type: http, status: [▸99, ▸200-, ▸300-200, ▸600]}}', ['99 is no status code · write 100 … 599', '200- is no', '300-200 is no', '600 is no']],
  ['no status code at all',            'checks: {web: {type: http, status: ▸[]}}',                      ['an empty list']],
  ['a pattern that is none',           'checks: {web: {type: http, body: ▸/(/}}',                       ['/(/ is no pattern']],
  ['a text that all texts hold',       'checks: {web: {type: http, body: ▸""}}',                        ['nothing is held by every text']],
  ['RFC 9110 §5.6.2 no field name',    'checks: {web: {type: http, headers: {▸"X Y": a}}}',             ['X Y is no header field · write its name, like X-Load']],
  ['RFC 9112 §3.2.1 no path',          'checks: {web: {type: http, path: ▸healthz}}',                   ['healthz is no path of a URL · begin it with /']],
  ['a Host among others',              'checks: {web: {type: http, headers: {▸Host: a.example}}}',      ['Host is said with host · write host: www.example.com']],
  ['RFC 9112 §6 a field of ours',      'checks: {web: {type: http, headers: {▸Content-Length: "0"}}}', ['Content-Length is not yours to send · take it out']],
  ['RFC 9110 §5.5 no field value',     'checks: {web: {type: http, headers: {X: ▸"a\\nb"}}}',           ['a header field with characters that it cannot hold']],
  ['a Host header that is none',       'checks: {web: {type: http, host: ▸"a b"}}',                     ['a b is no host · write it like www.example.com']],
  ['RFC 6066 §3 an address as SNI',    'checks: {web: {type: tls, sni: ▸192.0.2.1}}',                   ['192.0.2.1 is no name that a certificate is of']],
  ['a file that is not there',         'checks: {web: {type: https, ca: ▸ca.pem}, ns: {type: grpc, port: 1, tls: on, ca: ▸ca.pem}}', ['cannot read ca.pem', 'cannot read ca.pem']],
  ['signers that do not matter',       'checks: {web: {type: tls, verify: off, ▸ca: own.pem}}',         ['any certificate will do: verify is off · take one of them out']],
  ['certificates without TLS',         'checks: {web: {type: tcp, port: 1, ▸ca: own.pem}}',             ['unknown key ca']],
  ['a load from nowhere',              'checks: {web: {type: http, ▸load: {}}}',                        ['neither header nor json · add header: or json:']],
  ['a load from two places',           'checks: {web: {type: http, load: {header: X, ▸json: a}}}',      ['both header and json · keep one of them']],
  ['a load that leads nowhere',        'checks: {web: {type: http, load: {json: ▸a..b}}}',              ['a..b leads nowhere']],
  ['dns without a question',           'checks: {▸ns: {type: dns}}',                                    ['query is missing']],
  ['a question of three words',        'checks: {ns: {type: dns, query: ▸example.com IN SOA}}',         ['example.com IN SOA is no question']],
  ['a type of record there is not',    'checks: {ns: {type: dns, query: ▸example.com SAO}}',            ['SAO is no type of record']],
  ['an RCODE there is not',            'checks: {ns: {type: dns, query: a.example, rcodes: [▸NXDOMIAN]}}', ['NXDOMIAN is no RCODE · did you mean NXDOMAIN?']],
  ['a program that is no path',        'checks: {own: {type: exec, command: [▸check]}}',                ['check is no path · write the whole path of the program']],
  ['no program at all',                'checks: {own: {type: exec, command: ▸[]}}',                     ['an empty list']],
  ['a push that is tried',             'checks: {own: {type: push, ▸every: 10s, ▸timeout: 2s}}',        ['nothing is tried: something pushes · say expires: 30s', 'nothing is tried: something pushes · say expires: 30s']],
  ['a push that is counted',           'checks: {own: {type: push, ▸fall: 3, ▸rise: 2}}',               ['one push decides, as does one that is missing · take it out', 'one push decides, as does one that is missing · take it out']],
  ['a push and an age of its own',     'checks: {own: {type: push, ▸load_max_age: 9s}}',                ['what is pushed counts as long as the push · say expires: 30s']],
  ['a push that counts for no time',   'checks: {own: {type: push, expires: ▸0s}}',                     ['no time at all · at least 1s']],
  ['checks that there are not',        'checks: {both: {type: all, of: [▸wbe]}, web: {type: http}}',    ['no check is called wbe · did you mean web?']],
  ['checks of checks',                 'checks: {a: {type: any, of: [web]}, b: {type: any, of: [▸a]}, web: {type: http}}', ['a tries nothing itself · name the checks that it counts']],
  ['a check twice',                    'checks: {a: {type: all, of: [web, ▸web]}, web: {type: http}}',  ['web stands here twice · name each check once']],
  ['more than there are',              'checks: {a: {type: some, at_least: ▸2, of: [web]}, web: {type: http}}', ['at least 2 of 1 is never met · at most 1']],
  ['some without how many',            'checks: {▸a: {type: some, of: [web]}, web: {type: http}}',      ['at_least is missing']],
] as const

describe('mistakes', () => {
  test.each(WRONG)('%s', (_, text, problems) => {
    const { piece, expected } = marked(text, problems)
    expect(cut(judge(piece, FILES).problems, expected)).toEqual(expected)
  })
})

/** What a check of the name `a` becomes, where pool `p` has it. */
function made(check: string) {
  const { config, problems } = judge(
    `checks:
  a: ${check}
  web: {type: http, every: 5s, fast_every: 1s, timeout: 3s, fall: 2, rise: 4, initial: down}
  ssh: {type: tcp, port: 22}
pools: {p: {check: a, targets: [192.0.2.1]}}`,
    FILES,
  )
  expect(problems).toEqual([])
  return config?.policy.pools[0]?.check
}

describe('the name that a certificate must be of, where only the host is given', () => {
  // biome-ignore format: table
  const NAMES = [
    ['the host',                                  'www.example.org',       'www.example.org'],
    ['RFC 9110 §7.2 a port is no part of it',     '"www.example.org:8443"', 'www.example.org'],
    ['a dot at the end neither',                  'www.example.org.',      'www.example.org'],
    ['nor both',                                  '"www.example.org.:443"', 'www.example.org'],
    ['RFC 6066 §3 an address is none',            '192.0.2.1',             undefined],
    ['nor with a port',                           '"192.0.2.1:443"',       undefined],
    ['nor one of IPv6',                           '"[2001:db8::1]:443"',   undefined],
    ['nor without brackets',                      '"2001:db8::1"',         undefined],
  ] as const
  test.each(NAMES)('%s', (_, host, name) => {
    expect(made(`{type: https, host: ${host}}`)?.of[0]?.trial).toMatchObject({ tls: { name } })
  })
})

const TIMES = { every: 10, fastEvery: 10, timeout: 2, maxAge: 30 }
const PACE = { ...TIMES, fall: 3, rise: 2, initial: 'last' } as const
const SILENT = { load: undefined, capacity: undefined }
const HTTP = {
  ...{ kind: 'http', port: 80, method: 'GET', path: '/', host: undefined, headers: [] },
  ...{ status: [[200, 399]], body: undefined, fields: [], tls: undefined, ...SILENT },
}
const TLS = { name: undefined, verify: 'on', ca: undefined, days: 0 }

// biome-ignore format: table
const MADE = [
  ['http', '{type: http}', HTTP],
  ['http in full', '{type: http, port: 8080, method: HEAD, path: /up?a=b, host: a.example, headers: {X: y}, status: [204, 300-302], body: ok, header: {Server: /^n/}, load: {header: X-Load}, capacity: {json: cpu.free}}',
    { ...HTTP, port: 8080, method: 'HEAD', path: '/up?a=b', host: 'a.example', headers: [['X', 'y']], status: [[204, 204], [300, 302]], body: { kind: 'holds', text: 'ok' },
      fields: [['Server', { kind: 'matches', source: '^n' }]], load: { kind: 'field', name: 'X-Load' }, capacity: { kind: 'json', path: ['cpu', 'free'] } }],
  ['https', '{type: https}', { ...HTTP, port: 443, tls: TLS }],
  ['https by the name of its host', '{type: https, host: a.example, days: 14}', { ...HTTP, port: 443, host: 'a.example', tls: { ...TLS, name: 'a.example', days: 14 } }],
  ['https by another name', '{type: https, host: a.example, sni: b.example, verify: off}', { ...HTTP, port: 443, host: 'a.example', tls: { ...TLS, name: 'b.example', verify: 'off' } }],
  ['tcp', '{type: tcp, port: 25}', { kind: 'tcp', port: 25 }],
  ['tls', '{type: tls, sni: a.example}', { kind: 'tls', port: 443, tls: { ...TLS, name: 'a.example' } }],
  ['tls by certificates of its own', '{type: tls, ca: own.pem}', { kind: 'tls', port: 443, tls: { ...TLS, ca: { path: 'own.pem', pem: 'certificates' } } }],
  ['dns', '{type: dns, query: a.example SOA, transport: tcp, rcodes: [noerror, NXDOMAIN]}', { kind: 'dns', port: 53, transport: 'tcp', type: 6, rcodes: [0, 3], name: Uint8Array.from([1, 97, 7, 101, 120, 97, 109, 112, 108, 101, 0]) }],
  ['exec', '{type: exec, command: [/bin/a, "{address}"], env: {B: c}}', { kind: 'exec', command: ['/bin/a', '{address}'], env: [['B', 'c']] }],
  ['file', '{type: file, path: "/run/{address}"}', { kind: 'file', path: '/run/{address}' }],
  ['grpc', '{type: grpc, port: 50051, service: s}', { kind: 'grpc', port: 50051, service: 's', tls: undefined }],
  ['grpc over TLS', '{type: grpc, port: 50051, tls: on, sni: a.example}', { kind: 'grpc', port: 50051, service: '', tls: { ...TLS, name: 'a.example' } }],
] as const

describe('what a check becomes', () => {
  test.each(MADE)('%s', (_, check, trial) => {
    expect(made(check)).toEqual({ name: 'a', need: 1, of: [{ name: 'a', ...PACE, trial }] })
  })

  // biome-ignore format: table
  const PUSHES = [
    ['30 s, if nothing is said', '{type: push}', 30, 'last'],
    ['as long as it says', '{type: push, expires: 2m, initial: down}', 120, 'down'],
  ] as const
  test.each(PUSHES)('a push counts %s', (_, check, expires, initial) => {
    const times = { every: expires, fastEvery: expires, maxAge: expires, timeout: 0 }
    const pace = { ...times, fall: 1, rise: 1, initial }
    expect(made(check)?.of).toEqual([{ name: 'a', ...pace, trial: { kind: 'push' } }])
  })

  // biome-ignore format: table
  const AGES = [
    ['{type: http, load: {header: X-Load}, every: 20s}', 60],
    ['{type: https, capacity: {json: cpu}, load_max_age: 1m}', 60],
    ['{type: exec, command: [/bin/a], load_max_age: 10s}', 10],
    ['{type: file, path: a, load_max_age: 2h}', 7200],
  ] as const
  test.each(AGES)('how long counts what is told by %s', (check, maxAge) => {
    expect(made(check)?.of[0]).toMatchObject({ maxAge })
  })

  // biome-ignore format: table
  const TOGETHER = [
    ['all', '{type: all, of: [web, ssh]}', 2],
    ['any', '{type: any, of: [web, ssh]}', 1],
    ['some', '{type: some, at_least: 1, of: [web, ssh]}', 1],
  ] as const
  test.each(TOGETHER)('%s of several', (_, check, need) => {
    const web = { every: 5, fastEvery: 1, timeout: 3, fall: 2, rise: 4, initial: 'down' }
    expect(made(check)).toMatchObject({
      name: 'a',
      need,
      of: [{ name: 'web', ...web }, { name: 'ssh' }],
    })
  })
})
