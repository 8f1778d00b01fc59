/**
 * Reads the data of one record of a master file onto the end of a zone's data: the plainest straight
 * from the octets, everything else as tokens, which `dns/rdata.ts` reads.
 */
import type { Token } from '../dns/field.ts'
import { MAX_NAME } from '../dns/name.ts'
import { rdataFromText } from '../dns/rdata.ts'
import { TYPE } from '../dns/rrtype.ts'
import { isWrong } from '../fault.ts'
import { appendOctets, reserveOctets } from './growing.ts'
import { putPlainIpv4, putPlainIpv6, putPlainName } from './plain.ts'
import type { Reading } from './reading.ts'
import { complain } from './reporter.ts'
import { isQuoted, type Scanner, tokenAt, tokenEnd, tokenStart, tokenText } from './scan.ts'

/**
 * Reads the tokens behind the reading's head. Hot: once per record loaded.
 *
 * @returns false, and says what is wrong, where they are no data of its type
 */
export function readData(reading: Reading, origin: Uint8Array | undefined, scan: Scanner): boolean {
  const { head } = reading
  const { rdata } = reading.records
  const isSingle = scan.count === head.next + 1 && !isQuoted(scan, head.next)
  const to = isSingle ? putPlain(reading, origin, scan) : -1
  if (to < 0) return readOdd(reading, origin, scan)
  rdata.length = to
  return true
}

/** Hot. Returns the offset after data of one plain token, or −1. */
function putPlain(reading: Reading, origin: Uint8Array | undefined, scan: Scanner): number {
  const { head } = reading
  const { rdata } = reading.records
  const { octets } = scan
  const start = tokenStart(scan, head.next)
  const end = tokenEnd(scan, head.next)
  reserveOctets(rdata, 2 * MAX_NAME)
  switch (head.type) {
    case TYPE.A:
      return putPlainIpv4(octets, start, end, rdata.cells, rdata.length)
    case TYPE.AAAA:
      return putPlainIpv6(octets, start, end, rdata.cells, rdata.length)
    case TYPE.NS:
    case TYPE.CNAME:
    case TYPE.PTR:
      return putPlainName(octets, start, end, origin, rdata.cells, rdata.length)
    default:
      return -1
  }
}

function readOdd(reading: Reading, origin: Uint8Array | undefined, scan: Scanner): boolean {
  const { head, records } = reading
  const tokens: Token[] = []
  for (let token = head.next; token < scan.count; token += 1) {
    tokens.push({ text: tokenText(scan, token), quoted: isQuoted(scan, token) })
  }
  const rdata = rdataFromText(head.type, tokens, origin)
  if (isWrong(rdata)) {
    complain(reading.reporter, tokenAt(scan, head.next + (rdata.token ?? -1)), rdata)
    return false
  }
  appendOctets(records.rdata, rdata, 0, rdata.length)
  return true
}
