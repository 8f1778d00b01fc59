/**
 * What a careless server does: it answers to the question in lower case, whatever the letters that came.
 * A pipe over UDP at port 53 of an address; for the control of who should notice.
 */
import { createSocket } from 'node:dgram'

const PORT = 53
const HEADER = 12

/** Resolves once it listens; the way back lets go of the address. */
export async function openLowerCase(at: string, to: string): Promise<() => void> {
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const up = createSocket('udp4')
    const late = setTimeout(() => up.close(), 2_000)
    up.on('message', reply => {
      clearTimeout(late)
      up.close()
      socket.send(reply, from.port, from.address)
    })
    up.send(lowered(query), PORT, to)
  })
  await new Promise<void>(resolve => socket.bind(PORT, at, resolve))
  return () => void socket.close()
}

function lowered(query: Buffer): Buffer {
  const made = Buffer.from(query)
  for (let at = HEADER; made[at] !== 0 && at < made.length; at += 1) {
    const octet = made[at] ?? 0
    if (octet >= 0x41 && octet <= 0x5a) made[at] = octet + 32
  }
  return made
}
