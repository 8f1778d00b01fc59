import { describe, expect, test } from 'vitest'
import type { Places } from '../../server/geo/places.ts'
import { leavesOf } from '../../server/steer/leaves.ts'
import { isTailored, type Steering } from '../../server/steer/steering.ts'
import type { DatabaseText } from '../kit/mmdb.ts'
import { answered, compiled, decide, network, placesFor, pool, rule } from '../kit/steering.ts'

const POOLS = [
  pool('D', '192.0.2.1', '2001:db8::1'),
  pool('A', '192.0.2.2', '2001:db8::2'),
  pool('B', '192.0.2.3', '2001:db8::3'),
]
const D = 0
const A = 1
const B = 2

/** A map of networks to pools A and B; everybody else gets D. */
function mapped(toA: readonly string[], toB: readonly string[] = [], places?: Places): Steering {
  const networks = [network('a', ...toA), network('b', ...toB)]
  const rules = [
    rule({
      networks: [
        [0, [A]],
        [1, [B]],
      ],
      default: [D],
    }),
  ]
  const { steering, said } = compiled({ pools: POOLS, networks, rules }, places)
  expect(said.problems).toEqual([])
  return steering
}

/** Where addresses are, by country and continent. */
function placesOf(text: DatabaseText): Places {
  return placesFor({ rules: [rule({ countries: { DE: [D] } })] }, text)
}

type Row = readonly [rule: string, subnet: string, expected: string, peer?: string]

function rows(steering: Steering, table: readonly Row[]): void {
  for (const [what, subnet, expected, peer = '192.0.2.53'] of table) {
    test(`${what}: ${subnet || 'none'} from ${peer} is ${expected}`, () => {
      expect(answered(steering, decide(steering, subnet, { peer }))).toBe(expected)
    })
  }
}

describe('map G of the public reports', () => {
  const steering = mapped(['198.51.100.0/24'], ['198.51.100.128/26'])
  // biome-ignore format: table
  rows(steering, [
    ['BC-001 the de-aggregated block', '198.51.100.1/32',       'A/25'],
    ['BC-004 below the inner network', '198.51.100.1/32',       'A/25'],
    ['BC-004 inside',                  '198.51.100.130/32',     'B/26'],
    ['BC-004 above',                   '198.51.100.200/32',     'A/26'],
    ['BC-004 shorter than its leaf',   '198.51.100.0/24',       'A/25'],
    ['BC-005 default',                 '203.0.113.7/32',        'D/5'],
    ['BC-005 the neighbour',           '198.51.101.9/32',       'D/24'],
    ['BC-005 beside 192.168.0.0/16',   '192.0.2.5/32',          'D/9'],
    ['BC-017 default, then the map',   '198.51.100.130/32',     'B/26'],
    ['BC-010 one octet of address',    '192.0.0.0/5',           'D/9'],
    ['BC-012 W20',                     '198.51.100.0/24',       'A/25'],
    ['BC-015 W22 mapped into IPv6',    '::ffff:198.51.100.0/120', 'A/121'],
    ['BC-015 inside, as a /128',       '::ffff:198.51.100.130/128', 'B/122'],
    ['6to4',                           '2002:c633:6400::/48',   'A/41'],
    ['6to4, the neighbour',            '2002:c633:6500::/48',   'D/40'],
    ['RFC 6052 translated',            '64:ff9b::c633:6482/128', 'B/122'],
    ['§7.1.2 BC-008 SOURCE 0',         '0.0.0.0/0',             'D/0'],
    ['§7.1.2 SOURCE 0 by the peer',    '0.0.0.0/0',             'A/0', '198.51.100.7'],
    ['§7.1.2 IPv6 SOURCE 0',           '::/0',                  'B/0', '198.51.100.129'],
    ['no option: by the peer',         '',                      'B/0', '198.51.100.129'],
    ['no option, peer of 6to4',        '',                      'A/0', '2002:c633:6401::1'],
    ['no option, private peer',        '',                      'D/0', '10.0.0.1'],
    ['§10 BC-013 RFC 1918',            '10.1.2.0/24',           'A/8',  '198.51.100.7'],
    ['§10 BC-013 RFC 1918',            '172.16.5.0/24',         'A/12', '198.51.100.7'],
    ['§10 BC-013 RFC 1918',            '192.168.1.0/24',        'A/16', '198.51.100.7'],
    ['§10 BC-013 unique local',        'fd00::/48',             'A/7',  '198.51.100.7'],
    ['BC-013 loopback',                '127.0.0.1/32',          'A/8',  '198.51.100.7'],
    ['N2 between provider and client', '100.64.1.0/24',         'A/10', '198.51.100.7'],
    ['N2 link-local',                  '169.254.1.0/24',        'A/16', '198.51.100.7'],
    ['N2 this network',                '0.1.2.0/24',            'A/8',  '198.51.100.7'],
    ['N2 Teredo',                      '2001:0:1::/48',         'A/32', '198.51.100.7'],
    ['N2 link-local',                  'fe80::/64',             'A/10', '198.51.100.7'],
    ['N2 multicast',                   'ff02::/64',             'A/8',  '198.51.100.7'],
    ['N2 special inside 6to4',         '2002:0a01:0200::/48',   'A/24', '198.51.100.7'],
    ['special, and from a special peer', '10.1.2.0/24',         'D/8',  '192.168.1.1'],
    ['N5 documentation is ordinary',   '192.0.2.0/24',          'D/9',  '198.51.100.7'],
  ])
  test('::1 is in a special block', () => {
    expect(decide(steering, '::1/128')).toMatchObject({ special: true, located: 'peer' })
  })
  test('the default of IPv6 has the depth of its leaf, never 0', () => {
    // 2000::/3 without 2001::/32 and 2002::/16: 2a00:: is in 2800::/5.
    expect(answered(steering, decide(steering, '2a00::/48'))).toBe('D/5')
  })
})

