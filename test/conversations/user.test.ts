/**
 * `user` and `group`: whoever starts opens the sockets, and somebody who may do less serves. Most of it
 * takes root to try.
 */
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { freePort, type Program, startReady, stopAll, until } from '../kit/process.ts'
import { config, logOf, refusal as refusedReload, reload, whole } from '../kit/reload.ts'
import { askUdp, dataOf, type Files, lbdns, put, serveSite } from '../kit/server.ts'
import {
  asNobody,
  asUser,
  IS_ROOT,
  MAY_REFUSE,
  NOBODY,
  needsReaders,
  openSite,
} from '../kit/user.ts'

afterAll(stopAll)

const UNLESS = IS_ROOT ? '' : ' (skipped: the tests do not run as root)'
const SUBNET = { subnet: '198.51.100.0/24' }

/** A number that no system gives anybody by itself. */
const STRANGER = 3_999_999_999

/** The site of the reload tests with `user` in its second line. */
function files(listen: string, who: string): Files {
  const [first, ...rest] = config(listen).split('\n')
  return whole([first, who, ...rest].join('\n'))
}

async function serve(who: string, more: Files = {}) {
  const port = await freePort()
  const folder = openSite({ ...files(`[127.0.0.1:${port}]`, who), ...more })
  const server = await serveSite(folder)
  return { server, folder, port }
}

function runOf(folder: string): string[] {
  return ['run', '-c', join(folder, 'lbdns.yaml')]
}

/** A field of the status of every thread of a process: each value once. */
function threads(pid: number, field: string): string[] {
  const values = readdirSync(`/proc/${pid}/task`).flatMap(task => {
    try {
      const status = readFileSync(`/proc/${pid}/task/${task}/status`, 'latin1')
      return [new RegExp(`^${field}:\\s*(.*?)\\s*$`, 'm').exec(status)?.[1] ?? '']
    } catch {
      return [] // it has ended
    }
  })
  return [...new Set(values)]
}

function messages(server: Program, folder: string): string[] {
  return logOf(server).map(({ msg }) => msg.replaceAll(`${folder}/`, ''))
}

// biome-ignore format: table
const WHO = [
  // configuration                                          user      group     others of its groups
  ['user: nobody',                                          NOBODY,   NOBODY,   `${NOBODY}`],
  [`user: ${NOBODY}`,                                       NOBODY,   NOBODY,   `${NOBODY}`],
  ['user: nobody\ngroup: daemon',                           NOBODY,   1,        '1'],
  ['user: nobody\ngroup: 4242',                             NOBODY,   4242,     '4242'],
  [`user: ${STRANGER}\ngroup: 4242`,                        STRANGER, 4242,     '4242'],
] as const

