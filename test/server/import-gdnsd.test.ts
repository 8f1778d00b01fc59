/**
 * gdnsd's configuration and zones, imported, by the words of its manual pages. What clients get is
 * held against gdnsd itself in `test/cross/cross-import-gdnsd.test.ts`.
 */
import { describe, expect, test } from 'vitest'
import { isWrong } from '../../server/fault.ts'
import { importGdnsd } from '../../server/import/gdnsd.ts'
import { readVscf, type Vscf } from '../../server/import/gdnsd-syntax.ts'
import type { Imported } from '../../server/import/imported.ts'

describe('the language (gdnsd.config(5), LOW-LEVEL SYNTAX)', () => {
  function said(text: string, files: Readonly<Record<string, string>> = {}): unknown {
    const read = (file: string) => {
      const found = files[file]
      return found === undefined ? undefined : { file, text: found }
    }
    const value = readVscf({ file: 'config', text }, read)
    return isWrong(value) ? value.wrong : plain(value)
  }

  function plain(value: Vscf): unknown {
    if (value.kind === 'text') return value.text
    if (value.kind === 'list') return value.items.map(plain)
    return Object.fromEntries(value.entries.map(entry => [entry.key, plain(entry.value)]))
  }

  // biome-ignore format: table
  const GOOD: readonly (readonly [rule: string, text: string, value: unknown])[] = [
    ['=> and = are the same',                'a => 1, b = 2',                     { a: '1', b: '2' }],
    ['commas may be left out',               'a => { b => [ 1 2, 3 ] } c => d',   { a: { b: ['1', '2', '3'] }, c: 'd' }],
    ['no blanks are needed',                 'options={listen=[192.0.2.1 192.0.2.2]}', { options: { listen: ['192.0.2.1', '192.0.2.2'] } }],
    ['both kinds of comments',               'a => 1 # one\n; two\nb => 2 ;three', { a: '1', b: '2' }],
    ['an array as a whole',                  '[ 1, { a => b } ]',                 ['1', { a: 'b' }]],
    ['quotes hold what ends a string',       '"a b" => "c=>{;"',                  { 'a b': 'c=>{;' }],
    ['escapes of octets and characters',     'a => ex\\097mpl\\e',                { a: 'example' }],
    ['escapes in quotes',                    'a => "internal\\"doublequote"',     { a: 'internal"doublequote' }],
    ['escaped blanks',                       'a => white\\ space',                { a: 'white space' }],
    ['escaped braces',                       'a => braces\\{every\\[where\\]oh\\}my', { a: 'braces{every[where]oh}my' }],
    ['escaped signs',                        'a => \\092\\=\\=\\=',               { a: '\\===' }],
    ['nothing at all',                       ' # only a comment',                 {}],
  ]

  test.each(GOOD)('%s', (_, text, value) => {
    expect(said(text)).toEqual(value)
  })

  test('an included file stands for a value', () => {
    expect(said('a => $include{ "x" }', { x: '[ 1, 2 ]' })).toEqual({ a: ['1', '2'] })
  })

  test('an included file is merged where a key would stand', () => {
    expect(said('a => { b => 1, $include{x} }', { x: 'c => 2' })).toEqual({ a: { b: '1', c: '2' } })
  })

  // biome-ignore format: table
  const BAD: readonly (readonly [rule: string, text: string, wrong: string])[] = [
    ['a hash that stays open',       'a => {\n b => 1',          'config:2: a { that is never closed'],
    ['an array that stays open',     'a => [ 1,\n',              'config:2: a [ that is never closed'],
    ['a quote that stays open',      'a => "b',                  'config:1: a quote that is never closed'],
    ['a key without a value',        'a => 1\nb c',              'config:2: no = or => behind b'],
    ['a key twice',                  'a => 1\na => 2',           'config:2: a stands twice'],
    ['something behind an array',    '[ 1 ] 2',                  'config:1: something stands behind the array'],
    ['a brace where a string is due','a => }',                   'config:1: } where a string should be'],
    ['an included file is absent',   '\na => $include{x}',       'config:2: the included x cannot be read'],
    ['an included folder or glob',   'a => $include{x/*}',       'config:1: x/* names several files'],
  ]

  test.each(BAD)('%s', (_, text, wrong) => {
    expect(said(text)).toBe(wrong)
  })

  test('files that include each other end somewhere', () => {
    expect(said('$include{x}', { x: '$include{x}' })).toContain('files include each other too deep')
  })
})

