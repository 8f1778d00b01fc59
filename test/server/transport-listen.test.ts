import type { NetworkInterfaceInfo } from 'node:os'
import { afterEach, describe, expect, test } from 'vitest'
import { Fault } from '../../server/fault.ts'
import { dgramEngine } from '../../server/transport/dgram.ts'
import {
  close,
  type Door,
  type Doors,
  type Listening,
  listen,
  NOWHERE,
} from '../../server/transport/listen.ts'
import { refusal } from '../../server/transport/refusal.ts'
import { type Interfaces, spread, type Wanted } from '../../server/transport/spread.ts'
import { tcpService } from '../../server/transport/tcp.ts'
import { echo, query, tcpClient, udpClient } from '../kit/transport.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

function info(address: string, scopeid?: number): NetworkInterfaceInfo {
  const rest = { address, netmask: '', mac: '', internal: false, cidr: address }
  return address.includes(':')
    ? { ...rest, family: 'IPv6', scopeid: scopeid ?? 0 }
    : { ...rest, family: 'IPv4' }
}

const MACHINE: Interfaces = {
  lo: [info('127.0.0.1'), info('::1')],
  eth0: [info('192.0.2.2'), info('2001:db8::2'), info('fe80::1', 4)],
  eth1: [info('192.0.2.3'), info('fe80::1', 5)],
}

/** `address:port` with `ecs` on; `-` after it: off. */
function wanted(list: string): Wanted[] {
  return list
    .split(' ')
    .filter(Boolean)
    .map(entry => {
      const [, host = '', port] = /^\[?(.*?)\]?:(\d+)-?$/.exec(entry) ?? []
      return { host, port: Number(port), ecs: !entry.endsWith('-') }
    })
}

function text({ address, port, ecs }: { address: string; port: number; ecs: boolean }): string {
  return `${address.includes(':') ? `[${address}]` : address}:${port}${ecs ? '' : '-'}`
}

// biome-ignore format: table
const SPREAD = [
  // rule                                         list                           places
  ['addresses stay as they are',                  '192.0.2.2:53 [::1]:5353-',    '192.0.2.2:53 [::1]:5353-'],
  ['0.0.0.0 is every IPv4 address',               '0.0.0.0:53',                  '127.0.0.1:53 192.0.2.2:53 192.0.2.3:53'],
  [':: is every address of both families',        '[::]:53-',                    '[::1]:53- [2001:db8::2]:53- [fe80::1%eth0]:53- [fe80::1%eth1]:53- 127.0.0.1:53- 192.0.2.2:53- 192.0.2.3:53-'],
  [':: written out',                              '[0:0:0:0:0:0:0:0]:53',        '[::1]:53 [2001:db8::2]:53 [fe80::1%eth0]:53 [fe80::1%eth1]:53 127.0.0.1:53 192.0.2.2:53 192.0.2.3:53'],
  ['both wildcards: each address once',           '0.0.0.0:53 [::]:53',          '127.0.0.1:53 192.0.2.2:53 192.0.2.3:53 [::1]:53 [2001:db8::2]:53 [fe80::1%eth0]:53 [fe80::1%eth1]:53'],
  ['an address by name beats a wildcard before',  '0.0.0.0:53 192.0.2.2:53-',    '127.0.0.1:53 192.0.2.2:53- 192.0.2.3:53'],
  ['an address by name beats a wildcard after',   '192.0.2.2:53- 0.0.0.0:53',    '192.0.2.2:53- 127.0.0.1:53 192.0.2.3:53'],
  ['two spellings are one address',               '[2001:DB8:0::2]:53 [2001:db8::2]:53', '[2001:db8::2]:53'],
  ['another port is another place',               '127.0.0.1:53 127.0.0.1:54',   '127.0.0.1:53 127.0.0.1:54'],
] as const

describe('what a list means', () => {
  for (const [rule, list, places] of SPREAD) {
    test(rule, () => {
      expect(spread(wanted(list), MACHINE, 'spread').map(text).join(' ')).toBe(places)
    })
  }

  test('a wildcard that stands for nothing is a Fault', () => {
    for (const wildcards of ['spread', 'keep'] as const) {
      expect(() => spread(wanted('0.0.0.0:53'), { lo: [info('::1')] }, wildcards)).toThrow(
        'cannot listen on 0.0.0.0:53: no interface of this machine has such an address · ',
      )
    }
  })
})

const IPV4_ONLY: Interfaces = { lo: [info('127.0.0.1')] }

