/** A query as the lab's servers see it. Guarded: octets that are no query give `undefined`. */

import packet from 'dns-packet'

export type Request = {
  readonly id: number
  /** As sent, case kept, without trailing dot. */
  readonly name: string
  /** The codec's word. */
  readonly type: string
  readonly recursion: boolean
  readonly edns: boolean
  readonly subnet: ClientNetwork | undefined
  /** The raw options of the query's OPT. */
  readonly options: readonly { readonly code: number; readonly data: Buffer }[]
  readonly transport: 'udp' | 'tcp'
  /** Which of the lab's addresses was asked, from 0. */
  readonly listener: number
  /** The address that the query came from, where it is known. */
  readonly peer: string | undefined
}

export type ClientNetwork = {
  readonly family: number
  readonly source: number
  /** ADDRESS filled up with zeros to 4 or 16 octets. */
  readonly octets: Uint8Array
  /** ADDRESS as it came. */
  readonly sent: Buffer
}

const ECS = 8

export function readRequest(
  octets: Uint8Array,
  transport: 'udp' | 'tcp',
  listener: number,
  peer?: string,
): Request | undefined {
  const message = decoded(octets)
  const question = message?.questions?.[0]
  if (message === undefined || question === undefined || message.type !== 'query') return undefined
  const opt = message.additionals?.find(record => record.type === 'OPT')
  const options = (opt?.type === 'OPT' ? opt.options : []) as unknown as Request['options']
  const ecs = options.find(option => option.code === ECS)
  return {
    id: message.id ?? 0,
    name: question.name,
    type: question.type,
    recursion: message.flag_rd,
    edns: opt !== undefined,
    subnet: ecs === undefined ? undefined : networkOf(ecs.data),
    options,
    transport,
    listener,
    peer,
  }
}

function decoded(octets: Uint8Array): packet.DecodedPacket | undefined {
  if (octets.length < 17) return undefined
  const buffer = Buffer.from(octets.buffer, octets.byteOffset, octets.length)
  const records = buffer.readUInt16BE(6) + buffer.readUInt16BE(8) + buffer.readUInt16BE(10)
  if (buffer.readUInt16BE(4) !== 1 || records > 2) return undefined
  try {
    return packet.decode(buffer)
  } catch {
    return undefined
  }
}

function networkOf(data: Buffer): ClientNetwork | undefined {
  if (data.length < 4) return undefined
  const family = data.readUInt16BE(0)
  const octets = new Uint8Array(family === 1 ? 4 : 16)
  octets.set(data.subarray(4, 4 + octets.length))
  return { family, source: data.readUInt8(2), octets, sent: data.subarray(4) }
}