const ZONE_HEAD = '@ SOA ns1 admin 1 7200 1800 259200 60\n@ NS ns1\nns1 A 127.0.0.1\n'

/** @param zone lines behind SOA and NS */
function imported(config: string, zone: string, files: Record<string, string> = {}): Imported {
  const read = (path: string) => {
    const text = files[path]
    return text === undefined ? undefined : { file: path, text }
  }
  const originals = [
    { file: '/etc/gdnsd/config', text: config },
    { file: '/etc/gdnsd/zones/example.com', text: ZONE_HEAD + zone },
  ]
  const made = importGdnsd(originals, read)
  if (Array.isArray(made)) throw new Error(made.map(({ wrong }) => wrong).join('\n'))
  return made as Imported
}

function reportOf(made: Imported): string[] {
  return made.report.map(({ fidelity, line, what, here }) => `${fidelity} ${line} ${what}: ${here}`)
}

/** The lines of the configuration from a key of its top level on, up to the next. */
function section({ config }: Imported, key: string): string {
  const [, text = ''] = config.split(`\n${key}:`)
  return text.split('\n\n')[0] ?? ''
}

describe('options', () => {
  // biome-ignore format: table
  const ROWS: readonly (readonly [rule: string, options: string, config: string, report: string])[] = [
    ['one address',            'listen => 192.0.2.1',                    'listen: ["192.0.2.1:53"]',                 'exact 1 option listen 192.0.2.1: '],
    ['a port for all',         'listen => 192.0.2.1, dns_port => 5353',  'listen: ["192.0.2.1:5353"]',               'exact 1 option dns_port 5353: '],
    ['IPv6, with a port',      'listen => "[2001:db8::1]:5353"',         'listen: ["[2001:db8::1]:5353"]',           'exact 1 option listen [2001:db8::1]:5353: '],
    ['any',                    'listen => any',                          'listen: ["0.0.0.0:53", "[::]:53"]',        'exact 1 option listen any: '],
    ['a PROXY listener',       'listen => { 192.0.2.1 => {}, 127.0.0.1:5300 => { tcp_proxy => true } }', 'listen: ["192.0.2.1:53"]', 'unsupported 1 option listen 127.0.0.1:5300: left out: no PROXY protocol here'],
    ['an option of a listener','listen => { 192.0.2.1 => { udp_threads => 4 } }', 'listen: ["192.0.2.1:53"]',          'unsupported 1 udp_threads of option listen 192.0.2.1: workers: one thread a core by default'],
    ['no client subnets',      'edns_client_subnet => false',            'ecs: {enabled: off}',                       'exact 1 option edns_client_subnet false: ecs: enabled: off'],
    ['one unknown',            'lock_mem => true',                       'listen: ["0.0.0.0:53", "[::]:53"]',        'unsupported 1 option lock_mem true: left out: no counterpart'],
  ]

  test.each(ROWS)('%s', (_, options, config, report) => {
    const made = imported(`options => { ${options} }`, '')
    expect(made.config).toContain(config)
    expect(reportOf(made)).toContain(report)
  })
})

describe('TTLs (gdnsd.zonefile(5), DYNA/DYNC TTLs)', () => {
  const CONFIG = 'plugins => { multifo => { one => { a => 192.0.2.1 } } }'

  // biome-ignore format: table
  const ROWS = [
    ['MAX alone: MIN is half of it',  '', '300',     'ttl: {max: 300s, min: 150s}'],
    ['both',                          '', '300/30',  'ttl: {max: 300s, min: 30s}'],
    ['a fixed one',                   '', '600/600', 'ttl: 600s'],
    ['with units',                    '', '10M/30',  'ttl: {max: 600s, min: 30s}'],
    ['$TTL of the zone',              '', '',        'ttl: {max: 1000s, min: 500s}'],
    ['min_ttl is 5',                  '', '60/1',    'ttl: {max: 60s, min: 5s}'],
    ['min_ttl as told', 'options => { min_ttl => 20 }', '60/1', 'ttl: {max: 60s, min: 20s}'],
    ['max_ttl as told', 'options => { max_ttl => 3600 }', '86400/60', 'ttl: {max: 3600s, min: 60s}'],
  ] as const

  test.each(ROWS)('%s', (_, options, ttl, config) => {
    const made = imported(`${options} ${CONFIG}`, `$TTL 1000\nwww ${ttl} DYNA multifo!one\n`)
    expect(made.config).toContain(config)
  })
})

