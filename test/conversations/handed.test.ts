/**
 * Sockets that a service manager has bound: taken where the list has them, said where it has not, and
 * not lost while one server takes the place of another.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { withoutBatches } from '../kit/engine.ts'
import { describeWith, freePort, LBDNS, LOOPBACK, stopAll, until } from '../kit/process.ts'
import { config, logOf, reload, whole } from '../kit/reload.ts'
import { askUdp, dataOf, put, site } from '../kit/server.ts'
import { type Handing, type Supervised, supervise } from '../kit/supervisor.ts'
import { tcpClient, udpClient } from '../kit/transport.ts'
import { queryOf, said } from '../kit/world.ts'

afterAll(stopAll)

const QUERY = queryOf('www.example.com', { subnet: '198.51.100.0/24' })
const US = ['192.0.2.1']

/** Longer than a server needs to start on a machine that is busy. */
const PATIENCE_MS = 25_000

/** @param list where it listens; P stands for the port */
function siteAt(port: number, list: string, more = ''): string {
  return site(whole(`${config(list.replaceAll('P', `${port}`))}${more}`))
}

function serve(
  folder: string,
  sockets: readonly Handing[],
  environment: Readonly<Record<string, string>> = {},
  stray = 0,
): Promise<Supervised> {
  const command = [process.execPath, LBDNS, 'run', '-c', join(folder, 'lbdns.yaml')]
  return supervise(sockets, command, environment, stray)
}

function both(port: number, host = '127.0.0.1'): Handing[] {
  return [
    { kind: 'UDP', host, port },
    { kind: 'TCP', host, port },
  ]
}

async function overTcp(port: number, address = '127.0.0.1'): Promise<string[]> {
  const client = await tcpClient({ address, port })
  const reply = await client.ask(QUERY, PATIENCE_MS)
  client.socket.destroy()
  return reply === undefined ? [] : dataOf(said(reply))
}

/** What answers over UDP, and from where. */
async function overUdp(port: number, address: string): Promise<readonly [string[], string?]> {
  const client = await udpClient(address.includes(':') ? '::1' : '127.0.0.1')
  const heard = await client.ask(QUERY, { address, port }, PATIENCE_MS)
  client.close()
  return heard === undefined ? [[]] : [dataOf(said(heard.octets)), heard.from.address]
}

/** Without batches there is one worker. */
const ENGINES = [
  ['batches, one worker', 1, {}],
  ['batches, two workers', 2, {}],
  ['node:dgram', 1, { KOFFI: '0' }],
] as const

