/**
 * Input that is wrong, as an operator meets it at the start: a sentence for every mistake with its
 * place and a fix on stderr, exit code 1, no word on stdout, and no port left taken.
 */
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeDatabase } from '../kit/mmdb.ts'
import { freePort, LOOPBACK, stopAll } from '../kit/process.ts'
import { askUdp, dataOf, type Files, hold, lbdns, serveSite, site } from '../kit/server.ts'

const ZONE = `$ORIGIN example.com.
$TTL 60
@ SOA ns1 hostmaster 7 7200 900 1209600 60
@ NS ns1
ns1 A 192.0.2.251
`
const PLACES = writeDatabase({
  networks: [
    ['17.0.0.0/8', { country: { iso_code: 'US' } }],
    ['2600::/12', { country: { iso_code: 'US' } }],
  ],
})

const YAML = (port: number) => `listen: [127.0.0.1:${port}]
zones: [example.com.zone]
geo: {database: places.mmdb}
networks: {office: {file: office.txt}}
pools: {us: {targets: [192.0.2.1]}, de: {targets: [192.0.2.2]}, in: {targets: [192.0.2.3]}}
steer:
  www.example.com: {ttl: 60s, by: {networks: {office: [in]}, countries: {US: [us]}, default: [de]}}
`

let port = 0
beforeAll(async () => {
  port = await freePort()
})
afterAll(stopAll)

/** A folder that serves, but for what a row changes; `undefined` takes a file away. */
function changed(change: Readonly<Record<string, string | Uint8Array | undefined>>): string {
  const whole = {
    'lbdns.yaml': YAML(port),
    'example.com.zone': ZONE,
    'places.mmdb': PLACES,
    'office.txt': '203.0.113.0/24\n',
    ...change,
  }
  const files = Object.entries(whole).filter(([, content]) => content !== undefined)
  return site(Object.fromEntries(files) as Files)
}

/** Starts the server on a folder that cannot be served; returns what stderr says, without the folder. */
async function refused(folder: string): Promise<string[]> {
  const { code, stdout, stderr } = await lbdns('run', '-c', join(folder, 'lbdns.yaml'))
  expect([code, stdout]).toEqual([1, ''])
  expect(await isFree(port)).toBe(true)
  return stderr.replaceAll(`${folder}/`, '').trimEnd().split('\n')
}

async function isFree(at: number): Promise<boolean> {
  const holder = await hold(at, 'both').catch(() => undefined)
  await holder?.()
  return holder !== undefined
}

const ROOT = process.getuid?.() === 0

describe('the configuration', () => {
  test('is missing', async () => {
    expect(await refused(changed({ 'lbdns.yaml': undefined }))).toEqual([
      'lbdns.yaml: does not exist · correct the path, or make the file',
      'lbdns: 1 problem',
    ])
  })

  test('is a folder', async () => {
    const folder = changed({ 'lbdns.yaml': undefined })
    mkdirSync(join(folder, 'lbdns.yaml'))
    expect(await refused(folder)).toEqual([
      'lbdns.yaml: is a folder · name a file in it',
      'lbdns: 1 problem',
    ])
  })

  test.skipIf(ROOT)('may not be read (skipped as root, who may read all)', async () => {
    const folder = changed({})
    chmodSync(join(folder, 'lbdns.yaml'), 0)
    expect(await refused(folder)).toEqual([
      'lbdns.yaml: may not be read by this user · change its owner or mode',
      'lbdns: 1 problem',
    ])
  })

  // biome-ignore format: table
  const TEXTS: readonly (readonly [string, string | Uint8Array, RegExp[]])[] = [
    ['is empty',              '',                     [/^lbdns.yaml:1:1: the file is empty · give it listen: and zones:$/]],
    ['holds comments only',   '# nothing\n',          [/^lbdns.yaml:1:1: the file is empty · /]],
    ['is a picture',          Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), [/^lbdns.yaml:1:1: this is no UTF-8 text · save it as UTF-8 text$/]],
    ['is random octets',      randomBytes(4096),      [/^lbdns.yaml:\d+:\d+: this is no UTF-8 text · /]],
    ['is zeros',              new Uint8Array(4096),   [/^lbdns.yaml:1:1: this is no UTF-8 text · /]],
    ['is Latin-1 text',       Buffer.from('# ok\n# für\n', 'latin1'), [/^lbdns.yaml:2:4: this is no UTF-8 text · /]],
    ['has an open bracket',   'listen: [127.0.0.1:53\nzones: [a.zone]\n', [/^lbdns.yaml:2:1: a bracket is not closed here · close every/]],
    ['has a tab',             'pools:\n\tus: {}\n',   [/^lbdns.yaml:2:1: a tab where a line is indented · indent with spaces$/]],
    ['has unknown keys',      'listn: [127.0.0.1]\nzones: [a.zone]\nfrob: 1\n',
      [/^lbdns.yaml:1:1: unknown key listn · did you mean listen\?$/, /^lbdns.yaml:3:1: unknown key frob · known: listen, /]],
  ]
  test.each(TEXTS)('%s', async (_, text, expected) => {
    const told = await refused(changed({ 'lbdns.yaml': text }))
    expect(told.at(-1)).toMatch(/^lbdns: \d+ problems?$/)
    for (const [at, line] of expected.entries()) expect(told[at]).toMatch(line)
  })
})

