/** The notes about whose service an alias leads to, and whose name servers a zone is on. */
import { expect, test } from 'vitest'
import { hostNote, providerNote } from '../../probe/tell/providers.ts'

// biome-ignore format: table
const TABLE: readonly (readonly [rule: string, modifiers: readonly string[], note: RegExp | undefined])[] = [
  ['a host below the suffix',        ['cname-to:d111.cloudfront.net'],             /^CloudFront \(cloudfront\.net\) /],
  ['among other words, in any case', ['mixed-ns', 'cname-to:E1.EdgeKey.net'],      /^Akamai \(edgekey\.net\) /],
  ['the second of two ends',         ['cname-to:a.test', 'cname-to:b.cachefly.net'], /^CacheFly /],
  ['no alias',                       ['rotates-within-region'],                    undefined],
  ['an alias to somebody else',      ['cname-to:edge.example.net'],                undefined],
  ['a name that only ends alike',    ['cname-to:notcloudfront.net'],               undefined],
  ['a suffix inside a name',         ['cname-to:cloudfront.net.example.com'],      undefined],
]

for (const [rule, modifiers, note] of TABLE) {
  test(rule, () => {
    if (note === undefined) expect(providerNote(modifiers)).toBeUndefined()
    else expect(providerNote(modifiers)).toMatch(note)
  })
}

// biome-ignore format: table
const HOSTS: readonly (readonly [rule: string, nameServers: readonly string[], note: RegExp | undefined])[] = [
  ['Route 53',                         ['ns-1536.awsdns-00.co.uk', 'ns-0.awsdns-00.com'],  /^name servers of Route 53 \(awsdns-00\.co\.uk\), which takes .* \(Route 53 Developer Guide\)$/],
  ['NS1, in any case',                 ['DNS1.P01.NSONE.NET'],                             /^name servers of NS1 \(nsone\.net\), which /],
  ['Akamai',                           ['a1-67.akam.net'],                                 /^name servers of Akamai \(akam\.net\), which tailors /],
  ['Azure: nothing is known',          ['ns1-01.azure-dns.com'],                           /^name servers of Azure DNS \(azure-dns\.com\)$/],
  ['Cloudflare',                       ['amy.ns.cloudflare.com'],                          /^name servers of Cloudflare \(ns\.cloudflare\.com\), which /],
  ['Google Cloud DNS',                 ['ns-cloud-a1.googledomains.com'],                  /^name servers of Google \(googledomains\.com\)$/],
  ['Google itself',                    ['ns1.google.com'],                                 /^name servers of Google \(google\.com\)$/],
  ['UltraDNS',                         ['pdns1.ultradns.net'],                             /^name servers of UltraDNS \(ultradns\.net\)$/],
  ['Dyn',                              ['ns1.p01.dynect.net'],                             /^name servers of Dyn /],
  ['DNSimple',                         ['ns1.dnsimple.com'],                               /^name servers of DNSimple /],
  ['the second of two',                ['ns1.example.net', 'dns2.p01.nsone.net'],          /^name servers of NS1 /],
  ['nobody known',                     ['ns1.lab.test'],                                   undefined],
  ['a name that only ends alike',      ['ns1.notakam.net'],                                undefined],
  ['a suffix inside a name',           ['ns1.akam.net.example.com'],                       undefined],
  ['found by no NS record',            [],                                                 undefined],
]

test.each(HOSTS)('%s', (_, nameServers, note) => {
  if (note === undefined) expect(hostNote(nameServers)).toBeUndefined()
  else expect(hostNote(nameServers)).toMatch(note)
})
