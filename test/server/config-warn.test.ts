/** What loads, and is probably not meant. */
import { describe, expect, test } from 'vitest'
import { cut, judge, judgeWhole, marked } from '../kit/config.ts'

const SOUND =
  'steer: {a.example.com: {by: {networks: {office: [fra], home: [fra]}, default: [iad]}}}'
const WEIGHTS =
  'pool fra has weights, and a.example.com has pick: shuffle, which heeds only 0 · pick weighted, smooth, multi, hash, two or least, or take the weights out'

// biome-ignore format: table
const TABLE = [
  // rule                              text                                          warnings
  ['nothing',                          SOUND,                                        []],
  ['checks nobody uses',               `checks: {▸a: {type: tcp, port: 1}, ▸b: {type: any, of: [a]}}\n${SOUND}`, ['nothing uses check a · name it in a pool, or take it out', 'nothing uses check b · name it in a pool, or take it out']],
  ['a check that a used one counts',   `checks: {a: {type: tcp, port: 1}, b: {type: any, of: [a]}}\npools: {fra: {check: b, targets: [192.0.2.1]}, iad: {targets: [192.0.2.2]}}\n${SOUND}`, []],
  ['no check at all',                  `checks: {}\n${SOUND}`,                       []],
  ['workers',                          `workers: 2\n${SOUND}`,                       []],
  ['weights that nothing heeds, once a pool',            `pools: {fra: {targets: [{address: 192.0.2.1, ▸weight: 3}, {address: 192.0.2.3, weight: 2}]}, iad: {targets: [192.0.2.2]}}\n${SOUND}`, [WEIGHTS]],
  ['weights of 1 and 0',               `pools: {fra: {targets: [{address: 192.0.2.1, weight: 1}, {address: 192.0.2.3, weight: 0}]}, iad: {targets: [192.0.2.2]}}\n${SOUND}`, []],
  ['a pool nobody uses',               `pools: {fra: {targets: [192.0.2.1]}, iad: {targets: [192.0.2.2]}, ▸gru: {targets: [192.0.2.3]}}\n${SOUND}`, ['nothing uses pool gru · name it under steer, or take it out']],
  ['a network nobody names',           `networks: {office: [192.0.2.0/24], home: [10.0.0.0/8], ▸old: [10.0.0.0/9]}\n${SOUND}`, ['nothing uses network old · name it under by.networks, or take it out']],
  ['a prefix twice',                   `networks:\n  home: [10.0.0.0/8]\n  office:\n  - 192.0.2.0/24\n  - 192.0.2.0/25\n  - ▸192.0.2.0/24\n${SOUND}`, ['this prefix is in office twice · the first is on line 4']],
  ['an address twice, once bare',      `networks: {home: [10.0.0.0/8], office: [192.0.2.1, ▸192.0.2.1/32]}\n${SOUND}`, ['this prefix is in office twice · the first is on line 1']],
  ['IPv4 and IPv6 of the same octets', `networks: {home: ["::/0"], office: [0.0.0.0/0]}\n${SOUND}`, []],
  ['a TTL of 5 s',                     'steer: {a.example.com: {ttl: 5, by: {networks: {office: [fra], home: [fra]}, default: [iad]}}}', []],
  ['a TTL under 5 s',                  'steer: {a.example.com: {▸ttl: 4, by: {networks: {office: [fra], home: [fra]}, default: [iad]}}}', ['a TTL of 4 s makes resolvers ask almost every time · 5 s or more']],
  ['a least TTL under 5 s',            'steer: {a.example.com: {ttl: {max: 30, ▸min: 1}, by: {networks: {office: [fra], home: [fra]}, default: [iad]}}}', ['a TTL of 1 s makes resolvers ask almost every time · 5 s or more']],
  ['a greatest TTL under 5 s',         'steer: {a.example.com: {ttl: {▸max: 3}, by: {networks: {office: [fra], home: [fra]}, default: [iad]}}}', ['a TTL of 3 s makes resolvers ask almost every time · 5 s or more']],
] as const

