/**
 * The lab as a web server: `/dns-query` for DNS messages (RFC 8484), `/resolve` for JSON in the
 * manner of dns.google. A request in, a page out; no socket.
 */

import { setTimeout as pause } from 'node:timers/promises'
import packet, { type DecodedPacket, type Packet } from 'dns-packet'
import { readSubnet } from '../plan/subnet.ts'
import { isWrong } from '../plan/wrong.ts'
import type { Lab } from './lab.ts'

export type PageRequest = {
  readonly method: string
  readonly url: string
  readonly type: string | undefined
  readonly body: Buffer
}

export type Page =
  | { readonly kind: 'page'; readonly status: number; readonly type: string; readonly body: Buffer }
  /** The connection ends before there is one. */
  | { readonly kind: 'end' }

const MESSAGE = 'application/dns-message'

/** @returns `undefined` where the lab says nothing */
export async function pageFor(
  lab: Lab,
  listener: number,
  request: PageRequest,
): Promise<Page | undefined> {
  const { pathname, searchParams } = new URL(request.url, 'https://lab.test')
  if (pathname === '/resolve' && request.method === 'GET') {
    return jsonPage(lab, listener, searchParams)
  }
  if (pathname !== '/dns-query') return said(404, 'text/plain', 'no such page\n')
  const query = messageIn(request, searchParams)
  if (typeof query === 'number') return said(query, 'text/plain', 'not a DNS query\n')
  const page = await served(lab, listener, query)
  return page instanceof Uint8Array ? said(200, MESSAGE, page) : page
}

function said(status: number, type: string, body: string | Uint8Array): Page {
  return { kind: 'page', status, type, body: Buffer.from(body) }
}

/** The message, or the status of RFC 8484 §4.2.1 and RFC 9110 §15.5. */
function messageIn({ method, type, body }: PageRequest, search: URLSearchParams): Buffer | number {
  if (method === 'GET') {
    const text = search.get('dns')
    return text === null ? 400 : Buffer.from(text, 'base64url')
  }
  if (method !== 'POST') return 405
  return type === MESSAGE ? body : 415
}

/** What the lab sends first, when it is due; its pieces are whole here, or end too early. */
async function served(
  lab: Lab,
  listener: number,
  query: Buffer,
): Promise<Uint8Array | Page | undefined> {
  const [sent] = lab.serve(query, 'tcp', listener)
  if (sent === undefined) return undefined
  if (sent.after > 0) await pause(sent.after)
  return sent.kind === 'pieces' && sent.ends === 'early' ? { kind: 'end' } : sent.octets
}

const RECURSION = packet.RECURSION_DESIRED
const ECS = 8

async function jsonPage(
  lab: Lab,
  listener: number,
  search: URLSearchParams,
): Promise<Page | undefined> {
  const text = search.get('edns_client_subnet')
  const subnet = text === null ? undefined : readSubnet(text, 'any')
  if (isWrong(subnet)) return said(400, 'text/plain', 'not a subnet\n')
  const options =
    subnet === undefined
      ? []
      : [{ code: ECS, data: Buffer.from([0, subnet.family, subnet.source, 0, ...subnet.octets]) }]
  const query = packet.encode({
    type: 'query',
    flags: RECURSION,
    questions: [{ name: search.get('name') ?? '', type: wordOf(search.get('type') ?? 'A') }],
    additionals: [{ type: 'OPT', name: '.', udpPayloadSize: 4096, flags: 0, options }],
  } as unknown as Packet)
  const page = await served(lab, listener, query)
  if (!(page instanceof Uint8Array)) return page
  return said(200, 'application/dns-json', jsonOf(packet.decode(Buffer.from(page)) as Decoded))
}

/** Types come as words or numbers. */
function wordOf(type: string): string {
  return /^[0-9]+$/.test(type) ? `UNKNOWN_${type}` : type.toUpperCase()
}

// biome-ignore format: table
const NUMBERS: Readonly<Record<string, number>> = {
  A: 1, NS: 2, CNAME: 5, SOA: 6, TXT: 16, AAAA: 28,
}
const RCODES = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED']

/** What the codec gives and its types leave out. */
type Decoded = DecodedPacket & { readonly rcode: string }
type Subnet = { readonly ip?: string; readonly scopePrefixLength?: number }

function jsonOf(message: Decoded): string {
  const opt = (message.additionals ?? []).flatMap(one => (one.type === 'OPT' ? one.options : []))
  const ecs = opt.find(({ code }) => code === ECS) as Subnet | undefined
  return JSON.stringify({
    Status: RCODES.indexOf(message.rcode),
    TC: message.flag_tc,
    RD: true,
    RA: message.flag_ra,
    AD: false,
    CD: false,
    Question: (message.questions ?? []).map(({ name, type }) => ({
      name: `${name}.`,
      type: numberOf(type),
    })),
    Answer: (message.answers ?? []).map(recordOf),
    Authority: (message.authorities ?? []).map(recordOf),
    // address and scope: SOURCE is not told
    edns_client_subnet: ecs?.ip && `${ecs.ip}/${ecs.scopePrefixLength ?? 0}`,
  })
}

type Listed = {
  readonly name: string
  readonly type: string
  readonly ttl: number
  readonly data: unknown
}

function recordOf(record: object): object {
  const { name, type, ttl, data } = record as Listed
  const text = typeof data === 'object' && data !== null ? Object.values(data).join(' ') : `${data}`
  return { name: `${name}.`, type: numberOf(type), TTL: ttl, data: text }
}

function numberOf(type: string): number {
  return NUMBERS[type] ?? Number(type.replace(/^UNKNOWN_/, ''))
}
