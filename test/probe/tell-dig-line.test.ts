/** Queries as lines of dig. That dig takes them so is shown in `test/cross`. */
import { describe, expect, test } from 'vitest'
import { type DigQuery, digLine } from '../../probe/tell/dig-line.ts'

const TO = { address: '192.0.2.1', port: 53, transport: 'udp' } as const
const PLAIN: DigQuery = {
  name: 'www.example.com', type: 'A', recursion: 'not-desired', size: 1232, subnet: undefined,
  nsid: 'asked', padding: 'none', others: [], to: TO,
} // biome-ignore format: table

const START = 'dig @192.0.2.1 www.example.com A'
const REST = '+norecurse +noadflag +nocookie +nsid +bufsize=1232'

// biome-ignore format: table
const ROWS: readonly (readonly [string, Partial<DigQuery>, string])[] = [
  ['UDP',                    {},                                              `${START} ${REST}`],
  ['a port',                 { to: { ...TO, port: 5300 } },                   `dig @192.0.2.1 -p 5300 www.example.com A ${REST}`],
  ['asked from',             { to: { ...TO, from: '192.0.2.9#5353' } },        `dig @192.0.2.1 -b '192.0.2.9#5353' www.example.com A ${REST}`],
  ['RFC 7871 a subnet',      { subnet: '198.51.100.0/24' },                   `${START} +subnet=198.51.100.0/24 ${REST}`],
  ['RD',                     { recursion: 'desired' },                        `${START} ${REST.replace('+norecurse', '+recurse')}`],
  ['no EDNS',                { size: undefined },                             `${START} +norecurse +noadflag +nocookie +noedns`],
  ['an unknown option',      { others: [{ code: 65432, hex: '01' }] },        `${START} +norecurse +noadflag +nocookie +nsid +ednsopt=65432:01 +bufsize=1232`],
  ['TCP',                    { to: { ...TO, transport: 'tcp' } },             `${START} ${REST} +tcp`],
  ['ANY is over UDP too',    { type: 'ANY' },                                 `dig @192.0.2.1 www.example.com ANY ${REST} +notcp`],
  ['a name like a type',     { name: 'mx' },                                  `dig @192.0.2.1 -q mx A ${REST}`],
  ['the root',               { name: '.' },                                   `dig @192.0.2.1 . A ${REST}`],
  ['a name like an option',  { name: '+a.example' },                          `dig @192.0.2.1 -q +a.example A ${REST}`],
  ['a name for the shell',   { name: "a$(b)';.example" },                     `dig @192.0.2.1 'a$(b)'\\'';.example' A ${REST}`],
  ['TLS, opportunistic',     { padding: 'blocks', to: { ...TO, port: 853, transport: 'tls' } }, `${START} ${REST} +padding=128 +tls`],
  ['TLS, strict',            { to: { ...TO, port: 853, transport: 'tls', name: 'dns.example' } }, `${START} ${REST} +tls +tls-ca +tls-hostname=dns.example`],
  ['TLS, own authorities',   { to: { ...TO, port: 853, transport: 'tls', ca: 'my ca.pem' } }, `${START} ${REST} +tls '+tls-ca=my ca.pem'`],
  ['TLS, pinned',            { to: { ...TO, port: 853, transport: 'tls', pins: 1 } }, `${START} ${REST} +tls # dig checks no pinned key`],
  ['HTTPS, POST',            { to: { ...TO, port: 443, transport: 'https', path: '/dns-query', method: 'post' } }, `${START} ${REST} +https=/dns-query`],
  ['HTTPS, GET',             { to: { ...TO, port: 8443, transport: 'https', path: '/q', method: 'get' } }, `dig @192.0.2.1 -p 8443 www.example.com A ${REST} +https-get=/q`],
  ['JSON',                   { to: { ...TO, port: 443, transport: 'json', name: 'dns.example', url: 'https://dns.example/resolve?name=x&type=A' } }, "curl -s -H 'accept: application/dns-json' --resolve dns.example:443:192.0.2.1 'https://dns.example/resolve?name=x&type=A'"],
]

describe('a query as a line', () => {
  for (const [rule, over, line] of ROWS) {
    test(rule, () => expect(digLine({ ...PLAIN, ...over })).toBe(line))
  }
})
