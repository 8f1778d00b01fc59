/**
 * SIGHUP: all or nothing. New files are served without a restart and without a lost query; whatever
 * is wrong with them is logged, a line a problem, and the old World goes on.
 */
import { renameSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BROKEN } from '../kit/broken.ts'
import { writeDatabase } from '../kit/mmdb.ts'
import { freePort, type Program, stopAll, until } from '../kit/process.ts'
import { config, logOf, PLACES, places, refusal, reload, whole, ZONE } from '../kit/reload.ts'
import { askChaos, askUdp, dataOf, type Files, put, serveSite, site } from '../kit/server.ts'
import { pause } from '../kit/transport.ts'

let port = 0
let folder = ''
let server: Program
beforeAll(async () => {
  port = await freePort()
  folder = site(whole(config(`[127.0.0.1:${port}]`)))
  server = await serveSite(folder)
})
afterAll(stopAll)

/** Makes everything good again; what is served changes with the next reload only. */
function mend(files: Files = {}): void {
  put(folder, { ...whole(config(`[127.0.0.1:${port}]`)), ...files })
}

const asClient = async (subnet: string) => dataOf(await askUdp(port, 'www.example.com', { subnet }))

describe('a reload that is refused', () => {
  beforeEach(() => mend())

  test.each(BROKEN)('%s', async (_, name, content, told) => {
    put(folder, { [name]: content })
    expect(await reload(server, folder)).toEqual([
      ...told.map(line => expect.stringMatching(line)),
      refusal(told.length),
    ])
    expect(await asClient('198.51.100.0/24')).toEqual(['192.0.2.1'])
  })

  test('problems are errors, warnings are warnings, success is information', async () => {
    const before = logOf(server).length
    put(folder, { 'office.txt': 'foo\n' })
    await reload(server, folder)
    const networks = [['198.51.100.0/24', { country: { iso_code: 'US' } }]] as const
    mend({ 'places.mmdb': writeDatabase({ ipVersion: 4, networks }) })
    await reload(server, folder)
    expect(
      logOf(server)
        .slice(before)
        .map(({ level }) => level),
    ).toEqual([50, 50, 40, 30])
  })
})

describe('a reload', () => {
  test('BC-172 what was broken and is mended is served without a restart', async () => {
    for (const [at, name] of ['lbdns.yaml', 'example.com.zone', 'places.mmdb'].entries()) {
      put(folder, { [name]: 'broken' })
      expect((await reload(server, folder)).at(-1)).toMatch(/^reload refused/)
      mend({ 'example.com.zone': ZONE.replace('192.0.2.251', `192.0.2.${201 + at}`) })
      expect(await reload(server, folder)).toEqual(['reloaded'])
      expect(dataOf(await askUdp(port, 'ns1.example.com'))).toEqual([`192.0.2.${201 + at}`])
    }
    mend()
    expect(await reload(server, folder)).toEqual(['reloaded'])
  })

  test('BC-027 a database cut, deleted and replaced while it is in use', async () => {
    const file = join(folder, 'places.mmdb')
    truncateSync(file, PLACES.length >> 1)
    await pause(200)
    expect(await asClient('198.51.100.0/24')).toEqual(['192.0.2.1'])
    const cut = await reload(server, folder)
    expect(cut).toEqual([expect.stringMatching(/places.mmdb .* · fetch it again$/), refusal(1)])
    rmSync(file)
    expect((await reload(server, folder)).at(-1)).toBe(refusal(1))
    expect(await asClient('198.51.100.0/24')).toEqual(['192.0.2.1'])
    put(folder, { 'next.mmdb': places('FR') })
    renameSync(join(folder, 'next.mmdb'), file)
    expect(await reload(server, folder)).toEqual(['reloaded'])
    expect(await asClient('198.51.100.0/24')).toEqual(['192.0.2.2'])
  })

  test('BC-028 a database that is swapped moves what it says', async () => {
    for (const [code, expected] of [
      ['US', '192.0.2.1'],
      ['JP', '192.0.2.2'],
      ['US', '192.0.2.1'],
    ] as const) {
      put(folder, { 'next.mmdb': places(code) })
      renameSync(join(folder, 'next.mmdb'), join(folder, 'places.mmdb'))
      await reload(server, folder)
      expect(await asClient('198.51.100.0/24')).toEqual([expected])
    }
  })

  // biome-ignore format: table
  const WIDTHS = [[24, 4], [28, 4], [32, 4], [24, 6], [28, 6], [32, 6]] as const
  test('BC-026 records of any width say the same', async () => {
    for (const [recordBits, ipVersion] of WIDTHS) {
      const networks = [['198.51.100.0/24', { country: { iso_code: 'US' } }]] as const
      put(folder, { 'places.mmdb': writeDatabase({ recordBits, ipVersion, networks }) })
      expect((await reload(server, folder)).at(-1)).toBe('reloaded')
      expect(await asClient('198.51.100.255/32')).toEqual(['192.0.2.1'])
      expect(await asClient('198.51.101.0/32')).toEqual(['192.0.2.2'])
      expect(await asClient('2001:db8::/56')).toEqual(['192.0.2.2'])
    }
    mend()
    await reload(server, folder)
  })

  test('a networks file moves those it names', async () => {
    expect(await asClient('203.0.113.0/24')).toEqual(['192.0.2.3'])
    put(folder, { 'office.txt': '203.0.112.0/24\n' })
    await reload(server, folder)
    expect(await asClient('203.0.113.0/24')).toEqual(['192.0.2.2'])
    expect(await asClient('203.0.112.0/24')).toEqual(['192.0.2.3'])
  })

  test('rotation goes on where it was', async () => {
    const next = async () => dataOf(await askUdp(port, 'turn.example.com')).join()
    const round = []
    for (let turn = 0; turn < 8; turn += 1) round.push(await next())
    expect(new Set(round).size).toBe(8)
    for (let turn = 0; turn < 3; turn += 1) expect(await next()).toBe(round[turn])
    mend({ 'example.com.zone': `${ZONE}more A 192.0.2.1\n` })
    expect(await reload(server, folder)).toEqual(['reloaded'])
    for (let turn = 3; turn < 8; turn += 1) expect(await next()).toBe(round[turn])
  })

  test('logs the digest that it then tells', async () => {
    mend({ 'example.com.zone': ZONE.replace(' 7 ', ' 8 ') })
    const before = await askChaos(port, 'map.lbdns')
    await reload(server, folder)
    const digest = await askChaos(port, 'map.lbdns')
    expect(logOf(server).at(-1)?.digest).toBe(digest)
    expect(digest).not.toBe(before)
  })

  test('asked for many times at once, the last files count', async () => {
    const before = logOf(server).length
    for (let turn = 0; turn < 10; turn += 1) {
      mend({ 'example.com.zone': ZONE.replace('192.0.2.251', `192.0.2.${240 + turn}`) })
      server.signal('SIGHUP')
      await pause(20)
    }
    await until('the last is served', async () => {
      return dataOf(await askUdp(port, 'ns1.example.com')).join() === '192.0.2.249'
    })
    await pause(500)
    expect(
      logOf(server)
        .slice(before)
        .every(({ msg }) => msg === 'reloaded'),
    ).toBe(true)
  })
})