describe('BC-013 IPv4 that is special stays so under ::ffff:0:0/96', () => {
  rows(mapped(['198.51.100.0/24']), [
    ['mapped 10.0.0.0/8', '::ffff:10.1.2.0/120', 'A/104', '198.51.100.7'],
  ])
})

describe('scope vector of steering.md section 2', () => {
  // biome-ignore format: table
  rows(mapped(['10.0.0.0/8'], ['10.1.0.0/16']), [
    ['inner',                         '10.1.2.0/24', 'B/16'],
    ['outer, around it',              '10.2.3.0/24', 'A/15'],
    ['default',                       '9.0.0.0/24',  'D/7'],
    ['a private peer in its network', '',            'B/0', '10.1.2.3'],
  ])
})

describe('RFC 7871 §7.2.1: 1.2.0.0/20 with 1.2.3.0/24 inside', () => {
  const steering = mapped(['1.2.0.0/20'], ['1.2.3.0/24'])
  test('is de-aggregated into five blocks', () => {
    const named = [...leavesOf(steering, 0, 4)].filter(
      ({ prefix }) => prefix[0] === 1 && prefix[1] === 2 && (prefix[2] ?? 0) < 16,
    )
    const blocks = named.map(({ prefix, bits }) => `${prefix.join('.')}/${bits}`)
    expect(blocks).toEqual(['1.2.0.0/23', '1.2.2.0/24', '1.2.3.0/24', '1.2.4.0/22', '1.2.8.0/21'])
  })
})

describe('networks and special blocks', () => {
  // biome-ignore format: table
  rows(mapped(['192.168.7.0/24', '100.64.0.0/10', '160.0.0.0/3', 'fd00:1::/48', '2000::/3']), [
    ['a network inside is ordinary',     '192.168.7.0/24', 'A/24'],
    ['the rest of the block is special', '192.168.6.0/24', 'A/24', '160.0.0.1'],
    ['and far from it',                  '192.168.200.0/24', 'A/17', '160.0.0.1'],
    ['the whole block named',            '100.64.3.0/24',  'A/10', '9.9.9.9'],
    ['a wider one does not erase it',    '172.16.1.0/24',  'D/12', '9.9.9.9'],
    ['nor does 2000::/3 Teredo',         '2001:0:1::/48',  'D/32', '9.9.9.9'],
    ['nor 6to4',                         '2002:909:909::/48', 'D/23', '9.9.9.9'],
    ['a network in fc00::/7',            'fd00:1::/56',    'A/48', '9.9.9.9'],
    ['a private peer in its network',    '',               'A/0', '192.168.7.1'],
    ['a private peer out of it',         '',               'D/0', '192.168.6.1'],
  ])
})

