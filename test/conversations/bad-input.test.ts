/**
 * Input that is wrong, as an operator meets it at the start: a sentence for every mistake with its
 * place and a fix on stderr, exit code 1, no word on stdout, and no port left taken.
 */
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { BROKEN } from '../kit/broken.ts'
import { withoutBatches } from '../kit/engine.ts'
import { writeDatabase } from '../kit/mmdb.ts'
import { freePort, LOOPBACK, stopAll } from '../kit/process.ts'
import { config, whole, ZONE } from '../kit/reload.ts'
import { askUdp, dataOf, type Files, hold, lbdns, serveSite, site } from '../kit/server.ts'
import { asUser, MAY_REFUSE } from '../kit/user.ts'

afterAll(stopAll)

/**
 * Starts the server on files that cannot be served; returns what stderr says, without the folder.
 *
 * @param listen the list of addresses; P stands for the port
 */
async function refused(port: number, files: Files, listen = '[127.0.0.1:P]'): Promise<string[]> {
  const folder = site({ ...whole(config(listen.replaceAll('P', `${port}`))), ...files })
  const { code, stdout, stderr } = await lbdns('run', '-c', join(folder, 'lbdns.yaml'))
  expect([code, stdout]).toEqual([1, ''])
  const text = stderr.replaceAll(`${folder}/`, '').replaceAll(`${port}`, 'P')
  const lines = text.trimEnd().split('\n')
  return lines.filter(line => !line.includes('UDP goes through node:dgram'))
}

async function isFree(port: number): Promise<boolean> {
  const release = await hold(port).catch(() => undefined)
  await release?.()
  return release !== undefined
}

describe.concurrent('files', () => {
  test.each(BROKEN)('%s', async (_, name, content, told) => {
    const port = await freePort()
    expect(await refused(port, { [name]: content })).toEqual([
      ...told.map(line => expect.stringMatching(line)),
      `lbdns: ${told.length} problem${told.length === 1 ? '' : 's'}`,
    ])
    expect(await isFree(port)).toBe(true)
  })

  test('mistakes in all of them are told at once', async () => {
    const files = { 'example.com.zone': `${ZONE}a A 192.0.2.256\n`, 'places.mmdb': '' }
    expect(await refused(await freePort(), files)).toEqual([
      expect.stringMatching(/^example.com.zone:6:5: /),
      expect.stringMatching(/^lbdns.yaml:3:17: places.mmdb is empty · /),
      'lbdns: 2 problems',
    ])
  })

  test('a configuration that may not be read', async context => {
    const folder = site(whole(config('[127.0.0.1]')))
    chmodSync(folder, 0o755)
    chmodSync(join(folder, 'lbdns.yaml'), 0)
    const told = await asUser(context, ['check', '-c', join(folder, 'lbdns.yaml')])
    expect([told.code, told.stdout]).toEqual([1, ''])
    expect(told.stderr).toContain(
      'lbdns.yaml: may not be read by this user · change its owner or mode\n',
    )
  })

  test('a database of IPv4 only serves, with a warning: IPv6 gets the default', async () => {
    const port = await freePort()
    const networks = [['198.51.100.0/24', { country: { iso_code: 'US' } }]] as const
    const database = writeDatabase({ ipVersion: 4, networks })
    const files = { ...whole(config(`[127.0.0.1:${port}]`)), 'places.mmdb': database }
    const server = await serveSite(site(files))
    expect(server.stderr()).toMatch(
      /^warning: .*lbdns.yaml:3:17: places.mmdb holds no IPv6 addresses: .* · name a database of IPv6/,
    )
    const served = async (subnet: string) =>
      dataOf(await askUdp(port, 'www.example.com', { subnet }))
    expect(await served('198.51.100.0/24')).toEqual(['192.0.2.1'])
    expect(await served('2600::/56')).toEqual(['192.0.2.2'])
    expect(await server.stop()).toBe(0)
  })
})

const IN_USE =
  'another process has it · stop that one (`ss -lnp` names it), or choose another address or port'

describe.concurrent('an address', () => {
  test.each(['udp', 'tcp'] as const)('in use over %s', async over => {
    const port = await freePort()
    const release = await hold(port, over)
    const told = await refused(port, {})
    await release()
    const place = `127.0.0.1:P (${over.toUpperCase()})`
    expect(told).toEqual([`lbdns: lbdns.yaml:1:10: cannot listen on ${place}: ${IN_USE}`])
    expect(await isFree(port)).toBe(true)
  })

  test('not of this machine: none of the others is kept', async () => {
    const port = await freePort()
    const told = await refused(port, {}, '\n  - 127.0.0.1:P\n  - 192.0.2.1:P')
    expect(told).toEqual([
      'lbdns: lbdns.yaml:3:5: cannot listen on 192.0.2.1:P (TCP): this machine does not have the address · choose one that `ip address` shows',
    ])
    expect(await isFree(port)).toBe(true)
  })

  test('that a wildcard stands for', async () => {
    const port = await freePort()
    const release = await hold(port, 'tcp')
    const list = `\n  - 127.0.0.1:${await freePort()}\n  - 0.0.0.0:P`
    const told = await refused(port, {}, list)
    await release()
    const place = withoutBatches === undefined ? '0.0.0.0' : '127.0.0.1'
    expect(told).toEqual([`lbdns: lbdns.yaml:3:5: cannot listen on ${place}:P (TCP): ${IN_USE}`])
  })

  test('that begins like another one', async () => {
    const port = await freePort()
    const release = await hold(port, 'udp')
    const list = `\n  - 127.0.0.1:${Math.floor(port / 10)}\n  - 127.0.0.1:P`
    const told = await refused(port, {}, list)
    await release()
    expect(told[0]).toContain('lbdns.yaml:3:5: cannot listen on 127.0.0.1:P (UDP)')
  })

  test.skipIf(!LOOPBACK.includes('::1'))('of IPv6, however it is written', async () => {
    const port = await freePort()
    const told = await refused(port, {}, '\n  - "[::1]:P"\n  - "[2001:DB8:0::9]:P"')
    expect(told[0]).toContain('lbdns.yaml:3:5: cannot listen on [2001:db8::9]:P (TCP): ')
    expect(await isFree(port)).toBe(true)
  })

  test.skipIf(!MAY_REFUSE)('that this user may not have', async context => {
    const folder = site(whole(config('[127.0.0.1:1]')))
    chmodSync(folder, 0o755)
    const told = await asUser(context, ['run', '-c', join(folder, 'lbdns.yaml')])
    expect([told.code, told.stdout]).toEqual([1, ''])
    expect(told.stderr).toContain(
      'lbdns.yaml:1:10: cannot listen on 127.0.0.1:1 (TCP): ports below 1024 are not for this user · ' +
        'grant it CAP_NET_BIND_SERVICE (AmbientCapabilities= of systemd), ' +
        'or lower net.ipv4.ip_unprivileged_port_start, ' +
        'or start it as root with user: in its configuration\n',
    )
  })
})
