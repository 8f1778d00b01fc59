/**
 * Record data as text. Addresses, names and the types people ask for are written out; everything
 * else, and everything the codec stumbles over, as `\# n hex` (RFC 3597 §5), which is always true.
 */

import type { CaaData, MxData, SoaData, SrvData } from 'dns-packet'
import { rdataCodec } from './codec.ts'
import { shownName, shownText } from './name.ts'

type Writer = { readonly word: string; readonly write: (data: unknown) => string }

const name = (data: unknown): string => dotted(String(data))

const WRITERS = new Map<number, Writer>([
  [1, { word: 'A', write: String }],
  [2, { word: 'NS', write: name }],
  [5, { word: 'CNAME', write: name }],
  [6, { word: 'SOA', write: data => soa(data as SoaData) }],
  [12, { word: 'PTR', write: name }],
  [15, { word: 'MX', write: data => mx(data as MxData) }],
  [16, { word: 'TXT', write: data => txt(data as readonly Buffer[]) }],
  [28, { word: 'AAAA', write: String }],
  [33, { word: 'SRV', write: data => srv(data as SrvData) }],
  [39, { word: 'DNAME', write: name }],
  [257, { word: 'CAA', write: data => caa(data as CaaData) }],
])

/** How many octets the data of a type must have; the codec does not look. */
const WIDTH = new Map([
  [1, 4],
  [28, 16],
])

/**
 * @param message the message up to the end of this record's data, so that nothing past it is read
 * @param at where the data begins, after RDLENGTH
 */
export function textOf(type: number, message: Buffer, at: number): string {
  const writer = WRITERS.get(type)
  const width = WIDTH.get(type)
  const fits = width === undefined || width === message.length - at
  if (writer === undefined || !fits) return opaque(message.subarray(at))
  try {
    const codec = rdataCodec(writer.word)
    const data = codec.decode(message, at - 2)
    const whole = codec.decode.bytes === message.length - at + 2
    return whole ? writer.write(data) : opaque(message.subarray(at))
  } catch {
    return opaque(message.subarray(at))
  }
}

/** `\# 4 c0000201`; `\# 0` for no octets. */
export function opaque(data: Uint8Array): string {
  const hex = Buffer.from(data).toString('hex')
  return `\\# ${data.length}${hex === '' ? '' : ` ${hex}`}`
}

function dotted(text: string): string {
  const shown = shownName(text)
  return shown === '.' ? shown : `${shown}.`
}

function mx(data: MxData): string {
  return `${data.preference ?? 0} ${dotted(data.exchange)}`
}

function srv(data: SrvData): string {
  return `${data.priority ?? 0} ${data.weight ?? 0} ${data.port} ${dotted(data.target)}`
}

function soa(data: SoaData): string {
  const times = [data.serial, data.refresh, data.retry, data.expire, data.minimum]
  return `${dotted(data.mname)} ${dotted(data.rname)} ${times.join(' ')}`
}

function txt(data: readonly Buffer[]): string {
  return data.map(part => `"${shownText(part)}"`).join(' ')
}

function caa(data: CaaData): string {
  return `${data.flags ?? 0} ${data.tag} "${shownText(Buffer.from(data.value))}"`
}
