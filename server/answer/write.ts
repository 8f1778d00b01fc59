/**
 * write: a reply becomes octets. An RRset is whole or absent: where one does not fit, TC says so and
 * nothing follows it (RFC 2181 §9). OPT and the echo of the subnet always have their place.
 */

import { noteQuestion, resetCompressor } from '../dns/compress.ts'
import { endOpt, FLAG_DO, OPT_LENGTH, putOpt } from '../dns/edns.ts'
import { FLAG, HEADER, putCounts, putHeader } from '../dns/message.ts'
import { copyWords } from '../dns/octets.ts'
import { clientSubnetLength, putClientSubnet } from '../dns/subnet.ts'
import { type Desk, wordsOf } from './desk.ts'
import { putEntry } from './entry.ts'
import type { Query } from './query.ts'
import { UDP_LIMIT } from './read.ts'
import type { Reply } from './reply.ts'

/** RD comes back as it came (RFC 1035 §4.1.1), and of a QUERY so does CD (RFC 4035 §3). */
const COPIED = FLAG.RD | FLAG.CD
/** The bits of the opcode: all 0 for QUERY. */
const OPCODE_BITS = 0x7800

/**
 * Writes the desk's reply. Hot: once per message.
 *
 * @returns octets written
 */
export function write(desk: Desk, into: Uint8Array): number {
  const out = wordsOf(desk, into)
  const { counts, query, reply } = desk
  const limit = query.limit - optionOctets(query)
  resetCompressor(desk.compressor)
  counts[0] = 0
  counts[1] = 0
  counts[2] = 0
  let at = putQuestion(desk, out)
  const copied = (query.flags & OPCODE_BITS) === 0 ? COPIED : FLAG.RD
  let flags = FLAG.QR | (query.flags & copied) | (reply.authoritative ? FLAG.AA : 0)
  if (reply.truncated) flags |= FLAG.TC
  for (let entry = 0; entry < reply.entries; entry += 1) {
    const next = putEntry(desk, entry, out, at, limit)
    if (next === -1) {
      flags |= FLAG.TC
      break
    }
    at = next
  }
  putHeader(out, query.id, flags, (query.flags >> 11) & 0xf, reply.rcode)
  at = putOptions(query, reply, out, at)
  const questions = query.questionEnd > HEADER ? 1 : 0
  putCounts(out, questions, counts[0]!, counts[1]!, counts[2]! + (query.edns.present ? 1 : 0))
  return at
}

/** The question comes back as it was asked, letter by letter. Hot. */
function putQuestion({ compressor, query }: Desk, out: DataView): number {
  if (query.questionEnd === HEADER) return HEADER
  noteQuestion(compressor, query.name)
  const at = copyWords(out, HEADER, query.name.words, 0, query.name.length)
  out.setInt32(at, (query.type << 16) | query.class)
  return at + 4
}

/** Octets to keep free for OPT and what it carries. Hot. */
function optionOctets(query: Query): number {
  if (!query.edns.present) return 0
  if (query.subnet.family === 0) return OPT_LENGTH
  return OPT_LENGTH + 4 + clientSubnetLength(query.subnet)
}

/** RFC 6891 §6.1.1: OPT is there exactly where the query had one; RFC 7871 §7.2.1: so is ECS. Hot. */
function putOptions(query: Query, reply: Reply, out: DataView, at: number): number {
  if (!query.edns.present) return at
  const flags = query.edns.flagDo ? FLAG_DO : 0 // RFC 3225 §3
  const next = putOpt(out, at, UDP_LIMIT, reply.rcode >> 4, flags)
  if (query.subnet.family === 0) return next
  const end = putClientSubnet(out, next, query.subnet, reply.scope)
  endOpt(out, at, end)
  return end
}
