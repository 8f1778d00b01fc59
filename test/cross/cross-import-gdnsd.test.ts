/**
 * gdnsd and what its configuration is imported as, asked the same: a rich configuration with every
 * plugin, a city database, nets in a file and inline, and a zone with all of gdnsd's extensions.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importGdnsd } from '../../server/import/gdnsd.ts'
import type { Account } from '../../server/import/imported.ts'
import { answers, type Place } from '../kit/ask.ts'
import { describeWith, folder, freePort, putFiles, startReady, stopAll } from '../kit/process.ts'
import { deskFrom } from '../kit/world.ts'
import {
  askBoth,
  type Both,
  differing,
  falseScopes,
  longerScopes,
  members,
  questionsOf,
} from './both.ts'
import { ordinaryClients, smallWorld } from './small-world.ts'

const QUESTIONS = 5_000
const WORLD = smallWorld(300, 7)

const CONFIG = `
options => { listen => 127.0.0.1:PORT, run_dir => FOLDER/run, state_dir => FOLDER/state }
plugins => {
  null => {}, reflect => {},
  static => { one => 192.0.2.77, six => 2001:db8::77, far => far.example.net. }
  multifo => {
    list => { a => 192.0.2.1, b => 192.0.2.2, c => 192.0.2.3, up_thresh => 0.3 }
    both => { addrs_v4 => [ 192.0.2.4, 192.0.2.5 ], addrs_v6 => { x => 2001:db8::4 } }
  }
  simplefo => { pair => { primary => 192.0.2.6, secondary => 192.0.2.7 } }
  weighted => {
    one => { w1 => [ 192.0.2.11, 45 ], w2 => [ 192.0.2.12, 60 ], w3 => [ 192.0.2.13, 75 ] }
    cn => { c1 => [ c1.example.net., 2 ], c2 => [ c2.example.net., 1 ] }
    many => { multi => true, m1 => [ 192.0.2.14, 3 ], m2 => [ 192.0.2.15, 3 ] }
    grouped => {
      g1 => { a => [ 192.0.2.21, 1 ], b => [ 192.0.2.22, 1 ] }
      g2 => { a => [ 192.0.2.23, 1 ], b => [ 192.0.2.24, 1 ] }
    }
  }
  metafo => { resources => {
    chain => {
      datacenters => [ first, second ]
      dcmap => { first => { x => 192.0.2.31, y => 192.0.2.32 }, second => %multifo!list }
    }
    backed => { datacenters => [ map, rest ], dcmap => { map => %geoip!near, rest => 192.0.2.99 } }
  } }
  $include{geoip.cfg}
}`

const GEOIP = `
geoip => {
  maps => {
    prod => {
      geoip2_db => City.mmdb
      datacenters => [ eu, us, asia ]
      map => {
        EU => {
          default => [ eu, us ]
          DE => { default => [ asia, eu ], BY => [ us ], Berlin => [ eu ] }
          FR => { Paris => [ us, eu ] }
        }
        NA => { US => { CA => { default => [ us ], "San Jose" => [ asia ] }, Dallas => [ eu ] } }
        AS => { JP => [ asia ], US => [ asia ] } # no such place: nobody gets this
        OC => { NZ => { OTA => [ eu ], Dunedin => [ us ], Auckland => [ asia ] } }
        SA => [ us, asia ]
      }
      nets => {
        203.0.113.0/24 => eu, 10.1.0.0/16 => [ asia, us ], 10.1.2.0/24 => us
        2001:db8:5::/48 => [ us, eu ], 45.0.0.0/9 => eu
      }
    }
    auto => {
      geoip2_db => City.mmdb
      datacenters => [ fra, iad, sin, off ]
      auto_dc_coords => { fra => [ 50.11, 8.68 ], iad => [ 38.95, -77.45 ], sin => [ 1.35, 103.99 ] }
      auto_dc_limit => 2
      map => { EU => { CH => [ off ] } }
    }
    nets => { datacenters => [ a, b ], nets => nets.txt }
    wide => { datacenters => [ a, b ], nets => { ::/0 => b, 101.0.0.0/8 => a } }
  }
  resources => {
    www => {
      map => prod
      dcmap => {
        eu => { lb1 => 198.51.100.1, lb2 => 198.51.100.2 }
        us => [ 198.51.100.3, 198.51.100.4 ]
        asia => 198.51.100.5
      }
    }
    two => {
      map => prod
      dcmap => {
        eu => { addrs_v4 => [ 198.51.100.11 ], addrs_v6 => [ 2001:db8::11 ] }
        us => { addrs_v4 => [ 198.51.100.12 ], addrs_v6 => [ 2001:db8::12 ] }
        asia => { addrs_v4 => [ 198.51.100.13, 198.51.100.14 ], addrs_v6 => [ 2001:db8::13 ] }
      }
    }
    second => {
      map => prod, skip_first => true
      dcmap => { eu => 198.51.100.21, us => 198.51.100.22, asia => 198.51.100.23 }
    }
    cdn => {
      map => prod
      dcmap => { eu => eu.cdn.example.net., us => us.cdn.example.net., asia => asia.cdn.example.net. }
    }
    near => {
      map => auto
      dcmap => {
        fra => 198.51.100.31, iad => 198.51.100.32, sin => 198.51.100.33, off => 198.51.100.34
      }
    }
    split => { map => nets, dcmap => { a => 198.51.100.41, b => !list } }
    wide => { map => wide, dcmap => { a => 198.51.100.42, b => 198.51.100.43 } }
    nested => { map => wide, dcmap => { a => %geoip!near, b => %metafo!chain } }
  }
}`

const NETS = `101.0.0.0/8 => a
101.1.0.0/16 => b
101.1.128.0/17 => [ a, b ]
::c000:0/112 => b # 192.0.0.0/16, as gdnsd keeps it
2001:db8:80::/41 => b
`

const ZONE = `$TTL 300
@ SOA ns1 admin ( 1 7200 1800 259200 60 ) ; the zone
@ NS ns1
ns1 A 127.0.0.1
list 60 DYNA multifo!list
     MX 10 mail
both 60/20 DYNA multifo!both
pair DYNA simplefo!pair
one 30/30 DYNA weighted!one
many DYNA weighted!many
grouped DYNA weighted!grouped
cn DYNC weighted!cn
chain DYNA metafo!chain
chain2 DYNA metafo!chain/second
backed DYNA metafo!backed
www 600/60 DYNA geoip!www
www-us DYNA geoip!www/us
two DYNA geoip!two
*.w DYNA geoip!two
second DYNA geoip!second
cdn DYNC geoip!cdn
near DYNA geoip!near
split DYNA geoip!split
wide DYNA geoip!wide
nested DYNA geoip!nested
zero DYNA null
fix DYNA static!one
fix6 DYNA static!six
far DYNC static!far
mail A 192.0.2.200
deep.sub.@Z A 192.0.2.201
$INCLUDE includes/inc sub
long TXT "${'x'.repeat(300)}"
`

const INCLUDED = `in A 192.0.2.202
back.@Z A 192.0.2.203
here.@F A 192.0.2.204
$ORIGIN deeper
$ORIGIN other.@F
elsewhere A 192.0.2.205
dyn DYNA multifo!list
    TXT "behind"
`

/** The same for all who are in one place. */
const FIXED = [
  ...['list', 'both', 'pair', 'many', 'chain', 'chain2', 'backed', 'www', 'www-us', 'two', 'x.w'],
  ...['second', 'cdn', 'near', 'split', 'wide', 'nested', 'zero', 'fix', 'fix6', 'far', 'mail'],
  ...['deep.sub', 'in.sub', 'back', 'here.sub', 'elsewhere.other.sub', 'dyn.other.sub', 'nobody'],
].map(inZone)
/** By chance. */
const DRAWN = ['one', 'cn', 'grouped'].map(inZone)

