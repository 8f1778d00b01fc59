/**
 * A query over UDP or TCP, and whether the RCODE of its reply is one that passes. Nothing behind the
 * question is read: what else a reply holds is not what is checked.
 */
import { randomInt } from 'node:crypto'
import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import {
  FLAG,
  flagsOf,
  HEADER,
  idOf,
  OPCODE,
  opcodeOf,
  putCounts,
  putHeader,
  questionCount,
  RCODE,
  rcodeOf,
  rcodeText,
} from '../dns/message.ts'
import { sameName } from '../dns/name.ts'
import { joined, putU16, sameOctets, u16, viewOf } from '../dns/octets.ts'
import { CLASS } from '../dns/rrtype.ts'
import type { DnsTrial } from '../steer/trial.ts'
import { Failure, inTime, type Limit } from './try-limit.ts'
import { NAMES } from './try-name.ts'
import { connected } from './try-tcp.ts'
import { failed, passed, type Told } from './try-told.ts'

export async function tryDns(trial: DnsTrial, place: string, limit: Limit): Promise<Told> {
  const query = queryOf(trial)
  const ask = trial.transport === 'udp' ? askUdp : askTcp
  const rcode = rcodeOf(await ask(query, trial.port, place, limit))
  const word = rcodeText(rcode)
  return trial.rcodes.includes(rcode) ? passed(word) : failed(word)
}

/** RFC 1035 §4.1.1; recursion is desired, as the target may be a resolver, and others pass it over. */
function queryOf({ name, type }: DnsTrial): Uint8Array {
  const query = new Uint8Array(HEADER + name.length + 4)
  putHeader(viewOf(query), randomInt(0x10000), FLAG.RD, OPCODE.QUERY, RCODE.NOERROR)
  putCounts(viewOf(query), 1, 0, 0, 0)
  query.set(name, HEADER)
  putU16(query, putU16(query, HEADER + name.length, type), CLASS.IN)
  return query
}

/** RFC 5452 §9.1: the same ID, the same question; where it came from, the kernel has seen to. */
function isReply(message: Uint8Array, query: Uint8Array): boolean {
  if (message.length < query.length || idOf(message) !== idOf(query)) return false
  if ((flagsOf(message) & FLAG.QR) === 0 || opcodeOf(message) !== OPCODE.QUERY) return false
  const end = query.length - 4
  return (
    questionCount(message) === 1 &&
    sameName(message.subarray(HEADER, end), query.subarray(HEADER, end)) &&
    sameOctets(message.subarray(end, query.length), query.subarray(end))
  )
}

async function askUdp(
  query: Uint8Array,
  port: number,
  place: string,
  limit: Limit,
): Promise<Uint8Array> {
  const [first] = await NAMES.addresses(place, limit)
  if (first === undefined) throw new Failure('the name has no address')
  const { address, family } = first
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4')
  try {
    socket.connect(port, address)
    return await inTime(datagram(socket, query), limit, 'answer')
  } finally {
    socket.close()
  }
}

/** Sends a query when the socket is connected; anything but its reply is passed over. */
function datagram(socket: UdpSocket, query: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('message', message => {
      if (isReply(message, query)) resolve(message)
    })
    socket.once('connect', () => socket.send(query))
  })
}

async function askTcp(
  query: Uint8Array,
  port: number,
  place: string,
  limit: Limit,
): Promise<Uint8Array> {
  const socket = await connected(port, place, limit)
  try {
    const length = new Uint8Array(2)
    putU16(length, 0, query.length)
    socket.write(joined([length, query])) // RFC 7766 §8: in one piece
    return await inTime(framed(socket, query), limit, 'answer')
  } finally {
    socket.destroy()
  }
}

/** Room for the longest message and as much again: nobody is heard for ever. */
const MOST = 128 * 1024

/** The first message that is the reply; others are passed over. */
async function framed(socket: AsyncIterable<Uint8Array>, query: Uint8Array): Promise<Uint8Array> {
  let held: Uint8Array = new Uint8Array(0)
  let total = 0
  for await (const piece of socket) {
    total += piece.length
    held = joined([held, piece])
    for (let end = endOf(held); end <= held.length; end = endOf(held)) {
      const message = held.subarray(2, end)
      if (isReply(message, query)) return message
      held = held.subarray(end)
    }
    if (total > MOST) throw new Failure('more than 128 KiB without an answer')
  }
  throw new Failure('connection closed before a whole answer')
}

/** The offset after the first message, which may not have come yet. RFC 1035 §4.2.2. */
function endOf(held: Uint8Array): number {
  return held.length < 2 ? 2 : 2 + u16(held, 0)
}