describe('P4 SCOPE 0 where the whole family has one ranking', () => {
  const countries = placesOf({ networks: [['198.51.100.0/24', { country_code: 'DE' }]] })
  const by = (text: Parameters<typeof rule>[0], ...networks: string[]): Steering => {
    const policy = { pools: POOLS, networks: [network('n', ...networks)], rules: [rule(text)] }
    return compiled(policy, countries).steering
  }
  // biome-ignore format: table
  const TABLE = [
    ['not tailored',                 by({ all: [A] }),                                    'A/0'],
    ['branches alike, by content',   by({ countries: { DE: [A] }, default: [A] }),        'A/0'],
    ['the same pool named twice',    by({ countries: { DE: [A, B, A] }, default: [A, B] }), 'A+B/0'],
    ['nobody is there',              by({ countries: { FR: [A] }, default: [D] }),        'D/0'],
    ['all of both families named',   by({ networks: [[0, [A]]] }, '0.0.0.0/0', '::/0'),   'A/0'],
  ] as const
  for (const [name, steering, expected] of TABLE) {
    for (const subnet of ['198.51.100.0/24', '10.0.0.0/24', '2a00::/48', 'fd00::/48']) {
      test(`${name}: ${subnet}`, () => {
        expect(answered(steering, decide(steering, subnet))).toBe(expected)
        expect(isTailored(steering, 0)).toBe(false)
      })
    }
  }
  test('a family alone: IPv6 networks leave IPv4 whole', () => {
    const steering = by({ networks: [[0, [A]]], default: [D] }, '2a00::/12')
    expect(answered(steering, decide(steering, '198.51.100.0/24'))).toBe('D/0')
    expect(answered(steering, decide(steering, '2a00:1::/48'))).toBe('A/12')
  })
  test('order is part of a ranking', () => {
    const steering = by({ countries: { DE: [A, B] }, default: [B, A] })
    expect(answered(steering, decide(steering, '198.51.100.0/24'))).toBe('A+B/24')
    expect(answered(steering, decide(steering, '198.51.101.0/24'))).toBe('B+A/24')
  })
})

describe('precedence: longest network, country, continent, default', () => {
  const places = placesOf({
    networks: [
      ['198.51.100.0/24', { country_code: 'DE', continent_code: 'EU' }],
      ['203.0.113.0/24', { country_code: 'FR', continent_code: 'EU' }],
    ],
  })
  const pools = ['net', 'DE', 'EU', 'rest'].map(name => pool(name, '192.0.2.1'))
  const branches = { countries: { DE: [1] }, continents: { EU: [2] }, default: [3] }
  const { steering } = compiled(
    {
      pools,
      networks: [network('n', '198.51.100.0/26', '198.51.0.0/16')],
      rules: [rule({ ...branches, networks: [[0, [0]]] }), rule(branches)],
    },
    places,
  )
  // biome-ignore format: table
  const TABLE = [
    ['a network is before a country', 0, '198.51.100.0/26', 'net/16'],
    ['a country before a continent',  1, '198.51.100.0/24', 'DE/24'],
    ['a continent before default',    1, '203.0.113.0/24',  'EU/24'],
    ['nowhere is default',            1, '8.8.8.0/24',      'rest/7'],
  ] as const
  for (const [what, slot, subnet, expected] of TABLE) {
    test(what, () => expect(answered(steering, decide(steering, subnet, { slot }))).toBe(expected))
  }
})

