/** Latency files: their rows, and what rules that read them need. */
import { describe, expect, test } from 'vitest'
import { latencyRows } from '../../server/config/latency.ts'
import { type At, remarks } from '../../server/fault.ts'
import { cut, judge, marked } from '../kit/config.ts'

const POOLS =
  'pools: {fra: {at: {country: DE}, targets: [192.0.2.1]}, iad: {at: {country: US}, targets: [192.0.2.2]}, gru: {targets: [192.0.2.3]}}\n'
const RULE = `${POOLS}steer: {a.example.com: {latency: {file: rtt.csv}}}\n`

// biome-ignore format: table
const WRONG = [
  // rule                             the file                                     problems
  ['too few columns',                 '▸192.0.2.0/24,fra\n',                       ['2 columns, and a row has 3 · write prefix,pool,ms']],
  ['one column',                      '▸192.0.2.0/24\n',                           ['1 column, and a row has 3']],
  ['too many columns',                '192.0.2.0/24,fra,10,▸20\n',                 ['4 columns, and a row has 3']],
  ['a prefix with bits past it',      '▸192.0.2.1/24,fra,10\n',                    ['192.0.2.1/24 has bits set past /24 · write 192.0.2.0/24']],
  ['a prefix that is none',           '▸fra,fra,10\n',                             ['fra is not an IP address']],
  ['a prefix too long',               '▸192.0.2.0/33,fra,10\n',                    ['192.0.2.0/33 has no valid prefix length']],
  ['no prefix',                       '▸,fra,10\n',                                ['nothing is not an IP address']],
  ['a pool that is none',             '192.0.2.0/24,▸frra,10\n',                   ['no pool is called frra · did you mean fra?']],
  ['a pool like no other',            '192.0.2.0/24,▸sydney,10\n',                 ['no pool is called sydney · known: fra, iad, gru']],
  ['no pool',                         '192.0.2.0/24,▸,10\n',                       ['a row without a pool · write prefix,pool,ms']],
  ['no time',                         '192.0.2.0/24,fra,▸\n',                      ['"" is no number of milliseconds · write one, 0 or more, like 12.5']],
  ['a time below 0',                  '192.0.2.0/24,fra,▸-1\n',                    ['-1 is no number of milliseconds']],
  ['a time that is no number',        '192.0.2.0/24,fra,▸NaN\n192.0.2.0/24,iad,▸fast\n', ['NaN is no number', 'fast is no number']],
  ['a time without end',              '192.0.2.0/24,fra,▸1e999\n192.0.2.0/24,iad,▸Infinity\n', ['1e999 is no number', 'Infinity is no number']],
  ['a time with its unit',            '192.0.2.0/24,fra,▸10ms\n',                  ['10ms is no number']],
  ['a time in hexadecimal',           '192.0.2.0/24,fra,▸0x10\n',                  ['0x10 is no number']],
  ['every mistake of a row',          '▸x , ▸y , ▸z\n',                            ['x is not an IP address', 'no pool is called y', 'z is no number']],
  ['the same prefix and pool',        '192.0.2.0/24,fra,10\n192.0.2.0/24,iad,10\n▸192.0.2.0/24,fra,11\n', ['192.0.2.0/24 and fra stand here twice · keep one of the rows']],
  ['the same address, once bare',     '192.0.2.1,fra,10\n▸192.0.2.1/32,fra,10\n',  ['192.0.2.1/32 and fra stand here twice']],
  ['a head line that is another',     '▸network,▸site,▸ms\n',                      ['network is not an IP address', 'no pool is called site', 'ms is no number']],
  ['a head line further down',        '192.0.2.0/24,fra,1\n▸prefix,▸pool,▸ms\n',   ['prefix is not', 'no pool is called pool', 'ms is no number']],
  ['columns behind tabs',             '▸192.0.2.0/24\tfra\t10\n',                  ['1 column, and a row has 3']],
  ['RFC 4291 §2.5.5.2 mapped IPv4',   '▸::ffff:192.0.2.0/120,fra,10\n',            ['::ffff:192.0.2.0/120 is an IPv4 network inside ::ffff:0.0.0.0/96 · write it as IPv4: 192.0.2.0/24']],
  ['RFC 6052 §2.1 translated IPv4',   '▸64:ff9b::/96,fra,10\n',                    ['64:ff9b::/96 is an IPv4 network inside 64:ff9b::/96 · write it as IPv4: 0.0.0.0/0']],
  ['RFC 3056 6to4, beyond its IPv4',  '▸2002:c000:200:1::/64,fra,10\n',            ['2002:c000:200:1::/64 is an IPv4 network inside 2002::/16 · write its address as IPv4 /32']],
] as const

