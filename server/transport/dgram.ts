/**
 * The UDP engine that runs everywhere: `node:dgram`, one datagram at a time. Besides what dgram
 * allocates itself, a datagram costs no memory: each socket has one peer and one reply buffer.
 * The buffer can be shared because dgram hands a reply to the kernel before it shows the next
 * datagram; when the kernel will not take it, `unsent` says so and datagrams are shed until it does.
 */
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import type { Peer, Serve } from '../answer/peer.ts'
import { address as emptyAddress, setAddressText } from '../dns/address.ts'
import { machineClock } from './clock.ts'
import { complaint } from './complaint.ts'
import {
  COUNT,
  count,
  MAX_MESSAGE,
  serveAll,
  type UdpEngine,
  type UdpOptions,
  type UdpSocket,
  udpCounts,
} from './engine.ts'
import { refusal } from './refusal.ts'
import { standstill } from './standstill.ts'

/** About 90 ms of queries at full load: longer queues only serve clients that have given up. */
const RECEIVE_BUFFER = 1 << 20

export const dgramEngine: UdpEngine = { name: 'dgram', wildcards: false, open }

async function open(
  address: string,
  port: number,
  serve: Serve,
  options: UdpOptions,
): Promise<UdpSocket> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
  await bind(socket, address, port, options.fd)
  // How much an adopted one queues was chosen by whoever bound it, who may do more than we.
  if (options.fd === undefined) widen(socket, options.receiveBuffer ?? RECEIVE_BUFFER)
  return attend(socket, serve, options)
}

function bind(
  socket: Socket,
  address: string,
  port: number,
  fd: number | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (cause: Error) => {
      socket.close()
      reject(refusal('UDP', address, port, cause))
    }
    socket.once('error', fail)
    // exclusive: in a cluster's worker, the worker's own socket
    const place = fd === undefined ? { address, port } : { fd }
    socket.bind({ ...place, exclusive: true }, () => {
      socket.off('error', fail)
      resolve()
    })
  })
}

function widen(socket: Socket, octets: number): void {
  try {
    socket.setRecvBufferSize(octets)
  } catch {
    // Linux takes what it may; where another system refuses, its default serves as well
  }
}

function attend(socket: Socket, serve: Serve, options: UdpOptions): UdpSocket {
  const own = socket.address()
  const counts = options.counts ?? udpCounts()
  const complain = complaint(options.onFault, machineClock)
  const peer: Peer = {
    ...emptyAddress(),
    transport: 'udp',
    ecs: options.ecs,
    port: 0,
    keepalive: 0,
  }
  const reply = new Uint8Array(MAX_MESSAGE)
  const begin = options.begin ?? serveAll
  let unsent = 0

  /** Hot: once per datagram. */
  function take(query: Uint8Array, sender: RemoteInfo): void {
    count(counts, COUNT.received)
    if (unsent > 0 || !isAnswerable(sender)) {
      count(counts, COUNT.dropped)
      return
    }
    begin(1, 0)
    try {
      const length = serve(query, query.length, reply, peer)
      if (length === 0) count(counts, COUNT.silent)
      else send(length, sender)
    } catch (cause) {
      count(counts, COUNT.faults)
      complain(cause)
    }
  }

  /**
   * Fills `peer` from the sender. Hot.
   *
   * @returns false for port 0, to which nothing can be sent, and for ourselves: no talk in circles
   */
  function isAnswerable(sender: RemoteInfo): boolean {
    if (sender.port === 0) return false
    if (sender.port === own.port && sender.address === own.address) return false
    peer.port = sender.port
    return setAddressText(peer, sender.address)
  }

  /** Hot. */
  function send(length: number, to: RemoteInfo): void {
    socket.send(reply, 0, length, to.port, to.address, sent)
    unsent += 1
  }

  function sent(error: Error | null): void {
    unsent -= 1
    if (error) count(counts, COUNT.sendErrors)
    else count(counts, COUNT.answered)
  }

  socket.on('message', take)
  socket.on('error', () => {
    count(counts, COUNT.receiveErrors)
  })
  return {
    address: own.address,
    port: own.port,
    fd: -1,
    counts,
    get ecs() {
      return peer.ecs
    },
    set ecs(wanted) {
      peer.ecs = wanted
    },
    close: closing(socket, () => counts[COUNT.received] ?? 0),
  }
}

/** Closes once, however often it is called; what has already come is answered first. */
function closing(socket: Socket, received: () => number): () => Promise<void> {
  let closed: Promise<void> | undefined
  return () => {
    closed ??= standstill(received).then(() => new Promise(resolve => socket.close(resolve)))
    return closed
  }
}