describe.skipIf(!IS_ROOT)(`started as root${UNLESS}`, () => {
  test.each(WHO)('%s: all threads are that user, for good', async (who, uid, gid, groups) => {
    const { server, port, folder } = await serve(who)
    for (const [field, number] of [
      ['Uid', uid],
      ['Gid', gid],
    ] as const) {
      // real, effective, saved and of files: proc(5)
      expect(threads(server.pid, field)).toEqual([Array(4).fill(number).join('\t')])
    }
    expect(threads(server.pid, 'Groups')).toEqual([groups])
    expect(threads(server.pid, 'CapEff')).toEqual(['0'.repeat(16)])
    expect(threads(server.pid, 'CapPrm')).toEqual(['0'.repeat(16)])
    expect(readdirSync(`/proc/${server.pid}/task`).length).toBeGreaterThan(4)
    const [, user] = who.split(/[ \n]/)
    await until('it says so', () => messages(server, folder).includes(`serves as ${user}`))
    expect(dataOf(await askUdp(port, 'www.example.com', SUBNET))).toEqual(['192.0.2.1'])
    expect((await reload(server, folder)).at(-1)).toBe('reloaded')
    expect(threads(server.pid, 'Uid')).toHaveLength(1)
    expect(await server.stop()).toBe(0)
  })

  test('no user: root serves, as it was asked to', async () => {
    const { server } = await serve('workers: 1')
    expect(threads(server.pid, 'Uid')).toEqual(['0\t0\t0\t0'])
  })

  test('no check is tried before', async () => {
    const folder = openSite({ 'told.txt': '' })
    chmodSync(join(folder, 'told.txt'), 0o666)
    const look = `[/bin/sh, -c, "id -u >> ${folder}/told.txt"]`
    const who = `user: nobody\nchecks: {who: {type: exec, command: ${look}, every: 1s}}`
    const site = files(`[127.0.0.1:${await freePort()}]`, who)
    const yaml = String(site['lbdns.yaml']).replace('us: {', 'us: {check: who, ')
    put(folder, { ...site, 'lbdns.yaml': yaml })
    const server = await serveSite(folder)
    const told = () => readFileSync(join(folder, 'told.txt'), 'latin1').split('\n').slice(0, -1)
    await until('it was tried twice', () => told().length >= 2)
    expect(new Set(told())).toEqual(new Set([`${NOBODY}`]))
    expect((await reload(server, folder)).at(-1)).toBe('reloaded') // it is written anew soon after
    const state = join(folder, 'lbdns.state')
    await until('the state is kept', () => existsSync(state))
    expect(statSync(state).uid).toBe(NOBODY)
    expect(await server.stop()).toBe(0)
  })

  test.skipIf(!MAY_REFUSE)('a low port is opened before, and none afterwards', async () => {
    const at = (...ports: number[]) => `[${ports.map(port => `127.53.0.1:${port}`).join(', ')}]`
    const folder = openSite(files(at(853), 'user: nobody'))
    const server = await serveSite(folder)
    const to = { host: '127.53.0.1', port: 853 }
    expect(dataOf(await askUdp(to, 'www.example.com', SUBNET))).toEqual(['192.0.2.1'])
    put(folder, files(at(853, 854), 'user: nobody'))
    expect(await reload(server, folder)).toEqual([
      'reload refused, the old configuration keeps serving: lbdns.yaml:1:26: ' +
        'cannot listen on 127.53.0.1:854 (TCP): ports below 1024 are not for this user · ' +
        'grant it CAP_NET_BIND_SERVICE (AmbientCapabilities= of systemd), ' +
        'or lower net.ipv4.ip_unprivileged_port_start, ' +
        'or restart it: ports are opened before it becomes nobody',
    ])
    expect(dataOf(await askUdp(to, 'www.example.com', SUBNET))).toEqual(['192.0.2.1'])
  })

  test('files for root alone: said at once, and a reload is refused', async () => {
    const port = await freePort()
    const folder = openSite(files(`[127.0.0.1:${port}]`, 'user: nobody'))
    chmodSync(join(folder, 'lbdns.yaml'), 0o600)
    const server = await serveSite(folder)
    const told =
      'lbdns.yaml:2:7: nobody may not read lbdns.yaml: a reload will be refused · change its owner or mode'
    await until('it says so', () => messages(server, folder).includes(told))
    expect(await reload(server, folder)).toEqual([
      'lbdns.yaml: may not be read by this user · change its owner or mode',
      refusedReload(1),
    ])
    chmodSync(join(folder, 'lbdns.yaml'), 0o644)
    chmodSync(join(folder, 'example.com.zone'), 0o600)
    expect(await reload(server, folder)).toEqual([
      'lbdns.yaml:3:9: example.com.zone may not be read by this user · change its owner or mode',
      refusedReload(1),
    ])
    expect(dataOf(await askUdp(port, 'www.example.com', SUBNET))).toEqual(['192.0.2.1'])
  })

  test('a folder for root alone: the state cannot be kept, and that is said', async () => {
    const who = 'user: nobody\nchecks: {own: {type: tcp, port: 9, every: 1s}}'
    const site = files(`[127.0.0.1:${await freePort()}]`, who)
    const yaml = String(site['lbdns.yaml']).replace('us: {', 'us: {check: own, ')
    const folder = openSite({ ...site, 'lbdns.yaml': yaml.replaceAll('192.0.2.1]', '127.0.0.1]') })
    chmodSync(folder, 0o755)
    const server = await serveSite(folder)
    const told = () => messages(server, folder).filter(text => text.startsWith('lbdns.state'))
    await until('it is said', () => told().length > 0)
    expect(told()).toEqual([
      "lbdns.state: cannot be written: EACCES: permission denied, open 'lbdns.state.new' · what is known and imposed now would be forgotten by a restart",
    ])
  })

  test('another user takes a restart, and that is said', async () => {
    const { server, folder, port } = await serve('user: nobody')
    const listen = `[127.0.0.1:${port}]`
    const stays = 'user and group stay as they are · restart lbdns to have others'
    put(folder, files(listen, 'user: daemon'))
    expect(await reload(server, folder)).toEqual([`lbdns.yaml:2:7: ${stays}`, 'reloaded'])
    put(folder, files(listen, 'user: nobody\ngroup: daemon'))
    expect(await reload(server, folder)).toEqual([`lbdns.yaml:3:8: ${stays}`, 'reloaded'])
    put(folder, whole(config(listen)))
    expect(await reload(server, folder)).toEqual([`lbdns.yaml: ${stays}`, 'reloaded'])
    put(folder, files(listen, 'user: "nobody"'))
    expect(await reload(server, folder)).toEqual(['reloaded'])
  })

  // biome-ignore format: table
  const UNKNOWN = [
    ['user: no-such-user',                   '2:7: there is no user no-such-user · make it, or name another user'],
    ['user: nobody\ngroup: no-such-group',   '3:8: there is no group no-such-group · make it, or name another group'],
    [`user: ${STRANGER}`,                    `2:7: the system knows no group of ${STRANGER} · add group: …`],
  ] as const

  test.each(UNKNOWN)('%s is refused before anything is open', async (who, told) => {
    const folder = openSite(files('[127.53.0.1:855]', who))
    const { code, stdout, stderr } = await lbdns(...runOf(folder))
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr.replaceAll(`${folder}/`, '')).toBe(`lbdns.yaml:${told}\nlbdns: 1 problem\n`)
  })
})