// biome-ignore format: table
const PICKS = [
  // rule                                        pools                                                                              the rule                              warnings
  ['weights that shuffle does not heed',         'fra: {targets: [{address: 192.0.2.1, ▸weight: 3}]}',                              'pools: [fra]',                       ['pool fra has weights, and a.example.com has pick: shuffle, which heeds only 0 · pick weighted, smooth, multi, hash, two or least, or take the weights out']],
  ['weights that rotate does not heed',          'fra: {targets: [{address: 192.0.2.1, ▸weight: 3}]}',                              'pick: rotate, pools: [fra]',         ['pool fra has weights, and a.example.com has pick: rotate']],
  ['weights of two pools, each told',            'fra: {targets: [{address: 192.0.2.1, ▸weight: 3}]}, iad: {targets: [{address: 192.0.2.2, ▸weight: 2}]}', 'pick: random, pools: [fra, iad]', ['pool fra has weights', 'pool iad has weights']],
  ['weights that weighted heeds',                'fra: {targets: [{address: 192.0.2.1, weight: 3}]}',                               'pick: weighted, pools: [fra]',       []],
  ['weights that smooth heeds',                  'fra: {targets: [{address: 192.0.2.1, weight: 3}]}',                               'pick: smooth, pools: [fra]',         []],
  ['weights that hash heeds',                    'fra: {targets: [{address: 192.0.2.1, weight: 3}]}',                               'pick: hash, pools: [fra]',           []],
  ['weights of 0 and 1',                         'fra: {targets: [{address: 192.0.2.1, weight: 1}, {address: 192.0.2.3, weight: 0}]}', 'pools: [fra]',                    []],
  ['weights of a pool that only steps in',       'fra: {targets: [192.0.2.1]}, iad: {targets: [{address: 192.0.2.2, ▸weight: 2}]}', 'last_resort: iad, pools: [fra]',     ['pool iad has weights']],
  ['a load that nothing reads',                  'fra: {targets: [{address: 192.0.2.1, ▸load: 3}]}',                                'pools: [fra]',                       ['no rule picks by the load of pool fra · pick two, least or feedback, or take this out']],
  ['a capacity that nothing reads',              'fra: {targets: [192.0.2.3, {address: 192.0.2.1, ▸capacity: 3}]}',                 'pick: weighted, pools: [fra]',       ['no rule picks by the load of pool fra']],
  ['a load file that nothing reads',             'fra: {▸loads: {file: l.csv}, targets: [192.0.2.1]}',                              'pick: rotate, pools: [fra]',         ['no rule picks by the load of pool fra']],
  ['a load that two reads',                      'fra: {targets: [{address: 192.0.2.1, load: 3}]}',                                 'pick: two, pools: [fra]',            []],
  ['a load file that least reads',               'fra: {loads: {file: l.csv}, targets: [192.0.2.1]}',                               'pick: least, pools: [fra]',          []],
  ['a capacity that feedback reads',             'fra: {targets: [{address: 192.0.2.1, capacity: 3}]}',                             'pick: feedback, pools: [fra]',       []],
  ['a load file that fastest reads',             'fra: {loads: {file: l.csv}, targets: [192.0.2.1]}',                               'pick: fastest, pools: [fra]',        []],
  ['two without loads',                          'fra: {targets: [192.0.2.1]}',                                                     '▸pick: two, pools: [fra]',           ['nothing tells how loaded the targets are: pick two is like random until something does · give targets a load:, or their pools loads: or a check']],
  ['least with a capacity alone',                'fra: {targets: [{address: 192.0.2.1, capacity: 1}]}',                             '▸pick: least, pools: [fra]',         ['nothing tells how loaded the targets are: pick least is like random']],
  ['feedback without loads',                     'fra: {targets: [192.0.2.1]}',                                                     '▸pick: feedback, pools: [fra]',      ['nothing tells how loaded the targets are: pick feedback']],
  ['fastest with a load alone',                  'fra: {targets: [{address: 192.0.2.1, ▸load: 1}]}',                                '▸pick: fastest, pools: [fra]',       ['no rule picks by the load of pool fra', 'nothing tells how quick the targets are: pick fastest is like random until something does · give their pools loads: with a latency, or a check']],
  ['spread of one address',                      'fra: {targets: [192.0.2.1]}',                                                     'answers: 1, ▸spread: pools, pools: [fra]', ['an answer of one address cannot be spread over pools · add answers: 2 or more, or take spread out']],
  ['spread of a pick that has one',              'fra: {targets: [192.0.2.1]}',                                                     'pick: random, ▸spread: pools, pools: [fra]', ['an answer of one address cannot be spread']],
  ['spread of all',                              'fra: {targets: [192.0.2.1]}',                                                     'spread: pools, pools: [fra]',        []],
  ['spread of two',                              'fra: {targets: [192.0.2.1]}',                                                     'pick: random, answers: 2, spread: pools, pools: [fra]', []],
  ['RFC 7871 §11.1 a quantum past what is told', 'fra: {targets: [192.0.2.1]}',                                                     'pick: hash, quantum: {▸ipv4: 25, ▸ipv6: 57}, pools: [fra]', ['public resolvers tell at most /24 of a client · 24 or less', 'public resolvers tell at most /56 of a client · 56 or less']],
  ['a quantum of all that is told',              'fra: {targets: [192.0.2.1]}',                                                     'pick: hash, quantum: {ipv4: 24, ipv6: 56}, pools: [fra]', []],
] as const

