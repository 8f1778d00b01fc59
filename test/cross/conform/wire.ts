/**
 * A question as octets, and a reply as text that compares: names in lower case and without
 * compression, RRsets in order of appearance. Written apart from the server's codec, so that each can
 * see the other's mistakes. A reply that cannot be read throws: nobody may send one.
 */
import { layoutOf } from './layout.ts'

export type Question = {
  /** Its octets, letter case kept. */
  readonly name: Uint8Array
  readonly type: number
  readonly class: number
  /** RD, AD and CD as in the header: 0x0100, 0x0020, 0x0010. */
  readonly flags: number
  readonly edns: { readonly size: number; readonly isDo: boolean } | undefined
  readonly over: 'udp' | 'tcp'
}

export type Told = {
  readonly rcode: number
  readonly aa: boolean
  readonly tc: boolean
  readonly rd: boolean
  readonly ra: boolean
  readonly ad: boolean
  readonly cd: boolean
  /** Of a question, as it came back: hex. */
  readonly question: string
  /** Each `owner type class`, then its records `ttl data`, sorted; RRsets in order. */
  readonly answer: readonly string[]
  /** Records, sorted. */
  readonly authority: readonly string[]
  readonly additional: readonly string[]
  /** `version size DO`, or `none`. */
  readonly opt: string
  readonly octets: number
}

const OPT = 41

