/** The lab on the loopback: UDP and TCP sockets around `lab.ts`. Knows nothing of behaviours. */

import { createSocket, type Socket as Datagrams, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { createServer, isIPv6, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Lab } from './lab.ts'
import type { Sent } from './write.ts'

export type LabPlace = { readonly address: string; readonly port: number }

export type Open = {
  /** The places really listened at; port 0 has become a number. */
  readonly places: readonly LabPlace[]
  readonly close: () => Promise<void>
}

/** Opens UDP and TCP at every place, or none: the first failure closes what was opened. */
export async function openLab(lab: Lab, places: readonly LabPlace[]): Promise<Open> {
  const opened: { udp: Datagrams; tcp: Server }[] = []
  const real: LabPlace[] = []
  const close = async (): Promise<void> => {
    await Promise.all(opened.map(({ udp, tcp }) => closed(udp, tcp)))
  }
  try {
    for (const [listener, place] of places.entries()) {
      const { udp, port } = await openUdp(lab, place, listener)
      const tcp = createServer(socket => converse(lab, socket, listener))
      opened.push({ udp, tcp })
      tcp.listen(port, place.address)
      await once(tcp, 'listening')
      real.push({ address: place.address, port })
    }
  } catch (cause) {
    await close()
    throw cause
  }
  return { places: real, close }
}

async function openUdp(
  lab: Lab,
  place: LabPlace,
  listener: number,
): Promise<{ udp: Datagrams; port: number }> {
  const udp = createSocket(isIPv6(place.address) ? 'udp6' : 'udp4')
  udp.on('message', (query, peer) => {
    for (const sent of lab.serve(query, 'udp', listener, peer.address)) void fly(udp, sent, peer)
  })
  udp.bind(place.port, place.address)
  await once(udp, 'listening')
  return { udp, port: udp.address().port }
}

async function fly(udp: Datagrams, sent: Sent, peer: RemoteInfo): Promise<void> {
  if (sent.after > 0) await pause(sent.after)
  try {
    udp.send(sent.octets, peer.port, peer.address)
  } catch {
    // closed meanwhile: a datagram may be lost
  }
}

const PIECE_MS = 20

/** Answers what comes over one stream. */
export function converse(lab: Lab, socket: Socket, listener: number): void {
  let heard = Buffer.alloc(0)
  socket.on('error', () => socket.destroy())
  socket.on('data', chunk => {
    heard = Buffer.concat([heard, chunk])
    while (heard.length >= 2 && heard.length >= 2 + heard.readUInt16BE(0)) {
      const end = 2 + heard.readUInt16BE(0)
      const query = heard.subarray(2, end)
      const peer = socket.remoteAddress
      for (const sent of lab.serve(query, 'tcp', listener, peer)) void flow(socket, sent)
      heard = heard.subarray(end)
    }
  })
}

async function flow(socket: Socket, sent: Sent): Promise<void> {
  if (sent.after > 0) await pause(sent.after)
  const frame = Buffer.alloc(2 + sent.octets.length)
  frame.writeUInt16BE(sent.octets.length, 0)
  frame.set(sent.octets, 2)
  if (sent.kind === 'message') {
    socket.write(frame)
    return
  }
  socket.setNoDelay(true)
  let at = 0
  for (const size of sent.sizes) {
    socket.write(frame.subarray(at, at + size))
    at += size
    await pause(PIECE_MS)
  }
  if (sent.ends === 'early') socket.end()
  else socket.write(frame.subarray(at))
}

async function closed(udp: Datagrams, tcp: Server): Promise<void> {
  const over = once(udp, 'close')
  udp.close()
  await over
  if (!tcp.listening) return
  await new Promise<void>(resolve => tcp.close(() => resolve()))
}
