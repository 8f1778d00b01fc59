/**
 * Questions to a JSON service in the manner of dns.google/resolve: `?name=&type=&edns_client_subnet=`,
 * and its replies. What JSON does not tell stays absent: AA, NSID, the SOURCE of the subnet.
 */

import type { Subnet } from '../plan/question.ts'
import { addressText, cleared, readAddress } from '../plan/subnet.ts'
import { followChain } from './chain.ts'
import { typeNumber } from './codec.ts'
import type { RawRecord, Section } from './message.ts'
import { shownName, shownText } from './name.ts'
import { type Echo, failed, type Reply, rcodeText } from './reply.ts'

const SOA = 6
const IN = 1

/** The query of the URL. A type without a word is asked for by its number. */
export function jsonQuery(name: string, type: string, subnet: Subnet | undefined): string {
  const parameters = new URLSearchParams({ name, type: type.replace(/^TYPE/, '') })
  if (subnet !== undefined) parameters.set('edns_client_subnet', subnet.text)
  // a slash and a colon need no escape in a query (RFC 3986 §3.4), and not all services undo it
  return parameters.toString().replaceAll('%2F', '/').replaceAll('%3A', ':')
}

/**
 * Reads a reply. Total: any octets give a value.
 *
 * @param subnet as it was sent: the reply tells of it the address and the scope
 */
export function readJson(
  octets: Uint8Array,
  name: string,
  type: string,
  subnet: Subnet | undefined,
): Reply {
  const document = parsed(octets)
  const status = document?.Status
  if (document === undefined || !isBelow(status, 0x10000)) return failed('malformed')
  const number = typeNumber(type) ?? 0
  if (!isAsked(document.Question, shownName(name), number)) {
    return failed('malformed', ['wrong-question'])
  }
  const oddities = new Set<string>()
  const answer = recordsOf(document.Answer, 'answer', oddities)
  const authority = recordsOf(document.Authority, 'authority', oddities)
  const found = followChain(answer, shownName(name), number)
  const echo = subnet === undefined ? undefined : echoOf(document.edns_client_subnet, subnet)
  return {
    error: undefined,
    rcode: rcodeText(status),
    flags: { aa: false, tc: document.TC === true, ra: document.RA === true },
    echo,
    edns: echo !== undefined,
    answers: found.answers,
    chain: found.chain,
    ttl: answer.length === 0 ? undefined : Math.min(...answer.map(record => record.ttl)),
    soa: authority.some(record => record.type === SOA),
    instance: undefined,
    oddities: [...oddities, ...found.oddities],
  }
}

type Parts = Readonly<Record<string, unknown>>

function parsed(octets: Uint8Array): Parts | undefined {
  try {
    return partsOf(JSON.parse(Buffer.from(octets).toString('utf8')))
  } catch {
    return undefined
  }
}

function partsOf(value: unknown): Parts | undefined {
  return typeof value === 'object' && value !== null ? (value as Parts) : undefined
}

function isBelow(value: unknown, end: number): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < end
}

/** Some services give one question without the list around it, some none: then it is as asked. */
function isAsked(given: unknown, name: string, type: number): boolean {
  const question = partsOf(Array.isArray(given) ? given[0] : given)
  if (question === undefined) return true
  if (typeof question.name !== 'string') return false
  return shownName(question.name) === name && question.type === type
}

/** A message of 65,535 octets holds no more. */
const MOST_RECORDS = 6000

function recordsOf(given: unknown, section: Section, oddities: Set<string>): readonly RawRecord[] {
  if (!Array.isArray(given)) return []
  if (given.length > MOST_RECORDS) oddities.add('too-many-records')
  return given.slice(0, MOST_RECORDS).flatMap(one => {
    const record = recordOf(partsOf(one), section)
    if (record === undefined) oddities.add('record-malformed')
    return record === undefined ? [] : [record]
  })
}

const MOST_TEXT = 65_535

function recordOf(given: Parts | undefined, section: Section): RawRecord | undefined {
  if (given === undefined) return undefined
  const { name, type, TTL, data } = given
  if (typeof name !== 'string' || typeof data !== 'string' || name.length > 1024) return undefined
  if (!isBelow(type, 0x10000) || !isBelow(TTL, 2 ** 32) || data.length > MOST_TEXT) return undefined
  const text = textOf(type, data)
  if (text === undefined) return undefined
  const owner = shownName(name)
  return { owner, type, class: IN, ttl: TTL, section, text, data: new Uint8Array(0) }
}

const WIDTH = new Map([
  [1, 4],
  [28, 16],
])
/** Types whose data is one name. */
const NAMES = new Set([2, 5, 12, 39])

/** As `rdata.ts` writes it: addresses are checked, names end in a dot. */
function textOf(type: number, data: string): string | undefined {
  const width = WIDTH.get(type)
  if (width !== undefined) {
    const octets = readAddress(data)
    return octets?.length === width ? addressText(octets) : undefined
  }
  if (!NAMES.has(type)) return shownText(Buffer.from(data)).replaceAll('\\"', '"')
  const name = shownName(data)
  return name === '.' ? name : `${name}.`
}

/** `198.51.100.0/24` is ADDRESS and SCOPE, `198.51.100.0/24/16` has SOURCE between them. */
function echoOf(given: unknown, subnet: Subnet): Echo | undefined {
  const [address = '', ...lengths] = typeof given === 'string' ? given.split('/') : []
  const octets = readAddress(address)
  const numbers = lengths.filter(text => /^[0-9]{1,3}$/.test(text)).map(Number)
  const scope = numbers.at(-1)
  if (octets === undefined || scope === undefined || scope > 255 || lengths.length > 2) {
    return undefined
  }
  const told = numbers.length === 2 ? numbers[0] : undefined
  const source = Math.min(told ?? subnet.source, octets.length * 8)
  const kept = cleared(octets, source).slice(0, Math.ceil(source / 8))
  const family = octets.length === 4 ? 1 : 2
  return { family, source, scope, address: Buffer.from(kept).toString('hex') }
}
