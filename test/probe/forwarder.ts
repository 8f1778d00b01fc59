/**
 * Resolvers in front of a lab, good and bad: what each passes on of the option, and what it gives back.
 * Nothing but the option and the flags is touched. Written on `dns-packet`, apart from the probe's code.
 */
import dnsPacket, { type Packet } from 'dns-packet'
import type { Lab } from '../../probe/lab/lab.ts'
import type { Serve } from './in-process.ts'

/** The data of an ECS option: FAMILY, SOURCE, SCOPE, ADDRESS. RFC 7871 §6. */
export type Option = Buffer

export type Way = {
  /** What is passed on of what came; `refuse` answers REFUSED at once. */
  readonly on: (option: Option | undefined) => Option | undefined | 'refuse'
  /** What comes back: from the option that came and the one in the authority's reply. */
  readonly back: (came: Option | undefined, reply: Option | undefined) => Option | undefined
  readonly cache?: 'by-scope' | 'ignores-subnet'
}

const sourceOf = (option: Option): number => option.readUInt8(2)

/** The first so many bits of an option's address, SCOPE 0. */
export function shortened(option: Option, bits: number): Option {
  const source = Math.min(bits, sourceOf(option))
  const address = option.subarray(4, 4 + Math.ceil(source / 8))
  const kept = address.map((octet, at) => octet & (0xff00 >> Math.min(8, source - at * 8)))
  return Buffer.concat([option.subarray(0, 2), Buffer.of(source, 0), kept])
}

function withScope(option: Option, scope: number): Option {
  return Buffer.concat([option.subarray(0, 3), Buffer.of(scope), option.subarray(4)])
}

/** What came, with the scope of the reply. */
const copied: Way['back'] = (came, reply) =>
  came === undefined || reply === undefined ? undefined : withScope(came, reply.readUInt8(3))

const nothing = (): undefined => undefined

/** 194.107.180.0/24, and the network of a client that did not want to be told of. */
const SUBSTITUTE = Buffer.of(0, 1, 24, 0, 194, 107, 180)
const CLIENT = Buffer.of(0, 1, 24, 0, 192, 0, 2)
const OWN = Buffer.of(0, 1, 32, 0, 127, 0, 0, 1)

const honest: Way['on'] = option =>
  option === undefined ? undefined : shortened(option, 24 + (option[1] === 2 ? 32 : 0))
const isNobody = (option: Option | undefined): boolean =>
  option !== undefined && sourceOf(option) === 0
const isWithin = (option: Option, ...first: number[]): boolean =>
  first.every((octet, at) => option[4 + at] === octet)

export const WAYS = {
  honest: { on: honest, back: copied, cache: 'by-scope' },
  'without cache': { on: honest, back: copied },
  'cache ignores the subnet': { on: honest, back: copied, cache: 'ignores-subnet' },
  'truncates to /20': {
    on: option => (option === undefined ? option : shortened(option, 20)),
    back: copied,
  },
  'substitutes, echoes its own': { on: () => SUBSTITUTE, back: (_, reply) => reply },
  'substitutes, echoes the client': {
    on: () => SUBSTITUTE,
    back: came => (came === undefined ? undefined : withScope(came, sourceOf(came))),
  },
  strips: { on: nothing, back: nothing },
  'strips, scope 0': {
    on: nothing,
    back: came => (came === undefined ? came : withScope(came, 0)),
  },
  'strips, echoes': {
    on: nothing,
    back: came => (came === undefined ? came : withScope(came, 24)),
  },
  refuses: { on: option => (option === undefined ? undefined : 'refuse'), back: nothing },
  'refuses long, private and documentation': {
    on: option => {
      if (option === undefined) return undefined
      const special = isWithin(option, 10) || isWithin(option, 203, 0, 113)
      return sourceOf(option) > 24 + (option[1] === 2 ? 32 : 0) || special
        ? 'refuse'
        : honest(option)
    },
    back: copied,
  },
  'hides the scope': { on: honest, back: came => (came === undefined ? came : withScope(came, 0)) },
  'gives no option back': { on: honest, back: nothing },
  'another scope': { on: honest, back: came => (came === undefined ? came : withScope(came, 8)) },
  'passes stray bits on': { on: option => option, back: copied },
  'adds the client for SOURCE 0': {
    on: option => (option === undefined || isNobody(option) ? CLIENT : honest(option)),
    back: copied,
  },
  'names itself for SOURCE 0': {
    on: option => (isNobody(option) ? OWN : honest(option)),
    back: copied,
  },
} as const satisfies Readonly<Record<string, Way>>

const ECS = 8

/** A resolver of this way in front of a lab. */
export function forwarder(lab: Lab, way: Way): Serve {
  const held: {
    readonly key: string
    readonly octets: Uint8Array
    readonly block: Option | undefined
  }[] = []
  return (query, transport) => {
    const asked = dnsPacket.decode(Buffer.from(query))
    const came = optionOf(asked)
    const on = way.on(came)
    if (on === 'refuse') return message(encode(asked, { rcode: 5, option: undefined }))
    const key = `${asked.questions?.[0]?.name.toLowerCase()} ${asked.questions?.[0]?.type}`
    const known = held.find(one => one.key === key && isFor(one.block, on, way.cache))
    const fetched =
      known?.octets ??
      lab.serve(encode(asked, { option: on }), transport, 0, '127.0.0.1')[0]?.octets
    if (fetched === undefined) return []
    const reply = dnsPacket.decode(Buffer.from(fetched))
    const given = optionOf(reply)
    const block = given === undefined ? undefined : shortened(given, given.readUInt8(3))
    if (known === undefined && way.cache !== undefined) held.push({ key, octets: fetched, block })
    return message(encode(asked, { reply, option: way.back(came, given) }))
  }
}

/** Whether a held answer is good for a client. */
function isFor(block: Option | undefined, on: Option | undefined, cache: Way['cache']): boolean {
  if (cache === 'ignores-subnet') return true
  if (block === undefined || on === undefined) return block === on
  return block[1] === on[1] && sourceOf(block) > 0 && shortened(on, sourceOf(block)).equals(block)
}

function optionOf({ additionals = [] }: Packet): Option | undefined {
  const opt = additionals.find(record => record.type === 'OPT')
  const found = opt?.type === 'OPT' ? opt.options.find(({ code }) => code === ECS) : undefined
  return (found as unknown as { readonly data: Option } | undefined)?.data
}

type Made = {
  readonly option: Option | undefined
  readonly reply?: Packet
  readonly rcode?: number
}

/** The query again, or the reply, with this option. */
function encode(asked: Packet, { option, reply, rcode = 0 }: Made): Uint8Array {
  const options = option === undefined ? [] : [{ code: ECS, data: option }]
  const opt = { type: 'OPT', name: '.', udpPayloadSize: 1232, flags: 0, options }
  const isReply = reply !== undefined || rcode > 0
  const flags = (reply?.flags ?? 0) & 15
  const head = isReply
    ? { type: 'response', flags: dnsPacket.RECURSION_AVAILABLE | rcode | flags }
    : { type: 'query', flags: 0 }
  const { id = 0, questions = [] } = asked
  const sections = { answers: reply?.answers ?? [], authorities: reply?.authorities ?? [] }
  return dnsPacket.encode({
    ...head,
    id,
    questions,
    ...sections,
    additionals: [opt],
  } as unknown as Packet)
}

function message(octets: Uint8Array): ReturnType<Serve> {
  return [{ kind: 'message', after: 0, octets }]
}
