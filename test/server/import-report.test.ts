/**
 * The report of an import, and what all importers share: configurations that read as they were
 * meant, and the countries there are.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { by, pools, pruned, sequence } from '../../server/import/choice.ts'
import { draft } from '../../server/import/draft.ts'
import type { Account } from '../../server/import/imported.ts'
import { continentOf, isCountry } from '../../server/import/iso.ts'
import { compatible, prefixText } from '../../server/import/prefixes.ts'
import { reportJson, reportText } from '../../server/import/report.ts'
import { draftText } from '../../server/import/write.ts'
import { splitText } from '../../server/import/zone-text.ts'

const REPORT: readonly Account[] = [
  { fidelity: 'exact', file: 'a', line: 9, what: 'one', here: '' },
  { fidelity: 'changed', file: 'a', line: 5, what: 'two', here: 'so' },
  { fidelity: 'exact', file: 'a', line: 2, what: 'three\u001b', here: 'there' },
  { fidelity: 'unsupported', file: 'b', line: 0, what: 'four', here: 'instead' },
]

describe('the report', () => {
  test('as text: what needs attention first, then by place', () => {
    expect(reportText(REPORT)).toBe(`1 unsupported, 1 changed, 2 exact

Not imported:
  b: four · instead

Imported with a change:
  a:5: two · so

Imported as it was:
  a:2: three\\x1b · there
  a:9: one
`)
  })

  test('as JSON: one document', () => {
    const document = JSON.parse(reportJson(REPORT))
    expect(document.counts).toEqual({ exact: 2, changed: 1, unsupported: 1 })
    expect(document.accounts.map((account: Account) => account.line)).toEqual([0, 5, 2, 9])
    expect(document.accounts[0]).toEqual(REPORT[3])
  })

  test('of nothing', () => {
    expect(reportText([])).toBe('0 unsupported, 0 changed, 0 exact\n')
  })
})

describe('what is written', () => {
  test.each(['a: b', 'no', '*', '- x', '#', '"', '1.5', 'a,b', '[x]', 'é', '::', ' ', 'null'])(
    'a pool called %j reads as it was meant',
    name => {
      const made = draft()
      made.zones.push('a.zone')
      made.pools.set(name, {
        targets: [{ kind: 'ipv6', text: '::1', weight: 1 }],
        serves: { kind: 'all' },
        note: 'one\u0007line\nanother',
      })
      const choose = by([{ level: 'countries', key: 'NO', to: pools(name) }], pools(name))
      const rule = { at: { file: '', line: 0 }, note: '', ttl: { max: 5, min: 5 }, choose }
      made.rules.set('*.example.com', { ...rule, pick: 'shuffle' })
      const read = parse(draftText(made))
      expect(read.pools[name].targets).toEqual(['::1'])
      expect(read.steer['*.example.com'].by).toEqual({ countries: { NO: [name] }, default: [name] })
    },
  )
})

describe('choices', () => {
  const a = pools('a')
  const b = pools('b')

  test('one behind the other: every list of the first with every list of the second', () => {
    const first = by([{ level: 'countries', key: 'DE', to: a }], b)
    const then = by([{ level: 'asns', key: 'AS1', to: b }], pools('c'))
    expect(sequence(first, then)).toEqual(
      by(
        [
          {
            level: 'countries',
            key: 'DE',
            to: by([{ level: 'asns', key: 'AS1', to: pools('a', 'b') }], pools('a', 'c')),
          },
        ],
        by([{ level: 'asns', key: 'AS1', to: b }], pools('b', 'c')),
      ),
    )
  })

  test('branches that say the same as their default go', () => {
    expect(pruned(by([{ level: 'countries', key: 'DE', to: a }], a))).toEqual(a)
  })

  test('a part of a country that gets what the country gets goes', () => {
    const country = { level: 'countries', key: 'US', to: a } as const
    const part = { level: 'subdivisions', key: 'US-CA', to: a } as const
    const other = { level: 'subdivisions', key: 'US-TX', to: b } as const
    expect(pruned(by([part, other, country], b))).toEqual(by([other, country], b))
  })
})

describe('prefixes', () => {
  // biome-ignore format: table
  test.each([
    ['10.1.2.3/8',          '10.0.0.0/8'],
    ['192.0.2.1',           '192.0.2.1/32'],
    ['2001:DB8::1/32',      '2001:db8::/32'],
    ['::/0',                '::/0'],
    ['10.0.0.0/33',         undefined],
    ['10.0.0.0/',           undefined],
    ['example.com',         undefined],
  ])('%s is %s', (text, prefix) => {
    expect(prefixText(text)).toBe(prefix)
  })

  // biome-ignore format: table
  test.each([
    ['::c000:200/120',      '192.0.2.0/24'],
    ['::/96',               '0.0.0.0/0'],
    ['::/95',               '::/95'],
    ['2001:db8::/120',      '2001:db8::/120'],
  ])('RFC 4291 §2.5.5.1 %s is %s', (prefix, ipv4) => {
    expect(compatible(prefix)).toBe(ipv4)
  })
})

describe('texts of zones (RFC 1035 §3.3)', () => {
  // biome-ignore format: table
  test.each([
    ['none',                             '',                         ['""']],
    ['255 octets are one string',        'x'.repeat(255),            [`"${'x'.repeat(255)}"`]],
    ['256 are two',                      'x'.repeat(256),            [`"${'x'.repeat(255)}"`, '"x"']],
    ['an escape counts as one octet',    `${'x'.repeat(254)}\\"y`,   [`"${'x'.repeat(254)}\\""`, '"y"']],
    ['a character of two octets is whole', `${'x'.repeat(254)}é`,    [`"${'x'.repeat(254)}"`, '"é"']],
  ])('%s', (_, text, strings) => {
    expect(splitText(text)).toEqual(strings)
  })
})

test('the countries there are, and their continents, are those of data/geo', () => {
  const rows = readFileSync('data/geo/countries.csv', 'utf8').trim().split('\n').slice(1)
  for (const row of rows) {
    const [country = '', continent] = row.split(',')
    expect(continentOf(country), country).toBe(continent)
  }
  const all = rows.map(row => row.slice(0, 2))
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const codes = letters.flatMap(first => letters.map(second => first + second))
  expect(codes.filter(isCountry)).toEqual(all.toSorted())
})
