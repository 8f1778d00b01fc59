/** Checks that connect to a name which this very server steers: refused, warned of, or nobody's concern. */
import { describe, expect, test } from 'vitest'
import { problemText } from '../../server/fault.ts'
import { HEAD, loadFrom } from '../kit/world.ts'
import { ZONE_Z } from '../kit/zone-text.ts'

const ZONE = `${ZONE_Z}web CNAME www
far CNAME web
plain A 192.0.2.9
sub NS ns1
there.some A 192.0.2.7
`
const CHECKS = 'checks: {web: {type: http}, told: {type: file, path: state}}\n'

/** What is said of a check, without file and line, which are those of the mark ▸. */
function saidOf(pools: string, steer: string) {
  const [before = '', after = ''] = pools.split('▸')
  const yaml = `${HEAD}${CHECKS}pools: {${before}${after}}\nsteer: {${steer}}\n`
  const loaded = loadFrom({ 'lbdns.yaml': yaml, 'a.zone': ZONE })
  const place = `lbdns.yaml:4:${'pools: {'.length + before.length + 1}: `
  const told = (loaded.ok ? [] : loaded.problems).concat(loaded.warnings).map(problemText)
  const said = told.map(line => line.replace(place, ''))
  return { ok: loaded.ok, said: said.filter(line => !line.includes('nothing uses check')) }
}

const says = (pool: string, name: string, rest: string) => [
  `the check of pool ${pool} connects to ${name}., which this server ${rest} · write the address to check as check_address`,
]
const own = (name: string, pool = 'p') => says(pool, name, 'steers by that very check')
const ours = (name: string, pool = 'p') =>
  says(pool, name, 'steers: it tries whichever target that hands out')

// biome-ignore format: table
const TABLE = [
  // rule                                          pools                                                                                          steer                                                                   said
  ['its own name',                                 'p: {check: web, targets: [{address: 192.0.2.1, check_address: ▸www.example.com}]}',           'www.example.com: {pools: [p]}',                                        own('www.example.com')],
  ['its own name, in capitals',                    'p: {check: web, targets: [{address: 192.0.2.1, check_address: ▸WWW.Example.com}]}',           'www.example.com: {pools: [p]}',                                        own('www.example.com')],
  ['its own name, for two targets: said once',     'p: {check: web, targets: [{address: 192.0.2.1, check_address: ▸www.example.com}, {address: 192.0.2.2, check_address: www.example.com}]}', 'www.example.com: {pools: [p]}', own('www.example.com')],
  ['its own name, behind two aliases of the zone', 'p: {check: web, targets: [{address: 192.0.2.1, check_address: ▸far.example.com}]}',           'www.example.com: {pools: [p]}',                                        own('far.example.com')],
  ['its own name, by a wildcard',                  'p: {check: web, targets: [{address: 192.0.2.1, check_address: ▸a.some.example.com}]}',        '"*.some.example.com": {pools: [p]}',                                   own('a.some.example.com')],
  ['RFC 4592 §2.2.1 no wildcard where a name is',  'p: {check: web, targets: [{address: 192.0.2.1, check_address: ▸there.some.example.com}]}',    '"*.some.example.com": {pools: [p]}',                                   []],
  ['a pool that serves when another is down',      'p: {check: web, targets: [{address: 192.0.2.1, check_address: ▸www.example.com}]}, q: {targets: [192.0.2.2]}', 'www.example.com: {pools: [q, p]}',                    own('www.example.com')],
  ['a last resort',                                'p: {check: web, targets: [{address: 192.0.2.1, check_address: ▸www.example.com}]}, q: {targets: [192.0.2.2]}', 'www.example.com: {pools: [q], last_resort: p}',       own('www.example.com')],
  ['a rule that follows another',                  'p: {check: web, targets: [{address: 192.0.2.1, check_address: ▸api.example.com}]}',           'www.example.com: {pools: [p]}, api.example.com: {rule: www.example.com}', own('api.example.com')],
  ['two pools, each checked by the other’s name',  'p: {check: web, targets: [{address: 192.0.2.1, check_address: ▸b.example.com}]}, q: {check: told, targets: [a.example.com]}', 'a.example.com: {pools: [p]}, b.example.com: {pools: [q]}', own('b.example.com')],
  ['a host that is handed out, and steered here',  'p: {check: web, targets: [▸www.example.com]}, q: {targets: [192.0.2.2]}',                     'www.example.com: {pools: [q]}, shop.example.com: {pools: [p]}',        ours('www.example.com')],
  ['the same, as a mapping',                       'p: {check: web, targets: [▸{host: www.example.com}]}, q: {targets: [192.0.2.2]}',             'www.example.com: {pools: [q]}, shop.example.com: {pools: [p]}',        ours('www.example.com')],
  ['another name of ours, of another pool',        'p: {check: web, targets: [{address: 192.0.2.1, check_address: ▸www.example.com}]}, q: {targets: [192.0.2.2]}', 'www.example.com: {pools: [q]}, api.example.com: {pools: [p]}', ours('www.example.com')],
  ['an address',                                   'p: {check: web, targets: [{address: 192.0.2.1, check_address: ▸10.0.0.1}]}',                  'www.example.com: {pools: [p]}',                                        []],
  ['a name of the zone that is not steered',       'p: {check: web, targets: [{address: 192.0.2.1, check_address: ▸plain.example.com}]}',         'www.example.com: {pools: [p]}',                                        []],
  ['a name that the zone delegates',               'p: {check: web, targets: [{address: 192.0.2.1, check_address: ▸www.sub.example.com}]}',       'www.example.com: {pools: [p]}',                                        []],
  ['a name of somebody else',                      'p: {check: web, targets: [{address: 192.0.2.1, check_address: ▸www.example.net}]}',           'www.example.com: {pools: [p]}',                                        []],
  ['a file, which nobody connects to',             'p: {check: told, targets: [{address: 192.0.2.1, check_address: ▸www.example.com}]}',          'www.example.com: {pools: [p]}',                                        []],
  ['no check at all',                              'p: {targets: [▸www.example.com]}, q: {targets: [192.0.2.2]}',                                 'www.example.com: {pools: [q]}, shop.example.com: {pools: [p]}',        []],
] as const

describe('BC-127 a check that resolves through this server', () => {
  test.each(TABLE)('%s', (_, pools, steer, expected) => {
    const { ok, said } = saidOf(pools, steer)
    expect(said).toEqual(expected)
    expect(ok).toBe(!expected[0]?.includes('by that very check'))
  })
})