describe('the zone', () => {
  // biome-ignore format: table
  const ZONES: readonly (readonly [string, string | undefined | null, RegExp[]])[] = [
    ['is missing',        undefined,      [/^lbdns.yaml:2:9: example.com.zone does not exist · correct the path: it is relative to/]],
    ['is a folder',       null,           [/^lbdns.yaml:2:9: example.com.zone is a folder · /]],
    ['is empty',          '',             [/^example.com.zone: there is no SOA record · a zone begins with one: @ SOA /]],
    ['has no SOA',        ZONE.replace(/.*SOA.*\n/, ''), [/^example.com.zone: there is no SOA record · /]],
    ['has two SOA',       `${ZONE}@ SOA ns2 hostmaster 8 7200 900 1209600 60\n`, [/^example.com.zone:3:1: example.com. has 2 different SOA records · keep one/]],
    ['has a record from elsewhere', `${ZONE}www.example.org. A 192.0.2.1\n`, [/^example.com.zone:6:1: www.example.org. .* · /]],
    ['includes what is not there', `${ZONE}$INCLUDE more.zone\n`, [/^example.com.zone:6:10: more.zone does not exist · /]],
    ['has several mistakes', `${ZONE}a A 192.0.2.256\nb AAAA 192.0.2.1\nc CNAME d\nc A 192.0.2.1\nd MX mail`, [
      /^example.com.zone:6:5: 192.0.2.256 is not an IPv4 address/,
      /^example.com.zone:7:8: 192.0.2.1 is not an IPv6 address/,
      /^example.com.zone:10:6: the preference cannot be mail · write a number/,
      /^example.com.zone:8:1: c.example.com. has a CNAME and other data .* · keep one/,
    ]],
  ]
  test.each(ZONES)('%s', async (_, text, expected) => {
    const folder = changed({ 'example.com.zone': text ?? undefined })
    if (text === null) mkdirSync(join(folder, 'example.com.zone'))
    const told = await refused(folder)
    expect(told.slice(0, -1)).toEqual(expected.map(line => expect.stringMatching(line)))
    expect(told.at(-1)).toBe(`lbdns: ${expected.length} problem${expected.length > 1 ? 's' : ''}`)
  })

  test('mistakes in all files are told at once', async () => {
    const folder = changed({
      'example.com.zone': `${ZONE}a A 192.0.2.256\n`,
      'places.mmdb': new Uint8Array(0),
    })
    const told = await refused(folder)
    expect(told).toEqual([
      expect.stringMatching(/^example.com.zone:6:5: /),
      expect.stringMatching(/^lbdns.yaml:3:17: places.mmdb is empty · /),
      'lbdns: 2 problems',
    ])
  })
})

describe('the database', () => {
  const WITHOUT_IPV4 = writeDatabase({ networks: [['2600::/12', { country: { iso_code: 'US' } }]] })
  const cuts = [1, 16, 100, PLACES.length >> 1, PLACES.length - 100, PLACES.length - 1]
  // biome-ignore format: table
  const DATABASES: readonly (readonly [string, Uint8Array | undefined, RegExp])[] = [
    ['is missing',              undefined,              /^does not exist · correct the path/],
    ['BC-029 is empty',         new Uint8Array(0),      /^is empty · fetch it again$/],
    ['BC-029 is random octets', randomBytes(1 << 20),   /^has no MaxMind metadata.* · fetch it again$/],
    ['BC-029 is packed',        gzipSync(PLACES),       /^is packed with gzip · unpack it first/],
    ['holds no IPv4',           WITHOUT_IPV4,           /^holds no IPv4 addresses · name a database of IPv4/],
    ...cuts.map(octets => [`is cut after ${octets} octets`, PLACES.subarray(0, octets), /^.* · fetch it again$/] as const),
  ]
  test.each(DATABASES)('%s', async (_, octets, expected) => {
    const told = await refused(changed({ 'places.mmdb': octets }))
    const place = 'lbdns.yaml:3:17: places.mmdb '
    expect(told[0]?.slice(0, place.length)).toBe(place)
    expect(told[0]?.slice(place.length)).toMatch(expected)
    expect(told.slice(1)).toEqual(['lbdns: 1 problem'])
  })

  test('of IPv4 only serves, with a warning: clients of IPv6 get the default', async () => {
    const networks = [['17.0.0.0/8', { country: { iso_code: 'US' } }]] as const
    const server = await serveSite(
      changed({ 'places.mmdb': writeDatabase({ ipVersion: 4, networks }) }),
    )
    expect(server.stderr()).toMatch(
      /^warning: .*lbdns.yaml:3:17: places.mmdb holds no IPv6 addresses: .* · name a database of IPv6/,
    )
    expect(dataOf(await askUdp(port, 'www.example.com', { subnet: '17.1.2.0/24' }))).toEqual([
      '192.0.2.1',
    ])
    expect(dataOf(await askUdp(port, 'www.example.com', { subnet: '2600::/56' }))).toEqual([
      '192.0.2.2',
    ])
    expect(await server.stop()).toBe(0)
  })
})