// biome-ignore format: table
const KEPT = [
  // rule                                           list                          places
  ['0.0.0.0 is one socket',                         '0.0.0.0:53',                 '0.0.0.0:53'],
  [':: is one socket, of both families',            '[::]:53-',                   '[::]:53-'],
  ['both: :: has it all',                           '0.0.0.0:53 [::]:53',         '[::]:53'],
  ['an address of the other family beside it',      '0.0.0.0:53 [2001:db8::2]:53-', '0.0.0.0:53 [2001:db8::2]:53-'],
  ['an address on another port beside it',          '0.0.0.0:53 192.0.2.2:54-',   '0.0.0.0:53 192.0.2.2:54-'],
  ['an address within it: spread, as that is else', '192.0.2.2:53- 0.0.0.0:53',   '192.0.2.2:53- 127.0.0.1:53 192.0.2.3:53'],
  ['an IPv4 address within ::',                     '[::]:53 192.0.2.2:53-',      '[::1]:53 [2001:db8::2]:53 [fe80::1%eth0]:53 [fe80::1%eth1]:53 127.0.0.1:53 192.0.2.2:53- 192.0.2.3:53'],
  ['both, that differ',                             '0.0.0.0:53- [::]:53',        '127.0.0.1:53- 192.0.2.2:53- 192.0.2.3:53- [::1]:53 [2001:db8::2]:53 [fe80::1%eth0]:53 [fe80::1%eth1]:53'],
] as const

describe('what a list means to an engine that can reply from any address', () => {
  for (const [rule, list, places] of KEPT) {
    test(rule, () => {
      expect(spread(wanted(list), MACHINE, 'keep').map(text).join(' ')).toBe(places)
    })
  }

  test(':: on a machine without IPv6 is 0.0.0.0', () => {
    expect(spread(wanted('[::]:53'), IPV4_ONLY, 'keep').map(text)).toEqual(['0.0.0.0:53'])
  })
})

// biome-ignore format: table
const HANDED = [
  // rule                                           list                            there                places
  ['0.0.0.0 stays what it is',                      '0.0.0.0:53',                   '0.0.0.0:53',        '0.0.0.0:53'],
  ['both, each by itself',                          '0.0.0.0:53 [::]:53',           '0.0.0.0:53 [::]:53', '0.0.0.0:53 [::]:53'],
  ['both, also where they differ',                  '0.0.0.0:53- [::]:53',          '0.0.0.0:53 [::]:53', '0.0.0.0:53- [::]:53'],
  [':: takes in 0.0.0.0',                           '0.0.0.0:53 [::]:53',           '[::]:53',           '[::]:53'],
  [':: does not where they differ',                 '[::]:53 0.0.0.0:53-',          '[::]:53',           '[::]:53 127.0.0.1:53- 192.0.2.2:53- 192.0.2.3:53-'],
  ['on another port it is another one',             '0.0.0.0:54',                   '0.0.0.0:53',        '127.0.0.1:54 192.0.2.2:54 192.0.2.3:54'],
  ['an address is what it is anyway',               '192.0.2.2:53',                 '192.0.2.2:53',      '192.0.2.2:53'],
] as const

describe('what a list means where sockets are there already', () => {
  for (const [rule, list, there, places] of HANDED) {
    test(rule, () => {
      const isHanded = (address: string, port: number) =>
        there.split(' ').includes(text({ address, port, ecs: true }))
      const found = spread(wanted(list), MACHINE, 'spread', [], isHanded)
      expect(found.map(text).join(' ')).toBe(places)
    })
  }
})

/** Doors of paper: what is done to them, in order. */
function paperDoors(broken: Readonly<Record<string, Fault>> = {}) {
  const done: string[] = []
  const door =
    (kind: string) => async (address: string, port: number, options: { ecs: boolean }) => {
      const place = `${kind} ${text({ address, port, ecs: true })}`
      const fault = broken[place]
      if (fault !== undefined) throw fault
      done.push(`+${place}`)
      const made: Door = {
        address,
        port,
        ecs: options.ecs,
        close: async () => void done.push(`-${place}`),
      }
      return made
    }
  const doors: Doors = { udp: door('udp'), tcp: door('tcp'), wildcards: 'spread' }
  return { doors, done }
}

/** With both doors, as places of plain DNS have. */
function bothOf({ places }: Listening) {
  return places.map(({ udp, ...open }) => {
    if (udp === undefined) throw new Error('no door for UDP')
    return { ...open, udp }
  })
}