export function encode(question: Question, id: number): Buffer {
  const { name, type, flags, edns } = question
  const head = Buffer.alloc(12)
  head.writeUInt16BE(id, 0)
  head.writeUInt16BE(flags, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(edns === undefined ? 0 : 1, 10)
  const tail = Buffer.alloc(4)
  tail.writeUInt16BE(type, 0)
  tail.writeUInt16BE(question.class, 2)
  const opt = edns === undefined ? Buffer.alloc(0) : Buffer.alloc(11)
  if (edns !== undefined) {
    opt.writeUInt16BE(OPT, 1)
    opt.writeUInt16BE(edns.size, 3)
    if (edns.isDo) opt.writeUInt16BE(0x8000, 7)
  }
  return Buffer.concat([head, name, tail, opt])
}

type Placed = { readonly text: string; readonly end: number }
type Record = Placed & {
  readonly owner: string
  readonly type: number
  readonly class: number
  readonly ttl: number
}

export function decode(reply: Buffer): Told {
  const flags = reply.readUInt16BE(2)
  const questions = reply.readUInt16BE(4)
  let at = 12
  for (let left = questions; left > 0; left -= 1) at = nameAt(reply, at).end + 4
  const question = reply.subarray(12, at).toString('hex')
  const sections = [6, 8, 10].map(count => {
    const records = recordsAt(reply, at, reply.readUInt16BE(count))
    at = records.at(-1)?.end ?? at
    return records
  })
  if (at !== reply.length) throw new Error(`${reply.length - at} octets behind the last record`)
  const [answer = [], authority = [], additional = []] = sections
  const opts = additional.filter(({ type }) => type === OPT)
  return {
    ...flagsOf(flags),
    rcode: (flags & 15) | (((opts[0]?.ttl ?? 0) >>> 24) << 4),
    question,
    answer: inOrder(answer),
    authority: authority.map(whole).sort(),
    additional: additional
      .filter(({ type }) => type !== OPT)
      .map(whole)
      .sort(),
    opt: opts.map(optText).join(' and ') || 'none',
    octets: reply.length,
  }
}

function flagsOf(flags: number) {
  const has = (bit: number): boolean => (flags & bit) !== 0
  return {
    aa: has(0x400),
    tc: has(0x200),
    rd: has(0x100),
    ra: has(0x80),
    ad: has(0x20),
    cd: has(0x10),
  }
}

function optText({ class: size, ttl, owner }: Record): string {
  const isDo = (ttl & 0x8000) !== 0
  return `${owner === '.' ? '' : owner}${(ttl >>> 16) & 255} ${size}${isDo ? ' do' : ''}`
}

function whole({ owner, type, class: cls, ttl, text }: Record): string {
  return `${owner} ${ttl} ${cls} TYPE${type} ${text}`
}

/** RRsets in order of their first record. */
function inOrder(records: readonly Record[]): string[] {
  const sets = new Map<string, string[]>()
  for (const record of records) {
    const key = `${record.owner} TYPE${record.type} ${record.class}`
    sets.set(key, [...(sets.get(key) ?? []), `${record.ttl} ${record.text}`])
  }
  return [...sets].map(([key, data]) => [key, ...data.sort()].join('; '))
}

function recordsAt(reply: Buffer, from: number, count: number): Record[] {
  const records: Record[] = []
  let at = from
  for (let left = count; left > 0; left -= 1) {
    const record = recordAt(reply, at)
    records.push(record)
    at = record.end
  }
  return records
}

function recordAt(reply: Buffer, from: number): Record {
  const { text: owner, end: at } = nameAt(reply, from)
  const type = reply.readUInt16BE(at)
  const end = at + 10 + reply.readUInt16BE(at + 8)
  if (end > reply.length) throw new Error('a record ends behind the message')
  const text = dataText(reply, type, at + 10, end)
  return {
    owner,
    type,
    class: reply.readUInt16BE(at + 2),
    ttl: reply.readUInt32BE(at + 4),
    text,
    end,
  }
}

/** Names inside as text, all else as hex. */
function dataText(reply: Buffer, type: number, from: number, end: number): string {
  const parts: string[] = []
  let at = from
  for (const field of layoutOf(type)) {
    if (at >= end) break
    const next = field === 'name' ? nameAt(reply, at).end : fieldEnd(reply, at, field)
    parts.push(field === 'name' ? nameAt(reply, at).text : reply.subarray(at, next).toString('hex'))
    at = next
  }
  if (at > end) throw new Error(`data of TYPE${type} is longer than it says`)
  return [...parts, reply.subarray(at, end).toString('hex')].filter(Boolean).join(' ')
}

function fieldEnd(reply: Buffer, at: number, field: number | 'string'): number {
  return field === 'string' ? at + 1 + reply.readUInt8(at) : at + field
}

/** Lower case, odd octets as \DDD; follows pointers backwards only. */
export function nameAt(reply: Uint8Array, from: number): Placed {
  const labels: string[] = []
  let at = from
  let least = from
  let end = -1
  for (let size = reply[at] ?? 0; size !== 0; size = reply[at] ?? 0) {
    if (size >= 0xc0) {
      if (end === -1) end = at + 2
      at = ((size & 0x3f) << 8) | (reply[at + 1] ?? 0)
      if (at >= least) throw new Error('a pointer that does not point back')
      least = at
      continue
    }
    labels.push(labelText(reply.subarray(at + 1, at + 1 + size)))
    at += 1 + size
  }
  return { text: `${labels.join('.')}.`, end: end === -1 ? at + 1 : end }
}

function labelText(label: Uint8Array): string {
  return [...label]
    .map(octet => (octet >= 0x41 && octet <= 0x5a ? octet + 32 : octet))
    .map(octet =>
      /[a-z0-9*_/-]/.test(String.fromCharCode(octet))
        ? String.fromCharCode(octet)
        : `\\${String(octet).padStart(3, '0')}`,
    )
    .join('')
}

/** Octets of a name written with \DDD and \X escapes; case kept. */
export function nameOctets(text: string): Uint8Array {
  const labels: number[][] = [[]]
  for (const [part] of text.replace(/\.$/, '').matchAll(/\\[0-9]{3}|\\.|[^\\]/gs)) {
    if (part === '.') labels.push([])
    else if (/^\\[0-9]{3}$/.test(part)) labels.at(-1)?.push(Number(part.slice(1)))
    else labels.at(-1)?.push(part.charCodeAt(part.length - 1))
  }
  const filled = labels.filter(label => label.length > 0)
  return Uint8Array.from([...filled.flatMap(label => [label.length, ...label]), 0])
}