describe('the networks file', () => {
  // biome-ignore format: table
  const NETWORKS: readonly (readonly [string, string | undefined, RegExp[]])[] = [
    ['is missing',    undefined,                          [/^lbdns.yaml:4:27: office.txt does not exist · /]],
    ['has bad lines', '203.0.113.0/24\nfoo\n\n10.1.2.3/8 # x\n', [/^office.txt:2:1: foo .* · /, /^office.txt:4:1: 10.1.2.3\/8 has bits set past \/8 · write 10.0.0.0\/8$/]],
  ]
  test.each(NETWORKS)('%s', async (_, text, expected) => {
    const told = await refused(changed({ 'office.txt': text }))
    expect(told.slice(0, -1)).toEqual(expected.map(line => expect.stringMatching(line)))
  })
})

describe('the address', () => {
  /** Puts a listen list, in which P stands for the port, into the configuration; says what is refused. */
  async function refusedAt(list: string): Promise<string> {
    const yaml = YAML(port).replace(/\[.*\]/, list.replaceAll('P', `${port}`))
    const folder = changed({ 'lbdns.yaml': yaml })
    const { code, stdout, stderr } = await lbdns('run', '-c', join(folder, 'lbdns.yaml'))
    expect([code, stdout]).toEqual([1, ''])
    return stderr.replaceAll(`${folder}/`, '').replaceAll(`${port}`, 'P')
  }

  const IN_USE =
    'another process has it · stop that one (`ss -lnp` names it), or choose another address or port\n'

  test.each(['udp', 'tcp'] as const)('is in use over %s', async over => {
    const release = await hold(port, over)
    const told = await refusedAt('[127.0.0.1:P]')
    await release()
    const place = `127.0.0.1:P (${over.toUpperCase()})`
    expect(told).toBe(`lbdns: lbdns.yaml:1:10: cannot listen on ${place}: ${IN_USE}`)
    expect(await isFree(port)).toBe(true)
  })

  test('is not of this machine: none of the others is kept', async () => {
    const told = await refusedAt('\n  - 127.0.0.1:P\n  - 192.0.2.1:P')
    expect(told).toBe(
      'lbdns: lbdns.yaml:3:5: cannot listen on 192.0.2.1:P (UDP): this machine does not have the address · choose one that `ip address` shows\n',
    )
    expect(await isFree(port)).toBe(true)
  })

  test('is one that a wildcard stands for', async () => {
    const release = await hold(port, 'tcp')
    const told = await refusedAt('\n  - 127.0.0.1:2P\n  - 0.0.0.0:P'.replace('2P', `${port + 1}`))
    await release()
    expect(told).toBe(`lbdns: lbdns.yaml:3:5: cannot listen on 127.0.0.1:P (TCP): ${IN_USE}`)
  })

  test('begins like another one', async () => {
    const short = Math.floor(port / 10)
    const release = await hold(port, 'udp')
    const told = await refusedAt(`\n  - 127.0.0.1:${short}\n  - 127.0.0.1:P`)
    await release()
    expect(told).toContain(`lbdns.yaml:3:5: cannot listen on 127.0.0.1:P (UDP)`)
  })

  test.skipIf(!LOOPBACK.includes('::1'))('is of IPv6, however it is written', async () => {
    const told = await refusedAt('\n  - "[::1]:P"\n  - "[2001:DB8:0::9]:P"')
    expect(told).toContain(`lbdns.yaml:3:5: cannot listen on [2001:db8::9]:P (UDP): `)
    expect(await isFree(port)).toBe(true)
  })

  test.skipIf(ROOT)('is for others (skipped as root, who may have any)', async () => {
    const told = await refusedAt('[127.0.0.1:53]')
    expect(told).toMatch(/^lbdns: lbdns.yaml:1:10: .*:53 \(UDP\): this user may not · run as root/)
  })
})
