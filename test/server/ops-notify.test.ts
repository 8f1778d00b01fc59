/** What is told to a service manager, when, and where to: sd_notify(3). */
import { describe, expect, test } from 'vitest'
import { unixName } from '../../server/ops/message.ts'
import { type Send, ServiceManager, wishIn } from '../../server/ops/notify.ts'
import { until } from '../kit/transport.ts'

const OWN = `${process.pid}`

// biome-ignore format: table
const WISHES = [
  // rule                                environment                                                              wish
  ['nobody wishes anything',             {},                                                                      undefined],
  ['an empty name is none',              { NOTIFY_SOCKET: '' },                                                   undefined],
  ['neither a path nor abstract',        { NOTIFY_SOCKET: 'vsock:2:1' },                                          undefined],
  ['a slash alone',                      { NOTIFY_SOCKET: '/' },                                                  undefined],
  ['to be told',                         { NOTIFY_SOCKET: '/run/n' },                                             { socket: '/run/n', withinMs: undefined }],
  ['to be told within half a minute',    { NOTIFY_SOCKET: '@n', WATCHDOG_USEC: '30000000' },                      { socket: '@n', withinMs: 30_000 }],
  ['by us',                              { NOTIFY_SOCKET: '@n', WATCHDOG_USEC: '1000', WATCHDOG_PID: OWN },       { socket: '@n', withinMs: 1 }],
  ['by another process',                 { NOTIFY_SOCKET: '@n', WATCHDOG_USEC: '1000', WATCHDOG_PID: `1${OWN}` }, { socket: '@n', withinMs: undefined }],
  ['within no time',                     { NOTIFY_SOCKET: '@n', WATCHDOG_USEC: '0' },                             { socket: '@n', withinMs: undefined }],
  ['within no number',                   { NOTIFY_SOCKET: '@n', WATCHDOG_USEC: '1s' },                            { socket: '@n', withinMs: undefined }],
] as const

describe('what is wished for', () => {
  for (const [rule, environment, wish] of WISHES) {
    test(rule, () => {
      const given = { PATH: '/bin', ...environment }
      expect(wishIn(given)).toEqual(wish)
      expect(given).toEqual({ PATH: '/bin' })
    })
  }
})

// biome-ignore format: table
const NAMES = [
  // unix(7)                        written      octets: the family in 2, then sun_path
  ['a path',                        '/n',        '0100' + '2f6e'],
  ['an abstract name',              '@n',        '0100' + '006e'],
  ['an @ further on is one',        '/@',        '0100' + '2f40'],
] as const

describe('unix(7) where it goes to', () => {
  for (const [rule, written, octets] of NAMES) {
    test(rule, () => {
      expect(Buffer.from(unixName(written)).toString('hex')).toBe(octets)
    })
  }

  test('108 octets and no more', () => {
    expect(unixName(`/${'a'.repeat(107)}`)).toHaveLength(110)
    expect(() => unixName(`/${'a'.repeat(108)}`)).toThrow('is too long for a socket')
  })
})

/** A manager that hears into `heard`, as slowly as `hear` lets it. */
function listening(hear: Send = async () => {}, withinMs?: number) {
  const heard: string[] = []
  const warned: string[] = []
  const send: Send = async lines => {
    await hear(lines)
    heard.push(lines.map(line => line.replace(/_USEC=\d+/, '_USEC')).join(' | '))
  }
  const manager = new ServiceManager(send, withinMs, what => warned.push(what))
  return { manager, heard, warned }
}

const WELL = async () => {}

describe('a service manager', () => {
  test('hears in order what is said, however long each takes', async () => {
    const times = [30, 20, 10, 0, 0]
    const hear = () => new Promise<void>(resolve => setTimeout(resolve, times.shift()))
    const { manager, heard } = listening(hear)
    manager.ready('serves', WELL)
    await manager.reloading(async () => manager.status('serves more'))
    manager.leaving()
    await until(() => heard.length === 5)
    expect(heard).toEqual([
      'READY=1 | STATUS=serves',
      'RELOADING=1 | MONOTONIC_USEC',
      'STATUS=serves more',
      'READY=1',
      'STOPPING=1',
    ])
  })

  test('hears nothing of a reload before it is ready, nor after goodbye', async () => {
    const { manager, heard } = listening()
    expect(await manager.reloading(async () => 7)).toBe(7)
    manager.status('not yet')
    manager.ready('serves', WELL)
    await manager.reloading(async () => manager.leaving())
    await until(() => heard.length === 3)
    expect(heard.at(-1)).toBe('STOPPING=1')
  })

  test('hears that a reload is over also where it fails', async () => {
    const { manager, heard } = listening()
    manager.ready('serves', WELL)
    const failing = manager.reloading(() => Promise.reject(new Error('no')))
    await expect(failing).rejects.toThrow('no')
    await until(() => heard.at(-1) === 'READY=1')
  })

  test('a text is one line, whatever stands in it', async () => {
    const { manager, heard } = listening()
    manager.ready('a\nMAINPID=1\r\nb', WELL)
    await until(() => heard.length === 1)
    expect(heard).toEqual(['READY=1 | STATUS=a MAINPID=1 b'])
  })

  test('that does not hear: said once, and all goes on', async () => {
    const { manager, warned } = listening(() => Promise.reject(new Error('ENOENT')))
    manager.ready('serves', WELL)
    expect(await manager.reloading(async () => 7)).toBe(7)
    await until(() => warned.length === 1)
    manager.leaving()
    expect(warned).toEqual(['the service manager cannot be told: Error: ENOENT'])
  })

  test('that does not exist is told nothing', async () => {
    const manager = new ServiceManager(undefined, undefined, () => expect.fail('warned'))
    manager.ready('serves', () => expect.fail('asked'))
    expect(await manager.reloading(async () => 7)).toBe(7)
    manager.leaving()
  })

  test('hears that all is well while all answer', async () => {
    let answer = () => {}
    const well = () => new Promise<void>(resolve => (answer = resolve))
    const { manager, heard, warned } = listening(undefined, 20)
    manager.ready('serves', well)
    await until(() => warned.length >= 2)
    expect(heard).toEqual(['READY=1 | STATUS=serves'])
    answer()
    await until(() => heard.length === 2)
    expect(heard[1]).toBe('WATCHDOG=1')
  })
})
