/**
 * SIGHUP under way: addresses that come and go, and queries that arrive all the time.
 */
import { createSocket } from 'node:dgram'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort, type Program, stopAll, until } from '../kit/process.ts'
import { config, PATIENCE_MS, reload, whole } from '../kit/reload.ts'
import { askUdp, dataOf, hold, put, serveSite, site } from '../kit/server.ts'
import { pause, type TcpClient, tcpClient } from '../kit/transport.ts'
import { queryOf, said } from '../kit/world.ts'

let port = 0
let folder = ''
let server: Program
beforeAll(async () => {
  port = await freePort()
  folder = site(whole(config(`[127.0.0.1:${port}]`)))
  server = await serveSite(folder)
})
afterAll(stopAll)

/** Reloads with these addresses and targets. */
function reloadWith(listen: readonly number[], us?: string): Promise<string[]> {
  const list = listen.map(at => `127.0.0.1:${at}`).join(', ')
  put(folder, { 'lbdns.yaml': config(`[${list}]`, us) })
  return reload(server, folder)
}

const CLIENT = { subnet: '198.51.100.0/24' }

const served = async (at: number) => dataOf(await askUdp(at, 'www.example.com', CLIENT))

async function servedOver({ ask }: TcpClient): Promise<string[] | undefined> {
  const reply = await ask(queryOf('www.example.com', CLIENT), 10_000)
  return reply && dataOf(said(reply))
}

describe('what is listened on', () => {
  test('an address added answers, one removed is free, one in both is never closed', async () => {
    const added = await freePort()
    const kept = await tcpClient({ address: '127.0.0.1', port })
    expect(await reloadWith([port, added])).toEqual(['reloaded'])
    expect(await served(added)).toEqual(['192.0.2.1'])
    const dropped = await tcpClient({ address: '127.0.0.1', port: added })
    expect(await servedOver(dropped)).toEqual(['192.0.2.1'])

    expect(await reloadWith([port])).toEqual(['reloaded'])
    const release = await hold(added)
    await release()
    await until('its clients are told', () => dropped.ended() === 'end')
    expect(await served(port)).toEqual(['192.0.2.1'])
    expect(await servedOver(kept)).toEqual(['192.0.2.1'])
    kept.socket.destroy()
  })

  test.each(['udp', 'tcp'] as const)('one in use over %s refuses the whole reload', async over => {
    const taken = await freePort()
    const release = await hold(taken, over)
    const place = `127.0.0.1:${taken} (${over.toUpperCase()})`
    const column = 'listen: [127.0.0.1:, '.length + String(port).length + 1
    const told = await reloadWith([port, taken], '192.0.2.77')
    expect(told).toHaveLength(1)
    expect(told[0]).toContain(`lbdns.yaml:1:${column}: cannot listen on ${place}: another process`)
    expect(told[0]).toMatch(/^reload refused, the old configuration keeps serving: .* · stop that/)
    expect(await served(port)).toEqual(['192.0.2.1'])

    await release()
    expect(await reloadWith([port, taken], '192.0.2.77')).toEqual(['reloaded'])
    expect(await served(taken)).toEqual(['192.0.2.77'])
    expect(await reloadWith([port])).toEqual(['reloaded'])
  })
})

describe('client subnets', () => {
  test('are no longer read, and read again, at an address that stays open', async () => {
    const kept = await tcpClient({ address: '127.0.0.1', port })
    for (const [ecs, expected] of [
      ['off', '192.0.2.2'],
      ['on', '192.0.2.1'],
    ] as const) {
      put(folder, { 'lbdns.yaml': config(`[{address: "127.0.0.1:${port}", ecs: ${ecs}}]`) })
      expect(await reload(server, folder)).toEqual(['reloaded'])
      const { scope } = await askUdp(port, 'www.example.com', CLIENT)
      expect(scope).toBe(ecs === 'on' ? 24 : undefined)
      expect([await served(port), await servedOver(kept)]).toEqual([[expected], [expected]])
    }
    kept.socket.destroy()
  })
})

describe('queries at a steady pace', () => {
  const RELOADS = 10
  const EVERY_MS = 5
  /** What is served before a reload, and after it, in turn. */
  const STATES = ['192.0.2.1', '192.0.2.101']

  test(
    `${RELOADS} reloads lose none, and none is answered but from old or new files`,
    async () => {
      const kept = await tcpClient({ address: '127.0.0.1', port })
      let now = 0
      let coming = 0
      const either = () => [STATES[now & 1], STATES[coming & 1]]
      const asked = new Map<number, (string | undefined)[]>()
      const wrong: string[] = []
      const socket = createSocket('udp4')
      socket.on('message', octets => {
        const id = octets.readUInt16BE(0)
        const answer = dataOf(said(octets)).join()
        const allowed = [...(asked.get(id) ?? []), ...either()]
        if (!allowed.includes(answer)) wrong.push(`${answer}, not ${allowed}`)
        asked.delete(id)
      })

      let sent = 0
      const pace = setInterval(() => {
        const query = Buffer.from(queryOf('www.example.com', CLIENT))
        query.writeUInt16BE(sent & 0xffff, 0)
        asked.set(sent & 0xffff, either())
        socket.send(query, port, '127.0.0.1')
        sent += 1
      }, EVERY_MS)
      while (coming < RELOADS) {
        coming += 1
        expect(await reloadWith([port], STATES[coming & 1])).toEqual(['reloaded'])
        now = coming
        expect(await servedOver(kept)).toEqual([STATES[now & 1]])
        await pause(50)
      }
      clearInterval(pace)
      await until('all are answered', () => asked.size === 0, 5_000).catch(() => {})
      socket.close()
      kept.socket.destroy()
      expect(sent).toBeGreaterThan(RELOADS * 20)
      expect([asked.size, wrong]).toEqual([0, []])
    },
    RELOADS * PATIENCE_MS,
  )
})
