/**
 * write: a reply becomes octets. An RRset is whole or absent: where one does not fit, TC says so and
 * nothing follows it (RFC 2181 §9). OPT and the echo of the subnet always have their place.
 */

import { noteQuestion, resetCompressor } from '../dns/compress.ts'
import { FLAG, HEADER, putCounts, putHeader } from '../dns/message.ts'
import { copyWords } from '../dns/octets.ts'
import { type Desk, wordsOf } from './desk.ts'
import { putEntry } from './entry.ts'
import { optLength, putOptRecord } from './opt.ts'
import type { Peer } from './peer.ts'

/** RD comes back as it came (RFC 1035 §4.1.1), and of a QUERY so does CD (RFC 4035 §3). */
const COPIED = FLAG.RD | FLAG.CD
/** The bits of the opcode: all 0 for QUERY. */
const OPCODE_BITS = 0x7800

/**
 * Writes the desk's reply. Hot: once per message.
 *
 * @returns octets written
 */
export function write(desk: Desk, into: Uint8Array, peer: Peer): number {
  const out = wordsOf(desk, into)
  const { counts, query, reply } = desk
  const limit = query.limit - optLength(desk, peer)
  resetCompressor(desk.compressor)
  counts[0] = 0
  counts[1] = 0
  counts[2] = 0
  let at = putQuestion(desk, out)
  const copied = (query.flags & OPCODE_BITS) === 0 ? COPIED : FLAG.RD
  let flags = FLAG.QR | (query.flags & copied) | (reply.authoritative ? FLAG.AA : 0)
  if (reply.isCut) flags |= FLAG.TC
  for (let entry = 0; entry < reply.entries; entry += 1) {
    const next = putEntry(desk, entry, out, at, limit)
    if (next === -1) {
      flags |= FLAG.TC
      break
    }
    at = next
  }
  putHeader(out, query.id, flags, (query.flags >> 11) & 0xf, reply.rcode)
  if (query.edns.present) at = putOptRecord(desk, peer, out, at)
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
