/** Whom `--client` may name: addresses, prefixes, countries, nobody. */
import { describe, expect, test } from 'vitest'
import { clientFrom } from '../../server/asked.ts'
import { isWrong, wrongText } from '../../server/fault.ts'
import { explainText } from '../../server/tell/explain/text.ts'
import type { DatabaseText } from '../kit/mmdb.ts'
import { explained, servingOf } from '../kit/serving.ts'
import {
  nearest,
  network,
  placesFor,
  policyOf,
  pool,
  type RuleText,
  rule,
} from '../kit/steering.ts'

const country = (code: string) => ({ country: { iso_code: code } })
/** DE has a /10, a /12 and a /24; JP only IPv6. */
const DATABASE: DatabaseText = {
  networks: [
    ['20.0.0.0/12', country('DE')],
    ['21.64.0.0/10', country('DE')],
    ['22.1.2.0/24', country('DE')],
    ['23.0.0.0/24', country('FR')],
    ['2a00:1::/32', country('DE')],
    ['2a00:2::/40', country('JP')],
    ['2a00:3::/36', country('JP')],
  ],
}
const POOLS = [pool('fra', '192.0.2.1'), pool('iad', '192.0.2.2')]
const NETWORKS = [network('office', '21.64.0.0/12')]

function serving(text: RuleText, database = DATABASE) {
  const at = [
    { lat: 50, lon: 8 },
    { lat: 38, lon: -77 },
  ]
  const pools = POOLS.map((one, index) => ({ ...one, point: at[index] ?? { lat: 1, lon: 1 } }))
  const policy = policyOf({ pools, networks: NETWORKS, rules: [rule(text)] })
  return servingOf(policy, placesFor(policy, database))
}

const LANDS = serving({ countries: { DE: [0] }, networks: [[0, [1]]], default: [1] })
const OFFICE = serving({ networks: [[0, [1]]], default: [0] })

describe('what is told of a client', () => {
  // biome-ignore format: table
  const CLIENTS = [
    // as written        family bits  or what is wrong with it
    ['192.0.2.1',          '4/32'],
    ['192.0.2.0/24',       '4/24'],
    ['2001:db8::/32',      '6/32'],
    ['0.0.0.0/0',          '4/0'],
    ['none',               'none'],
    ['DE',                 '4/24'],  // RFC 7871 §11.1: no more than /24
    ['JP',                 '6/56'],  // and /56
    ['XX',                 'XX is not an ISO 3166-1 country code · did you mean AX?'],
    ['de',                 'de is not an ISO 3166-1 country code · did you mean DE?'],
    ['Germany',            'Germany is not an ISO 3166-1 country code · did you mean DE?'],
    ['UK',                 'UK is not an ISO 3166-1 country code · did you mean GB?'],
    ['BR',                 'no address is known to be in Brazil · name an address or a prefix: perhaps no rule reads countries'],
    ['192.0.2.1/24',       '192.0.2.1/24 has bits set past /24 · write 192.0.2.0/24'],
    ['192.0.2',            '192.0.2 is not an IP address · write it like 192.0.2.1 or 2001:db8::1'],
    ['somebody!',          'somebody! is not an IP address · or a country like DE, or none'],
    ['',                   'nothing is not an IP address · or a country like DE, or none'],
  ] as const

  test.each(CLIENTS)('%s: %s', (text, expected) => {
    const client = clientFrom(text, LANDS)
    if (isWrong(client)) return expect(wrongText(client)).toBe(expected)
    const told = client.kind === 'none' ? 'none' : `${client.prefix.family}/${client.prefix.bits}`
    expect(told).toBe(expected)
  })
})

describe('a country', () => {
  // The office has 21.64.0.0/12, a quarter of the /10. All of DE is 2²² + 2²⁰ + 2⁸ addresses.
  const ALL = 2 ** 22 + 2 ** 20 + 2 ** 8
  const OFFICES = 2 ** 20

  test('is its largest block, and what share of its addresses gets what is told', () => {
    const { read, steer, supposed } = explained(LANDS, { client: 'DE' })
    expect([read.subnet, steer?.scope]).toEqual(['21.96.0.0/24', { bits: 11, source: 24 }])
    expect(supposed?.country).toMatchObject({ code: 'DE', name: 'Germany', block: '21.96.0.0/11' })
    const [most, least] = supposed?.country?.rankings ?? []
    expect([most?.ranking, least?.ranking]).toEqual([[['fra']], [['iad']]])
    expect(most?.share).toBeCloseTo((ALL - OFFICES) / ALL, 12)
    expect(least?.share).toBeCloseTo(OFFICES / ALL, 12)
  })

  test('in words', () => {
    const text = explainText(explained(LANDS, { client: 'DE' }))
    expect(text).toMatch(
      /^if {5}client {4}of DE, Germany: 21\.96\.0\.0\/24, at the beginning of its largest block 21\.96\.0\.0\/11\n/,
    )
    expect(text).toMatch(
      /\n {7}country {3}the addresses of DE get\n {17}80 % {2}fra\n {17}20 % {2}iad\n/,
    )
  })

  test('of IPv6 alone is told by IPv6', () => {
    const { read, steer, supposed } = explained(LANDS, { client: 'JP' })
    expect([read.subnet, supposed?.country?.block]).toEqual(['2a00:3::/56', '2a00:3::/36'])
    expect(supposed?.country?.rankings).toEqual([{ ranking: [['iad']], share: 1 }])
    expect(steer?.locate.because).toEqual([{ kind: 'default' }])
    expect(steer?.scope.bits).toBe(31) // 2a00::/31 has Germany's 2a00:1::/32
  })

  test('is known by its point where no rule reads countries', () => {
    const near = serving({ choose: nearest([1, 0]) })
    const { read, steer } = explained(near, { client: 'DE' })
    expect([read.subnet, steer?.ranking]).toEqual(['21.64.0.0/24', [['fra'], ['iad']]])
    expect(steer?.scope.bits).toBe(10)
  })

  test('is not known where rules read networks alone', () => {
    const client = clientFrom('DE', OFFICE)
    expect(isWrong(client) && wrongText(client)).toMatch(/^no address is known to be in Germany/)
  })

  test('says so where nothing was steered', () => {
    const told = explained(LANDS, { client: 'DE', name: 'ns1.example.com.' })
    expect([told.steer, told.supposed?.country?.rankings, told.reply.scope]).toEqual([
      undefined,
      [],
      0,
    ])
  })
})