describe('geo databases', () => {
  const by = (places: Places): Steering => {
    const rules = [rule({ countries: { DE: [A] }, default: [D] })]
    return compiled({ pools: POOLS, networks: [], rules }, places).steering
  }
  const finer = by(placesOf({ networks: [['203.0.113.0/26', { country_code: 'DE' }]] }))
  rows(finer, [
    ['BC-003 a /26 of the database, SOURCE 25', '203.0.113.0/25', 'A/24'],
    ['BC-003 a /26 of the database, SOURCE 32', '203.0.113.9/32', 'A/24'],
    ['BC-031 not in the database', '203.0.114.0/24', 'D/23', '203.0.113.9'],
  ])
  rows(mapped(['203.0.113.0/26']), [
    ['BC-003 a /26 of the operator', '203.0.113.0/25', 'A/26'],
    ['BC-003 a /26 of the operator', '203.0.113.9/32', 'A/26'],
  ])
  for (const aliased of [true, false]) {
    const text: DatabaseText = { aliased, networks: [['198.51.100.0/24', { country_code: 'DE' }]] }
    const steering = by(placesOf(text))
    rows(steering, [
      [`BC-024 aliased ${aliased}`, '198.51.100.0/24', 'A/24'],
      [`BC-025 6to4, aliased ${aliased}`, '2002:c633:6400::/48', 'A/40'],
      [
        `BC-025 Teredo is one block, aliased ${aliased}`,
        '2001:0:c633:6400::/56',
        'A/32',
        '198.51.100.9',
      ],
      [`N6 6to4 of another, aliased ${aliased}`, '2002:0102:0304::/48', 'D/24'],
    ])
  }
  test('BC-026 IPv6 client, IPv4-only database: default', () => {
    const places = placesOf({ ipVersion: 4, networks: [['0.0.0.0/1', { country_code: 'DE' }]] })
    expect(answered(by(places), decide(by(places), '2a00::/48'))).toMatch(/^D\/[1-9]/)
  })
  test('BC-028 another file, another answer', () => {
    const networks = (code: string) => [['198.51.100.0/24', { country_code: code }]] as const
    const before = by(placesOf({ networks: networks('DE') }))
    const after = by(
      placesOf({ networks: [...networks('FR'), ['9.9.9.0/24', { country_code: 'DE' }]] }),
    )
    expect(answered(before, decide(before, '198.51.100.0/24'))).toBe('A/24')
    expect(answered(after, decide(after, '198.51.100.0/24'))).toBe('D/6')
  })
})

describe('BC-022 source networks, no option', () => {
  rows(mapped(['127.0.0.0/9'], ['127.128.0.0/9']), [
    ['lower half', '', 'A/0', '127.0.0.1'],
    ['upper half', '', 'B/0', '127.200.0.1'],
  ])
})

describe('BC-030 one loopback a family', () => {
  rows(mapped(['127.0.0.0/8'], ['::1/128']), [
    ['IPv4', '', 'A/0', '127.0.0.1'],
    ['IPv6', '', 'B/0', '::1'],
  ])
})

describe('BC-032 two /32 side by side', () => {
  const steering = mapped(['198.51.100.203/32'], ['198.51.100.204/32'])
  test('each always its own', () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      expect(answered(steering, decide(steering, '198.51.100.203/32', { seed }))).toBe('A/32')
      expect(answered(steering, decide(steering, '198.51.100.204/32', { seed }))).toBe('B/32')
    }
  })
})

describe('BC-033 a hundred thousand networks', () => {
  test('compile in a bounded time', () => {
    const pools = Array.from({ length: 10 }, (_, i) => pool(`p${i}`, '192.0.2.1'))
    const networks = pools.map((_, name) => {
      const prefixes = Array.from({ length: 10_000 }, (_, i) => {
        const number = 10 * i + name
        return `${20 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}.0/24`
      })
      return network(`n${name}`, ...prefixes)
    })
    const rules = [rule({ networks: networks.map((_, i) => [i, [i]] as const) })]
    const before = performance.now()
    const { steering } = compiled({ pools, networks, rules })
    expect(performance.now() - before).toBeLessThan(5000)
    expect(answered(steering, decide(steering, '20.0.7.0/24'))).toBe('p7/24')
    expect(answered(steering, decide(steering, '21.134.159.0/24'))).toBe('p9/24')
  })
})