describe('rows', () => {
  for (const [rule, text, problems] of WRONG) {
    test(rule, () => {
      const { piece, expected } = marked(text, problems)
      const inFile = expected.map(said => `rtt.csv:${said}`)
      expect(cut(judge(RULE, { 'rtt.csv': piece }).problems, inFile)).toEqual(inFile)
    })
  }

  test('head line, comments, blanks, blank lines, line ends', () => {
    const text =
      '\uFEFF# measured in May\r\n\r\nprefix,pool,ms\r\n 192.0.2.0/24 , fra , 10.5 # three\r\n2001:db8::/32,iad,0\n192.0.2.0/24,iad,1e2'
    const found = remarks()
    const rows = latencyRows(
      text,
      'f',
      new Map([
        ['fra', 0],
        ['iad', 1],
      ]),
      found,
    )
    const at = (line: number, column: number): At => ({ file: 'f', line, column })
    expect(found.problems).toEqual([])
    expect(rows).toEqual([
      {
        family: 4,
        octets: Uint8Array.of(192, 0, 2, 0),
        bits: 24,
        at: at(4, 2),
        times: new Map([
          [0, 10.5],
          [1, 100],
        ]),
      },
      {
        family: 6,
        octets: Uint8Array.of(0x20, 1, 0xd, 0xb8, ...new Uint8Array(12)),
        bits: 32,
        at: at(5, 1),
        times: new Map([[1, 0]]),
      },
    ])
  })

  test('a pool’s name comes as its octets', () => {
    const found = remarks()
    const text = '192.0.2.0/24,z\u00c3\u00bcrich,1\n198.51.100.0/24,zürich,2\n'
    const rows = latencyRows(text, 'f', new Map([['zürich', 7]]), found)
    expect(found.problems).toEqual([])
    expect(rows.map(({ times }) => [...times])).toEqual([[[7, 1]], [[7, 2]]])
  })

  test('half a character in a pool’s name is no name in a file', () => {
    const text = RULE.replace('gru:', '"\\ud800":')
    expect(judge(text, { 'rtt.csv': '192.0.2.0/24,fra,1\n' }).problems).toEqual([])
  })
})

// biome-ignore format: table
const RULES = [
  // rule                                  rules                                                                the file                   problems
  ['a file that cannot be read',           '{a.example.com: {latency: {file: ▸gone.csv}}}',                     '',                        ['cannot read gone.csv']],
  ['the same in two rules',                '{a.example.com: {latency: {file: ▸gone.csv}}, b.example.com: {latency: {file: gone.csv}}}', '', ['cannot read gone.csv']],
  ['no pools without a row',               '{a.example.com: {latency: {file: ▸rtt.csv}}}',                      '# none yet\n',            ['rtt.csv has no row · add rows of prefix,pool,ms']],
  ['a pool of the file that is nowhere',   '{a.example.com: {latency: {file: ▸rtt.csv}}}',                      '192.0.2.0/24,gru,1\n192.0.2.0/24,fra,1\n', ['pools of rtt.csv do not say where they stand: gru · give them at:, for clients']],
  ['a bias of a pool that it does not tell of', '{a.example.com: {latency: {file: rtt.csv}, bias: {▸iad: 5}}}', '192.0.2.0/24,fra,1\n',    ['iad is not in rtt.csv · take its bias out']],
  ['a quorum that a pool of the file never has', '{a.example.com: {quorum: ▸2, latency: {file: rtt.csv}}}',      '192.0.2.0/24,fra,1\n',    ['pool fra never has a quorum of 2']],
  ['a bias of a pool that is none',        '{a.example.com: {latency: {file: rtt.csv}, bias: {▸iat: 5}}}',      '192.0.2.0/24,fra,1\n',    ['no pool is called iat · did you mean iad?']],
] as const