function placesOf(listening: Listening): string {
  const places = bothOf(listening)
  const isOne = places.every(({ udp, tcp, place }) => udp.ecs === tcp.ecs && udp.ecs === place.ecs)
  return isOne ? places.map(({ udp }) => text(udp)).join(' ') : 'UDP and TCP differ'
}

const IN_USE = new Fault('ADDRESS_IN_USE', 'cannot listen')
const GONE = new Fault('ADDRESS_UNAVAILABLE', 'cannot listen')

// biome-ignore format: table
const REPLACEMENTS = [
  // rule                                 before             after                       done
  ['the same list: nothing happens',      'a:1 b:1',         'b:1 a:1',                  ''],
  ['what is new opens before the old',    'a:1 b:1',         'b:1 c:1',                  '+tcp c:1 +udp c:1 -udp a:1 -tcp a:1'],
  ['nothing in common',                   'a:1',             'b:1',                      '+tcp b:1 +udp b:1 -udp a:1 -tcp a:1'],
  ['only the switch for ECS changes',     'a:1 b:1-',        'a:1- b:1',                 ''],
  ['a wildcard gives way to its members', '0.0.0.0:1',       '127.0.0.1:1 192.0.2.2:1',  '-udp 192.0.2.3:1 -tcp 192.0.2.3:1'],
  ['nothing any more',                    'a:1',             '',                         '-udp a:1 -tcp a:1'],
] as const

describe('one list gives way to the next', () => {
  for (const [rule, before, after, expected] of REPLACEMENTS) {
    test(rule, async () => {
      const { doors, done } = paperDoors()
      const old = await listen(NOWHERE, wanted(before), doors, MACHINE)
      done.length = 0
      const now = await listen(old, wanted(after), doors, MACHINE)
      expect(placesOf(now)).toBe(after)
      expect(done.join(' ')).toBe(expected)
    })
  }

  // biome-ignore format: table
  const WILD = [
    // rule                                          before         after                       done
    ['the same wildcard, ECS switched',              '0.0.0.0:1',   '0.0.0.0:1-',               ''],
    ['an address grows to a wildcard, spread',       '127.0.0.1:1', '127.0.0.1:1 192.0.2.2:1 192.0.2.3:1', '+tcp 192.0.2.2:1 +udp 192.0.2.2:1 +tcp 192.0.2.3:1 +udp 192.0.2.3:1'],
    ['another port goes its own way',                '0.0.0.0:1',   '0.0.0.0:1 127.0.0.1:2',    '+tcp 127.0.0.1:2 +udp 127.0.0.1:2'],
  ] as const

  for (const [rule, before, after, expected] of WILD) {
    test(`where wildcards are kept: ${rule}`, async () => {
      const paper = paperDoors()
      const doors = { ...paper.doors, wildcards: 'keep' } as const
      const old = await listen(NOWHERE, wanted(before), doors, MACHINE)
      paper.done.length = 0
      const list = after.includes('192.0.2.3:1') ? '0.0.0.0:1' : after
      const now = await listen(old, wanted(list), doors, MACHINE)
      expect(placesOf(now)).toBe(after)
      expect(paper.done.join(' ')).toBe(expected)
    })
  }

  // biome-ignore format: table
  const WITHIN = [
    // before       after                    about
    ['0.0.0.0:1',  '192.0.2.2:1',           '192.0.2.2:1'],
    ['0.0.0.0:1',  '0.0.0.0:1 127.0.0.1:1', '127.0.0.1:1'],
    ['[::]:1',     '0.0.0.0:1',             '0.0.0.0:1'],
    ['[::]:1',     '[2001:db8::2]:1',       '[2001:db8::2]:1'],
  ] as const

  for (const [before, after, about] of WITHIN) {
    test(`from ${before} to ${after} takes a restart, and nothing is closed`, async () => {
      const paper = paperDoors()
      const doors = { ...paper.doors, wildcards: 'keep' } as const
      const old = await listen(NOWHERE, wanted(before), doors, MACHINE)
      paper.done.length = 0
      const going = listen(old, wanted(after), doors, MACHINE)
      await expect(going).rejects.toMatchObject({ code: 'ADDRESS_IN_USE', about })
      expect(paper.done).toEqual([])
    })
  }

  // biome-ignore format: table
  const FAILURES = [
    // rule                                      broken     done
    ['the second TCP door: the first is closed', 'tcp d:1', '+tcp c:1 +udp c:1 -udp c:1 -tcp c:1'],
    ['the second UDP door: three are closed',    'udp d:1', '+tcp c:1 +udp c:1 +tcp d:1 -tcp d:1 -udp c:1 -tcp c:1'],
    ['the first UDP door',                       'udp c:1', '+tcp c:1 -tcp c:1'],
  ] as const

  for (const [rule, broken, expected] of FAILURES) {
    test(`all or nothing: ${rule}`, async () => {
      const { doors } = paperDoors()
      const old = await listen(NOWHERE, wanted('a:1 b:1'), doors, MACHINE)
      const next = paperDoors({ [broken]: IN_USE })
      const going = listen(old, wanted('a:1- c:1 d:1'), next.doors, MACHINE)
      const about = broken.slice(4)
      await expect(going).rejects.toMatchObject({ code: 'ADDRESS_IN_USE', cause: IN_USE, about })
      expect(next.done.join(' ')).toBe(expected)
      expect(placesOf(old)).toBe('a:1 b:1') // ecs of a:1 included
    })
  }

  test('an address out of a wildcard that the machine will not give is left out and named', async () => {
    const { doors } = paperDoors({ 'tcp [fe80::1%eth1]:1': GONE })
    const now = await listen(NOWHERE, wanted('[::]:1'), doors, MACHINE)
    expect(now.skipped).toEqual(['[fe80::1%eth1]:1'])
    expect(now.places).toHaveLength(6)
  })

  test('the same address by name is a Fault', async () => {
    const { doors } = paperDoors({ 'tcp 192.0.2.2:1': GONE })
    const going = listen(NOWHERE, wanted('192.0.2.2:1'), doors, MACHINE)
    await expect(going).rejects.toMatchObject({ cause: GONE, about: '192.0.2.2:1' })
  })
})

