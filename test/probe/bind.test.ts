/** `--bind`: what a server sees of where it is asked from, and what is said where that cannot be. */
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sockets } from '../../probe/ask/sockets.ts'
import { program } from '../../probe/program.ts'
import { labWorld, paper } from './world.ts'

/** Answers a query with itself as a reply, and remembers where it came from. */
const seen: Pick<RemoteInfo, 'address' | 'port'>[] = []
const udp: Socket = createSocket('udp4')
const tcp = createServer(socket => {
  seen.push({ address: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 })
  socket.on('data', query => socket.end(replyTo(query, 2)))
})
let port = 0

function replyTo(query: Uint8Array, at: number): Uint8Array {
  const reply = Uint8Array.from(query)
  reply[at + 2] = (reply[at + 2] ?? 0) | 0x80
  return reply
}

beforeAll(async () => {
  udp.on('message', (query, peer) => {
    seen.push(peer)
    udp.send(replyTo(query, 0), peer.port, peer.address)
  })
  udp.bind(0, '127.0.0.1')
  await once(udp, 'listening')
  port = udp.address().port
  tcp.listen(port, '127.0.0.1')
  await once(tcp, 'listening')
})

afterAll(() => {
  udp.close()
  tcp.close()
})

async function lbprobe(words: string) {
  const err = paper()
  const out = paper()
  seen.length = 0
  const line = `dns2 -q -n 3 @127.0.0.1#${port} A x.test ${words}`
  const exit = await program(line.split(' '), labWorld({ out, err, wire: sockets() }))
  return { exit, err: err.text(), from: [...new Set(seen.map(({ address }) => address))] }
}

async function freePort(): Promise<number> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.2')
  await once(socket, 'listening')
  const { port: free } = socket.address() as AddressInfo
  socket.close()
  return free
}

describe('queries leave from', () => {
  test('the address, over UDP', async () => {
    expect(await lbprobe('-b 127.0.0.2')).toMatchObject({ exit: 0, from: ['127.0.0.2'] })
  })

  test('the address, over TCP', async () => {
    expect(await lbprobe('--bind 127.0.0.2 +tcp')).toMatchObject({ exit: 0, from: ['127.0.0.2'] })
  })

  test('the port too, one after the other', async () => {
    const free = await freePort()
    expect(await lbprobe(`-b 127.0.0.2#${free}`)).toMatchObject({ exit: 0, from: ['127.0.0.2'] })
    expect(seen.map(peer => peer.port)).toEqual([free, free, free])
  })
})

describe('exit 2 and a sentence', () => {
  // biome-ignore format: table
  const TABLE = [
    ['RFC 5737 nobody has it',  '-b 192.0.2.1',               '--bind 192.0.2.1: not an address of this machine (EADDRNOTAVAIL)'],
    ['no address',              '-b localhost',               '--bind localhost: not an address'],
    ['no port',                 '-b 127.0.0.2#0',             '--bind 127.0.0.2#0: not an address'],
    ['another family',          '-b ::1',                     '@127.0.0.1: --bind names no IPv4 address'],
    ['against -6',              '-b 127.0.0.2 -6',            '--bind 127.0.0.2: not an IPv6 address'],
    ['twice in a family',       '-b 127.0.0.2 -b 127.0.0.3',  '--bind: one address a family'],
    ['a port for TCP',          '-b 127.0.0.2#5353 +tcp',     '--bind: a port to ask from is for UDP, not for tcp'],
  ] as const
  test.each(TABLE)('%s', async (_, words, said) => {
    const { exit, err, from } = await lbprobe(words)
    expect(err).toContain(said)
    expect({ exit, from }).toEqual({ exit: 2, from: [] })
  })

  test('a port in use', async () => {
    const { exit, err } = await lbprobe(`-b 127.0.0.1#${port}`)
    expect(err).toContain(`--bind 127.0.0.1#${port}: the port is in use`)
    expect(exit).toBe(2)
  })
})