describeWith(['python3'], 'sockets of a service manager', () => {
  test.each(ENGINES)(
    '%s: nothing is lost while a server is replaced',
    async (_, workers, environment) => {
      const port = await freePort()
      const folder = siteAt(port, '[127.0.0.1:P]', `workers: ${workers}\n`)
      const server = await serve(folder, both(port), environment)
      expect(await overTcp(port)).toEqual(US)

      const asked: Promise<readonly [string[], string?]>[] = []
      const asking = setInterval(() => asked.push(overUdp(port, '127.0.0.1')), 20)
      await until('some are answered', () => asked.length > 10)
      server.replace()
      await until('the first one has left', () => server.stderr().includes('"left"'))
      const waits = overTcp(port)
      await until('there is another', () => server.stdout().split('listening').length === 3)
      clearInterval(asking)
      expect(await waits).toEqual(US)
      for (const one of await Promise.all(asked)) expect(one).toEqual([US, '127.0.0.1'])
      expect(new Set(server.pids()).size).toBe(2)
      expect(await server.stop()).toBe(0)
    },
    60_000,
  )

  test('both wildcards, each a socket: replies leave from where they were asked', async context => {
    context.skip(!LOOPBACK.includes('::1'), 'this machine has no IPv6')
    context.skip(withoutBatches !== undefined, `${withoutBatches}`)
    const port = await freePort()
    const sockets = [...both(port, '0.0.0.0'), ...both(port, '::').map(six)]
    const server = await serve(siteAt(port, '[0.0.0.0:P, "[::]:P"]'), sockets)
    for (const address of ['127.0.0.1', '127.0.0.9', '::1']) {
      expect(await overUdp(port, address)).toEqual([US, address])
      expect(await overTcp(port, address)).toEqual(US)
    }
    expect(logOf(server)).toEqual([])
  })

  test('one socket for both families is what 0.0.0.0 and :: mean together', async context => {
    context.skip(!LOOPBACK.includes('::1'), 'this machine has no IPv6')
    const port = await freePort()
    const server = await serve(siteAt(port, '[0.0.0.0:P, "[::]:P"]'), both(port, '::'))
    expect(await overUdp(port, '::1')).toEqual([US, '::1'])
    expect(await overUdp(port, '127.0.0.1')).toEqual([US, '127.0.0.1'])
    expect(await overTcp(port, '127.0.0.1')).toEqual(US)
    expect(server.stderr()).not.toContain('was handed over')
  })

  test('node:dgram keeps a wildcard that is there, and says what that means', async () => {
    const port = await freePort()
    const list = '[0.0.0.0:P]'
    const server = await serve(siteAt(port, list), both(port, '0.0.0.0'), { KOFFI: '0' })
    expect(await overUdp(port, '127.0.0.1')).toEqual([US, '127.0.0.1'])
    expect(logOf(server).map(({ msg }) => msg)).toContain(
      `0.0.0.0:${port}: replies over UDP may leave from another address than was asked · install koffi, or have a socket for each address handed over`,
    )
  })

  test('one that does not wait is told to: whoever serves it waits in the kernel', async context => {
    context.skip(withoutBatches !== undefined, `${withoutBatches}`)
    const port = await freePort()
    const sockets = both(port).map(socket => ({ ...socket, nonblocking: true as const }))
    const server = await serve(siteAt(port, '[127.0.0.1:P]', 'workers: 1\n'), sockets)
    expect(await overUdp(port, '127.0.0.1')).toEqual([US, '127.0.0.1'])
    const [pid = 0] = server.pids()
    const [fd] = udpAt(pid, port)
    const [, flags = ''] =
      /^flags:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'latin1')) ?? []
    expect([Number.parseInt(flags, 8) & 0o4000, Number.parseInt(flags, 8) & 0o2000000]).toEqual([
      0, // O_NONBLOCK: its thread would go round and round
      0o2000000, // O_CLOEXEC
    ])
  })

  test('what the list does not have is closed and named', async () => {
    const [port, other] = [await freePort(), await freePort()]
    const sockets = [...both(port), ...both(other)]
    const server = await serve(siteAt(port, '[127.0.0.1:P]'), sockets)
    const left = (place: string, name: string) =>
      `127.0.0.1:${other} (${place}), called ${name} was handed over and is not served: nobody there is answered · add it to listen, or take it out of the socket unit`
    expect(logOf(server).map(({ msg }) => msg)).toEqual(
      expect.arrayContaining([left('UDP', 'socket-2'), left('TCP', 'socket-3')]),
    )
    expect(await overTcp(port)).toEqual(US)
    const [pid = 0] = server.pids()
    expect([udpAt(pid, port).length > 0, udpAt(pid, other)]).toEqual([true, []])
  })

  test('what was meant for another process is let alone', async () => {
    const port = await freePort()
    await expect(serve(siteAt(port, '[127.0.0.1:P]'), both(port), {}, 1)).rejects.toThrow(
      `cannot listen on 127.0.0.1:${port} (TCP): another process has it`,
    )
  })

  test('programs of checks have none of it', async () => {
    const port = await freePort()
    const folder = siteAt(
      port,
      '[127.0.0.1:P]',
      'checks: {look: {type: exec, command: [/bin/sh, looking.sh], every: 1s}}\n',
    )
    const look = `env > ${folder}/told.txt; ls -l /proc/self/fd >> ${folder}/told.txt; echo end >> ${folder}/told.txt\n`
    const yaml = readFileSync(join(folder, 'lbdns.yaml'), 'utf8')
      .replace('looking.sh', join(folder, 'looking.sh'))
      .replace('us: {', 'us: {check: look, ')
    put(folder, { 'lbdns.yaml': yaml, 'looking.sh': look, 'told.txt': '' })
    await serve(folder, both(port))
    const told = () => readFileSync(join(folder, 'told.txt'), 'utf8')
    await until('it has looked', () => told().endsWith('end\n'))
    expect(told()).toContain('LBDNS_ADDRESS=192.0.2.1')
    expect(told()).not.toMatch(/LISTEN_|socket:/)
  })

  test('a reload keeps them, and one dropped can be had again', async context => {
    context.skip(withoutBatches !== undefined, `${withoutBatches}`)
    const [port, other] = [await freePort(), await freePort()]
    const lists = [`[127.0.0.1:P, 127.0.0.1:${other}]`, '[127.0.0.1:P]'] as const
    const folder = siteAt(port, lists[0])
    const server = await serve(folder, [...both(port), ...both(other)])
    for (const list of [lists[1], lists[0]]) {
      put(folder, { 'lbdns.yaml': config(list.replaceAll('P', `${port}`)) })
      expect(await reload(server, folder)).toEqual(['reloaded'])
      expect(await overTcp(port)).toEqual(US)
    }
    expect(await overUdp(other, '127.0.0.1')).toEqual([US, '127.0.0.1'])
    expect(await overTcp(other)).toEqual(US)
  })

  test('several of one address: each is served by somebody, or said to be left', async context => {
    context.skip(withoutBatches !== undefined, `${withoutBatches}`)
    const port = await freePort()
    const one = { kind: 'UDP', host: '127.0.0.1', port, reuse: true } as const
    const tcp = { kind: 'TCP', host: '127.0.0.1', port } as const
    const folder = siteAt(port, '[127.0.0.1:P]', 'workers: 2\n')
    const two = await serve(folder, [one, one, tcp])
    for (let client = 0; client < 30; client += 1) {
      expect(dataOf(await askUdp(port, 'www.example.com', { subnet: '198.51.100.0/24' }))).toEqual(
        US,
      )
    }
    expect(logOf(two)).toEqual([])
    expect(await two.stop()).toBe(0)
    const three = await serve(folder, [one, one, one, tcp])
    expect(logOf(three).map(({ msg }) => msg)).toEqual([
      expect.stringContaining(
        `127.0.0.1:${port} (UDP), called socket-2 was handed over and is not`,
      ),
    ])
  })
})

function six(socket: Handing): Handing {
  return { ...socket, only: true }
}

/** Descriptors that a process has of the UDP socket of a port of 127.0.0.1. */
function udpAt(pid: number, port: number): string[] {
  const place = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const lines = readFileSync('/proc/net/udp', 'latin1').split('\n')
  const inode = lines
    .find(line => line.includes(place))
    ?.trim()
    .split(/\s+/)[9]
  return readdirSync(`/proc/${pid}/fd`).filter(fd => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`) === `socket:[${inode}]`
    } catch {
      return false // it has been closed meanwhile
    }
  })
}
