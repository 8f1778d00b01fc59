/**
 * Laws of all importers: whatever stands in a file, they say what is wrong with it or make a
 * configuration that loads; and every line of an original that matters is told of in the report.
 */
import { describe, expect, test } from 'vitest'
import { problemText } from '../../server/fault.ts'
import { importGdnsd } from '../../server/import/gdnsd.ts'
import { importGeodns } from '../../server/import/geodns.ts'
import type { Imported, Original } from '../../server/import/imported.ts'
import { importOctodns } from '../../server/import/octodns.ts'
import { importPdnsGeoip } from '../../server/import/pdns-geoip.ts'
import { chance, draw } from '../../server/steer/chance.ts'
import { smallWorld } from '../cross/small-world.ts'
import { loadFrom } from '../kit/world.ts'

const RUNS = 60
const CITY = smallWorld(40, 5).octets

type Sample = { readonly importer: typeof importGdnsd; readonly files: readonly Original[] }

const SAMPLES: Readonly<Record<string, Sample>> = {
  gdnsd: {
    importer: importGdnsd,
    files: [
      {
        file: '/etc/config',
        text: `options => {
  listen => [ 127.0.0.1, "[::1]:5353" ]
  zones_default_ttl => 300
  edns_client_subnet => true
}
service_types => {
  web => {
    plugin => http_status
    port => 8080
  }
  cmd => { plugin => extmon, cmd => [ "/bin/check", "x" ] }
}
plugins => {
  multifo => {
    up_thresh => 0.3
    both => {
      service_types => web
      addrs_v4 => [ 192.0.2.1, 192.0.2.2 ]
      addrs_v6 => [ 2001:db8::1 ]
    }
  }
  weighted => {
    one => {
      a => [ 192.0.2.3, 10 ]
      b => [ 192.0.2.4, 1000000 ]
    }
    names => { a => [ a.example.net., 1 ], b => [ b.example.net., 2 ] }
  }
  simplefo => { pair => { primary => 192.0.2.5, secondary => 192.0.2.6 } }
  metafo => { resources => { chain => {
    datacenters => [ x, y ]
    dcmap => { x => %multifo!both, y => 192.0.2.7 }
  } } }
  geoip => {
    maps => {
      m => {
        geoip2_db => City.mmdb
        datacenters => [ eu, us ]
        map => {
          EU => { DE => [ eu ], default => [ us, eu ] }
          NA => [ us ]
          OC => []
        }
        nets => {
          10.0.0.0/8 => us
          2001:db8::/32 => [ eu, us ]
        }
      }
      near => {
        geoip2_db => City.mmdb
        datacenters => [ eu, us ]
        auto_dc_coords => { eu => [ 50.1, 8.7 ], us => [ 38.9, -77.0 ] }
        auto_dc_limit => 1
      }
    }
    resources => {
      www => {
        map => m
        dcmap => {
          eu => [ 192.0.2.8, 192.0.2.9 ]
          us => last.example.net.
        }
      }
      auto => { map => near, dcmap => { eu => 192.0.2.10, us => !both } }
    }
  }
}
`,
      },
      {
        file: '/etc/zones/example.com',
        text: `@ SOA ns1 admin 1 7200 1800 259200 60
@ NS ns1
ns1 A 127.0.0.1
both 60 DYNA multifo!both
    MX 10 ns1
one 60/10 DYNA weighted!one
names DYNC weighted!names
pair DYNA simplefo!pair
chain DYNA metafo!chain
www DYNC geoip!www
auto DYNA geoip!auto
zero DYNA null
deep.@Z TXT "x"
alias CNAME www
`,
      },
    ],
  },
  'pdns-geoip': {
    importer: importPdnsGeoip,
    files: [
      {
        file: '/etc/geo.yaml',
        text: `mapping_lookup_formats: ['%cc-%re', '%cc']
custom_mapping:
  us-ca: west
domains:
- domain: example.com
  ttl: 60
  records:
    example.com:
      - soa: ns1.example.com admin.example.com 1 7200 1800 259200 60
      - ns: ns1.example.com
    ns1.example.com:
      - a: 127.0.0.1
    eu.example.com:
      - a: 192.0.2.1
      - aaaa: 2001:db8::1
      - txt: europe
    unknown.example.com:
      - a:
          content: 192.0.2.2
          weight: 10
      - a: 192.0.2.3
    west.example.com:
      - cname: west.example.net
    ip.example.com:
      - a: '%ip4'
  services:
    www.example.com: ['%cn.example.com', 'unknown.example.com']
    map.example.com:
      default: '%mp.example.com'
      10.0.0.0/8: eu.example.com
    edge.example.com: 'edge-%cn.example.net'
    re.example.com: '%re.example.com'
`,
      },
    ],
  },
  octodns: {
    importer: importOctodns,
    files: [
      {
        file: '/etc/example.com.yaml',
        text: `'':
- type: NS
  values: [ns1.example.net.]
- type: TXT
  values:
  - one
  - 'two\\; "three"'
www:
- type: A
  ttl: 60
  dynamic:
    pools:
      eu:
        fallback: us
        values:
        - value: 192.0.2.1
          weight: 2
        - value: 192.0.2.2
      us:
        values:
        - value: 192.0.2.3
    rules:
    - geos: [EU, NA-US-CA]
      pool: eu
    - subnets: [10.0.0.0/8]
      pool: eu
    - pool: us
  values: [192.0.2.4]
  octodns:
    healthcheck:
      protocol: TCP
      port: 80
- type: AAAA
  value: 2001:db8::1
alias:
  type: CNAME
  dynamic:
    pools: { one: { values: [ { value: a.example.net. } ] } }
    rules: [ { pool: one } ]
  value: b.example.net.
geo:
  type: A
  geo: { EU: [192.0.2.5] }
  value: 192.0.2.6
_sip._tcp:
  type: SRV
  value: { priority: 1, weight: 2, port: 3, target: www.example.com. }
`,
      },
    ],
  },
  geodns: {
    importer: importGeodns,
    files: [
      {
        file: '/etc/example.com.json',
        text: `{
  "serial": 1,
  "max_hosts": 1,
  "targeting": "country continent @ region asn ip",
  "data": {
    "": {
      "ns": ["ns1.example.net"],
      "mx": [{"mx": "mail.example.net", "preference": 10}]
    },
    "www": {
      "a": [["192.0.2.1", 10], ["192.0.2.2", 20]],
      "aaaa": [["2001:db8::1", 10]],
      "ttl": 30
    },
    "www.europe": {
      "a": [["192.0.2.3", 0]],
      "health": {"type": "tcp", "port": 80}
    },
    "www.[10.0.0.0]": {"a": [["192.0.2.4"]]},
    "www.as64500": {"a": [["192.0.2.5"]]},
    "alias": {"alias": "www"},
    "cname": {"cname": "www"},
    "cname.us": {"cname": [["a.example.net.", 1], ["b.example.net.", 2]]}
  }
}
`,
      },
    ],
  },
}