describe('warnings of picks', () => {
  for (const [rule, pools, steer, warnings] of PICKS) {
    test(rule, () => {
      const text = `networks: {}\npools: {${pools}}\nsteer: {a.example.com: {${steer}}}`
      const { piece, expected } = marked(text, warnings)
      const judged = judge(piece)
      expect(judged.problems).toEqual([])
      expect(cut(judged.warnings, expected)).toEqual(expected)
    })
  }

  test('what one rule heeds is not told because of another', () => {
    const { warnings } = judge(`networks: {}
pools: {fra: {targets: [{address: 192.0.2.1, weight: 3, load: 1}]}}
steer: {a.example.com: {pools: [fra]}, b.example.com: {pick: two, rule: a.example.com}}`)
    expect(warnings).toEqual([])
  })

  test('a check may tell how loaded a target is', () => {
    const { warnings } = judge(`networks: {}
checks: {web: {type: http}}
pools: {fra: {check: web, targets: [192.0.2.1]}}
steer: {a.example.com: {pick: fastest, pools: [fra]}, b.example.com: {pick: two, pools: [fra]}}`)
    expect(warnings).toEqual([])
  })
})

describe('what is used', () => {
  test('pools and networks of every branch, and of rules that are followed', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l']
    const pools = names.map(name => `${name}: {at: {country: DE}, targets: [192.0.2.1]}`)
    const { problems, warnings } = judge(
      `networks: {office: [192.0.2.0/24]}
pools: {${pools.join(', ')}}
steer:
  x.example.com: {last_resort: a, rule: y.example.com}
  y.example.com:
    by:
      networks: {office: [b]}
      asns: {1: [c]}
      fields: {isp: {x: [d]}}
      cities: {Berlin: [e]}
      subdivisions: {US-CA: [f]}
      countries: {DE: {nearest: [g]}}
      continents: {EU: {by: {default: {latency: {file: rtt.csv}, nearest: [h]}}}, AS: {latency: {file: i.csv}}}
      default: {rule: z.example.com}
  z.example.com: {pools: [j, k]}`,
      { 'rtt.csv': '192.0.2.0/24,h,1\n', 'i.csv': '192.0.2.0/24,i,1\n' },
    )
    expect(problems).toEqual([])
    expect(warnings).toEqual([expect.stringMatching(/^2:\d+ nothing uses pool l /)])
  })
})

describe('warnings', () => {
  for (const [rule, text, warnings] of TABLE) {
    test(rule, () => {
      const { piece, expected } = marked(text, warnings)
      const judged = judge(piece)
      expect(judged.problems).toEqual([])
      expect(judged.warnings).toEqual(expected)
    })
  }
})

/** The example that the design gives, whole. */
const EXAMPLE = `listen: [127.0.0.1:5353, "[::1]:5353"]
workers: 2
control: lbdns.sock
ecs: {enabled: true, allow: [], deny: []}
zones:
  - zones/example.com.zone
geo:
  database: builtin
networks:
  office: [203.0.113.0/24, 2001:db8:5::/48]
  partners: {file: partners.txt}
checks:
  web: {type: http, path: /healthz, port: 80, every: 10s, timeout: 2s, fall: 3, rise: 2}
pools:
  fra:
    at: {country: DE, lat: 50.11, lon: 8.68}
    check: web
    targets: [192.0.2.10, {address: 192.0.2.11, weight: 3}, "2001:db8::10"]
  iad: {at: {country: US, lat: 38.95, lon: -77.45}, targets: [198.51.100.10, 198.51.100.11, "2001:db8:1::10"]}
steer:
  www.example.com:
    ttl: {max: 30s, min: 10s}
    pick: shuffle
    answers: 8
    by:
      networks: {office: [iad]}
      countries: {DE: [fra, iad], US: [iad, fra]}
      continents: {EU: [fra, iad]}
      default: [iad, fra]
  api.example.com: {ttl: 60s, pick: rotate, pools: [fra]}
  near.example.com: {pick: shuffle, nearest: [fra, iad]}
`

describe('the example of the design', () => {
  const files = { 'partners.txt': '192.0.2.0/24\n' }

  test('loads, and warns of what is probably not meant', () => {
    const { config, problems, warnings } = judgeWhole(EXAMPLE, files)
    expect(problems).toEqual([])
    expect(warnings).toEqual([
      '11:3 nothing uses network partners · name it under by.networks, or take it out',
      `18:49 ${WEIGHTS.replace('a.example', 'www.example')}`,
    ])
    expect(config?.policy.rules).toHaveLength(3)
  })
})
