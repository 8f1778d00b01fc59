/**
 * One question to one server, over UDP or TCP, with or without a client subnet: the plain client of
 * tests against other programs. It speaks through `dns-packet`, so that no code of ours is on both
 * ends. It checks nothing but the number of the reply.
 */
import { createSocket } from 'node:dgram'
import { connect, type Socket } from 'node:net'
import dnsPacket, { type Packet, type RecordType } from 'dns-packet'
import { Address4, Address6 } from 'ip-address'

/** Where a server listens. */
export type Place = { readonly host: string; readonly port: number }

export type Question = {
  readonly name: string
  readonly type?: RecordType
  /** The client, such as `10.1.2.0/24` or `2001:db8::/56`; without it no option is sent. */
  readonly subnet?: string
  readonly over?: 'udp' | 'tcp'
}

export type Said = {
  readonly rcode: string
  readonly truncated: boolean
  /** The data of the records of the answer section, sorted. */
  readonly answer: readonly string[]
  /** `undefined` where the reply has no client subnet option. */
  readonly scope: number | undefined
}

const ECS = 8
const RCODES = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED']

let lastId = 0

/** Rejects where nothing comes back in time. */
export async function ask(to: Place, question: Question, withinMs = 4_000): Promise<Said> {
  lastId = (lastId + 1) & 0xffff
  const query = encode(question, lastId)
  const exchange = question.over === 'tcp' ? overTcp : overUdp
  return said(await exchange(to, query, withinMs))
}

/** Whether a server answers for a name, for `startReady`. */
export async function answers(to: Place, name: string): Promise<boolean> {
  const reply = await ask(to, { name, type: 'SOA' }, 300).catch(() => undefined)
  return reply?.rcode === 'NOERROR'
}

function encode({ name, type = 'A', subnet }: Question, id: number): Buffer {
  const options = subnet === undefined ? [] : [{ code: ECS, data: optionData(subnet) }]
  const packet: Packet = {
    type: 'query',
    id,
    flags: dnsPacket.RECURSION_DESIRED,
    questions: [{ name, type }],
  }
  if (subnet === undefined) return dnsPacket.encode(packet)
  const opt = { type: 'OPT', name: '.', udpPayloadSize: 1232, flags: 0, options }
  return dnsPacket.encode({ ...packet, additionals: [opt as unknown as dnsPacket.OptAnswer] })
}

/** FAMILY, SOURCE, SCOPE 0 and as many octets of the address as SOURCE needs. RFC 7871 §6. */
function optionData(subnet: string): Buffer {
  const bits = Number(subnet.split('/')[1])
  const six = subnet.includes(':')
  const hex = six
    ? new Address6(subnet).startAddress().canonicalForm().replaceAll(':', '')
    : new Address4(subnet).startAddress().toHex().replaceAll(':', '')
  const address = Buffer.from(hex, 'hex').subarray(0, (bits + 7) >> 3)
  return Buffer.concat([Buffer.from([0, six ? 2 : 1, bits, 0]), address])
}

function said(reply: Buffer): Said {
  const { flags = 0, answers: records = [], additionals = [] } = dnsPacket.decode(reply)
  const opt = additionals.find(record => record.type === 'OPT')
  const ecs = opt?.type === 'OPT' ? opt.options.find(({ code }) => code === ECS) : undefined
  const rcode = flags & 15
  return {
    rcode: RCODES[rcode] ?? String(rcode),
    truncated: (flags & dnsPacket.TRUNCATED_RESPONSE) !== 0,
    answer: records.map(record => ('data' in record ? String(record.data) : '')).sort(),
    scope: ecs !== undefined && 'scopePrefixLength' in ecs ? ecs.scopePrefixLength : undefined,
  }
}

function overUdp({ host, port }: Place, query: Buffer, withinMs: number): Promise<Buffer> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  const reply = new Promise<Buffer>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('message', octets => {
      if (octets.readUInt16BE(0) === query.readUInt16BE(0)) resolve(octets)
    })
    socket.send(query, port, host)
  })
  return inTime(reply, withinMs).finally(() => socket.close())
}

function overTcp({ host, port }: Place, query: Buffer, withinMs: number): Promise<Buffer> {
  const socket = connect({ host, port })
  const framed = Buffer.concat([Buffer.from([query.length >> 8, query.length & 255]), query])
  socket.write(framed)
  return inTime(firstMessage(socket), withinMs).finally(() => socket.destroy())
}

function firstMessage(socket: Socket): Promise<Buffer> {
  let heard = Buffer.alloc(0)
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('end', () => reject(new Error('closed before a reply')))
    socket.on('data', chunk => {
      heard = Buffer.concat([heard, chunk])
      if (heard.length >= 2 && heard.length >= 2 + heard.readUInt16BE(0)) {
        resolve(heard.subarray(2, 2 + heard.readUInt16BE(0)))
      }
    })
  })
}

function inTime<T>(work: Promise<T>, withinMs: number): Promise<T> {
  let late: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(new Error(`no reply within ${withinMs} ms`)), withinMs)
  })
  return Promise.race([work, limit]).finally(() => clearTimeout(late))
}