/** Some lines are left out, doubled, or exchanged with others, and some words with others. */
function damaged(text: string, seed: number): string {
  const drawn = chance(seed)
  const below = (limit: number) => draw(drawn) % limit
  const lines = text.split('\n')
  for (let times = below(4); times >= 0; times -= 1) {
    const at = below(lines.length)
    const kind = below(4)
    const line = lines[at] ?? ''
    if (kind === 0) lines.splice(at, 1)
    else if (kind === 1) lines.splice(below(lines.length), 0, line)
    else if (kind === 2) lines[at] = line.slice(0, below(line.length + 1))
    else
      lines[at] = line.replace(/[\w.]+/g, word => (below(4) > 0 ? word : wordOf(text, below(999))))
  }
  return lines.join('\n')
}

function wordOf(text: string, at: number): string {
  const words = text.match(/[\w.:%-]+/g) ?? ['']
  return words[at % words.length] ?? ''
}

function isImported(made: ReturnType<typeof importGdnsd>): made is Imported {
  return !Array.isArray(made)
}

describe.each(Object.entries(SAMPLES))('%s', (_, { importer, files }) => {
  test('the sample is imported, and loads', () => {
    const made = importer(files, () => undefined)
    if (!isImported(made)) throw new Error(made.map(({ wrong }) => wrong).join('\n'))
    expect(problemsOf(made)).toEqual([])
  })

  test(`${RUNS} damaged samples: what is imported loads`, () => {
    let imported = 0
    for (let seed = 1; seed <= RUNS; seed += 1) {
      const hurt = files.map(({ file, text }) => {
        return { file, text: file.includes('/zones/') ? text : damaged(text, seed) }
      })
      const made = importer(hurt, () => undefined)
      if (!isImported(made)) {
        expect(made.length).toBeGreaterThan(0)
        continue
      }
      imported += 1
      expect(problemsOf(made), `${seed}: ${hurt.map(({ text }) => text).join('\n')}`).toEqual([])
    }
    expect(imported).toBeGreaterThan(RUNS / 10)
  })
})

function problemsOf(made: Imported): string[] {
  const geo = made.config.includes('\ngeo:') ? '' : 'geo: {database: /etc/geoip/City.mmdb}\n'
  const loaded = loadFrom({
    'lbdns.yaml': made.config + geo,
    ...Object.fromEntries(made.files),
    '/etc/geoip/City.mmdb': CITY,
  })
  if (loaded.ok) return []
  // A damaged path leads nowhere: that is as true of the original.
  return loaded.problems.map(problemText).filter(text => !/^lbdns.*does not exist/.test(text))
}
