/** What the tests of the transports share: clients, forged packets, a clock that is turned by hand. */
import { execFile } from 'node:child_process'
import { createSocket, type RemoteInfo } from 'node:dgram'
import { connect, isIPv6, type Socket } from 'node:net'
import type { Serve } from '../../server/answer/peer.ts'
import type { Clock } from '../../server/transport/clock.ts'

/** Says back what it hears. */
export const echo: Serve = (query, length, reply) => {
  reply.set(query.subarray(0, length))
  return length
}

/** `length` octets ≥ 12 with the number first and QR 0; the others follow from the number. */
export function query(id: number, length = 40): Uint8Array {
  const octets = Uint8Array.from({ length }, (_, at) => (id * 31 + at * 7) & 0xff)
  new DataView(octets.buffer).setUint16(0, id)
  octets[2] = 0
  return octets
}

export function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}

export async function until(holds: () => boolean, withinMs = 3000): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`not in ${withinMs} ms: ${holds}`)
    await pause(2)
  }
}

export type Heard = { readonly octets: Uint8Array; readonly from: RemoteInfo }

export type UdpClient = {
  readonly port: number
  readonly heard: Heard[]
  readonly send: (octets: Uint8Array, to: { address: string; port: number }) => Promise<void>
  /** Sends, and waits for the next datagram; `undefined` when none comes. */
  readonly ask: (
    octets: Uint8Array,
    to: { address: string; port: number },
    withinMs?: number,
  ) => Promise<Heard | undefined>
  readonly close: () => void
}

/** @param address where it is bound, which gives the family too */
export async function udpClient(address = '127.0.0.1'): Promise<UdpClient> {
  const socket = createSocket({ type: isIPv6(address) ? 'udp6' : 'udp4', recvBufferSize: 1 << 22 })
  const heard: Heard[] = []
  socket.on('message', (octets, from) => heard.push({ octets: new Uint8Array(octets), from }))
  await new Promise<void>(resolve => socket.bind(0, address, resolve))

  const send: UdpClient['send'] = (octets, to) =>
    new Promise((resolve, reject) => {
      socket.send(octets, to.port, to.address, error => (error ? reject(error) : resolve()))
    })
  return {
    port: socket.address().port,
    heard,
    send,
    async ask(octets, to, withinMs = 1000) {
      const before = heard.length
      await send(octets, to)
      await until(() => heard.length > before, withinMs).catch(() => undefined)
      return heard[before]
    },
    close: () => socket.close(),
  }
}

export type TcpClient = {
  readonly socket: Socket
  /** Whole messages that came, without their lengths. */
  readonly heard: Uint8Array[]
  /** Every octet that came. */
  readonly octets: () => Uint8Array
  /** Tells how it ended: `end` the peer said goodbye, `error` it was reset. */
  readonly ended: () => 'no' | 'end' | 'error'
  readonly ask: (octets: Uint8Array, withinMs?: number) => Promise<Uint8Array | undefined>
}

/** The client closes when the server does, unless told to stay half-open. */
export async function tcpClient(
  to: { address: string; port: number },
  options: { readonly allowHalfOpen?: boolean; readonly reads?: 'all' | 'nothing' } = {},
): Promise<TcpClient> {
  const { allowHalfOpen = false, reads = 'all' } = options
  const socket = connect({ host: to.address, port: to.port, allowHalfOpen, noDelay: true })
  let octets: Uint8Array = new Uint8Array(0)
  let ended: 'no' | 'end' | 'error' = 'no'
  const heard: Uint8Array[] = []
  if (reads === 'all') {
    socket.on('data', chunk => {
      octets = Buffer.concat([octets, chunk])
      heard.splice(0, heard.length, ...messagesIn(octets))
    })
  }
  socket.on('end', () => {
    ended = 'end'
  })
  socket.on('error', () => {
    ended = 'error'
  })
  await new Promise<void>(resolve => socket.once('connect', resolve))
  return {
    socket,
    heard,
    octets: () => octets,
    ended: () => ended,
    async ask(message, withinMs = 1000) {
      const before = heard.length
      socket.write(framed(message))
      await until(() => heard.length > before, withinMs).catch(() => undefined)
      return heard[before]
    },
  }
}

/** RFC 1035 §4.2.2: two octets of length, then the message. */
export function framed(...messages: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(
    messages.flatMap(message => [Uint8Array.of(message.length >> 8, message.length), message]),
  )
}

function messagesIn(octets: Uint8Array): Uint8Array[] {
  const messages: Uint8Array[] = []
  const view = new DataView(octets.buffer, octets.byteOffset, octets.length)
  for (let at = 0; at + 2 <= octets.length && at + 2 + view.getUint16(at) <= octets.length; ) {
    const length = view.getUint16(at)
    messages.push(new Uint8Array(octets.subarray(at + 2, at + 2 + length)))
    at += 2 + length
  }
  return messages
}

/** Time that passes when told to. */
export function handClock(): Clock & { readonly pass: (ms: number) => void } {
  let now = 1000
  const alarms = new Set<{ readonly at: number; readonly act: () => void }>()
  return {
    now: () => now,
    after(ms, act) {
      const alarm = { at: now + ms, act }
      alarms.add(alarm)
      return () => alarms.delete(alarm)
    },
    pass(ms) {
      now += ms
      for (const alarm of [...alarms].filter(({ at }) => at <= now)) {
        alarms.delete(alarm)
        alarm.act()
      }
    },
  }
}

/** Raw sockets need root; where there is none, tests that forge are skipped. */
export const CAN_FORGE = process.platform === 'linux' && process.getuid?.() === 0

const FORGE = `
import socket, struct, sys
source, source_port, to, to_port, data = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4]), bytes.fromhex(sys.argv[5])
udp = struct.pack('!HHHH', source_port, to_port, 8 + len(data), 0) + data
head = struct.pack('!BBHHHBBH4s4s', 0x45, 0, 20 + len(udp), 1, 0, 64, 17, 0, socket.inet_aton(source), socket.inet_aton(to))
raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
raw.sendto(head + udp, (to, 0))
`

/** Sends an IPv4 datagram whose source is whatever one likes. */
export function forge(
  from: { address: string; port: number },
  to: { address: string; port: number },
  octets: Uint8Array,
): Promise<void> {
  const places = [from.address, `${from.port}`, to.address, `${to.port}`]
  const data = Buffer.from(octets).toString('hex')
  return new Promise((resolve, reject) => {
    execFile('python3', ['-c', FORGE, ...places, data], error =>
      error ? reject(error) : resolve(),
    )
  })
}
