/** The note about whose service an alias leads to. */
import { expect, test } from 'vitest'
import { providerNote } from '../../probe/tell/providers.ts'

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