describe('refusals are one sentence with what to do', () => {
  // biome-ignore format: table
  const TABLE = [
    ['EADDRINUSE',    'ADDRESS_IN_USE',      'another process has it · stop that one'],
    ['EACCES',        'NOT_PERMITTED',       'ports below 1024 are not for this user · grant it CAP_NET_BIND_SERVICE (AmbientCapabilities= of systemd), or lower net.ipv4.ip_unprivileged_port_start'],
    ['EADDRNOTAVAIL', 'ADDRESS_UNAVAILABLE', 'this machine does not have the address · choose one'],
    ['EAFNOSUPPORT',  'ADDRESS_UNAVAILABLE', 'this machine does not have that address family · '],
    ['EINVAL',        'ADDRESS_UNAVAILABLE', 'a link-local address needs an interface of this machine · '],
    ['EMFILE',        'IMPOSSIBLE',          'the system says EMFILE · '],
  ] as const

  for (const [code, faultCode, words] of TABLE) {
    test(code, () => {
      const cause = Object.assign(new Error(`bind ${code}`), { code })
      const fault = refusal('UDP', '2001:db8::1', 53, cause)
      expect(fault).toMatchObject({ code: faultCode, cause })
      expect(fault.message).toContain(`cannot listen on [2001:db8::1]:53 (UDP): ${words}`)
    })
  }
})

test('a port that every user may have, and something forbids', () => {
  const cause = Object.assign(new Error('bind EACCES'), { code: 'EACCES' })
  const { code, message } = refusal('TCP', '127.0.0.1', 1024, cause)
  expect(code).toBe('NOT_PERMITTED')
  expect(message).toContain('cannot listen on 127.0.0.1:1024 (TCP): something forbids it · look at')
})