describe('resources', () => {
  // biome-ignore format: table
  const ROWS: readonly (readonly [rule: string, plugins: string, steer: string, pools: readonly string[], report?: string])[] = [
    ['multifo: all that are up, half of them at least',
      'multifo => { r => { a => 192.0.2.1, b => 192.0.2.2 } }',
      'pick: shuffle\n    pools: [r]', ['quorum: 50%', 'targets: [192.0.2.1, 192.0.2.2]']],
    ['up_thresh from the plugin',
      'multifo => { up_thresh => 0.01, r => [ 192.0.2.1, 192.0.2.2 ] }',
      'pools: [r]', ['quorum: 1%']],
    ['one target needs no quorum',
      'multifo => { r => 192.0.2.1 }',
      'pools: [r]', ['r:\n    targets: [192.0.2.1]']],
    ['simplefo: one behind the other',
      'simplefo => { r => { primary => 192.0.2.1, secondary => 192.0.2.2 } }',
      'pools: [r-primary, r-secondary]', ['r-primary:\n    targets: [192.0.2.1]']],
    ['weighted 45/60/75: one of them',
      'weighted => { r => { a => [ 192.0.2.1, 45 ], b => [ 192.0.2.2, 60 ], c => [ 192.0.2.3, 75 ] } }',
      'pick: weighted\n    pools: [r]', ['{address: 192.0.2.1, weight: 45}', 'weight: 60', 'weight: 75']],
    ['weighted multi 45/60/60: each by itself',
      'weighted => { r => { multi => true, a => [ 192.0.2.1, 45 ], b => [ 192.0.2.2, 60 ], c => [ 192.0.2.3, 60 ] } }',
      'pick: multi', ['weight: 45']],
    ['weighted multi with even weights: all',
      'weighted => { r => { multi => true, a => [ 192.0.2.1, 7 ], b => [ 192.0.2.2, 7 ] } }',
      'pick: shuffle', []],
    ['weights beyond 65535',
      'weighted => { r => { a => [ 192.0.2.1, 1000000 ], b => [ 192.0.2.2, 400000 ] } }',
      'pick: weighted', ['weight: 65535', 'weight: 26214'],
      'changed 1 weights of weighted r: scaled by 65535/1000000: the greatest weight is 65535'],
    ['grouped: several of one group',
      'weighted => { r => { g => { a => [ 192.0.2.1, 1 ], b => [ 192.0.2.2, 1 ] }, h => { a => [ 192.0.2.3, 1 ], b => [ 192.0.2.4, 1 ] } } }',
      'pick: weighted\n    answers: 2', [],
      'changed 1 weighted r: groups or several addresses at once: 2 addresses by weight; which come together is left to chance'],
    ['a check that fails',
      'multifo => { r => { service_types => nothing, a => 192.0.2.1 } }',
      'pools: [r]', [],
      'unsupported 1 service type nothing of multifo r: no check'],
    ['ignore_health',
      'multifo => { r => { ignore_health => true, a => 192.0.2.1 } }',
      'pools: [r]', [],
      'unsupported 1 ignore_health of multifo r: left out: only targets that are up are answered'],
  ]

  for (const [rule, plugins, steer, pools, report] of ROWS) {
    test(rule, () => {
      const [plugin] = plugins.split(' ')
      const made = imported(`plugins => { ${plugins} }`, `www DYNA ${plugin}!r\n`)
      expect(section(made, 'steer')).toContain(steer)
      for (const text of pools) expect(section(made, 'pools')).toContain(text)
      if (report !== undefined) expect(reportOf(made)).toContain(report)
    })
  }

  test('metafo: datacenters in order, with what they inherit', () => {
    const made = imported(
      `service_types => { web => { plugin => http_status, interval => 8 } }
      plugins => { metafo => { service_types => web, resources => { r => {
        datacenters => [ a, b, c ]
        dcmap => { a => 192.0.2.1, b => { plugin => simplefo, primary => 192.0.2.2, secondary => 192.0.2.3 }, c => !other }
      } } } multifo => { other => 192.0.2.4 } }`,
      'www DYNA metafo!r\nsecond DYNA metafo!r/b\n',
    )
    expect(section(made, 'steer')).toContain('pools: [r-a, r-b-primary, r-b-secondary, other]')
    expect(section(made, 'steer')).toContain('pools: [r-b-primary, r-b-secondary]')
    expect(section(made, 'pools')).toContain('r-a:\n    check: web')
    expect(section(made, 'pools')).toContain('other:\n    targets')
    expect(section(made, 'checks')).toContain(
      'web: {type: http, path: /, status: [200], port: 80, every: 8s, timeout: 4s, fall: 10, rise: 20}',
    )
  })

  test('service types: what is asked, what passes, and what is run', () => {
    const made = imported(
      `service_types => {
        web => { plugin => http_status, vhost => www.example.com, url_path => /up, ok_codes => [ 200, 204 ] }
        own => { plugin => extmon, cmd => [ /usr/local/bin/check, "-a", "%%ITEM%%" ] }
      }
      plugins => { multifo => { r => { service_types => [ web, own ], a => 192.0.2.1 } } }`,
      'www DYNA multifo!r\n',
    )
    const checks = section(made, 'checks').replaceAll(/\s+/g, ' ')
    expect(checks).toContain('path: /up, host: www.example.com, status: [200, 204], port: 80,')
    expect(checks).toContain('command: [/usr/local/bin/check, -a, "{address}"], every:')
  })

  test('a resource that leads back to itself ends somewhere', () => {
    const made = imported(
      `plugins => { metafo => { resources => {
        r => { datacenters => [ a, b ], dcmap => { a => %metafo!s, b => 192.0.2.1 } }
        s => { datacenters => [ a ], dcmap => { a => %metafo!r } }
      } } }`,
      'www DYNA metafo!r\n',
    )
    expect(section(made, 'steer')).toContain('pools: [r-b]')
  })

  test('what no zone names is told of', () => {
    const made = imported('plugins => { multifo => {\n r => 192.0.2.1 } }', '')
    expect(reportOf(made)).toContain('unsupported 2 multifo r: left out: no zone names it')
  })

  test('addresses and host names: the addresses stay', () => {
    const made = imported(
      `plugins => { metafo => { resources => { r => {
        datacenters => [ a, b ], dcmap => { a => 192.0.2.1, b => last.example.net. }
      } } } }`,
      'www DYNC metafo!r\n',
    )
    expect(section(made, 'steer')).toContain('pools: [r-a]')
    expect(reportOf(made).join('\n')).toContain(
      'unsupported 4 www.example.com DYNC metafo!r: r-b left out',
    )
  })
})

