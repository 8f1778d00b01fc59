/**
 * What `check` says beside what is wrong: one row a piece of advice, as a piece of a file in which
 * nothing else is odd.
 */
import { describe, expect, test } from 'vitest'
import { problemText } from '../../server/fault.ts'
import { advise } from '../../server/steer/advise.ts'
import { writeDatabase } from '../kit/mmdb.ts'
import { loadFrom } from '../kit/world.ts'

const ZONE =
  '$ORIGIN example.com.\n$TTL 60\n@ SOA ns1 host 1 2 3 4 60\n@ NS ns1\nns1 A 192.0.2.251\n'
const PLACES = writeDatabase({
  networks: [
    ['198.51.100.0/24', { country: { iso_code: 'US' } }],
    ['203.0.113.0/24', { country: { iso_code: 'DE' } }],
    ['192.0.2.0/24', { country: { iso_code: 'FR' } }],
  ],
})
const HEAD = `listen: [127.0.0.1:5353]
zones: [a.zone]
geo: {database: places.mmdb}
`
const POOLS = 'pools: {a: {targets: [192.0.2.1]}, b: {targets: [192.0.2.2]}}\n'

/** The advice on a piece of a file. */
function adviceOn(yaml: string): { warnings: string[]; notes: string[] } {
  const files = { 'lbdns.yaml': HEAD + yaml, 'a.zone': ZONE, 'places.mmdb': PLACES }
  const loaded = loadFrom(files)
  if (!loaded.ok) throw new Error(loaded.problems.map(problemText).join('\n'))
  const { config, sites, world } = loaded.value
  const { warnings, notes } = advise(config.policy, { steering: world.steering, sites })
  return { warnings: warnings.map(problemText), notes: notes.map(problemText) }
}

const steer = (rule: string, pools = POOLS) => `${pools}steer:\n  www.example.com: ${rule}\n`

describe('nothing to say', () => {
  test.each([
    ['pools for everybody', steer('{pools: [a, b]}')],
    [
      'every country of the database',
      steer('{by: {countries: {US: [a], DE: [b], FR: [b]}, default: [a]}}'),
    ],
  ])('%s', (_, yaml) => {
    expect(adviceOn(yaml)).toEqual({ warnings: [], notes: [] })
  })
})

describe('branches', () => {
  test('a country that the database has no block of, at its key', () => {
    const yaml = steer(
      '{by: {countries: {US: [a], JP: [b], BR: [b]}, continents: {EU: [b]}, default: [a]}}',
    )
    const { warnings } = adviceOn(yaml)
    const column = '  www.example.com: {by: {countries: {US: [a], '.length + 1
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain(
      `lbdns.yaml:6:${column}: no client of www.example.com. gets the branch`,
    )
    expect(warnings[0]).toContain('country JP, country BR')
  })

  test('a network that longer ones cover whole', () => {
    const yaml = `networks: {wide: [203.0.113.0/24], low: [203.0.113.0/25], high: [203.0.113.128/25]}
${steer('{by: {networks: {wide: [a], low: [b], high: [b]}, default: [b]}}')}`
    const { warnings } = adviceOn(yaml)
    expect(warnings.join()).toContain('gets the branch of network wide')
  })

  test('a branch inside a branch', () => {
    const yaml = steer(
      '{by: {countries: {US: {by: {countries: {DE: [b]}, default: [a]}}}, default: [b]}}',
    )
    expect(adviceOn(yaml).warnings.join()).toContain('gets the branch of country US, country DE')
  })

  test('countries without a branch of their own are counted in a note', () => {
    const { notes, warnings } = adviceOn(
      steer('{by: {countries: {US: [a]}, continents: {EU: [b]}, default: [b]}}'),
    )
    expect(warnings).toEqual([])
    expect(notes).toEqual([expect.stringContaining('2 of 3 countries have no branch of their own')])
    expect(notes[0]).toContain('DE, FR')
  })
})

