/** Who may ask the admin API, and who is told of events: mistakes, and what is made of it. */
import { describe, expect, test } from 'vitest'
import { cut, judge, marked } from '../kit/config.ts'

const URL = 'https://hooks.example.com/lbdns'
const nine = Array.from({ length: 9 }, (_, i) => `${i === 8 ? '▸' : ''}https://${i}.example.com`)

// biome-ignore format: table
const WRONG = [
  // rule                                  text                                                       problems
  ['admin: a host name',                   'admin: ▸localhost',                                       ['cannot listen on localhost: localhost is not an IP address · write an address of this machine, like 127.0.0.1:8053']],
  ['admin: a port too large',              'admin: {listen: ▸"127.0.0.1:65536"}',                     ['cannot listen on 127.0.0.1:65536: "65536" is not a port']],
  ['admin: a number',                      'admin: ▸8053',                                            ['expected an address, or a mapping with listen and token_file, found number 8053']],
  ['admin: a list',                        'admin: ▸[127.0.0.1]',                                     ['expected an address, or a mapping with listen and token_file, found a list']],
  ['admin: nothing',                       '▸admin:',                                                 ['expected an address, or a mapping with listen and token_file, found nothing']],
  ['admin: a key mistyped',                'admin: {▸tokenfile: a.token}',                            ['unknown key tokenfile · did you mean token_file?']],
  ['admin: no path of tokens',             'admin: {token_file: ▸" "}',                               ['not a path · write the path of a file']],
  ['admin: for others, without a token',   'admin:\n  listen: ▸192.0.2.1:8053',                       ['others than this machine may reach 192.0.2.1, and could steer · add token_file: with the path of a file of tokens']],
  ['admin: for others, in short',          'admin: ▸192.0.2.1:8053',                                  ['others than this machine may reach 192.0.2.1, and could steer · write {listen: "192.0.2.1:8053", token_file: …}']],
  ['admin: a wildcard without a token',    'admin: {listen: ▸0.0.0.0}',                               ['others than this machine may reach 0.0.0.0']],
  ['admin: IPv6, without a token',         'admin: {listen: ▸"[::]:8053"}',                           ['others than this machine may reach ::']],
  ['RFC 4291 §2.5.5.2 mapped, not loopback', 'admin: {listen: ▸"[::ffff:192.0.2.1]:8053"}',           ['others than this machine may reach ::ffff:192.0.2.1']],
  ['admin: link-local, without a token',   'admin: {listen: ▸"[fe80::1%eth0]:8053"}',                 ['others than this machine may reach fe80::1%eth0']],
  ['admin: token_file mistyped, once',     'admin: {listen: 192.0.2.1, ▸token_fle: a}',               ['unknown key token_fle · did you mean token_file?']],
  ['admin: token_file wrong, once',        'admin: {listen: 192.0.2.1, token_file: ▸5}',              ['expected text, found number 5']],
  ['events: a key there is not',           'events: {▸webhooks: []}',                                 ['unknown key webhooks · did you mean webhook?']],
  ['events: a list',                       `events: ▸[${URL}]`,                                       ['expected a mapping, found a list']],
  ['webhook: a number',                    'events: {webhook: ▸5}',                                   ['expected a URL, a mapping with url, or a list of them, found number 5']],
  ['webhook: an empty list',               'events: {webhook: ▸[]}',                                  ['an empty list · give it at least 1 item']],
  ['webhook: a list of a number',          `events: {webhook: [${URL}, ▸5]}`,                         ['expected a URL, or a mapping with url, found number 5']],
  ['webhook: another scheme',              'events: {webhook: ▸"ftp://hooks.example.com/"}',          ['ftp://hooks.example.com/ is no URL to post to · write it like https://hooks.example.com/lbdns']],
  ['webhook: a host alone',                'events: {webhook: ▸hooks.example.com}',                   ['hooks.example.com is no URL to post to']],
  ['webhook: no host',                     'events: {webhook: ▸"https://"}',                          ['https:// is no URL to post to']],
  ['webhook: no port',                     'events: {webhook: ▸"https://a.example:99999/"}',          ['https://a.example:99999/ is no URL to post to']],
  ['webhook: a blank',                     'events: {webhook: ▸"https://a.example/a b"}',             ['https://a.example/a b is no URL to post to']],
  ['webhook: a fragment',                  'events: {webhook: ▸"https://a.example/#b"}',              ['https://a.example/#b is no URL to post to']],
  ['webhook: a password',                  'events: {webhook: ▸"https://a:b@a.example/"}',            ['a URL with a password ends up where URLs are shown · use token_file:']],
  ['webhook: no URL',                      'events: {▸webhook: {token_file: a}}',                     ['url is missing']],
  ['webhook: a key mistyped',              `events: {webhook: {url: "${URL}", ▸token: a}}`,           ['unknown key token']],
  ['webhook: a kind there is not',         `events: {webhook: {url: "${URL}", kinds: [verdict, ▸overide]}}`, ['overide is no kind of event · did you mean override?']],
  ['webhook: no kind at all',              `events: {webhook: {url: "${URL}", kinds: ▸[]}}`,          ['an empty list']],
  ['webhook: a token over plain HTTP',     'events: {webhook: {url: ▸"http://a.example/", token_file: a}}', ['over plain HTTP the token can be read on its way · write https://']],
  ['webhook: one URL twice',               `events:\n  webhook:\n    - ${URL}\n    - ▸{url: "${URL}"}`, [`${URL} stands in webhook twice · keep one of them`]],
  ['webhook: nine',                        `events: {webhook: ["${nine.join('", "')}"]}`.replace('"▸', '▸"'), ['more than 8 webhooks · let one of them tell others']],
  ['webhook: two mistakes in two',         'events: {webhook: [▸a, {url: ▸b}]}',                      ['a is no URL to post to', 'b is no URL to post to']],
] as const

