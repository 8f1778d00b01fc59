/**
 * lbprobe against servers that none of us wrote, each with a map for the panel's networks. What a
 * server really does is known from its own source and manual; the verdict has to say that, and the
 * findings have to name what is wrong.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, type Place } from '../kit/ask.ts'
import { describeWith, run, stopAll } from '../kit/process.ts'
import { type GeoMap, type Kind, NEEDS, startGeo } from './geo.ts'
import { measured } from './lbprobe.ts'
import { ELSEWHERE, NETWORKS, SITES } from './panel.ts'

const MAPS = {
  'networks side by side': { networks: NETWORKS, otherwise: ELSEWHERE },
  'a network around others': {
    networks: [['128.0.0.0/3', SITES.US], ...NETWORKS],
    otherwise: ELSEWHERE,
  },
  'a default for some of the panel': {
    networks: NETWORKS.filter(([, site]) => site !== SITES.US),
    otherwise: SITES.US,
  },
  'one deep network far away': {
    networks: [...NETWORKS, ['9.9.9.0/24', SITES.US]],
    otherwise: ELSEWHERE,
  },
} as const satisfies Readonly<Record<string, GeoMap>>

afterAll(stopAll)

/** Of each server first what it really does, as a client finds without lbprobe; then what lbprobe has to say. */
// biome-ignore format: table
const ECS = [
  // gdnsd's scopes are the leaves of one tree.
  ['a network around others',         'gdnsd', '128.1.0.0/24',  8,  'geo',              []],
  ['a default for some of the panel', 'gdnsd', '128.32.0.0/24', 8,  'geo',              []],
  // Knot says the length of the network that matched: wrong where another lies inside it …
  ['networks side by side',           'knot',  '128.32.0.0/24', 16, 'geo',              []],
  ['a network around others',         'knot',  '128.1.0.0/24',  3,  'broken-scope',     ['ECS006']],
  // … and 0 where none matched.
  ['a default for some of the panel', 'knot',  '128.32.0.0/24', 0,  'lying-scope',      ['ECS004']],
  // PowerDNS says the length of the longest network it has to everybody: also to who will not be
  // located (ECS014), and of a private network, whose block is wider than that (ECS012). That it is past
  // the source only where lbprobe itself asks with a short one is no finding.
  ['networks side by side',           'pdns',  '0.0.0.0/0',     16, 'geo',              ['ECS014', 'ECS012']],
  ['one deep network far away',       'pdns',  '128.32.0.0/16', 24, 'geo-unaggregated', ['ECS014', 'ECS012']],
  // And ours.
  ['a network around others',         'lbdns', '128.1.0.0/24',  8,  'geo',              []],
  ['a default for some of the panel', 'lbdns', '128.32.0.0/24', 8,  'geo',              []],
  ['one deep network far away',       'lbdns', '128.32.0.0/24', 16, 'geo',              []],
] as const

const kinds: readonly Kind[] = ['gdnsd', 'knot', 'pdns', 'lbdns', 'bind']
for (const kind of kinds.filter(kind => kind !== 'bind')) {
  describeWith(NEEDS[kind], `lbprobe ecs and ${kind}`, () => {
    const rows = ECS.filter(([, server]) => server === kind)
    test.each(rows)(
      '%s, %s: %s has scope %i: %s',
      async (map, _, subnet, scope, code, findings) => {
        const place = await startGeo(kind, MAPS[map])
        expect(await ask(place, { name: 'www.geo.test', subnet })).toMatchObject({ scope })
        const [result] = await measured('ecs', place, 'A www.geo.test')
        expect(result?.verdict.code).toBe(code)
        expect([...new Set(result?.findings.map(({ id }) => id))]).toEqual(findings)
        const sites = result?.groups.map(({ answers, regions }) => [regions.join(), answers.join()])
        expect(Object.fromEntries(sites ?? [])).toEqual(SITES)
      },
    )
  })
}

describeWith([...NEEDS.bind, 'dig'], 'lbprobe ecs and bind', () => {
  test('views go by who asks, not by ECS, which comes back with scope 0: one answer for all', async () => {
    const map = {
      networks: [...NETWORKS, ['127.0.0.9/32', SITES.US]],
      otherwise: ELSEWHERE,
    } as const
    const place = await startGeo('bind', map)
    const from = (source: string, subnet: string) => dig(place, '-b', source, `+subnet=${subnet}`)
    expect(await from('127.0.0.9', '129.187.0.0/24')).toBe(SITES.US)
    expect(await from('127.0.0.1', '129.187.0.0/24')).toBe(ELSEWHERE)
    expect(await ask(place, { name: 'www.geo.test', subnet: '129.187.0.0/24' })).toMatchObject({
      scope: 0,
    })
    const [result] = await measured('ecs', place, 'A www.geo.test')
    expect(result?.verdict.code).toBe('single-answer')
    expect(result?.findings).toEqual([])
  })
})

/** The addresses that dig gets. */
async function dig({ host, port }: Place, ...args: readonly string[]): Promise<string> {
  const whom = [`@${host}`, '-p', `${port}`]
  const { stdout } = await run('dig', [...whom, ...args, '+short', 'www.geo.test', 'A'])
  return stdout.trim()
}

// biome-ignore format: table
const DNS2: readonly (readonly [Kind, string, string, readonly string[]])[] = [
  ['knot',           'list',   'fixed-list',    []],
  ['knot, rotating', 'list',   'cyclic-list',   ['random-start']], // begins where the query's number says
  ['gdnsd',          'list',   'shuffled-list', []],
  ['gdnsd',          'one',    'rotating-one',  ['random']],       // its weighted plug-in, equal weights
  ['pdns',           'list',   'shuffled-list', []],
  ['lbdns',          'list',   'fixed-list',    []],
  ['bind',           'list',   'shuffled-list', []],               // rrset-order, by default random
  ['bind',           'static', 'single',        []],
  ['knot',           'static', 'single',        []],
  ['gdnsd',          'static', 'single',        []],
  ['pdns',           'static', 'single',        []],
  ['knot',           'absent', 'empty',         []],
  ['gdnsd',          'absent', 'empty',         []],
  ['pdns',           'absent', 'empty',         []],
]

for (const kind of [...kinds, 'knot, rotating'] as const) {
  describeWith(NEEDS[kind], `lbprobe dns2 and ${kind}`, () => {
    let place: Place
    beforeAll(async () => {
      place = await startGeo(kind, MAPS['networks side by side'])
    })

    const rows = DNS2.filter(([server]) => server === kind)
    test.each(rows)('%s, %s: %s', async (_, name, code, modifiers) => {
      const [result] = await measured('dns2', place, `A ${name}.geo.test`)
      expect(result?.verdict).toMatchObject({ code, modifiers })
    })
  })
}
