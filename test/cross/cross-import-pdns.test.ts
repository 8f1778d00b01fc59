/**
 * PowerDNS's geoip backend and what it is imported as, asked the same: every placeholder that
 * branches can stand for, custom mapping, network maps, weights, records beside services.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Account } from '../../server/import/imported.ts'
import { importPdnsGeoip } from '../../server/import/pdns-geoip.ts'
import { answers, type Place } from '../kit/ask.ts'
import { describeWith, folder, freePort, putFiles, startReady, stopAll } from '../kit/process.ts'
import { deskFrom } from '../kit/world.ts'
import { askBoth, type Both, differing, falseScopes, members, questionsOf } from './both.ts'
import { ordinaryClients, smallWorld } from './small-world.ts'

const QUESTIONS = 5_000
const WORLD = smallWorld(300, 11)

const YAML = `
mapping_lookup_formats: ['%cc-%re', '%cc']
custom_mapping: { us-ca: west, us: mid, de: nord }
domains:
- domain: geo.test
  ttl: 300
  records:
    geo.test:
      - soa: ns1.geo.test admin.geo.test 1 7200 1800 259200 60
      - ns: ns1.geo.test
      - a: 192.0.2.250
    ns1.geo.test: [ { a: 127.0.0.1 } ]
    txt.geo.test:
      - txt: hello world
      - txt: '"two" "parts"'
      - mx: 10 mail.geo.test
      - srv: 0 5 80 www.geo.test
    # continents, some with countries of their own
    eu.s.geo.test: &eu [ { a: 192.0.2.1 }, { a: 192.0.2.2 }, { aaaa: "2001:db8::1" } ]
    de.eu.s.geo.test: [ { a: 192.0.2.3 }, { aaaa: "2001:DB8::3" } ]
    na.s.geo.test: [ { a: 192.0.2.4 }, { aaaa: "2001:db8::4" } ]
    as.s.geo.test: [ { a: 192.0.2.5 }, { aaaa: "2001:db8::5" } ]
    jp.as.s.geo.test: [ { a: 192.0.2.6 }, { aaaa: "2001:db8::6" } ]
    rest.s.geo.test: [ { a: 192.0.2.7 }, { aaaa: "2001:db8::7" } ]
    unknown.u.geo.test: [ { a: 192.0.2.8 } ]
    us.u.geo.test: [ { a: 192.0.2.9 } ]
    za.u.geo.test: [ { a: 192.0.2.10 } ]
    unknown.k.geo.test: [ { a: 192.0.2.11 } ]
    eu.k.geo.test: [ { a: 192.0.2.12 } ]
    other.k.geo.test: [ { a: 192.0.2.13 } ]
    # regions and cities
    ca.us.r.geo.test: [ { a: 192.0.2.14 } ]
    by.de.r.geo.test: [ { a: 192.0.2.15 } ]
    all.r.geo.test: [ { a: 192.0.2.16 } ]
    ota.q.geo.test: [ { a: 192.0.2.17 } ]
    all.q.geo.test: [ { a: 192.0.2.18 } ]
    "los angeles.c.geo.test": [ { a: 192.0.2.19 } ]
    berlin.c.geo.test: [ { a: 192.0.2.20 } ]
    all.c.geo.test: [ { a: 192.0.2.21 } ]
    dallas.tx.us.d.geo.test: [ { a: 192.0.2.22 } ]
    us.d.geo.test: [ { a: 192.0.2.23 } ]
    all.d.geo.test: [ { a: 192.0.2.24 } ]
    # networks of others
    as64500.n.geo.test: [ { a: 192.0.2.25 } ]
    as64511.n.geo.test: [ { a: 192.0.2.26 } ]
    all.n.geo.test: [ { a: 192.0.2.27 } ]
    v4.f.geo.test: [ { a: 192.0.2.28 } ]
    v6.f.geo.test: [ { a: 192.0.2.29 } ]
    west.m.geo.test: [ { a: 192.0.2.30 } ]
    mid.m.geo.test: [ { a: 192.0.2.31 } ]
    nord.m.geo.test: [ { a: 192.0.2.32 } ]
    unknown.m.geo.test: [ { a: 192.0.2.33 } ]
    w1.geo.test:
      - a: { content: 192.0.2.34, weight: 50 }
      - a: { content: 192.0.2.35, weight: 150 }
    inside.geo.test: [ { a: 192.0.2.36 }, { aaaa: "2001:db8::36" } ]
    fix.geo.test: [ { cname: far.example.net } ]
    sum.geo.test: [ { a: 192.0.2.37 }, { txt: beside } ]
    same1.geo.test: [ { a: 192.0.2.38 }, { txt: the same } ]
    same2.geo.test: [ { a: 192.0.2.39 }, { txt: the same } ]
    short.geo.test: [ { a: { content: 192.0.2.40, ttl: 20 } } ]
  services:
    s.geo.test: [ '%co.%cn.s.geo.test', '%cn.s.geo.test', rest.s.geo.test ]
    u.geo.test: [ '%cc.u.geo.test', 'unknown.u.geo.test' ]
    k.geo.test: { default: [ '%cn.k.geo.test', 'other.k.geo.test' ] }
    r.geo.test: [ '%re.%co.r.geo.test', all.r.geo.test ]
    q.geo.test: [ '%re.q.geo.test', all.q.geo.test ]
    c.geo.test: [ '%ci.c.geo.test', all.c.geo.test ]
    d.geo.test: [ '%ci.%re.%cc.d.geo.test', '%cc.d.geo.test', all.d.geo.test ]
    n.geo.test: [ 'as%as.n.geo.test', all.n.geo.test ]
    f.geo.test: '%af.f.geo.test'
    m.geo.test: [ '%mp.m.geo.test', unknown.m.geo.test ]
    e.geo.test: 'edge-%cn.example.net'
    sum.geo.test: [ '%cn.s.geo.test', rest.s.geo.test ]
    geo.test: [ '%cn.s.geo.test', rest.s.geo.test ]
    net.geo.test:
      default: [ '%cn.s.geo.test', rest.s.geo.test ]
      45.0.0.0/8: inside.geo.test
      45.64.0.0/10: [ '%co.%cn.s.geo.test', '%cn.s.geo.test', rest.s.geo.test ]
      2001:db8:8000::/33: inside.geo.test
    w2.geo.test: { default: w1.geo.test, 45.0.0.0/8: all.c.geo.test }
    same.geo.test: { default: same1.geo.test, 101.0.0.0/8: same2.geo.test }
    short.at.geo.test: { default: short.geo.test }
    "*.x.geo.test": [ '%cn.s.geo.test', rest.s.geo.test ]
`

const CONF = `launch=geoip
geoip-zones-file=FOLDER/geo.yaml
geoip-database-files=mmdb:FOLDER/city.mmdb
edns-subnet-processing=yes
local-address=127.0.0.1
local-port=PORT
socket-dir=FOLDER
cache-ttl=0
query-cache-ttl=0
negquery-cache-ttl=0
zone-cache-refresh-interval=0
security-poll-suffix=
`

const inZone = (name: string) => (name === '@' ? 'geo.test' : `${name}.geo.test`)

const ADDRESSES = [
  ...['s', 'u', 'k', 'r', 'q', 'c', 'd', 'n', 'f', 'm', 'sum', '@', 'net', 'same', 'short.at'],
  ...['a.x', 'e', 'eu.s', 'ns1', 'fix', 'inside', 'nobody'],
].map(inZone)
const DRAWN = ['w1', 'w2'].map(inZone)

const NETWORKS = ['45.0.0.0/8', '45.64.0.0/10', '2001:db8:8000::/33', '101.0.0.0/8']

describeWith(
  ['pdns_server', 'libgeoipbackend.so'],
  `PowerDNS geoip and its import, ${QUESTIONS} questions`,
  () => {
    let report: readonly Account[] = []
    let fixed: Both[] = []
    let drawn: Both[] = []
    let others: Both[] = []

    beforeAll(async () => {
      const place: Place = { host: '127.0.0.1', port: await freePort() }
      const where = folder()
      const files = {
        'pdns.conf': CONF.replace('PORT', String(place.port)).replaceAll('FOLDER', where),
        'geo.yaml': YAML,
      }
      putFiles(where, { ...files, 'city.mmdb': WORLD.octets })
      const imported = importFrom(where, files)
      report = imported.report
      const desk = deskFrom({
        'lbdns.yaml': imported.config,
        ...Object.fromEntries(imported.files),
        [join(where, 'city.mmdb')]: WORLD.octets,
      })
      await startReady('pdns_server', [`--config-dir=${where}`], () => answers(place, 'geo.test'))
      const clients = ordinaryClients([...WORLD.networks, ...NETWORKS], QUESTIONS / 2, 5)
      const questions = questionsOf(ADDRESSES, ['A', 'AAAA'], clients, QUESTIONS - 600)
      fixed = await askBoth(place, desk, questions)
      drawn = await askBoth(place, desk, questionsOf(DRAWN, ['A'], clients, 500))
      const names = ['txt', 'sum', 'same'].map(inZone)
      others = await askBoth(place, desk, questionsOf(names, ['TXT'], clients, 100))
    }, 40_000)
    afterAll(stopAll)

    test('every client gets the same from both', () => {
      expect(differing(fixed)).toEqual([])
      expect(differing(others)).toEqual([])
    })

    test('what is drawn is drawn from the same', () => {
      expect(members(drawn, 'ours')).toEqual(members(drawn, 'theirs'))
      for (const { name, ours } of drawn) expect(ours.answer.length, name).toBe(1)
    })

    test('our scopes are true by what PowerDNS answers', () => {
      expect(falseScopes(fixed)).toEqual([])
      const said = report.map(({ here }) => here).join('\n')
      expect(said).toContain('scopes are the shortest that are true')
    })
  },
)

function importFrom(where: string, files: Readonly<Record<string, string>>) {
  const original = (file: string) => ({ file: join(where, file), text: files[file] ?? '' })
  const read = (path: string) => (path.endsWith('geo.yaml') ? original('geo.yaml') : undefined)
  const made = importPdnsGeoip([original('pdns.conf')], read)
  if (Array.isArray(made)) throw new Error(made.map(({ wrong }) => wrong).join('\n'))
  return made as Exclude<typeof made, readonly unknown[]>
}