describe('mistakes', () => {
  test.each(WRONG)('%s', (_, text, problems) => {
    const { piece, expected } = marked(text, problems)
    expect(cut(judge(piece).problems, expected)).toEqual(expected)
  })
})

const at = (line: number, column: number) => ({ file: 'lbdns.yaml', line, column })
const none = { tokenFile: undefined }

// biome-ignore format: table
const ADMIN = [
  ['admin: 127.0.0.1:8054',                              { host: '127.0.0.1', port: 8054, at: at(1, 8) }],
  ['admin: 127.255.255.254',                             { host: '127.255.255.254', port: 8053, at: at(1, 8) }],
  ['admin: "::1"',                                       { host: '::1', port: 8053, at: at(1, 8) }],
  ['admin: "[::ffff:127.0.0.1]:80"',                     { host: '::ffff:127.0.0.1', port: 80, at: at(1, 8) }],
  ['admin: {}',                                          { host: '127.0.0.1', port: 8053, ...none, at: at(1, 1) }],
  ['admin: {listen: "[::1]:9"}',                         { host: '::1', port: 9, ...none, at: at(1, 17) }],
  ['admin:\n  listen: 192.0.2.1\n  token_file: a.token', { host: '192.0.2.1', port: 8053, tokenFile: { path: 'a.token', at: at(3, 15) }, at: at(2, 11) }],
] as const

describe('admin', () => {
  test.each(ADMIN)('%s', (text, expected) => {
    const { config, problems } = judge(text)
    expect(problems).toEqual([])
    expect(config?.admin).toEqual(expected)
  })
})

const bare = { tokenFile: undefined, secretFile: undefined, kinds: undefined }

// biome-ignore format: table
const HOOKS = [
  [`events: {webhook: "${URL}"}`,                        [{ url: URL, ...bare, at: at(1, 19) }]],
  [`events: {webhook: [http://a.example, {url: "http://[::1]:80/?a=b", token_file: t}]}`,
    [{ url: 'http://a.example', ...bare, at: at(1, 20) }, { ...bare, url: 'http://[::1]:80/?a=b', tokenFile: { path: 't', at: at(1, 80) }, at: at(1, 38) }]],
  [`events:\n  webhook:\n    url: http://localhost/a\n    token_file: t\n    secret_file: s\n    kinds: [reload refused]`,
    [{ url: 'http://localhost/a', tokenFile: { path: 't', at: at(4, 17) }, secretFile: { path: 's', at: at(5, 18) }, kinds: ['reload refused'], at: at(3, 5) }]],
  ['events: {}',                                         []],
] as const

describe('webhooks', () => {
  test.each(HOOKS)('%s', (text, expected) => {
    const { config, problems } = judge(text)
    expect(problems).toEqual([])
    expect(config?.webhooks).toEqual(expected)
  })
})