describe('rules that read latency files', () => {
  for (const [rule, text, file, problems] of RULES) {
    test(rule, () => {
      const { piece, expected } = marked(`steer: ${text}`, problems)
      const found = judge(`${piece}\n${POOLS}`, { 'rtt.csv': file }).problems
      expect(cut(found, expected)).toEqual(expected)
    })
  }

  test('their mistakes are shown beside those of the configuration', () => {
    const { problems } = judge(`${RULE}workers: 0\n`, { 'rtt.csv': 'x\n' })
    expect(problems).toEqual([
      '3:10 0 is out of range · at least 1',
      'rtt.csv:1:1 1 column, and a row has 3 · write prefix,pool,ms',
    ])
  })

  test('a file without rows beside nearest is a warning', () => {
    const text = `${POOLS}steer: {a.example.com: {latency: {file: rtt.csv}, nearest: [fra]}}\n`
    const { config, warnings } = judge(text, { 'rtt.csv': '' })
    expect(config?.policy.latencies).toEqual([{ name: 'rtt.csv', rows: [] }])
    expect(warnings).toContain('2:41 rtt.csv has no row · add rows of prefix,pool,ms')
  })

  test('pools of the file that nearest leaves out may be nowhere', () => {
    const text = `${POOLS}steer: {a.example.com: {latency: {file: rtt.csv}, nearest: [fra]}}\n`
    expect(judge(text, { 'rtt.csv': '192.0.2.0/24,gru,1\n' }).problems).toEqual([])
  })

  test('files are read once, and have their places', () => {
    const opened: string[] = []
    const files = {
      get 'rtt.csv'() {
        opened.push('rtt.csv')
        return '192.0.2.0/24,fra,1\n'
      },
      get 'b.csv'() {
        opened.push('b.csv')
        return '192.0.2.0/24,iad,1\n'
      },
    }
    const { config } = judge(
      `steer:\n  a.example.com: {latency: {file: rtt.csv}}\n  b.example.com: {by: {default: {latency: {file: b.csv}}}}\n  c.example.com: {latency: {file: rtt.csv}}\n${POOLS}`,
      files,
    )
    expect(opened).toEqual(['rtt.csv', 'b.csv'])
    expect(config?.latencyFiles).toEqual([
      { path: 'rtt.csv', at: { file: 'lbdns.yaml', line: 2, column: 35 } },
      { path: 'b.csv', at: { file: 'lbdns.yaml', line: 3, column: 50 } },
    ])
    expect(config?.policy.latencies.map(({ name }) => name)).toEqual(['rtt.csv', 'b.csv'])
    expect(
      config?.policy.rules.map(({ choose }) => choose.kind === 'latency' && choose.latency),
    ).toEqual([0, false, 0])
  })

  test('100,000 rows are read in a moment', () => {
    const rows = Array.from({ length: 100_000 }, (_, n) => {
      const prefix = `10.${(n >> 9) & 255}.${(n >> 1) & 255}.0/24`
      return `${prefix},${n % 2 === 0 ? 'fra' : 'iad'},${n % 300}.5`
    })
    const { config } = judge(RULE, { 'rtt.csv': rows.join('\n') })
    expect(config?.policy.latencies[0]?.rows).toHaveLength(50_000)
  }, 30_000)
})