describe('maps (gdnsd-plugin-geoip(8))', () => {
  const geoip = (map: string, dcmap: string, more = '') => `plugins => { geoip => {
    ${more}
    maps => { m => { geoip2_db => City.mmdb, datacenters => [ a, b ], ${map} } }
    resources => { r => { map => m, dcmap => { ${dcmap} } } }
  } }`
  const PLAIN = 'a => 192.0.2.1, b => 192.0.2.2'

  // biome-ignore format: table
  const ROWS: readonly (readonly [rule: string, map: string, steer: string])[] = [
    ['no map: the datacenters as listed',      '',                                     'pools: [r-a, r-b]'],
    ['a continent',                            'map => { EU => [ b ] }',               'EU: [r-b]\n      default: [r-a, r-b]'],
    ['a default of its own',                   'map => { default => [ b ], EU => a }', 'EU: [r-a]\n      default: [r-b]'],
    ['a country inherits what its continent says', 'map => { EU => { default => [ b ], DE => [ a ] } }', 'DE: [r-a]\n            default: [r-b]'],
    ['… and what is above that',               'map => { EU => { DE => [ b ] } }',     'DE: [r-b]\n            default: [r-a, r-b]'],
    ['a subdivision goes before a city',       'map => { OC => { NZ => { Dunedin => a, OTA => b } } }', 'NZ-OTA: [r-b]\n                  default:\n                    by:\n                      cities:\n                        NZ/Dunedin: [r-a]'],
    ['a second level of subdivisions',         'map => { EU => { FR => { IDF => { 75 => b } } } }', 'subdivisions/1/iso_code:\n'],
    ['nets come first',                        'map => { EU => b }, nets => { 192.0.2.0/24 => a }', 'networks:\n        m-a: [r-a]\n      continents:\n        EU: [r-b]'],
    ['auto',                                   'auto_dc_coords => { a => [ 50, 8 ], b => [ 38, -77 ] }', 'nearest: [r-a, r-b]'],
    ['auto with a limit',                      'auto_dc_coords => { a => [ 50, 8 ], b => [ 38, -77 ] }, auto_dc_limit => 1', 'nearest: [r-a, r-b]\n    limit: 1'],
    ['auto in one place',                      'auto_dc_coords => { a => [ 50, 8 ], b => [ 38, -77 ] }, map => { default => [ a ], EU => auto }', 'EU:\n          nearest: [r-a, r-b]'],
  ]

  test.each(ROWS)('%s', (_, map, steer) => {
    const made = imported(geoip(map, PLAIN), 'www DYNA geoip!r\n')
    expect(section(made, 'steer')).toContain(steer)
    expect(made.config).toContain('database: [/etc/gdnsd/geoip/City.mmdb]')
  })

  // biome-ignore format: table
  const TOLD: readonly (readonly [rule: string, map: string, dcmap: string, report: string])[] = [
    ['a list of nothing',             'map => { EU => [] }', PLAIN,
      'changed 4 www.example.com DYNA geoip!r: clients that had no answer get that of the others: r-a, r-b'],
    ['ignore_ecs',                    'ignore_ecs => true', PLAIN,
      'unsupported 3 ignore_ecs of map m: left out: the option can be switched off for a listen address or for all'],
    ['a place that does not exist',   'map => { EU => { XX => a } }', PLAIN,
      'unsupported 3 XX in map m: left out: there is no such place'],
    ['a name with levels below it',   'map => { EU => { CH => { Geneve => { Geneva => a } } } }', PLAIN,
      'unsupported 3 Geneve in CH of map m: left out: a city has nothing below it, and a code has at most three characters'],
    ['a prefix that is none',         'nets => { 192.0.2.0 => a }', PLAIN,
      'unsupported 3 192.0.2.0 in nets of map m: left out: it is no prefix'],
    ['a family that some lack',       'map => { EU => a }', 'a => 192.0.2.1, b => [ 192.0.2.2, 2001:db8::2 ]',
      'changed 4 www.example.com DYNA geoip!r: some clients had no ipv6 answer; here they get another pool\'s'],
    ['nets that cannot be read',      'nets => absent', PLAIN,
      'unsupported 3 nets of map m: absent: left out: the file cannot be read'],
  ]

  test.each(TOLD)('%s is told of', (_, map, dcmap, report) => {
    expect(reportOf(imported(geoip(map, dcmap), 'www DYNA geoip!r\n'))).toContain(report)
  })

  test('a long list of nets becomes a file', () => {
    const nets = Array.from({ length: 50 }, (_, at) => `10.${at}.0.0/16 => b`).join('\n')
    const made = imported(geoip('nets => nets.txt', PLAIN), 'www DYNA geoip!r\n', {
      'geoip/nets.txt': nets,
    })
    expect(made.config).toContain('m-b: {file: networks/m-b.txt}')
    expect(made.files.get('networks/m-b.txt')?.split('\n')).toHaveLength(51)
  })

  test('two names of one map share its branches', () => {
    const made = imported(
      geoip('map => { EU => b }', PLAIN),
      'www DYNA geoip!r\nweb DYNA geoip!r\n',
    )
    expect(section(made, 'steer')).toContain('rule: www.example.com')
  })
})

