/** Prefixes, and named lists of them: inline and in files. */
import { describe, expect, test } from 'vitest'
import { prefixFrom } from '../../server/config/prefix.ts'
import { isWrong } from '../../server/fault.ts'
import { cut, judge, marked } from '../kit/config.ts'

// biome-ignore format: table
const PREFIXES = [
  // rule                                   text                       octets in hex, and bits; or what is wrong
  ['RFC 4632 §3.1 IPv4',                    '203.0.113.0/24',          'cb007100/24'],
  ['RFC 4632 §3.1 everything',              '0.0.0.0/0',               '00000000/0'],
  ['RFC 4291 §2.3 IPv6',                    '2001:db8:5::/48',         '20010db8000500000000000000000000/48'],
  ['RFC 4291 §2.3 everything',              '::/0',                    '00000000000000000000000000000000/0'],
  ['a bare IPv4 address counts in full',    '192.0.2.1',               'c0000201/32'],
  ['a bare IPv6 address counts in full',    '2001:DB8::1',             '20010db8000000000000000000000001/128'],
  ['RFC 4291 §2.2 dotted quad at the end',  '::ffff:192.0.2.0/120',    '00000000000000000000ffffc0000200/120'],
  ['BC-148 a /31 stays IPv4 and a /31',     '192.0.2.0/31',            'c0000200/31'],
  ['BC-147 a leading zero in a prefix',     '192.000.2.0/24',          '192.000.2.0 has a leading zero · write each number without leading zeros'],
  ['BC-147 a leading zero in an address',   '010.0.2.1',               '010.0.2.1 has a leading zero · write each number without leading zeros'],
  ['BC-147 a leading zero in the embedded', '::ffff:192.0.2.01',       '::ffff:192.0.2.01 has a leading zero · write each number without leading zeros'],
  ['bits past the prefix, IPv4',            '10.1.2.3/8',              '10.1.2.3/8 has bits set past /8 · write 10.0.0.0/8'],
  ['bits past the prefix, IPv6',            '2001:db8::1/32',          '2001:db8::1/32 has bits set past /32 · write 2001:db8::/32'],
  ['one bit past the prefix',               '192.0.2.1/31',            '192.0.2.1/31 has bits set past /31 · write 192.0.2.0/31'],
  ['a prefix length too long, IPv4',        '192.0.2.0/33',            '192.0.2.0/33 has no valid prefix length · write /0 to /32, without leading zeros'],
  ['a prefix length too long, IPv6',        '::/129',                  '::/129 has no valid prefix length · write /0 to /128, without leading zeros'],
  ['a prefix length with a leading zero',   '192.0.2.0/024',           '192.0.2.0/024 has no valid prefix length · write /0 to /32, without leading zeros'],
  ['no prefix length behind the slash',     '192.0.2.0/',              '192.0.2.0/ has no valid prefix length · write /0 to /32, without leading zeros'],
  ['a netmask',                             '192.0.2.0/255.255.255.0', '192.0.2.0/255.255.255.0 has no valid prefix length · write /0 to /32, without leading zeros'],
  ['three octets',                          '192.0.2/24',              '192.0.2 is not an IP address · write it like 192.0.2.1 or 2001:db8::1'],
  ['an octet over 255',                     '192.0.2.256',             '192.0.2.256 is not an IP address · write it like 192.0.2.1 or 2001:db8::1'],
  ['two gaps',                              '1::2::3',                 '1::2::3 is not an IP address · write it like 192.0.2.1 or 2001:db8::1'],
  ['a zone',                                'fe80::1%eth0',            'fe80::1%eth0 is not an IP address · write it like 192.0.2.1 or 2001:db8::1'],
  ['a word',                                'office',                  'office is not an IP address · write it like 192.0.2.1 or 2001:db8::1'],
  ['nothing',                               '',                        'nothing is not an IP address · write it like 192.0.2.1 or 2001:db8::1'],
] as const

describe('prefixes', () => {
  for (const [rule, text, expected] of PREFIXES) {
    test(rule, () => {
      const read = prefixFrom(text)
      const shown = isWrong(read)
        ? [read.wrong, ...(read.fix === undefined ? [] : [read.fix])].join(' · ')
        : `${Array.from(read.octets, octet => octet.toString(16).padStart(2, '0')).join('')}/${read.bits}`
      expect(shown).toBe(expected)
    })
  }
})

