/**
 * How a server leaves: at the first SIGTERM or SIGINT it finishes what is under way, at the second it
 * goes at once. Exit code 0 in every case.
 */
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort, type Program, stopAll } from '../kit/process.ts'
import { askUdp, dataOf, serveSite, site } from '../kit/server.ts'
import { framed, pause, tcpClient, until } from '../kit/transport.ts'
import { queryOf, said } from '../kit/world.ts'

const ZONE = `$ORIGIN example.com.
$TTL 60
@ SOA ns1 hostmaster 7 7200 900 1209600 60
@ NS ns1
ns1 A 192.0.2.251
big TXT ${`"${'x'.repeat(250)}" `.repeat(200)}
`

let port = 0
let folder = ''
beforeAll(async () => {
  port = await freePort()
  folder = site({
    'lbdns.yaml': `listen: [127.0.0.1:${port}]\nzones: [example.com.zone]\n`,
    'example.com.zone': ZONE,
  })
})
afterAll(stopAll)

const place = () => ({ address: '127.0.0.1', port })

/** Resolves when the octets have been given to the system. */
function write(socket: Socket, octets: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) =>
    socket.write(octets, error => (error ? reject(error) : resolve())),
  )
}

function isRefused(): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port })
  return new Promise(resolve => {
    socket.once('error', () => resolve(true))
    socket.once('connect', () => resolve(false))
  }).finally(() => socket.destroy()) as Promise<boolean>
}

test.each(['SIGTERM', 'SIGINT'] as const)('%s: a query under way is answered', async signal => {
  const server = await serveSite(folder)
  const idle = await tcpClient(place())
  const busy = await tcpClient(place())
  for (const client of [idle, busy]) await client.ask(queryOf('example.com', { type: 'NS' }), 5000)
  await write(busy.socket, framed(queryOf('ns1.example.com')))
  server.signal(signal)
  expect(await server.ended).toBe(0)
  await until(() => busy.ended() !== 'no' && idle.ended() !== 'no')
  expect([busy.ended(), idle.ended()]).toEqual(['end', 'end'])
  const nameServers = ['ns1.example.com']
  expect(busy.heard.map(octets => dataOf(said(octets)))).toEqual([nameServers, ['192.0.2.251']])
  expect(idle.heard).toHaveLength(1)
  expect(await isRefused()).toBe(true)
})

test('SIGTERM: a client that reads slowly gets all it asked for', async () => {
  const server = await serveSite(folder)
  const slow = await tcpClient(place(), { reads: 'nothing' })
  const asked = Array.from({ length: 20 }, () => queryOf('big.example.com', { type: 'TXT' }))
  await write(slow.socket, framed(...asked))
  await pause(300) // the server answers until nothing more can be sent
  server.signal('SIGTERM')
  await until(() => server.stderr().includes('draining'))
  let octets = 0
  slow.socket.on('data', chunk => (octets += chunk.length))
  expect(await server.ended).toBe(0)
  await until(() => slow.ended() !== 'no')
  expect(slow.ended()).toBe('end')
  expect(octets).toBeGreaterThan(20 * 200 * 251)
})

test('a second SIGTERM ends it at once', async () => {
  const server = await serveSite(folder)
  const stubborn = await tcpClient(place(), { allowHalfOpen: true })
  expect(await stubborn.ask(queryOf('ns1.example.com'))).toBeDefined()
  server.signal('SIGTERM')
  await until(() => stubborn.ended() === 'end')
  await pause(200)
  const before = performance.now()
  expect(await Promise.race([server.ended, pause(100)])).toBe(undefined)
  server.signal('SIGTERM')
  expect(await server.ended).toBe(0)
  expect(performance.now() - before).toBeLessThan(2000)
  stubborn.socket.destroy()
})

/** A reload that is still loading when the server is told to leave must not open it again. */
test('SIGTERM during a reload', async () => {
  const server = await serveSite(folder)
  await leaving(server)
  expect(server.stderr()).not.toContain('reloaded')
})

async function leaving(server: Program): Promise<void> {
  expect((await askUdp(port, 'ns1.example.com')).rcode).toBe('NOERROR')
  server.signal('SIGHUP')
  server.signal('SIGTERM')
  expect(await server.ended).toBe(0)
  expect(await isRefused()).toBe(true)
}
