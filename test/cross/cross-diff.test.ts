/** `lbprobe diff` with real servers: lbdns beside lbdns, beside gdnsd, beside one that is down. */
import { afterAll, expect, test } from 'vitest'
import { startLbdns } from '../kit/lbdns.ts'
import { describeWith, freePort, LBPROBE, type Ran, run, stopAll } from '../kit/process.ts'
import { type GeoMap, NEEDS, startGeo } from './geo.ts'

afterAll(stopAll)

function diff(ports: readonly number[], more: string): Promise<Ran> {
  const servers = ports.map(port => `@127.0.0.1:${port}`)
  return run(process.execPath, [LBPROBE, 'diff', ...servers, '--json', ...more.split(' ')])
}

type Difference = {
  readonly aspect: string
  readonly client?: string
  readonly camps: readonly { readonly value: string; readonly servers: readonly string[] }[]
  readonly odd: readonly string[]
}

function differencesIn({ stdout }: Ran): readonly Difference[] {
  return JSON.parse(stdout).results[0].differences
}

const zone = (serial: number): string => `
$ORIGIN example.com.
$TTL 300
@ SOA ns1 hostmaster ${serial} 7200 900 1209600 60
@   NS ns1
ns1 A  192.0.2.251
`

const config = (germany: string, ttl: number): string => `
zones: [example.com.zone]
pools:
  de: {targets: [${germany}]}
  rest: {targets: [198.51.100.1, 198.51.100.2, 198.51.100.3, 198.51.100.4]}
steer:
  www.example.com:
    ttl: ${ttl}s
    pick: rotate
    by: {countries: {DE: [de]}, default: [rest]}
`

async function started(serial: number, germany: string, ttl: number): Promise<number> {
  const { port } = await startLbdns(config(germany, ttl), { 'example.com.zone': zone(serial) })
  return port
}

test('two lbdns that rotate the same pools, and one that is down: the same', async () => {
  const ports = await Promise.all([1, 1].map(serial => started(serial, '192.0.2.49', 60)))
  const ran = await diff([...ports, await freePort()], 'A www.example.com --timeout 1')
  expect([ran.code, differencesIn(ran)]).toEqual([0, []])
  const { servers } = JSON.parse(ran.stdout).results[0]
  expect(servers[2]).toMatchObject({ replies: 0, silence: expect.any(String) })
})

test('an older serial, another pool for one country, another TTL: which server is odd', async () => {
  const ports = [
    await started(7, '192.0.2.49', 60),
    await started(5, '192.0.2.99', 30),
    await started(7, '192.0.2.49', 60),
  ]
  const ran = await diff(ports, 'A www.example.com')
  const found = differencesIn(ran)
  const odd = [`127.0.0.1#${ports[1]}`]
  expect(ran.code).toBe(1)
  expect(new Set(found.map(({ aspect }) => aspect))).toEqual(new Set(['answers', 'ttl', 'serial']))
  for (const difference of found) expect(difference.odd).toEqual(odd)
  expect(found.find(({ aspect }) => aspect === 'serial')?.camps.map(({ value }) => value)).toEqual([
    '7',
    '5 (behind)',
  ])
  expect(found.filter(({ aspect }) => aspect === 'answers')[0]?.camps[1]?.value).toContain(
    '192.0.2.99',
  )
})

const MAP: GeoMap = {
  networks: [
    ['128.0.0.0/3', '192.0.2.1'],
    ['129.187.0.0/16', '192.0.2.49'],
  ],
  otherwise: '192.0.2.200',
}

describeWith([...NEEDS.gdnsd, ...NEEDS.knot], 'one map at three servers', () => {
  test('Knot with its own idea of scopes is the odd one beside lbdns and gdnsd', async () => {
    const [lbdns, gdnsd, knot] = [
      await startGeo('lbdns', MAP), await startGeo('gdnsd', MAP), await startGeo('knot', MAP),
    ] // biome-ignore format: one line
    const ran = await diff([lbdns.port, gdnsd.port, knot.port], 'A www.geo.test --country DE,US,JP')
    const scopes = differencesIn(ran).filter(({ aspect }) => aspect === 'scope')
    expect(scopes.length).toBeGreaterThan(0)
    for (const { odd } of scopes) expect(odd).toEqual([`127.0.0.1#${knot.port}`])
    expect(differencesIn(ran).filter(({ aspect }) => aspect === 'answers')).toEqual([])
  })
})