function inZone(name: string): string {
  return `${name}.example.org`
}

const NETWORKS = [
  ...['203.0.113.0/24', '10.1.0.0/16', '10.1.2.0/24', '2001:db8:5::/48', '45.0.0.0/9'],
  ...['101.0.0.0/8', '101.1.0.0/16', '101.1.128.0/17', '2001:db8:80::/41', '192.0.0.0/16'],
]

describeWith(['gdnsd'], `gdnsd and its import, ${QUESTIONS} questions`, () => {
  let report: readonly Account[] = []
  let fixed: Both[] = []
  let drawn: Both[] = []

  beforeAll(async () => {
    const place: Place = { host: '127.0.0.1', port: await freePort() }
    const where = folder({ 'run/.keep': '', 'state/.keep': '' })
    const files = {
      'etc/config': CONFIG.replace('PORT', String(place.port)).replaceAll('FOLDER', where),
      'etc/geoip.cfg': GEOIP,
      'etc/geoip/nets.txt': NETS,
      'etc/zones/example.org': ZONE,
      'etc/zones/includes/inc': INCLUDED,
    }
    putFiles(where, { ...files, 'etc/geoip/City.mmdb': WORLD.octets })
    const imported = importFrom(files)
    report = imported.report
    const desk = deskFrom({
      'lbdns.yaml': imported.config,
      ...Object.fromEntries(imported.files),
      'etc/geoip/City.mmdb': WORLD.octets,
    })
    const args = ['-Dc', join(where, 'etc'), 'start']
    await startReady('gdnsd', args, () => answers(place, 'example.org'))
    const clients = ordinaryClients([...WORLD.networks, ...NETWORKS], QUESTIONS / 2, 3)
    const questions = questionsOf(FIXED, ['A', 'AAAA'], clients, QUESTIONS - 500)
    fixed = await askBoth(place, desk, questions)
    drawn = await askBoth(place, desk, questionsOf(DRAWN, ['A'], clients, 500))
  }, 40_000)
  afterAll(stopAll)

  test('every client gets the same from both', () => {
    expect(differing(fixed)).toEqual([])
    const answered = fixed.filter(({ ours }) => ours.answer.length > 0)
    expect(answered.length).toBeGreaterThan(QUESTIONS / 2)
  })

  test('what is drawn is drawn from the same', () => {
    expect(members(drawn, 'ours')).toEqual(members(drawn, 'theirs'))
    for (const { name, ours, theirs } of drawn) {
      const count = name.startsWith('grouped') ? 2 : 1
      expect([ours.answer.length, theirs.answer.length], name).toEqual([count, count])
    }
  })

  test('our scopes are true by what gdnsd answers', () => {
    expect(falseScopes(fixed)).toEqual([])
  })

  test('the check of scopes can fail, and does with scope 0', () => {
    const worldwide = fixed.map(one => ({ ...one, ours: { ...one.ours, scope: 0 } }))
    expect(falseScopes(worldwide).length).toBeGreaterThan(QUESTIONS / 50)
  })

  test('scopes are longer than those of gdnsd only beside a special block, as the report says', () => {
    expect(longerScopes(fixed)).toEqual([])
    const said = report.map(({ here }) => here).join('\n')
    expect(said).toContain('scopes beside a private or special block end at it')
    expect(said).toContain('scopes are the shortest that are true')
  })

  test('they are shorter only where gdnsd parts what is the same, or has no such type', () => {
    const shorter = fixed.filter(({ ours, theirs }) => ours.scope < theirs.scope)
    const names = new Set(shorter.filter(({ ours }) => ours.answer.length > 0).map(one => one.name))
    expect([...names].sort()).toEqual(['backed', 'near', 'second'].map(inZone))
  })
})

function importFrom(files: Readonly<Record<string, string>>) {
  const original = (file: string) => ({ file, text: files[file] ?? '' })
  const read = (path: string, from: string) => {
    const file = join(from, '..', path)
    return files[file] === undefined ? undefined : original(file)
  }
  const made = importGdnsd([original('etc/config'), original('etc/zones/example.org')], read)
  if (Array.isArray(made)) throw new Error(made.map(({ wrong }) => wrong).join('\n'))
  return made as Exclude<typeof made, readonly unknown[]>
}
