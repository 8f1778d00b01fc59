/**
 * The proof of the scope law by other people's caches: a thousand clients, IPv4 and IPv6, ask through
 * Unbound, PowerDNS Recursor and the cache of the RFC, and nobody gets what is meant for another.
 * gdnsd, whose scopes are right by construction, is the measure; Knot's geoip shows that the check
 * can fail.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith, stopAll } from '../kit/process.ts'
import { type GeoMap, NEEDS } from './geo.ts'
import { CACHES, type Cache, checkScopes, type Findings } from './scope-check.ts'

/** One network inside another, twice over; a deep one where nothing else is; both families. */
const MAP: GeoMap = {
  networks: [
    ['10.0.0.0/8', '192.0.2.10'],
    ['10.1.0.0/16', '192.0.2.11'],
    ['10.1.2.0/24', '192.0.2.12'],
    ['10.128.0.0/9', '192.0.2.13'],
    ['172.16.5.0/25', '192.0.2.14'],
    ['2001:db8::/32', '192.0.2.20'],
    ['2001:db8:1::/48', '192.0.2.21'],
  ],
  otherwise: '192.0.2.1',
}
const CLIENTS = 1_000

const needs = ['unbound', 'pdns_recursor', ...NEEDS.gdnsd, ...NEEDS.knot]

describeWith(needs, `${CLIENTS} clients through caches that go by scope`, () => {
  type All = Readonly<Record<Cache, Findings>>
  let lbdns: All
  let gdnsd: All
  let knot: All

  beforeAll(async () => {
    lbdns = await checkScopes('lbdns', MAP, CLIENTS)
    gdnsd = await checkScopes('gdnsd', MAP, CLIENTS)
    knot = await checkScopes('knot', MAP, CLIENTS)
  }, 58_000)
  afterAll(stopAll)

  test.each(CACHES)('%s: everybody gets what lbdns means for him', cache => {
    expect(lbdns[cache].wrong).toEqual([])
  })

  test.each(CACHES)('%s: lbdns is asked at most 1.5 times as often as gdnsd', cache => {
    expect(gdnsd[cache].wrong).toEqual([])
    expect(lbdns[cache].upstream).toBeLessThanOrEqual(1.5 * gdnsd[cache].upstream)
  })

  test.each(CACHES)('%s: the check can fail, and does with the scopes of Knot', cache => {
    expect(knot[cache].wrong.length).toBeGreaterThan(CLIENTS / 10)
  })
})
