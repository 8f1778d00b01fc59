/**
 * What came back for one question, as plain data: a usable reply, or why there is none. Reads a
 * message as the answer to a name and type; knows nothing of sockets.
 */

import { followChain } from './chain.ts'
import { FLAGS, type Message, type RawRecord, readMessage } from './message.ts'
import { shownName } from './name.ts'
import { readOptions, type Told } from './options.ts'
import type { Broken, Denied } from './wire.ts'

/** The ECS option of a reply, byte for byte. */
export type Echo = {
  readonly family: number
  readonly source: number
  readonly scope: number
  /** ADDRESS octets, lower-case hex. */
  readonly address: string
}

export type Failure = Broken | Denied['error'] | 'malformed' | 'truncated'

export type Reply = {
  readonly error: Failure | undefined
  /** Reply code as text; absent with an error. */
  readonly rcode: string | undefined
  readonly flags: { readonly aa: boolean; readonly tc: boolean; readonly ra: boolean }
  readonly echo: Echo | undefined
  readonly edns: boolean
  /** Data of the type asked at the end of the CNAME chain, in the order received. */
  readonly answers: readonly string[]
  /** Targets of the CNAME chain, in order, without trailing dots. */
  readonly chain: readonly string[]
  /** Smallest TTL of the answer section. */
  readonly ttl: number | undefined
  /** Whether a SOA stands in the authority section. */
  readonly soa: boolean
  /** The zone that the reply refers to other name servers for; absent: it is no referral. */
  readonly referral?: string
  /** NSID as text. */
  readonly instance: string | undefined
  readonly oddities: readonly string[]
}

const NO_FLAGS = { aa: false, tc: false, ra: false } as const

/** No usable reply, and why. */
export function failed(error: Failure, oddities: readonly string[] = []): Reply {
  return {
    error,
    rcode: undefined,
    flags: NO_FLAGS,
    echo: undefined,
    edns: false,
    answers: [],
    chain: [],
    ttl: undefined,
    soa: false,
    instance: undefined,
    oddities,
  }
}

/**
 * Reads a reply. Total: any octets give a value.
 *
 * @param name the name asked, without trailing dot
 * @param type the number of the type asked
 */
export function readReply(octets: Uint8Array, name: string, type: number): Reply {
  const message = readMessage(octets)
  if (message === 'malformed' || message === 'truncated') return failed(message)
  const answer = message.records.filter(record => record.section === 'answer' && !isOpt(record))
  const found = followChain(answer.filter(isInternet), shownName(name), type)
  const opt = message.records.filter(isOpt)
  const placed = opt.filter(record => record.section === 'additional' && record.owner === '.')
  const told = toldBy(placed)
  const soa = message.records.some(record => record.section === 'authority' && record.type === SOA)
  const referral = referralOf(message, answer, soa)
  return {
    error: undefined,
    rcode: rcodeText(message.rcode | extendedRcode(placed)),
    flags: flagsOf(message),
    echo: told.echo,
    edns: placed.length > 0,
    answers: found.answers,
    chain: found.chain,
    ttl: answer.length === 0 ? undefined : Math.min(...answer.map(record => record.ttl)),
    soa,
    ...(referral === undefined ? {} : { referral }),
    instance: told.instance,
    oddities: [
      ...found.oddities,
      ...told.oddities,
      ...(placed.length < opt.length ? ['opt-misplaced'] : []),
      ...(placed.length > 1 ? ['two-opts'] : []),
    ],
  }
}

/** RFC 2308 §2.2: no answer and no SOA, but name servers in the authority section. */
function referralOf(
  message: Message,
  answer: readonly RawRecord[],
  soa: Reply['soa'],
): string | undefined {
  const isAuthority = (message.flags & FLAGS.authoritative) !== 0
  if (message.rcode !== 0 || answer.length > 0 || soa || isAuthority) return undefined
  return message.records.find(({ section, type }) => section === 'authority' && type === NS)?.owner
}

const NS = 2
const SOA = 6
const OPT = 41
const IN = 1

const RCODES = [
  'NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED',
  'YXDOMAIN', 'YXRRSET', 'NXRRSET', 'NOTAUTH', 'NOTZONE',
] as const // biome-ignore format: table

/** `NOERROR`, `BADVERS`, or `RCODE4095` where there is no word. RFC 6895 §2.3. */
export function rcodeText(rcode: number): string {
  if (rcode === 16) return 'BADVERS'
  if (rcode === 23) return 'BADCOOKIE'
  return RCODES[rcode] ?? `RCODE${rcode}`
}

function isOpt(record: RawRecord): boolean {
  return record.type === OPT
}

function isInternet(record: RawRecord): boolean {
  return record.class === IN
}

function toldBy(placed: readonly RawRecord[]): Told {
  const [first] = placed
  if (first === undefined) return { echo: undefined, instance: undefined, oddities: [] }
  return readOptions(first.data)
}

/** The upper eight bits of the reply code stand in the OPT's TTL. RFC 6891 §6.1.3. */
function extendedRcode(placed: readonly RawRecord[]): number {
  return ((placed[0]?.ttl ?? 0) >>> 24) << 4
}

function flagsOf(message: Message): Reply['flags'] {
  return {
    aa: (message.flags & FLAGS.authoritative) !== 0,
    tc: (message.flags & FLAGS.truncated) !== 0,
    ra: (message.flags & FLAGS.recursionAvailable) !== 0,
  }
}