describe('pools', () => {
  test('one that stands only in branches that nobody gets', () => {
    const yaml = steer('{by: {countries: {US: [a], JP: [b]}, default: [a]}}')
    expect(adviceOn(yaml).warnings.join('\n')).toContain(
      `lbdns.yaml:4:${POOLS.indexOf('b:') + 1}: no client gets pool b`,
    )
  })

  // 1232 octets hold 67 A records beside the rest: see steer-fits.
  test.each([
    ['68 of 100', '68', 100, 1],
    ['67 of 100', '67', 100, 0],
    ['100 of 60', '100', 60, 0],
    ['100 of 100, truncated', '100, truncate: on', 100, 0],
  ])('answers that do not fit: %s', (_, answers, count, expected) => {
    const targets = Array.from({ length: count }, (_unused, i) => `192.0.2.${i}`)
    const pools = `pools: {a: {targets: [${targets.join(', ')}]}}\n`
    const { warnings } = adviceOn(steer(`{answers: ${answers}, pools: [a]}`, pools))
    expect(warnings.filter(text => text.includes('do not fit a UDP reply'))).toHaveLength(expected)
  })

  test('a family that some pools of a name lack', () => {
    const pools = 'pools: {a: {targets: [192.0.2.1, "2001:db8::1"]}, b: {targets: [192.0.2.2]}}\n'
    const { warnings } = adviceOn(steer('{pools: [a, b]}', pools))
    expect(warnings).toEqual([expect.stringContaining('no IPv6 address in b')])
  })
})

describe('TTLs and checks', () => {
  const pools = (check: string) => `checks: {web: {${check}}}
pools: {a: {check: web, targets: [192.0.2.1]}, b: {check: web, targets: [192.0.2.2]}}
`
  const tried = 'type: tcp, port: 80, every: 10s, fall: 3'
  const pushed = 'type: push, expires: 30s'
  // A state holds for fall × every at least: 3 × 10 s; or as long as a push counts.
  test.each([
    ['29 s', '29s', tried, ['make it 30s, or check oftener']],
    ['30 s', '30s', tried, []],
    ['29 s of what is pushed', '29s', pushed, ['make it 30s, or let pushes expire sooner']],
    ['30 s of what is pushed', '30s', pushed, []],
  ])('%s', (_, ttl, check, fixes) => {
    const { warnings } = adviceOn(steer(`{ttl: ${ttl}, pools: [a, b]}`, pools(check)))
    const found = warnings.filter(text => text.includes('shorter than check web can justify'))
    expect(found).toEqual(fixes.map(fix => expect.stringContaining(fix)))
  })
})

describe('networks in each other', () => {
  test('RFC 7871 §7.2.1: what is left of the outer one is shown', () => {
    const yaml = `networks: {outer: [1.2.0.0/20], inner: [1.2.3.0/24]}
${steer('{by: {networks: {outer: [a], inner: [b]}, default: [a]}}')}`
    const { notes } = adviceOn(yaml)
    expect(notes).toHaveLength(1)
    expect(notes[0]).toContain('1.2.0.0/23, 1.2.2.0/24, 1.2.4.0/22, 1.2.8.0/21')
  })

  test('the same ranking needs no words', () => {
    const yaml = `networks: {outer: [1.2.0.0/20], inner: [1.2.3.0/24]}
${steer('{by: {networks: {outer: [a], inner: [a]}, default: [b]}}')}`
    expect(adviceOn(yaml).notes).toEqual([])
  })
})

describe('families', () => {
  test('one that is told apart beside one that is not: scope 0 misleads PowerDNS Recursor', () => {
    const yaml = `networks: {v6: [2600::/16]}
${steer('{by: {networks: {v6: [b]}, default: [a]}}')}`
    const { notes, warnings } = adviceOn(yaml)
    expect(warnings).toEqual([])
    expect(notes).toEqual([expect.stringContaining('answers all IPv4 clients alike, with scope 0')])
  })

  test('both told apart: nothing to say', () => {
    const yaml = `networks: {some: [2600::/16, 20.0.0.0/8]}
${steer('{by: {networks: {some: [b]}, default: [a]}}')}`
    expect(adviceOn(yaml)).toEqual({ warnings: [], notes: [] })
  })
})

describe('grain', () => {
  /** So many /24 of 203.0.0.0/16, every second one: none merge. */
  const fine = (count: number) => {
    const prefixes = Array.from({ length: count }, (_, i) => `203.0.${2 * i}.0/24`)
    return `networks: {fine: [${prefixes.join(', ')}]}
${steer('{by: {networks: {fine: [a]}, default: [b]}}')}`
  }
  // n blocks, and as many between them; the last stretch, to the end of the /16, merges.
  test('a /16 in more than a hundred blocks', () => {
    expect(adviceOn(fine(60)).warnings).toEqual([expect.stringContaining('203.0.0.0/16 into')])
    expect(adviceOn(fine(45)).warnings).toEqual([])
  })

  test('hashing by /24 is a note', () => {
    const pools = 'pools: {a: {targets: [192.0.2.1, 192.0.2.2]}}\n'
    const { notes, warnings } = adviceOn(steer('{pick: hash, pools: [a]}', pools))
    expect(warnings).toEqual([])
    expect(notes).toEqual([expect.stringContaining('256 blocks a /16')])
  })
})