describe('with real sockets', () => {
  const LOOPBACK: Interfaces = { lo: [info('127.0.0.1'), info('::1')] }
  const onFault = () => undefined

  function realDoors(): Doors {
    const { open } = tcpService(echo, { onFault })
    return {
      udp: (address, port, options) =>
        dgramEngine.open(address, port, echo, { ...options, onFault }),
      tcp: open,
      wildcards: 'spread',
    }
  }

  async function opened(list: readonly Wanted[], doors = realDoors()): Promise<Listening> {
    const listening = await listen(NOWHERE, list, doors, LOOPBACK)
    closers.push(() => close(listening, 0))
    return listening
  }

  async function expectServed(door: { address: string; port: number }): Promise<void> {
    const asker = await udpClient(door.address)
    expect((await asker.ask(query(1), door))?.octets).toEqual(query(1))
    asker.close()
    const speaker = await tcpClient(door)
    expect(await speaker.ask(query(2))).toEqual(query(2))
    speaker.socket.destroy()
  }

  test('BC-174 a list with [::]: 4 of 4 answered, over both protocols and families', async () => {
    const places = bothOf(await opened(wanted('[::]:0')))
    expect(places.map(({ udp }) => udp.address)).toEqual(['::1', '127.0.0.1'])
    for (const { udp, tcp } of places) {
      expect(tcp.port).toBe(udp.port)
      await expectServed(udp)
    }
  })

  test('a port in use over UDP only: the TCP door is closed again', async () => {
    const [first] = bothOf(await opened(wanted('127.0.0.1:0')))
    const port = first?.udp.port ?? 0
    await first?.tcp.close(0)
    const again = opened([{ host: '127.0.0.1', port, ecs: true }])
    await expect(again).rejects.toThrow(`cannot listen on 127.0.0.1:${port} (UDP): `)
    const free = await realDoors().tcp('127.0.0.1', port, { ecs: true })
    await free.close(0)
  })

  test('a reload keeps an open TCP connection of an address that stays', async () => {
    const doors = realDoors()
    const before = await opened(wanted('127.0.0.1:0 127.0.0.2:0'), doors)
    const [stays] = before.places
    if (stays === undefined) throw new Error('nothing open')
    const speaker = await tcpClient(stays.tcp)
    closers.push(() => speaker.socket.destroy())
    expect(await speaker.ask(query(1))).toEqual(query(1))

    const after = await listen(before, wanted('127.0.0.1:0- 127.0.0.3:0'), doors, LOOPBACK)
    closers.push(() => close(after, 0))
    expect(bothOf(after).map(({ udp }) => udp.address)).toEqual(['127.0.0.1', '127.0.0.3'])
    expect(await speaker.ask(query(2))).toEqual(query(2))
    for (const { udp } of bothOf(after)) await expectServed(udp)
  })
})

/** Places of one port each, by what is spoken there. */
function speaking(list: Readonly<Record<number, 'dns' | 'tls' | 'https'>>) {
  return Object.entries(list).map(([port, over]) => {
    const stream = { over, path: '/', proxy: [] } as const
    const plain = { host: '127.0.0.1', port: Number(port), ecs: true }
    return over === 'dns' ? plain : { ...plain, stream }
  })
}

// biome-ignore format: table
const CHANGES = [
  // rule                                          before                          after                           what is done
  ['what is encrypted has no UDP',                 {},                             { 853: 'tls', 443: 'https' },   ['+tcp 127.0.0.1:443', '+tcp 127.0.0.1:853']],
  ['from plain to TLS: UDP ends, TCP stays',       { 53: 'dns' },                  { 53: 'tls' },                  ['-udp 127.0.0.1:53']],
  ['from TLS to plain: UDP begins, TCP stays',     { 53: 'tls' },                  { 53: 'dns' },                  ['+udp 127.0.0.1:53']],
  ['from TLS to HTTPS: all stays',                 { 853: 'tls' },                 { 853: 'https' },               []],
  ['they change places',                           { 53: 'dns', 853: 'tls' },      { 53: 'tls', 853: 'dns' },      ['+udp 127.0.0.1:853', '-udp 127.0.0.1:53']],
  ['what is encrypted goes',                       { 53: 'dns', 853: 'tls' },      { 53: 'dns' },                  ['-tcp 127.0.0.1:853']],
] as const

describe('a place that speaks something else after a reload', () => {
  for (const [rule, before, after, expected] of CHANGES) {
    test(rule, async () => {
      const { doors, done } = paperDoors()
      const old = await listen(NOWHERE, speaking(before), doors, MACHINE)
      done.length = 0
      await listen(old, speaking(after), doors, MACHINE)
      expect(done).toEqual(expected)
    })
  }

  test('where UDP cannot be had, all is as it was', async () => {
    const { doors, done } = paperDoors({ 'udp 127.0.0.1:853': IN_USE })
    const old = await listen(NOWHERE, speaking({ 853: 'tls' }), doors, MACHINE)
    done.length = 0
    const change = listen(old, speaking({ 853: 'dns', 54: 'dns' }), doors, MACHINE)
    await expect(change).rejects.toMatchObject({ code: 'ADDRESS_IN_USE', about: '127.0.0.1:853' })
    const opened = ['+tcp 127.0.0.1:54', '+udp 127.0.0.1:54']
    expect(done.toSorted()).toEqual(
      [...opened, '-tcp 127.0.0.1:54', '-udp 127.0.0.1:54'].toSorted(),
    )
  })
})
