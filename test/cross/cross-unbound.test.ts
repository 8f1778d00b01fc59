/**
 * Unbound with its subnet cache in front of lbdns, as an operator would set it up. What clients get is
 * asked of Unbound; what it had to ask lbdns is counted on the way.
 */
import { Address4, Address6 } from 'ip-address'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { ask, type Place, type Said } from '../kit/ask.ts'
import { startLbdns } from '../kit/lbdns.ts'
import { describeWith, stopAll } from '../kit/process.ts'
import { startUnbound } from './resolvers.ts'
import { openTap, type Tap } from './tap.ts'

const ZONE = `
$ORIGIN example.com.
$TTL 300
@ SOA ns1 hostmaster 1 7200 900 1209600 60
@      NS ns1
ns1    A  192.0.2.251
static A  192.0.2.99
eu     A  192.0.2.201
us     A  192.0.2.202
`

const CONFIG = `
zones: [example.com.zone]
pools:
  us: {targets: [198.51.100.1, 198.51.100.2]}
  de: {targets: [198.51.100.49, 198.51.100.50]}
  jp: {targets: [198.51.100.81, 198.51.100.82]}
  br: {targets: [198.51.100.55, 198.51.100.56]}
  rest: {targets: [198.51.100.99, 198.51.100.100]}
  to-eu: {targets: [eu.example.com]}
  to-us: {targets: [us.example.com]}
steer:
  "*.cdn.example.com":
    ttl: 300s
    by: {countries: {US: [us], DE: [de], JP: [jp], BR: [br]}, default: [rest]}
  "*.go.example.com":
    ttl: 300s
    by: {continents: {EU: [to-eu]}, default: [to-us]}
`

/** A university in each country; in two of them a network of IPv6 too. */
// biome-ignore format: table
const REGIONS = [
  ['US', '128.32.0.0/24',     ['198.51.100.1', '198.51.100.2']],
  ['DE', '129.187.0.0/24',    ['198.51.100.49', '198.51.100.50']],
  ['JP', '133.11.0.0/24',     ['198.51.100.81', '198.51.100.82']],
  ['BR', '143.107.0.0/24',    ['198.51.100.55', '198.51.100.56']],
  ['DE', '2001:4ca0::/56',    ['198.51.100.49', '198.51.100.50']],
  ['JP', '2001:200::/56',     ['198.51.100.81', '198.51.100.82']],
] as const

describeWith(['unbound'], 'Unbound with subnetcache in front of lbdns', () => {
  let lbdns: Place
  let tap: Tap
  let unbound: Place

  beforeAll(async () => {
    const { port } = await startLbdns(CONFIG, { 'example.com.zone': ZONE })
    lbdns = { host: '127.0.0.1', port }
    tap = await openTap(lbdns)
    unbound = await startUnbound('example.com', tap)
  })
  afterAll(stopAll)
  beforeEach(() => void tap.seen.splice(0))

  /** Every test has a name of its own, below a wildcard, so that none finds what another left. */
  let names = 0
  function fresh(parent: string): string {
    names += 1
    return `n${names}.${parent}.example.com`
  }

  const through = (name: string, subnet: string): Promise<Said> => ask(unbound, { name, subnet })
  const fetched = (name: string) => tap.seen.filter(query => query.name === name)

  test('clients in different regions get their own sets', async () => {
    const name = fresh('cdn')
    for (const [, subnet, addresses] of [...REGIONS, ...REGIONS]) {
      const { answer } = await through(name, subnet)
      expect([subnet, answer]).toEqual([subnet, addresses])
    }
    expect(fetched(name).length).toBe(REGIONS.length) // the second round came from the cache
    expect(fetched(name).every(({ ecs }) => ecs)).toBe(true)
  })

  test.each(REGIONS)('%s %s: clients in one scope share a cache entry', async (_, subnet, set) => {
    const name = fresh('cdn')
    const { scope = 0 } = await ask(lbdns, { name, subnet })
    const { first, last, beyond } = block(subnet, scope)
    for (const client of [subnet, first, last, subnet]) {
      const { answer, scope: told } = await through(name, client)
      expect([client, answer, told]).toEqual([client, set, scope])
    }
    expect(fetched(name).length).toBe(1)
    const direct = await ask(lbdns, { name, subnet: beyond })
    expect((await through(name, beyond)).answer).toEqual(direct.answer)
    expect(fetched(name).length).toBe(2) // another block, so another question
  })

  test('a tailored alias leads each client to its own host', async () => {
    const name = fresh('go')
    expect((await through(name, '129.187.0.0/24')).answer).toContain('eu.example.com')
    expect((await through(name, '133.11.0.0/24')).answer).toContain('us.example.com')
  })

  // biome-ignore format: table
  const ALIKE = [
    ['a name that does not tailor', 'static.example.com', 'NOERROR'],
    ['RFC 7871 §7.4 a name that is not there', 'nope.example.com', 'NXDOMAIN'],
  ] as const
  test.each(ALIKE)('%s is fetched once for all', async (_, name, rcode) => {
    for (const [, subnet] of REGIONS.slice(0, 4)) {
      const said = await through(name, subnet)
      expect([said.rcode, said.scope]).toEqual([rcode, 0])
    }
    expect(fetched(name).length).toBe(1)
  })
})

/** The first and last subnet inside the block that a scope spans, and the first one after it. */
function block(subnet: string, scope: number) {
  const [address = '', source = ''] = subnet.split('/')
  const six = address.includes(':')
  const whole = six ? new Address6(`${address}/${scope}`) : new Address4(`${address}/${scope}`)
  const first = whole.startAddress().bigInt()
  const after = whole.endAddress().bigInt() + 1n
  const step = 1n << BigInt((six ? 128 : 32) - Number(source))
  const text = (value: bigint) =>
    `${(six ? Address6.fromBigInt(value) : Address4.fromBigInt(value)).correctForm()}/${source}`
  return { first: text(first), last: text(after - step), beyond: text(after) }
}
