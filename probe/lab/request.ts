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
  /** Whether the client subnet, if there is one, is well-formed. RFC 7871 §6. */
  readonly isWellFormed: boolean
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

/** The length of the private block that a client is in, which is nobody's place. RFC 1918, RFC 4193. */
export function privateBits(octets: Uint8Array): number | undefined {
  const [first = 0, second = 0] = octets
  if (octets.length === 16) return (first & 0xfe) === 0xfc ? 7 : undefined
  if (first === 10) return 8
  if (first === 172 && second >> 4 === 1) return 12
  return first === 192 && second === 168 ? 16 : undefined
}

export function isPrivate(octets: Uint8Array): boolean {
  return privateBits(octets) !== undefined
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
    isWellFormed: ecs === undefined || isWellFormed(ecs.data),
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

/** RFC 7871 §6: a known FAMILY, SOURCE within it, SCOPE 0, the octets of SOURCE and no bit past it. */
function isWellFormed(data: Buffer): boolean {
  if (data.length < 4) return false
  const [family, source] = [data.readUInt16BE(0), data.readUInt8(2)]
  const longest = family === 1 ? 32 : family === 2 ? 128 : -1
  if (source > longest || data.readUInt8(3) !== 0) return false
  if (data.length !== 4 + Math.ceil(source / 8)) return false
  const stray = source % 8 === 0 ? 0 : data.readUInt8(data.length - 1) & (0xff >> (source % 8))
  return stray === 0
}