// biome-ignore format: table
const WRONG = [
  // rule                          text                                                   problems
  ['an empty list',                'networks: {office: ▸[]}',                              ['an empty list']],
  ['nothing',                      'networks:\n  ▸office:',                                ['expected a list of prefixes, or a mapping with file, found nothing']],
  ['a text',                       'networks: {office: ▸192.0.2.0/24}',                    ['expected a list of prefixes, or a mapping with file, found "192.0.2.0/24"']],
  ['every bad prefix, in place',   'networks: {office: [▸192.0.2.1/24, 10.0.0.0/8, ▸x]}',   ['192.0.2.1/24 has bits', 'x is not an IP address']],
  ['another key beside file',      'networks: {office: {file: n.txt, ▸url: x}}',           ['unknown key url · known: file']],
  ['file mistyped',                'networks: {office: {▸fiel: n.txt}}',                   ['unknown key fiel · did you mean file?']],
  ['a file that cannot be read',   'networks: {office: {file: ▸gone.txt}}',                ['cannot read gone.txt']],
  ['an empty name',                'networks: {▸"": [192.0.2.0/24]}',                      ['an empty name · give it a name']],
] as const

describe('networks', () => {
  for (const [rule, text, problems] of WRONG) {
    test(rule, () => {
      const { piece, expected } = marked(text, problems)
      const { problems: found } = judge(piece, { 'n.txt': '192.0.2.0/24\n' })
      expect(cut(found, expected)).toEqual(expected)
    })
  }

  test('every prefix has its place', () => {
    const { config } = judge('networks:\n  office: [192.0.2.0/24, 2001:db8::/32]\n')
    expect(config?.policy.networks).toEqual([
      {
        name: 'office',
        prefixes: [
          {
            family: 4,
            octets: Uint8Array.of(192, 0, 2, 0),
            bits: 24,
            at: { file: 'lbdns.yaml', line: 2, column: 12 },
          },
          {
            family: 6,
            octets: Uint8Array.of(0x20, 1, 0x0d, 0xb8, ...new Array<number>(12).fill(0)),
            bits: 32,
            at: { file: 'lbdns.yaml', line: 2, column: 26 },
          },
        ],
      },
    ])
  })
})

describe('networks files', () => {
  const NAMED =
    'networks: {partners: {file: n.txt}}\nsteer: {a.example.com: {by: {networks: {partners: [fra]}, default: [iad]}}}'

  test('comments, blank lines, blanks and bare addresses', () => {
    const text = '# ours\n192.0.2.0/24\n\n  10.0.0.0/8 ; theirs\r\n\t2001:db8::1# one host\n'
    const { config, problems } = judge(NAMED, { 'n.txt': text })
    const prefixes = config?.policy.networks[0]?.prefixes.map(({ bits, at }) => [
      bits,
      at.line,
      at.column,
    ])
    expect(problems).toEqual([])
    expect(prefixes).toEqual([
      [24, 2, 1],
      [8, 4, 3],
      [128, 5, 2],
    ])
    expect(config?.networkFiles).toEqual([
      { path: 'n.txt', at: { file: 'lbdns.yaml', line: 1, column: 29 } },
    ])
  })

  test('every bad line, in the file itself', () => {
    const { problems } = judge(NAMED, {
      'n.txt': '192.0.2.0/24\n  10.1.2.3/8\n192.0.2.0/24 10.0.0.0/8\n',
    })
    expect(problems).toEqual([
      'n.txt:2:3 10.1.2.3/8 has bits set past /8 · write 10.0.0.0/8',
      'n.txt:3:1 192.0.2.0/24 10.0.0.0/8 has no valid prefix length · write /0 to /32, without leading zeros',
    ])
  })

  test('are read even where the configuration is wrong', () => {
    const { problems } = judge(`workers: 0\n${NAMED}`, { 'n.txt': 'x\n' })
    expect(problems).toEqual([
      '1:10 0 is out of range · at least 1',
      'n.txt:1:1 x is not an IP address · write it like 192.0.2.1 or 2001:db8::1',
    ])
  })

  test('a byte order mark is no part of the first line', () => {
    for (const mark of ['\uFEFF', '\u00EF\u00BB\u00BF']) {
      const { problems } = judge(NAMED, { 'n.txt': `${mark}192.0.2.0/24\n` })
      expect(problems).toEqual([])
    }
  })

  test('BC-033 100,000 networks are read in a moment', () => {
    const lines = Array.from(
      { length: 100_000 },
      (_, n) => `10.${(n >> 8) & 255}.${n & 255}.${(n >> 16) & 1}/32`,
    )
    const { config } = judge(NAMED, { 'n.txt': lines.join('\n') })
    expect(config?.policy.networks[0]?.prefixes).toHaveLength(100_000)
  }, 30_000)

  test('every line may be wrong', () => {
    const { problems } = judge(NAMED, { 'n.txt': 'x\n'.repeat(150_000) })
    expect(problems).toHaveLength(150_000)
  }, 30_000)

  test('an empty one is a warning', () => {
    const { config, warnings } = judge(NAMED, { 'n.txt': '# nobody yet\n' })
    expect(config?.policy.networks[0]?.prefixes).toEqual([])
    expect(warnings).toContain('1:29 network partners is empty: its file has no prefix')
  })
})
