/**
 * A pipe between a resolver and a server on loopback that notes every query that passes, over UDP and
 * TCP. It changes nothing.
 */
import { createSocket } from 'node:dgram'
import { connect, createServer } from 'node:net'
import dnsPacket from 'dns-packet'
import type { Place } from '../kit/ask.ts'
import { freePort } from '../kit/process.ts'

export type Seen = {
  readonly name: string
  readonly type: string
  /** Whether the resolver told of its client. */
  readonly ecs: boolean
  /** What it told: the option's data as hex. */
  readonly told: string | undefined
}

export type Tap = Place & {
  /** All that has passed since it was opened. */
  readonly seen: Seen[]
}

const ECS = 8

export async function openTap(server: Place): Promise<Tap> {
  const place = { host: '127.0.0.1', port: await freePort() }
  const seen: Seen[] = []
  const udp = createSocket('udp4')
  udp.on('message', (query, from) => {
    seen.push(noted(query))
    const up = createSocket('udp4')
    const late = setTimeout(() => up.close(), 5_000)
    up.on('message', reply => {
      clearTimeout(late)
      up.close()
      udp.send(reply, from.port, from.address)
    })
    up.send(query, server.port, server.host)
  })
  const tcp = createServer(from => {
    from.once('data', framed => seen.push(noted(framed.subarray(2))))
    const up = connect(server.port, server.host)
    from.pipe(up).pipe(from)
    for (const socket of [from, up]) socket.on('error', () => socket.destroy())
  })
  await new Promise<void>(resolve => udp.bind(place.port, place.host, resolve))
  await new Promise<void>(resolve => tcp.listen(place.port, place.host, resolve))
  udp.unref() // it may stay open: it does not keep the test alive
  tcp.unref()
  return { ...place, seen }
}

function noted(query: Buffer): Seen {
  const { questions = [], additionals = [] } = dnsPacket.decode(query)
  const opt = additionals.find(record => record.type === 'OPT')
  const ecs = opt?.type === 'OPT' ? opt.options.find(({ code }) => code === ECS) : undefined
  const told = ecs?.data?.toString('hex')
  const { name, type } = questions[0] ?? { name: '.', type: 'NULL' }
  return { name: name.toLowerCase(), type, ecs: ecs !== undefined, told }
}