describe('started as somebody else', () => {
  // biome-ignore format: table
  const REFUSED = [
    ['user: root',                        '2:7: lbdns may not become user root · start it as root, or take user out'],
    [`user: ${STRANGER}`,                 `2:7: lbdns may not become user ${STRANGER} · start it as root, or take user out`],
    ['user: no-such-user',                '2:7: there is no user no-such-user · make it, or name another user'],
  ] as const

  for (const [who, told] of REFUSED) {
    test(`${who} is refused`, async context => {
      const folder = openSite(files('[127.0.0.1:1]', who))
      const { code, stdout, stderr } = await asUser(context, runOf(folder))
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr.replaceAll(`${folder}/`, '')).toBe(`lbdns.yaml:${told}\nlbdns: 1 problem\n`)
    })
  }

  test('the present user is no change', async context => {
    await needsReaders(context)
    context.skip(!IS_ROOT, 'root alone knows who nobody is')
    const port = await freePort()
    const folder = openSite(files(`[127.0.0.1:${port}]`, 'user: nobody'))
    const args = [...asNobody(), ...runOf(folder)]
    const server = await startReady('setpriv', args, ({ stdout }) => stdout().includes('listening'))
    expect(messages(server, folder)).not.toContain('serves as nobody')
    expect(threads(server.pid, 'Uid')).toEqual([Array(4).fill(NOBODY).join('\t')])
    expect(dataOf(await askUdp(port, 'www.example.com', SUBNET))).toEqual(['192.0.2.1'])
    expect(await reload(server, folder)).toEqual(['reloaded'])
  })
})