describe('zones (gdnsd.zonefile(5))', () => {
  const CONFIG =
    'plugins => { multifo => { one => 192.0.2.1 } static => { a => 192.0.2.7, c => x.example.net. } }'

  // biome-ignore format: table
  const ROWS: readonly (readonly [rule: string, zone: string, lines: readonly string[]])[] = [
    ['other lines stay as they are',      'a  60 A 192.0.2.1 ; here\n', ['a  60 A 192.0.2.1 ; here']],
    ['DYNA is a comment',                 'www 60 DYNA multifo!one\n',  ['; www 60 DYNA multifo!one']],
    ['its owner stands where it is meant','www DYNA multifo!one\n    MX 10 a\n', ['www.example.com. MX 10 a']],
    ['@Z is the zone',                    '$ORIGIN sub\na.@Z A 192.0.2.1\n@Z MX 1 b.@Z\n', ['a.example.com. A 192.0.2.1', 'example.com. MX 1 b.example.com.']],
    ['@F is the origin of the file',      '$ORIGIN sub\n$ORIGIN x.@F\na A 192.0.2.1\n', ['$ORIGIN x.example.com.', 'a A 192.0.2.1']],
    ['a text of 300 octets',              `a TXT "${'x'.repeat(300)}"\n`, [`a TXT "${'x'.repeat(255)}" "${'x'.repeat(45)}"`]],
    ['static is a record',                'a 60 DYNA static!a\nc 60/60 DYNC static!c\n', ['a.example.com. 60 A 192.0.2.7', 'c.example.com. 60 CNAME x.example.net.']],
    ['null is two records',               'a 60 DYNA null\n', ['a.example.com. 60 A 0.0.0.0', 'a.example.com. 60 AAAA ::']],
    ['a directive of another version',    '$ADDR_LIMIT_V4 2\n', ['; $ADDR_LIMIT_V4 2']],
    ['records over several lines',        'a ( 60\n A ) 192.0.2.1\n', ['a ( 60', ' A ) 192.0.2.1']],
  ]

  test.each(ROWS)('%s', (_, zone, lines) => {
    const made = imported(CONFIG, zone)
    const text = made.files.get('zones/example.com.zone')?.split('\n') ?? []
    for (const line of lines) expect(text).toContain(line)
  })

  test('an included file is written anew, for the origin it is included with', () => {
    const files = { 'includes/x': 'a A 192.0.2.1\nb.@F A 192.0.2.2\nwww DYNA multifo!one\n' }
    const zone = '$INCLUDE includes/x one\n$INCLUDE includes/x two\n'
    const made = imported(CONFIG, zone, files)
    expect([...made.files.keys()].sort()).toEqual([
      'zones/example.com.zone',
      'zones/includes/x',
      'zones/includes/x-2',
    ])
    expect(made.files.get('zones/includes/x-2')).toContain('b.two.example.com. A 192.0.2.2')
    expect(section(made, 'steer')).toContain('www.one.example.com:')
    expect(section(made, 'steer')).toContain('www.two.example.com:')
  })

  test('a file called with @ is a zone with /', () => {
    const text = `${ZONE_HEAD}1 PTR a.example.com.\n`
    const originals = [
      { file: 'config', text: '' },
      { file: 'zones/0@25.2.0.192.in-addr.arpa', text },
    ]
    const made = importGdnsd(originals, () => undefined) as Imported
    expect(made.files.get('zones/0@25.2.0.192.in-addr.arpa.zone')).toContain(
      '$ORIGIN 0/25.2.0.192.in-addr.arpa.',
    )
  })

  // biome-ignore format: table
  const TOLD: readonly (readonly [rule: string, zone: string, report: string])[] = [
    ['reflect',                    'www DYNA reflect!both\n',        'unsupported 4 www.example.com DYNA reflect!both: left out: ask lbdns explain, or lbprobe resolver, who a client is'],
    ['a resource that is not there','www DYNA multifo!none\n',       'unsupported 4 www.example.com DYNA multifo!none: left out: there is no such resource'],
    ['a TTL below min_ttl',        'a 1 A 192.0.2.1\n',              'changed 4 TTL 1 of a.example.com A: stays 1: gdnsd makes it min_ttl, 5'],
    ['a directive of another version', '$ADDR_LIMIT_V4 2\n',         'unsupported 4 $ADDR_LIMIT_V4 2: left out: set answers: at the steered names that need it'],
  ]

  test.each(TOLD)('%s is told of', (_, zone, report) => {
    expect(reportOf(imported(CONFIG, zone))).toContain(report)
  })

  test.each([
    ['no zones', [{ file: 'config', text: '' }], 'no zone files'],
    [
      'no hash',
      [
        { file: 'config', text: '[]' },
        { file: 'z', text: '' },
      ],
      'config is no gdnsd configuration',
    ],
    [
      'a zone with an open quote',
      [
        { file: 'config', text: '' },
        { file: 'z', text: '@ TXT "x\n' },
      ],
      'z:1:7: a quote',
    ],
  ])('%s cannot be imported', (_, originals, wrong) => {
    const made = importGdnsd(originals, () => undefined)
    expect(Array.isArray(made) && made[0]?.wrong).toContain(wrong)
  })
})
