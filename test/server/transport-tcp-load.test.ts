/** TCP when there are many: limits, leaks, draining. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, test } from 'vitest'
import { tcpService } from '../../server/transport/tcp.ts'
import { echo, framed, pause, query, type TcpClient, tcpClient, until } from '../kit/transport.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function open(limits: { all: number; perSource: number }) {
  const { counts, open } = tcpService(echo, { onFault: () => undefined, limits })
  const listener = await open('127.0.0.1', 0, { ecs: true })
  closers.push(() => listener.close(0))
  return { counts, listener }
}

async function client(
  to: { address: string; port: number },
  options?: Parameters<typeof tcpClient>[1],
): Promise<TcpClient> {
  const made = await tcpClient(to, options)
  closers.push(() => made.socket.destroy())
  return made
}

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

function handles(): number {
  return process.getActiveResourcesInfo().filter(name => name.startsWith('TCP')).length
}

describe('limits', () => {
  test('BC-154 RFC 7766 §6.2.2 500 slow connections, and a normal client is served', async () => {
    const { counts, listener } = await open({ all: 1000, perSource: 100 })
    const patient = await client(listener)
    const slow: TcpClient[] = []
    for (let i = 0; i < 500; i += 1) {
      slow.push(await client(listener))
      slow.at(-1)?.socket.write(Uint8Array.of(0))
      if (i % 50 === 0) expect(await patient.ask(query(i))).toEqual(query(i))
    }
    await until(() => counts.accepted === 501)
    const newcomer = await client(listener)
    expect(await newcomer.ask(query(9))).toEqual(query(9))
    expect(await patient.ask(query(10))).toEqual(query(10))
    // 502 came, 100 may stay: the slow ones went, in the order of their coming
    expect(counts).toMatchObject({ accepted: 502, open: 100, displaced: 402 })
    await until(() => slow.filter(({ ended }) => ended() !== 'no').length === 402)
    expect(slow.slice(402).every(({ ended }) => ended() === 'no')).toBe(true)
  })

  test('the limit of all holds across listeners, and a newcomer gets in', async () => {
    const service = tcpService(echo, {
      onFault: () => undefined,
      limits: { all: 4, perSource: 100 },
    })
    const one = await service.open('127.0.0.1', 0, { ecs: true })
    const other = await service.open('127.0.0.2', 0, { ecs: true })
    closers.push(
      () => one.close(0),
      () => other.close(0),
    )
    const first = await client(one)
    const rest = [await client(other), await client(other), await client(one)]
    await until(() => service.counts.open === 4)
    expect(await (await client(other)).ask(query(1))).toEqual(query(1))
    await until(() => first.ended() === 'end')
    expect(rest.map(({ ended }) => ended())).toEqual(['no', 'no', 'no'])
    expect(service.counts).toMatchObject({ open: 4, displaced: 1 })
  })
})

describe('leaks', () => {
  test('BC-153 2,000 times connect, query, close: memory and handles are back', async () => {
    const { counts, listener } = await open({ all: 1000, perSource: 100 })
    const visit = async (id: number) => {
      const asker = await tcpClient(listener)
      expect((await asker.ask(query(id)))?.length).toBe(40)
      asker.socket.destroy()
    }
    const visits = async (times: number) => {
      for (let id = 0; id < times; id += 50) {
        await Promise.all(Array.from({ length: 50 }, (_, i) => visit(id + i)))
      }
      await until(() => counts.open === 0)
      await pause(20)
      collect()
      const { heapUsed, external } = process.memoryUsage()
      return { handles: handles(), octets: heapUsed + external }
    }
    const before = await visits(500)
    const after = await visits(2000)
    expect(counts.accepted).toBe(2500)
    expect(after.handles).toBe(before.handles)
    expect(after.octets).toBeLessThan(before.octets * 1.1)
  })
})

describe('draining', () => {
  test('what has come whole is answered, partial or not begun is not; everybody is bid goodbye', async () => {
    const { counts, listener } = await open({ all: 100, perSource: 100 })
    const idle = await client(listener)
    const partial = await client(listener)
    const asker = await client(listener)
    await until(() => counts.open === 3)
    partial.socket.write(framed(query(1)).subarray(0, 20))
    asker.socket.write(framed(query(2), query(3)))
    await pause(0)
    const drained = listener.close(2000)
    const start = performance.now()
    await Promise.all([drained, listener.close(0)])
    expect(performance.now() - start).toBeLessThan(1000) // as soon as all are gone
    await until(() => [idle, partial, asker].every(({ ended }) => ended() === 'end'))
    expect([idle.heard, partial.heard, asker.heard]).toEqual([[], [], [query(2), query(3)]])
    expect(counts.open).toBe(0)
    await expect(refused(listener)).resolves.toBe('ECONNREFUSED')
  })

  test('clients that the kernel has let in, and we not yet, are answered too', async () => {
    const { listener } = await open({ all: 100, perSource: 100 })
    const askers = await Promise.all(Array.from({ length: 30 }, () => client(listener)))
    for (const asker of askers) asker.socket.write(framed(query(1)))
    await listener.close(2000)
    await until(() => askers.every(({ ended }) => ended() !== undefined))
    expect(askers.map(({ ended, heard }) => [ended(), heard.length])).toEqual(
      askers.map(() => ['end', 1]),
    )
  })

  test('whoever does not leave is cut off in time', async () => {
    const { counts, listener } = await open({ all: 100, perSource: 100 })
    const stayer = await client(listener, { allowHalfOpen: true })
    expect(await stayer.ask(query(1))).toEqual(query(1))
    const start = performance.now()
    await listener.close(100)
    expect(performance.now() - start).toBeGreaterThan(90)
    expect(counts.open).toBe(0)
  })

  test('octets that come after the goodbye are not answered', async () => {
    const { counts, listener } = await open({ all: 100, perSource: 100 })
    const stayer = await client(listener, { allowHalfOpen: true })
    await until(() => counts.open === 1)
    const drained = listener.close(100)
    await until(() => stayer.ended() === 'end')
    stayer.socket.write(framed(query(1)))
    await drained
    expect(counts.received).toBe(0)
  })
})

async function refused(to: { address: string; port: number }): Promise<unknown> {
  const { connect } = await import('node:net')
  return new Promise(resolve => {
    const socket = connect({ host: to.address, port: to.port })
    socket.once('connect', () => resolve('connected'))
    socket.once('error', cause => resolve('code' in cause ? cause.code : cause))
  })
}
